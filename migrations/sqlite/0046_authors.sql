-- Authors that revisions name, in order. A revision without any names the owner of its article.
-- Ids as in the details; here for the lists of the site.

create table revision_author (
    revision_id blob not null references revision (id) on delete cascade deferrable initially deferred,
    position    integer not null,
    account_id  blob not null references account (id) deferrable initially deferred,
    primary key (revision_id, position)
) strict;
create index revision_author_account on revision_author (account_id, revision_id);
