-- The index of the full-text search, one entry an article. Its tokens are made by crates/store/src/search, the same for both engines.
create table search_entry (
    article_id uuid primary key,
    tokens     tsvector not null,
    -- The article's changed_at when this entry was made; another value means that the entry is stale.
    changed_at bigint not null
);
-- New entries go to a short list first, which every search reads: it is kept short.
create index search_entry_tokens on search_entry using gin (tokens) with (fastupdate = on, gin_pending_list_limit = 256);
-- One row: whether every article that was there before this step has its entry.
create table search_state (
    id        integer primary key check (id = 1),
    is_filled integer not null check (is_filled in (0, 1))
);
insert into search_state (id, is_filled) select 1, case when exists (select 1 from article) then 0 else 1 end;
