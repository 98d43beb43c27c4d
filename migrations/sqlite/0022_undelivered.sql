-- Messages that were tried and are not delivered yet, while they wait for another attempt. Small: what is delivered or ends leaves it.
-- A row whose delivery has ended (an older release did not delete it) means nothing.
create table failing_delivery (
    delivery_id blob primary key,
    channel_id  blob not null,
    -- When its first attempt failed, milliseconds.
    since       integer not null,
    -- From when on Attention shows it, milliseconds.
    shown_at    integer not null
) strict, without rowid;
create index failing_delivery_shown on failing_delivery (channel_id, shown_at);
insert into failing_delivery (delivery_id, channel_id, since, shown_at)
select id, channel_id, created_at, created_at from delivery where state = 'pending' and epoch > 0 and event <> 'test';

-- The answer to the attempt that last failed. Null: none came, or nothing has failed yet.
alter table channel add column last_status integer;
alter table channel add column last_answer text;

-- What became of a message at each of its recipients, where a message goes to several. No row: not tried yet, or the whole attempt failed.
create table delivery_recipient (
    delivery_id blob not null,
    recipient   text not null,
    -- 'deferred': refused for now, tried again. 'refused': for good. 'unknown': the answer was lost, it may have arrived.
    outcome     text not null check (outcome in ('delivered', 'deferred', 'refused', 'unknown')),
    status      integer,
    answer      text,
    at          integer not null,
    primary key (delivery_id, recipient)
) strict, without rowid;
