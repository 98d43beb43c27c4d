-- Decisions about all open waits of a rule hold at once; a task brings the rows of more than 1,000 waits in line.
-- Version of the rule by which the wait was opened, started again or moved last. 0: before this migration.
alter table wait add column rule_version integer not null default 0;
-- Open waits of older versions are cancelled. 0: none.
alter table rule add column cancelled_version integer not null default 0;
-- Open waits of older versions end where the settings put them. 0: none.
alter table rule add column recounted_version integer not null default 0;
-- The last wait that the task `rule.update_waits` has changed. Null: it has not begun, or there is no such task.
alter table rule add column updated_to blob;

-- The row of table target for each rule: the tasks that bring its waits in line act on it.
insert into target (id, kind, title, owner_id) select id, 'rule', settings ->> 'name', owner_id from rule;
create trigger rule_target_insert after insert on rule begin
    insert into target (id, kind, title, owner_id) values (new.id, 'rule', new.settings ->> 'name', new.owner_id);
end;
create trigger rule_target_update after update of owner_id, settings on rule begin
    update target set owner_id = new.owner_id, title = new.settings ->> 'name' where id = new.id;
end;
create trigger rule_target_delete after delete on rule begin
    delete from target where id = old.id;
end;

-- SHA-256 of time, zone and room of the meeting that was answered, in hex. Null: no answer, or one before this migration.
-- Empty: the answer was to another time or place and is forgotten.
alter table attendee add column answered_hash text;

-- How the organizer of a meeting hears of answers of attendees: not at all, in the bell, or also by mail.
alter table account add column answer_notices text not null default 'bell' check (answer_notices in ('none', 'bell', 'mail'));
-- What it is about, for example the answers to a meeting: a newer one of the same account takes its place. Null: others stay.
alter table notification add column topic text;
create index notification_topic on notification (account_id, topic) where topic is not null;

-- Invitations to series by mail: one event for each attendee.
create table series_invite (
    series_id    blob not null references series (id) on delete cascade,
    email        text not null check (email = lower(email)),
    -- Id of the event: that of the series that was the first.
    uid          blob not null,
    -- Number of the last mail.
    sequence     integer not null check (sequence >= 0),
    -- SHA-256 of what the last mail says of the series, in hex. Empty: it says that it is cancelled.
    content_hash text not null,
    -- The message that sends the last mail.
    message_id   blob not null,
    mailed_at    integer not null,
    primary key (series_id, email)
) strict;
create index series_invite_uid on series_invite (uid);
-- The event that is answered. Null: one meeting is.
alter table answer_link add column series_uid blob;
