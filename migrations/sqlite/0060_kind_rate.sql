-- Maximum number of executions of a kind that start in a period, over all nodes. Null: no limit.
alter table kind_limit add column rate integer check (rate between 1 and 1000);
-- Time in which at most `rate` executions start.
alter table kind_limit add column rate_per text not null default 'second' check (rate_per in ('second', 'minute'));
-- With a rate, no execution starts before this moment, milliseconds. Null: none has started.
alter table kind_limit add column rate_ready_at integer;
-- Turn of the next task that has to wait for the rate, milliseconds: the end of the queue. Null: none waits.
alter table kind_limit add column rate_queued_until integer;
-- Delays after executions that failed: `5s, 1m, 30m`. Null: the default of the program.
alter table kind_limit add column retry_schedule text;
