-- Changes of many tasks at once, kept for some days so that each can be undone as a whole.

create table batch (
    id         uuid primary key,
    account_id uuid not null,
    created_at bigint not null,
    -- Null: it was not undone.
    undone_at  bigint
);
create index batch_age on batch (created_at);

-- The tasks of a batch. Which of them it changed last is in the details of their events.
create table batch_task (
    batch_id uuid not null references batch (id) on delete cascade,
    task_id  uuid not null,
    primary key (batch_id, task_id)
);
