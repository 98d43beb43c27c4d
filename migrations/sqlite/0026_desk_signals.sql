-- Signals about articles and meetings that the desk sends itself, by a task each. Only those that a rule listens to.
create table desk_signal (
    id       blob primary key,
    name     text not null,
    -- Id of the article or meeting.
    subject  text not null,
    -- When it happened.
    at       integer not null,
    -- A JSON object.
    data     text not null,
    title    text not null,
    -- Owner of the article, organizer of the meeting.
    owner_id blob not null
) strict;

create trigger desk_signal_target_insert after insert on desk_signal begin
    insert into target (id, kind, title, owner_id) values (new.id, 'signal', new.title, new.owner_id);
end;
create trigger desk_signal_target_delete after delete on desk_signal begin
    delete from target where id = old.id;
end;
