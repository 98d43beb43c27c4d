-- Backups that the server writes by itself, one row a run. Several nodes want to write one: the node that inserts
-- the next number does it.
create table backup_run (
    number        bigint primary key,
    state         text not null check (state in ('running', 'written', 'skipped', 'failed', 'interrupted')),
    started_at    bigint not null,
    -- Null: it is running.
    ended_at      bigint,
    -- The process that writes it, and its name.
    node_id       uuid not null,
    node          text not null,
    -- File name in the folder of backups. Null: none was written.
    file          text,
    -- Size of the file; of a skipped run the free space that it needs.
    bytes         bigint,
    -- When the file was deleted because newer ones are kept. Null: it was not.
    removed_at    bigint,
    -- Why it failed, as the system says it.
    detail        text,
    -- Whether the file could be restored. Null: it was not tried.
    verification  text check (verification in ('running', 'restored', 'failed')),
    verifier_id   uuid,
    verified_at   bigint,
    -- How long the restore took.
    restore_ms    bigint,
    verify_detail text
);

-- What is wrong with the backups: one row, or none.
create table backup_problem (
    id    bigint primary key check (id = 1),
    cause text not null check (cause in ('no_space', 'missed', 'not_restorable')),
    since bigint not null
);
