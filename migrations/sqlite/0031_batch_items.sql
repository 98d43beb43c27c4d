-- The meetings and reminders that a change of many changed, so that it can be undone: see batch.
create table batch_item (
    batch_id blob not null references batch (id) on delete cascade,
    item_id  blob not null,
    kind     text not null check (kind in ('meeting', 'reminder')),
    -- Version after the change. With another one, it was changed since.
    version  integer not null,
    -- Order of the changes. They are undone in the reverse order.
    position integer not null,
    primary key (batch_id, item_id)
) strict, without rowid;
