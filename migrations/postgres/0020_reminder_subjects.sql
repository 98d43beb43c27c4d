-- Reminders of users about articles and meetings, before or after their moment.

-- How long after what it is about: the start or end of a meeting, or the publication of an article. Else 0.
alter table reminder add column minutes_after integer not null default 0 check (minutes_after between 0 and 527040);

-- 1: reminders follow the moment of the task, so a change of it also changes them, in one transaction.
alter table task add column is_followed integer not null default 0;

-- 1: its moment came, and the rule had acted for the subject as often as its cap allows.
alter table wait add column is_capped integer not null default 0;
