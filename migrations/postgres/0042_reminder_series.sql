-- Reminders that repeat.

-- How it repeats, in time_zone: JSON, see Repeats. Null: it is not the coming occurrence of a series.
alter table reminder add column repeats text;
