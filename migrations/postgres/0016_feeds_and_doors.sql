-- Feeds: calendars that programs read by a secret address.
create table feed (
    id          uuid primary key,
    kind        text not null check (kind in ('person', 'room', 'desk')),
    -- Its creator, whose rights apply; of a person's feed also whose meetings it has.
    owner_id    uuid not null references account (id),
    -- Null: it is not the feed of a room.
    room_id     uuid references room (id),
    -- SHA-256 of the secret, in hex.
    secret_hash text not null unique,
    created_at  bigint not null,
    -- When a program last read it, to the hour. Null: never.
    read_at     bigint,
    check ((kind = 'room') = (room_id is not null))
);
create index feed_owner on feed (owner_id, id);

-- Door pages: a screen at the door of a room reads and books it by a secret link.
create table door (
    room_id     uuid primary key references room (id),
    -- SHA-256 of the secret, in hex.
    secret_hash text not null,
    -- SHA-256 of the id of the room and the PIN, in hex. Null: the room cannot be booked at the door.
    pin_hash    text,
    -- The admin in whose name it acts.
    created_by  uuid not null references account (id),
    created_at  bigint not null
);
