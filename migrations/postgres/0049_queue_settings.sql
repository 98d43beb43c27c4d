-- Which channels send first when many deliveries are due.
alter table channel add column priority text not null default 'normal' check (priority in ('high', 'normal', 'low'));
-- Time in which a channel starts at most `rate` attempts.
alter table channel add column rate_per text not null default 'second' check (rate_per in ('second', 'minute'));
-- How late new tasks of a kind may be executed, milliseconds. Null: as the kind says.
alter table kind_limit add column grace_ms bigint check (grace_ms >= 1);
