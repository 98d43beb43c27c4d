-- Browsers that show the notifications of an account (Web Push).
create table push_subscription (
    id         uuid primary key,
    account_id uuid not null references account (id) on delete cascade,
    -- Address at the push service of the browser. Messages for the browser are sent there.
    endpoint   text not null unique,
    -- Public key of the browser: a point of P-256, 65 bytes in base64url.
    p256dh     text not null,
    -- Authentication secret of the browser: 16 bytes in base64url.
    auth       text not null,
    -- Name of the browser and its system.
    agent      text not null,
    created_at bigint not null,
    -- When its push service last accepted a message. Null: never.
    used_at    bigint,
    -- When a message to it was last given up. Null: not since the last accepted one.
    failed_at  bigint
);
create index push_subscription_account on push_subscription (account_id, id);

-- Messages that are not accepted by their push service yet.
create table push_message (
    id              uuid primary key,
    subscription_id uuid not null references push_subscription (id) on delete cascade,
    -- The notification that it shows. It may have been replaced or deleted since.
    notification_id uuid not null,
    text            text not null,
    link            text not null,
    created_at      bigint not null,
    -- No attempt before this moment. During an attempt: the end of its lease.
    due_at          bigint not null,
    -- Number of attempts that were begun. Fencing token: the result of an earlier attempt changes nothing.
    attempts        integer not null default 0
);
create index push_message_due on push_message (due_at);
create index push_message_subscription on push_message (subscription_id);
