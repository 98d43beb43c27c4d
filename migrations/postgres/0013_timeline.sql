-- The server's timeline on which a node has last found, or not found, what it was told is committed; null: not known. No message leaves
-- while a node that lives has yet to look.
alter table node add column timeline_id integer;
