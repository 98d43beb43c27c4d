-- Posting slots: the wall-clock times at which the desk usually publishes. One row; none: no slots.

create table slot_plan (
    id         integer primary key check (id = 1),
    version    integer not null check (version >= 1),
    time_zone  text not null,
    -- Seven days from Monday and the dates without slots: JSON, see SlotSettings.
    days       text not null,
    holidays   text not null,
    -- Number of slots taken so far. A task takes the next free slot only after it has increased this
    -- number in its transaction, so no two take the same one.
    taken      integer not null default 0,
    changed_at integer not null
) strict;
