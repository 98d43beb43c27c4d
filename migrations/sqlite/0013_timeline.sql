-- For PostgreSQL, where a standby may take over; here always null.
alter table node add column timeline_id integer;
