-- Maximum number of attempts a second. Null: no limit.
alter table channel add column rate integer check (rate between 1 and 1000);
-- With a limit, no attempt starts before this moment. Null: none has started.
alter table channel add column rate_ready_at integer;
