-- The processes that serve this database. Words mirror crates/domain/src/engine.rs; all times are the database's own.
create table node (
    id         blob primary key,
    name       text not null,
    role       text not null check (role in ('web', 'work', 'all')),
    version    text not null,
    state      text not null default 'alive' check (state in ('alive', 'stopped', 'lost')),
    started_at integer not null,
    beat_at    integer not null,
    -- When its consumer last showed life; null: it runs no engine.
    worked_at  integer,
    ended_at   integer,
    check ((state = 'stopped') = (ended_at is not null))
) strict;
