-- What an event of a calendar file was when it was last imported: a newer one updates its meetings.
create table imported_event (
    -- Digest of the UID, and of the recurrence id if it has one.
    id          uuid primary key,
    -- Digest of the UID alone: that of the event of which this is one of the times, or its own.
    of_id       uuid not null,
    -- Whether target_id is a meeting or a series.
    kind        text not null check (kind in ('meeting', 'series')),
    target_id   uuid not null,
    -- SEQUENCE of the event.
    sequence    integer not null,
    -- Digest of what is imported.
    content     text not null,
    -- Digest of its attendees. Null: they were left out.
    people      text,
    imported_at bigint not null
);

create index imported_event_of on imported_event (of_id);
