-- What reverts the change that the notification notifies of: article (it is in the trash), meeting, reminder, task. Null: nothing
-- does, or it notifies of no change.
alter table notification add column undo_kind text;
-- The thing to which the change was made, and its version after the change. Both null with the kind.
alter table notification add column undo_id uuid;
alter table notification add column undo_version integer;
