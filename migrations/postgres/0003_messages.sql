-- Delayed messages: what programs give Presstime to be sent through a channel at a moment.

create table message (
    id          uuid primary key,
    -- Name that its sender gave it; its id as text if it gave none.
    key         text not null unique,
    -- The channel may be deleted later.
    channel_id  uuid not null,
    -- Sent byte for byte. Deliveries of the message refer to it.
    body        text not null,
    -- What differs from the settings of the channel, a JSON object: headers, exchange, routing_key,
    -- to.
    options     text not null,
    -- Hash of the request that created it: the same key with another request is refused.
    fingerprint text not null,
    -- The task that sends it.
    task_id     uuid not null,
    owner_id    uuid not null,
    created_at  bigint not null
);
create index message_channel on message (channel_id, id);

create function message_target() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        insert into target (id, kind, title, owner_id) select id, 'message', key, owner_id from added;
    else
        delete from target where id in (select id from removed);
    end if;
    return null;
end $$;
create trigger message_target_insert after insert on message referencing new table as added
    for each statement execute function message_target();
create trigger message_target_delete after delete on message referencing old table as removed
    for each statement execute function message_target();
create function message_owner() returns trigger language plpgsql as $$
begin
    update target set owner_id = new.owner_id where id = new.id;
    return null;
end $$;
create trigger message_target_update after update of owner_id on message for each row execute function message_owner();

-- The message that a delivery sends, whose body is stored there. Null: the delivery has a body of
-- its own.
alter table delivery add column message_id uuid;
