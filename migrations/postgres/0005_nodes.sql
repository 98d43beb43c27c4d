-- The processes that serve this database. Words mirror crates/domain/src/engine.rs; all times are the database's own.
create table node (
    id         uuid primary key,
    name       text not null,
    role       text not null check (role in ('web', 'work', 'all')),
    version    text not null,
    state      text not null default 'alive' check (state in ('alive', 'stopped', 'lost')),
    started_at bigint not null,
    beat_at    bigint not null,
    -- When its consumer last showed life; null: it runs no engine.
    worked_at  bigint,
    ended_at   bigint,
    check ((state = 'stopped') = (ended_at is not null))
);
