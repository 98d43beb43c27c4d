-- Channels that publish articles on sites of Ghost and in repositories of git. The ids that such a site gives to posts are
-- texts. The previous release keeps working: it has no channels that publish articles, and shows no channel while there is
-- one of these.

create table new_channel (
    id                   blob primary key,
    transport            text not null check (transport in ('webhook', 'mail', 'sms', 'amqp', 'wordpress', 'ghost', 'git')),
    name                 text not null,
    -- Address and options of the transport as JSON, without secrets.
    endpoint             text not null,
    -- The events it is notified of, separated by blanks.
    events               text not null,
    retry_schedule       text not null,
    on_unknown_outcome   text not null check (on_unknown_outcome in ('retry', 'hold')),
    concurrency          integer not null check (concurrency between 1 and 20),
    -- Both encrypted. A generated secret signs webhooks; the previous one signs too until
    -- previous_valid_until. A secret that an admin entered is sent to the receiver. Null: the
    -- channel has none.
    secret               text check (secret is not null or transport <> 'webhook'),
    previous_secret      text check (previous_secret is null or transport = 'webhook'),
    previous_valid_until integer,
    state                text not null default 'active' check (state in ('active', 'paused', 'off')),
    -- Attempts that failed in a row.
    failures             integer not null default 0 check (failures >= 0),
    -- No attempt is made before this moment. Null: the circuit breaker is closed.
    breaker_open_until   integer,
    succeeded_at         integer,
    failed_at            integer,
    -- Response to the attempt that last failed. Null: none was received, or no attempt has failed.
    last_status          integer,
    last_response_body   text,
    created_at           integer not null,
    -- The admin who paused the channel. Null: it is not paused, or was paused by an earlier release.
    paused_by            blob,
    -- Maximum number of attempts in `rate_per`. Null: no limit.
    rate                 integer check (rate between 1 and 1000),
    -- With a limit, no attempt starts before this moment. Null: none has started.
    rate_ready_at        integer,
    -- Which channels send first when many deliveries are due.
    priority             text not null default 'normal' check (priority in ('high', 'normal', 'low')),
    -- Time in which a channel starts at most `rate` attempts.
    rate_per             text not null default 'second' check (rate_per in ('second', 'minute')),
    -- What is still to be done to its waiting deliveries. Null: nothing.
    unfinished           text check (unfinished in ('delete', 'hold', 'release')),
    -- Last delivery of the last batch. Null: no batch was made.
    unfinished_after     blob,
    -- Number of deliveries to cancel when the deletion began, and of those that are left. Null: the channel is not
    -- being deleted.
    deleting_total       integer,
    deleting_remaining   integer,
    check ((previous_secret is null) = (previous_valid_until is null))
) strict;
insert into new_channel (id, transport, name, endpoint, events, retry_schedule, on_unknown_outcome, concurrency, secret,
                         previous_secret, previous_valid_until, state, failures, breaker_open_until, succeeded_at, failed_at,
                         last_status, last_response_body, created_at, paused_by, rate, rate_ready_at, priority, rate_per,
                         unfinished, unfinished_after, deleting_total, deleting_remaining)
select id, transport, name, endpoint, events, retry_schedule, on_unknown_outcome, concurrency, secret,
       previous_secret, previous_valid_until, state, failures, breaker_open_until, succeeded_at, failed_at,
       last_status, last_response_body, created_at, paused_by, rate, rate_ready_at, priority, rate_per,
       unfinished, unfinished_after, deleting_total, deleting_remaining
  from channel;
drop table channel;
alter table new_channel rename to channel;

create table new_post (
    -- Without dashes also the marker by which the copy is found on the other site.
    id           blob primary key,
    article_id   blob not null references article (id) on delete cascade,
    channel_id   blob not null,
    -- Its newest delivery; older ones that wait are cancelled. Null: nothing was sent.
    delivery_id  blob,
    -- Id, address and hash of the text there, as the site last returned them. Null: it has returned none.
    remote_id    text,
    remote_url   text,
    content_hash text,
    -- Since when it is public there. Null: it is not, as far as is known.
    published_at integer,
    -- Whether it is published there with the article.
    is_chosen    integer not null default 1 check (is_chosen in (0, 1)),
    created_at   integer not null,
    unique (article_id, channel_id),
    check (remote_id is not null or published_at is null)
) strict;
insert into new_post (id, article_id, channel_id, delivery_id, remote_id, remote_url, content_hash, published_at, is_chosen,
                      created_at)
select id, article_id, channel_id, delivery_id, cast(remote_id as text), remote_url, content_hash, published_at, is_chosen,
       created_at
  from post;
drop table post;
alter table new_post rename to post;
create index post_channel on post (channel_id, id);
