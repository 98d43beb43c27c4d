-- Authors of articles, and what their pages show.

-- One paragraph on the author's page. Empty: none.
alter table account add column about text not null default '';
-- Path of the picture on the author's page, in the media library. Empty: none.
alter table account add column picture text not null default '';
create index account_picture on account (picture) where picture <> '';

-- Authors that revisions name, in order. A revision without any names the owner of its article.
-- Ids as in the details; here for the lists of the site.
create table revision_author (
    revision_id uuid not null references revision (id) on delete cascade deferrable initially deferred,
    position    integer not null,
    account_id  uuid not null references account (id) deferrable initially deferred,
    primary key (revision_id, position)
);
create index revision_author_account on revision_author (account_id, revision_id);
