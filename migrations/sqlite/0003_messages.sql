-- Delayed messages: what programs give Presstime to be sent through a channel at a moment.

create table message (
    id          blob primary key,
    -- Name that its sender gave it; its id as text if it gave none.
    key         text not null unique,
    -- The channel may be deleted later.
    channel_id  blob not null,
    -- Sent byte for byte. Deliveries of the message refer to it.
    body        text not null,
    -- What differs from the settings of the channel, a JSON object: headers, exchange, routing_key,
    -- to.
    options     text not null,
    -- Hash of the request that created it: the same key with another request is refused.
    fingerprint text not null,
    -- The task that sends it.
    task_id     blob not null,
    owner_id    blob not null,
    created_at  integer not null
) strict;
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

-- The message that a delivery sends, whose body is stored there. Null: the delivery has a body of
-- its own.
alter table delivery add column message_id blob;
