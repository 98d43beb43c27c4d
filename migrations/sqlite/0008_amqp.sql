-- One way more: messages to an exchange of an AMQP broker. SQLite cannot change a check in its place: the table is written
-- anew, nothing refers to it by a foreign key.
create table channel_wider (
    id            blob primary key,
    way           text not null check (way in ('webhook', 'mail', 'sms', 'amqp')),
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
    former_until  integer,
    state         text not null default 'active' check (state in ('active', 'paused', 'off')),
    failures      integer not null default 0 check (failures >= 0),
    rests_until   integer,
    succeeded_at  integer,
    failed_at     integer,
    created_at    integer not null,
    check ((former_secret is null) = (former_until is null))
) strict;
insert into channel_wider
    (id, way, name, route, events, ladder, on_ambiguous, concurrency, secret, former_secret, former_until, state, failures,
     rests_until, succeeded_at, failed_at, created_at)
select id, way, name, route, events, ladder, on_ambiguous, concurrency, secret, former_secret, former_until, state, failures,
       rests_until, succeeded_at, failed_at, created_at
  from channel;
drop table channel;
alter table channel_wider rename to channel;
