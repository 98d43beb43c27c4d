-- Signals about articles and meetings that the desk sends itself, by a task each. Only those that a rule listens to.
create table desk_signal (
    id       uuid primary key,
    name     text not null,
    -- Id of the article or meeting.
    subject  text not null,
    -- When it happened.
    at       bigint not null,
    -- A JSON object.
    data     text not null,
    title    text not null,
    -- Owner of the article, organizer of the meeting.
    owner_id uuid not null
);

create function desk_signal_target() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        insert into target (id, kind, title, owner_id) select id, 'signal', title, owner_id from added;
    else
        delete from target where id in (select id from removed);
    end if;
    return null;
end $$;
create trigger desk_signal_target_insert after insert on desk_signal referencing new table as added
    for each statement execute function desk_signal_target();
create trigger desk_signal_target_delete after delete on desk_signal referencing old table as removed
    for each statement execute function desk_signal_target();
