-- What an account is notified of and how, a JSON object. Null: the defaults.
alter table account add column notification_choices text;

-- What the notification says: a word of NotificationEvent. Null: something else, such as a reminder.
alter table notification add column event text;
-- Whether the account sees it in the list. If not, it is only mailed or shown on a device.
alter table notification add column in_bell integer not null default 1 check (in_bell in (0, 1));
-- When it is mailed. Null: it is not, or it was.
alter table notification add column mail_at bigint;
create index notification_mail on notification (mail_at) where mail_at is not null;

-- Up to where notifications were written: one row. A change names the values that were read, so that nothing is announced
-- twice.
create table announcement_position (
    id            integer primary key check (id = 1),
    -- The last event.
    seq           bigint not null,
    -- Tasks that unpublish an article up to this moment were announced.
    expires_until bigint not null
);
