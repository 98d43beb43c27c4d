-- Items in wall-clock time that newer time-zone data gave another instant, or a local time that happens twice or never; kept until
-- somebody dismisses them.
create table zone_move (
    task_id    blob primary key,
    -- Release of the data, e.g. 2026f.
    data       text not null,
    cause      text not null check (cause in ('moved', 'skipped', 'doubled')),
    local      text not null,
    zone       text not null,
    was_due_at integer not null,
    due_at     integer not null,
    found_at   integer not null
) strict;
create index zone_move_due on zone_move (due_at, task_id);
