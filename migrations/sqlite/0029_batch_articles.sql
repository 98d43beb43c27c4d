-- What a change of many articles changed, so that it can be undone: see batch.
create table batch_article (
    batch_id     blob not null references batch (id) on delete cascade,
    article_id   blob not null,
    -- Owner before the change, and after it. Null: the owner was not changed.
    was_owner_id blob,
    owner_id     blob,
    -- Number of the revision that the change stored. Null: it stored none.
    revision     integer,
    primary key (batch_id, article_id)
) strict, without rowid;
