-- The change of the desk's time zone that a batch made, so that its undo restores it. Null: it made none.
alter table batch add column was_time_zone text;
alter table batch add column time_zone text;
