-- Reminders, and the notifications of accounts.

create table reminder (
    id             blob primary key,
    -- Empty: it says when and where its meeting is.
    text           text not null,
    owner_id       blob not null,
    -- attendees: the organizer and the attendees of its meeting; sms: the first SMS channel.
    recipient_kind text not null check (recipient_kind in ('account', 'mail', 'channel', 'attendees', 'sms')),
    -- The account or channel. Null: another kind of recipient.
    recipient_id   blob,
    -- The mail address. Null: another kind of recipient.
    address        text,
    -- While it is scheduled, its task decides: one that was cancelled or failed counts.
    state          text not null check (state in ('scheduled', 'sent', 'done', 'cancelled', 'skipped', 'failed')),
    version        integer not null default 1 check (version >= 1),
    -- While it is scheduled, the due time of its task counts.
    due_at         integer not null,
    -- Wall-clock time as the user typed it. Both null: a client gave an exact instant.
    local_time     text,
    time_zone      text,
    -- The meeting it is about, and from where on its moment counts. All null: it is about none.
    about_id       blob,
    anchor         text check (anchor in ('start', 'end')),
    minutes_before integer check (minutes_before between 0 and 527040),
    -- 1: a user chose another moment than the meeting gives.
    is_snoozed     integer not null default 0 check (is_snoozed in (0, 1)),
    -- Why it is in its state. Null: there is nothing to say.
    reason         text,
    -- Null: it was never scheduled.
    task_id        blob,
    -- Null: it was not sent.
    sent_at        integer,
    -- What the last change was, and the plan before it as JSON. All null: it cannot be undone.
    undo_verb      text,
    undo_before    text,
    created_at     integer not null,
    check ((local_time is null) = (time_zone is null)),
    check ((about_id is null) = (anchor is null) and (about_id is null) = (minutes_before is null)),
    check ((recipient_kind in ('account', 'channel')) = (recipient_id is not null)),
    check ((recipient_kind = 'mail') = (address is not null)),
    check ((undo_verb is null) = (undo_before is null))
) strict;
create index reminder_owner on reminder (owner_id, due_at);
create index reminder_recipient on reminder (recipient_id, due_at) where recipient_id is not null;
create index reminder_about on reminder (about_id) where about_id is not null;

-- The row of table target for each reminder. Every account sees task lists: the text is not among them.
create trigger reminder_target_insert after insert on reminder begin
    insert into target (id, kind, title, owner_id) values (new.id, 'reminder', 'Reminder', new.owner_id);
end;
create trigger reminder_target_update after update of owner_id on reminder begin
    update target set owner_id = new.owner_id where id = new.id;
end;
create trigger reminder_target_delete after delete on reminder begin
    delete from target where id = old.id;
end;

create table notification (
    id         blob primary key,
    account_id blob not null,
    text       text not null,
    -- Path of the page it is about.
    link       text not null,
    created_at integer not null,
    -- Null: unread.
    read_at    integer
) strict;
create index notification_account on notification (account_id, id);
create index notification_unread on notification (account_id) where read_at is null;
create index notification_created on notification (created_at);
