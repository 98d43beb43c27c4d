-- Channels that publish articles on other sites. The previous release keeps working. While there is such a channel, its
-- list of channels cannot be shown, and it passes on nothing that it publishes or unpublishes.

alter table channel drop constraint channel_transport_check;
alter table channel add constraint channel_transport_check
    check (transport in ('webhook', 'mail', 'sms', 'amqp', 'wordpress'));

-- An article that a channel publishes on another site, because a user has chosen that. Its state follows from its newest
-- delivery.
create table post (
    -- Without dashes also the marker by which the copy is found on the other site.
    id           uuid primary key,
    article_id   uuid not null references article (id) on delete cascade,
    channel_id   uuid not null,
    -- Its newest delivery; older ones that wait are cancelled. Null: nothing was sent.
    delivery_id  uuid,
    -- Id, address and hash of the text there, as the site last returned them. Null: it has returned none.
    remote_id    bigint,
    remote_url   text,
    content_hash text,
    -- Since when it is public there. Null: it is not, as far as is known.
    published_at bigint,
    -- Whether it is published there with the article.
    is_chosen    integer not null default 1 check (is_chosen in (0, 1)),
    created_at   bigint not null,
    unique (article_id, channel_id),
    check (remote_id is not null or published_at is null)
);
create index post_channel on post (channel_id, id);

-- `notify`: it sends a message. `publish`, `withdraw`: what it does with a post. No check: PostgreSQL would read the whole
-- table for it.
alter table delivery add column purpose text not null default 'notify';
-- The post that it publishes or withdraws. Null: it sends a message.
alter table delivery add column post_id uuid;
