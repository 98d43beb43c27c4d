-- When a notice was acknowledged by a request. Null: it was not, or the message is no notice.
alter table message add column acknowledged_at bigint;

-- When the rule acted or a signal closed the wait. Null: neither, or an earlier release did it.
alter table wait add column ended_at bigint;
create index wait_ended on wait (rule_id, outcome, ended_at) where ended_at is not null;
