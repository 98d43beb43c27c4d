-- Meetings that wait for a room. They are requests in the column state, which the previous release reads.
-- waiting: the room is taken. offered: the room is held until decide_at. Null: the meeting does not wait.
alter table meeting add column waits text check (waits in ('waiting', 'offered'));
create index meeting_waiting on meeting (room_id, starts_at) where waits = 'waiting';
