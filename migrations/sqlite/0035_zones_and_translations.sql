-- The change of the desk's time zone that a batch made, so that its undo restores it. Null: it made none.
alter table batch add column was_time_zone text;
alter table batch add column time_zone text;

-- The slug of the original that a translation names: the public site links translations of each other.
create index revision_translation on revision (details ->> 'translation_of');
