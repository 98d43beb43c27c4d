-- Changes of many tasks at once, kept for some days so that each can be undone as a whole.

create table batch (
    id         blob primary key,
    account_id blob not null,
    created_at integer not null,
    -- Null: it was not undone.
    undone_at  integer
) strict;
create index batch_age on batch (created_at);

-- The tasks of a batch. Which of them it changed last is in the details of their events.
create table batch_task (
    batch_id blob not null references batch (id) on delete cascade,
    task_id  blob not null,
    primary key (batch_id, task_id)
) strict, without rowid;
