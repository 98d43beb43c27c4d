-- Signals, rules over them, and the waits of rules.

alter table token drop constraint token_scope_check;
alter table token add constraint token_scope_check check (scope in ('read', 'write', 'signal'));

-- What happened elsewhere. Append-only; rows older than 30 days are deleted.
create table signal (
    -- In the order of arrival.
    id         uuid primary key,
    -- Id that the sender gave it: a repeated signal does nothing. Null: it gave none.
    sender_id  text,
    account_id uuid not null,
    name       text not null,
    subject    text not null,
    -- Part of the subject. Empty: the subject as a whole.
    key        text not null,
    -- When it happened.
    at         bigint not null,
    -- A JSON object.
    data       text not null,
    -- Number of rules that led to it. 0: a program sent it.
    depth      integer not null check (depth >= 0),
    created_at bigint not null
);
create unique index signal_sender on signal (account_id, sender_id) where sender_id is not null;
create index signal_subject on signal (subject, key, name, at);
create index signal_age on signal (created_at, id);

create table rule (
    id         uuid primary key,
    owner_id   uuid not null,
    -- What an admin wrote, as JSON.
    settings   text not null,
    -- 'deleted': waits that were open then go on.
    state      text not null default 'active' check (state in ('active', 'paused', 'deleted')),
    version    integer not null default 1 check (version >= 1),
    created_at bigint not null,
    changed_at bigint not null
);

-- The signals that a rule listens to.
create table rule_signal (
    name    text not null,
    rule_id uuid not null,
    primary key (name, rule_id)
);

-- A subject for which a rule acts at a moment, unless a signal closes the wait first.
create table wait (
    id         uuid primary key,
    rule_id    uuid not null,
    subject    text not null,
    key        text not null,
    task_id    uuid not null,
    -- The newest signal that opened it, its moment, data and depth.
    signal_id  uuid not null,
    opened_at  bigint not null,
    data       text not null,
    depth      integer not null,
    -- Null: it is open, or its task was cancelled, failed or was missed.
    outcome    text check (outcome in ('fired', 'closed')),
    -- The signal that closed it. Null: none did.
    closed_by  uuid,
    owner_id   uuid not null,
    created_at bigint not null,
    check ((outcome = 'closed') = (closed_by is not null))
);
create index wait_open on wait (subject, key, rule_id) where outcome is null;
create index wait_rule on wait (rule_id, id);
create index wait_subject on wait (rule_id, subject, id);

create function wait_target() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        insert into target (id, kind, title, owner_id) select id, 'wait', subject, owner_id from added;
    else
        delete from target where id in (select id from removed);
    end if;
    return null;
end $$;
create trigger wait_target_insert after insert on wait referencing new table as added
    for each statement execute function wait_target();
create trigger wait_target_delete after delete on wait referencing old table as removed
    for each statement execute function wait_target();
create function wait_owner() returns trigger language plpgsql as $$
begin
    update target set owner_id = new.owner_id where id = new.id;
    return null;
end $$;
create trigger wait_target_update after update of owner_id on wait for each row execute function wait_owner();
