-- The key of a message is unique in its channel, not over the desk.

alter table message drop constraint message_key_key;
create unique index message_channel_key on message (channel_id, key);
create index message_key on message (key);
