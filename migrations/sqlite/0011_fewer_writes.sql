-- What is executed costs three writes into trees less: the ledger is its own index, and the index by target holds nothing that
-- changes. A target has few tasks; their states and moments are read where they stand.
create table execution_by_task (
    task_id     blob primary key,
    version     integer not null,
    node        text not null,
    due_at      integer not null,
    hinted_at   integer,
    moved_at    integer,
    popped_at   integer,
    started_at  integer not null,
    executed_at integer not null
) strict, without rowid;
insert into execution_by_task select * from execution order by task_id;
drop table execution;
alter table execution_by_task rename to execution;
create index execution_at on execution (executed_at);
drop index task_of_target;
create index task_of_target on task (target_id);
