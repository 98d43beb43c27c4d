-- Rooms, meetings and their attendees. The permitted words mirror crates/domain/src/meetings.

create table room (
    id          blob primary key,
    name        text not null unique,
    version     integer not null default 1 check (version >= 1),
    -- Place in the list.
    position    integer not null,
    -- Number of persons. Null: unknown.
    capacity    integer check (capacity >= 1),
    place       text not null,
    -- What it has: a JSON list of texts.
    equipment   text not null,
    time_zone   text not null,
    -- The lowest role that may book it.
    booked_by   text not null check (booked_by in ('creator', 'reviewer', 'admin')),
    -- What it requires of bookings: a JSON object, see RoomPolicy.
    policy      text not null,
    -- Null: it can be booked.
    archived_at integer,
    created_at  integer not null
) strict;

create table meeting (
    id             blob primary key,
    title          text not null,
    description    text not null,
    -- Address of an online meeting. Null: it has none.
    link           text,
    -- Null: it has no room.
    room_id        blob references room (id),
    organizer_id   blob not null,
    state          text not null check (state in ('requested', 'confirmed', 'in_progress', 'ended', 'rejected', 'expired',
                                                  'cancelled', 'released')),
    version        integer not null default 1 check (version >= 1),
    -- Half-open: the next booking of the room may start at free_at, the end and the buffer.
    starts_at      integer not null,
    ends_at        integer not null check (ends_at > starts_at and ends_at - starts_at <= 1209600000),
    free_at        integer not null check (free_at >= ends_at and free_at - ends_at <= 43200000),
    -- Wall-clock times as the user typed them. Both null: a client gave exact instants.
    local_start    text,
    local_end      text,
    time_zone      text not null,
    -- 1: no user else can book the room from starts_at to free_at.
    holds          integer not null check (holds in (0, 1)),
    -- Null: no user has checked in.
    checked_in_at  integer,
    -- When the room is released unless a user checks in. Null: never.
    release_at     integer,
    -- When a request is decided by itself. Null: it is not a request.
    decide_at      integer,
    decision       text not null check (decision in ('reject', 'confirm', 'hold')),
    -- 1: the deadline has passed, and the request waits for an admin.
    is_held        integer not null default 0 check (is_held in (0, 1)),
    -- Why it was rejected or cancelled; may be empty.
    reason         text not null default '',
    -- What the last change was, and the booking before it as JSON. All null: it cannot be undone.
    undo_verb      text,
    undo_at        integer,
    undo_before    text,
    -- The series, and the local time by its rule, which identifies an occurrence. Both null: it does not repeat.
    series_id      blob,
    original_local text,
    created_at     integer not null,
    check ((local_start is null) = (local_end is null)),
    check (holds = 0 or (room_id is not null and state in ('requested', 'confirmed', 'in_progress', 'ended'))),
    check ((state = 'requested') = (decide_at is not null)),
    check (is_held = 0 or state = 'requested'),
    check ((undo_verb is null) = (undo_at is null) and (undo_verb is null) = (undo_before is null)),
    check ((series_id is null) = (original_local is null))
) strict;
create index meeting_room on meeting (room_id, starts_at) where holds = 1;
create index meeting_start on meeting (starts_at, id);
create index meeting_organizer on meeting (organizer_id, starts_at);
create index meeting_requested on meeting (starts_at, id) where state = 'requested';
create unique index meeting_occurrence on meeting (series_id, original_local) where series_id is not null;

-- No two bookings hold a room at the same time. The service checks before it writes; these triggers are the net below.
-- A booking takes at most 14 days and 12 hours, so those that overlap start at most that long before.
create trigger meeting_no_overlap_insert before insert on meeting when new.holds = 1 begin
    select raise(abort, 'meeting_no_overlap')
     where exists (select 1 from meeting m
                    where m.holds = 1 and m.room_id = new.room_id and m.id <> new.id
                      and m.starts_at < new.free_at and m.starts_at > new.starts_at - 1252800000
                      and m.free_at > new.starts_at);
end;
create trigger meeting_no_overlap_update before update of room_id, starts_at, free_at, holds on meeting when new.holds = 1 begin
    select raise(abort, 'meeting_no_overlap')
     where exists (select 1 from meeting m
                    where m.holds = 1 and m.room_id = new.room_id and m.id <> new.id
                      and m.starts_at < new.free_at and m.starts_at > new.starts_at - 1252800000
                      and m.free_at > new.starts_at);
end;

-- The row of table target for each meeting.
create trigger meeting_target_insert after insert on meeting begin
    insert into target (id, kind, title, path, owner_id, revision_id, deleted_at)
    values (new.id, 'meeting', new.title, null, new.organizer_id, null, null);
end;
create trigger meeting_target_update after update of title, organizer_id on meeting begin
    update target set title = new.title, owner_id = new.organizer_id where id = new.id;
end;
create trigger meeting_target_delete after delete on meeting begin
    delete from target where id = old.id;
end;

create table attendee (
    meeting_id  blob not null references meeting (id) on delete cascade,
    email       text not null check (email = lower(email)),
    -- Empty: unknown.
    name        text not null,
    answer      text not null default 'pending' check (answer in ('pending', 'accepted', 'tentative', 'declined')),
    -- Null: no answer yet.
    answered_at integer,
    primary key (meeting_id, email),
    check ((answer = 'pending') = (answered_at is null))
) strict;
create index attendee_email on attendee (email);
