-- One index by target in place of two, none by moment alone (lists of all states merge those of each): every index of task
-- costs a write when a task is scheduled, moved and executed.
create index task_of_target on task (target_id, state, due_at, id);
drop index task_target;
drop index task_newest;
drop index task_due;
