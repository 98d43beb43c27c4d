-- Series of meetings: a rule, and the meeting that each occurrence gets. An occurrence is a row of meeting with series_id and
-- original_local. A change of the following occurrences ends a series and continues it in a new row.

create table series (
    id           blob primary key,
    -- Title of the meetings.
    title        text not null,
    owner_id     blob not null,
    version      integer not null default 1 check (version >= 1),
    -- Local time from which on the rule applies, YYYY-MM-DDTHH:MM.
    starts_local text not null,
    time_zone    text not null,
    -- When it repeats, and what happens at skipped and doubled times and in short months: JSON, see RuleFields.
    rule         text not null,
    -- The meeting that each occurrence gets: JSON, see MeetingTemplate.
    template     text not null,
    -- Original local time up to which occurrences were added. Null: none.
    stored_until text,
    -- The series that this one continues. Null: it continues none.
    split_from   blob,
    -- The last change of several occurrences and the rows before it, as JSON. Null: it cannot be undone.
    undo         text,
    created_at   integer not null
) strict;

-- The row of table target for each series.
create trigger series_target_insert after insert on series begin
    insert into target (id, kind, title, path, owner_id, revision_id, deleted_at)
    values (new.id, 'series', new.title, null, new.owner_id, null, null);
end;
create trigger series_target_update after update of title, owner_id on series begin
    update target set title = new.title, owner_id = new.owner_id where id = new.id;
end;
create trigger series_target_delete after delete on series begin
    delete from target where id = old.id;
end;

-- Occurrences that were not booked.
create table series_skip (
    series_id      blob not null references series (id) on delete cascade,
    original_local text not null,
    starts_at      integer not null,
    ends_at        integer not null,
    -- The room was taken, it was closed, it cannot be booked any more, or no node ran in time.
    reason         text not null check (reason in ('room_taken', 'closed', 'no_room', 'missed')),
    -- The meeting that was in the way. Null: none.
    meeting_id     blob,
    skipped_at     integer not null,
    primary key (series_id, original_local)
) strict;
