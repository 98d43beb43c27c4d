-- Series of meetings: a rule, and the meeting that each occurrence gets. An occurrence is a row of meeting with series_id and
-- original_local. A change of the following occurrences ends a series and continues it in a new row.

create table series (
    id           uuid primary key,
    -- Title of the meetings.
    title        text not null,
    owner_id     uuid not null,
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
    split_from   uuid,
    -- The last change of several occurrences and the rows before it, as JSON. Null: it cannot be undone.
    undo         text,
    created_at   bigint not null
);

-- The row of table target for each series.
create function series_target() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        insert into target (id, kind, title, path, owner_id, revision_id, deleted_at)
        values (new.id, 'series', new.title, null, new.owner_id, null, null);
    elsif tg_op = 'UPDATE' then
        update target set title = new.title, owner_id = new.owner_id where id = new.id;
    else
        delete from target where id = old.id;
    end if;
    return null;
end $$;
create trigger series_target_exists after insert or delete on series for each row execute function series_target();
create trigger series_target_update after update of title, owner_id on series
    for each row execute function series_target();

-- Occurrences that were not booked.
create table series_skip (
    series_id      uuid not null references series (id) on delete cascade,
    original_local text not null,
    starts_at      bigint not null,
    ends_at        bigint not null,
    -- The room was taken, it was closed, it cannot be booked any more, or no node ran in time.
    reason         text not null check (reason in ('room_taken', 'closed', 'no_room', 'missed')),
    -- The meeting that was in the way. Null: none.
    meeting_id     uuid,
    skipped_at     bigint not null,
    primary key (series_id, original_local)
);
