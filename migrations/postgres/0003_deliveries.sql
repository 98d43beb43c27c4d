-- The way out: channels, deliveries and their attempts. Words and rules mirror crates/domain/src/channel.rs and delivery.rs.
-- Like the other hot tables, delivery and delivery_attempt carry no foreign keys.

create table channel (
    id            uuid primary key,
    way           text not null check (way in ('webhook', 'mail', 'sms')),
    name          text not null,
    -- Where it leads, as JSON: what its way needs and is not secret.
    route         text not null,
    -- What it is told, with blanks between.
    events        text not null,
    ladder        text not null,
    on_ambiguous  text not null check (on_ambiguous in ('retry', 'hold')),
    concurrency   integer not null check (concurrency between 1 and 20),
    -- Both sealed. What is made here signs, the former one too until its time is over; what an admin gave is told to its peer.
    secret        text check (secret is not null or way <> 'webhook'),
    former_secret text check (former_secret is null or way = 'webhook'),
    former_until  bigint,
    state         text not null default 'active' check (state in ('active', 'paused', 'off')),
    failures      integer not null default 0 check (failures >= 0),
    rests_until   bigint,
    succeeded_at  bigint,
    failed_at     bigint,
    created_at    bigint not null,
    check ((former_secret is null) = (former_until is null))
);

create table delivery (
    id           uuid primary key,
    -- Null: a test.
    task_id      uuid,
    version      integer not null,
    channel_id   uuid not null,
    channel      text not null,
    event        text not null,
    title        text not null,
    body         text not null,
    state        text not null default 'pending'
                 check (state in ('pending', 'sending', 'delivered', 'failed', 'unconfirmed', 'cancelled', 'held')),
    not_before   bigint not null,
    -- Attempts since a person last had it sent; the ladder's step.
    attempts     integer not null default 0 check (attempts >= 0),
    max_attempts integer not null check (max_attempts >= 1),
    -- Attempts in all; the fence.
    epoch        integer not null default 0 check (epoch >= attempts),
    lease_until  bigint,
    owner        text,
    created_at   bigint not null,
    ended_at     bigint,
    unique (task_id, version, channel_id, event),
    check ((state = 'sending') = (lease_until is not null)),
    check ((state in ('delivered', 'failed', 'unconfirmed', 'cancelled')) = (ended_at is not null))
);
create index delivery_waiting on delivery (channel_id, not_before, id) where state = 'pending';
create index delivery_sending on delivery (lease_until) where state = 'sending';
create index delivery_needing on delivery (ended_at, id) where state in ('failed', 'unconfirmed');
create index delivery_log on delivery (channel_id, id);

-- One row an attempt, written before it is made; it gets its outcome once.
create table delivery_attempt (
    delivery_id uuid not null,
    epoch       integer not null,
    started_at  bigint not null,
    ended_at    bigint,
    outcome     text check (outcome in ('delivered', 'refused', 'unreachable', 'blocked', 'unknown', 'not_sent')),
    status      integer,
    answer      text,
    primary key (delivery_id, epoch),
    check ((ended_at is null) = (outcome is null))
);
