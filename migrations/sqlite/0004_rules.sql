-- Signals, rules over them, and the waits of rules.

-- SQLite cannot change a check: the table is written again with the scope `signal`.
create table new_token (
    id          blob primary key,
    secret_hash text not null unique,
    account_id  blob not null references account (id),
    name        text not null,
    created_at  integer not null,
    expires_at  integer not null,
    -- Null: never used.
    used_at     integer,
    scope       text not null default 'write' check (scope in ('read', 'write', 'signal'))
) strict;
insert into new_token (id, secret_hash, account_id, name, created_at, expires_at, used_at, scope)
select id, secret_hash, account_id, name, created_at, expires_at, used_at, scope from token;
drop table token;
alter table new_token rename to token;
create index token_account on token (account_id);

-- What happened elsewhere. Append-only; rows older than 30 days are deleted.
create table signal (
    -- In the order of arrival.
    id         blob primary key,
    -- Id that the sender gave it: a repeated signal does nothing. Null: it gave none.
    sender_id  text,
    account_id blob not null,
    name       text not null,
    subject    text not null,
    -- Part of the subject. Empty: the subject as a whole.
    key        text not null,
    -- When it happened.
    at         integer not null,
    -- A JSON object.
    data       text not null,
    -- Number of rules that led to it. 0: a program sent it.
    depth      integer not null check (depth >= 0),
    created_at integer not null
) strict;
create unique index signal_sender on signal (account_id, sender_id) where sender_id is not null;
create index signal_subject on signal (subject, key, name, at);
create index signal_age on signal (created_at, id);

create table rule (
    id         blob primary key,
    owner_id   blob not null,
    -- What an admin wrote, as JSON.
    settings   text not null,
    -- 'deleted': waits that were open then go on.
    state      text not null default 'active' check (state in ('active', 'paused', 'deleted')),
    version    integer not null default 1 check (version >= 1),
    created_at integer not null,
    changed_at integer not null
) strict;

-- The signals that a rule listens to.
create table rule_signal (
    name    text not null,
    rule_id blob not null,
    primary key (name, rule_id)
) strict;

-- A subject for which a rule acts at a moment, unless a signal closes the wait first.
create table wait (
    id         blob primary key,
    rule_id    blob not null,
    subject    text not null,
    key        text not null,
    task_id    blob not null,
    -- The newest signal that opened it, its moment, data and depth.
    signal_id  blob not null,
    opened_at  integer not null,
    data       text not null,
    depth      integer not null,
    -- Null: it is open, or its task was cancelled, failed or was missed.
    outcome    text check (outcome in ('fired', 'closed')),
    -- The signal that closed it. Null: none did.
    closed_by  blob,
    owner_id   blob not null,
    created_at integer not null,
    check ((outcome = 'closed') = (closed_by is not null))
) strict;
create index wait_open on wait (subject, key, rule_id) where outcome is null;
create index wait_rule on wait (rule_id, id);
create index wait_subject on wait (rule_id, subject, id);

create trigger wait_target_insert after insert on wait begin
    insert into target (id, kind, title, owner_id) values (new.id, 'wait', new.subject, new.owner_id);
end;
create trigger wait_target_update after update of owner_id on wait begin
    update target set owner_id = new.owner_id where id = new.id;
end;
create trigger wait_target_delete after delete on wait begin
    delete from target where id = old.id;
end;
