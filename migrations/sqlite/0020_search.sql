-- The index of the full-text search, one entry an article. Its tokens are made by crates/store/src/search, the same for both engines.
-- seq grows with each change of an article: reading the index backwards reads the newest change first.
create table search_entry (
    seq        integer primary key,
    article_id blob not null unique,
    -- The article's changed_at when this entry was made; another value means that the entry is stale.
    changed_at integer not null
) strict;
create virtual table search_index using fts5 (tokens, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');
-- One row: whether every article that was there before this step has its entry.
create table search_state (
    id        integer primary key check (id = 1),
    is_filled integer not null check (is_filled in (0, 1))
) strict;
insert into search_state (id, is_filled) select 1, not exists (select 1 from article);
