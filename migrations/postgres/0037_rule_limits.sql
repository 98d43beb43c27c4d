-- The signal of a program or of the desk that led to a wait through other rules. Null: the signal that opened it.
alter table wait add column root_id uuid;
create index wait_root on wait (root_id) where root_id is not null;

-- Rate of the signals of an account and of the waits that a rule opens: a bucket that drains.
create table signal_rate (
    -- Account or rule.
    id           uuid primary key,
    -- When it is empty, milliseconds.
    available_at bigint not null
);
