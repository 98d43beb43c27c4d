-- The key of a message is unique in its channel, not over the desk.

-- SQLite cannot drop a constraint: the table is written again.
create table new_message (
    id              blob primary key,
    -- Name that its sender gave it, unique in its channel; its id as text if it gave none.
    key             text not null,
    -- The channel may be deleted later.
    channel_id      blob not null,
    -- Sent byte for byte. Deliveries of the message refer to it.
    body            text not null,
    -- What differs from the settings of the channel, a JSON object.
    options         text not null,
    -- Hash of the request that created it: the same key with another request is refused.
    fingerprint     text not null,
    -- The task that sends it.
    task_id         blob not null,
    owner_id        blob not null,
    created_at      integer not null,
    -- When a notice was acknowledged by a request. Null: it was not, or the message is no notice.
    acknowledged_at integer
) strict;
insert into new_message (id, key, channel_id, body, options, fingerprint, task_id, owner_id, created_at, acknowledged_at)
select id, key, channel_id, body, options, fingerprint, task_id, owner_id, created_at, acknowledged_at from message;
drop table message;
alter table new_message rename to message;
create unique index message_channel_key on message (channel_id, key);
create index message_key on message (key);
create index message_channel on message (channel_id, id);

create trigger message_target_insert after insert on message begin
    insert into target (id, kind, title, owner_id) values (new.id, 'message', new.key, new.owner_id);
end;
create trigger message_target_update after update of owner_id on message begin
    update target set owner_id = new.owner_id where id = new.id;
end;
create trigger message_target_delete after delete on message begin
    delete from target where id = old.id;
end;
