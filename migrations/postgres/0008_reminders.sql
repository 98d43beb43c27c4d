-- Reminders, and the notifications of accounts.

create table reminder (
    id             uuid primary key,
    -- Empty: it says when and where its meeting is.
    text           text not null,
    owner_id       uuid not null,
    -- attendees: the organizer and the attendees of its meeting; sms: the first SMS channel.
    recipient_kind text not null check (recipient_kind in ('account', 'mail', 'channel', 'attendees', 'sms')),
    -- The account or channel. Null: another kind of recipient.
    recipient_id   uuid,
    -- The mail address. Null: another kind of recipient.
    address        text,
    -- While it is scheduled, its task decides: one that was cancelled or failed counts.
    state          text not null check (state in ('scheduled', 'sent', 'done', 'cancelled', 'skipped', 'failed')),
    version        integer not null default 1 check (version >= 1),
    -- While it is scheduled, the due time of its task counts.
    due_at         bigint not null,
    -- Wall-clock time as the user typed it. Both null: a client gave an exact instant.
    local_time     text,
    time_zone      text,
    -- The meeting it is about, and from where on its moment counts. All null: it is about none.
    about_id       uuid,
    anchor         text check (anchor in ('start', 'end')),
    minutes_before integer check (minutes_before between 0 and 527040),
    -- 1: a user chose another moment than the meeting gives.
    is_snoozed     integer not null default 0 check (is_snoozed in (0, 1)),
    -- Why it is in its state. Null: there is nothing to say.
    reason         text,
    -- Null: it was never scheduled.
    task_id        uuid,
    -- Null: it was not sent.
    sent_at        bigint,
    -- What the last change was, and the plan before it as JSON. All null: it cannot be undone.
    undo_verb      text,
    undo_before    text,
    created_at     bigint not null,
    check ((local_time is null) = (time_zone is null)),
    check ((about_id is null) = (anchor is null) and (about_id is null) = (minutes_before is null)),
    check ((recipient_kind in ('account', 'channel')) = (recipient_id is not null)),
    check ((recipient_kind = 'mail') = (address is not null)),
    check ((undo_verb is null) = (undo_before is null))
);
create index reminder_owner on reminder (owner_id, due_at);
create index reminder_recipient on reminder (recipient_id, due_at) where recipient_id is not null;
create index reminder_about on reminder (about_id) where about_id is not null;

-- The row of table target for each reminder. Every account sees task lists: the text is not among them.
create function reminder_target() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        insert into target (id, kind, title, owner_id) select id, 'reminder', 'Reminder', owner_id from added;
    else
        delete from target where id in (select id from removed);
    end if;
    return null;
end $$;
create trigger reminder_target_insert after insert on reminder referencing new table as added
    for each statement execute function reminder_target();
create trigger reminder_target_delete after delete on reminder referencing old table as removed
    for each statement execute function reminder_target();
create function reminder_owner() returns trigger language plpgsql as $$
begin
    update target set owner_id = new.owner_id where id = new.id;
    return null;
end $$;
create trigger reminder_target_update after update of owner_id on reminder for each row execute function reminder_owner();

create table notification (
    id         uuid primary key,
    account_id uuid not null,
    text       text not null,
    -- Path of the page it is about.
    link       text not null,
    created_at bigint not null,
    -- Null: unread.
    read_at    bigint
);
create index notification_account on notification (account_id, id);
create index notification_unread on notification (account_id) where read_at is null;
create index notification_created on notification (created_at);
