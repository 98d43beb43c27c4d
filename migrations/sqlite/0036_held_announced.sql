-- When owner and reviewers were notified that the text is held. Null: they were not, or it was submitted or decided since.
alter table review add column announced_at integer;
