-- Details of articles: what belongs to an article besides title and text, pinned with each revision.
-- The permitted words mirror crates/domain/src/articles/details.rs.

-- Details as a JSON object without defaults. Null: all defaults.
alter table revision add column details text;
-- Kind of page; the same as in the details, for lists.
alter table revision add column template text not null default 'article' check (template in ('article', 'page'));
-- Whether it is shown first on the front page; the same as in the details.
alter table revision add column is_featured integer not null default 0 check (is_featured in (0, 1));
-- Instant of the date in the details, which becomes the publication time. Null: the details have none.
alter table revision add column dated_at integer;
-- What it changed, compared with the revision before.
alter table revision add column changed text not null default 'text' check (changed in ('text', 'details', 'both'));

-- Tags of the desk. Two names that differ only in case or width are one tag.
create table tag (
    -- The name in NFKC, case folded.
    key        text primary key,
    -- As it was first written.
    name       text not null,
    created_at integer not null
) strict;

-- Tags of revisions.
create table revision_tag (
    revision_id blob not null references revision (id) on delete cascade deferrable initially deferred,
    key         text not null references tag (key) deferrable initially deferred,
    primary key (revision_id, key)
) strict;
create index revision_tag_key on revision_tag (key, revision_id);
create index revision_page on revision (id) where template = 'page';
create index revision_featured on revision (id) where is_featured = 1;
create index article_public_revision on article (published_revision_id) where published_revision_id is not null;
