-- Posts are tried before their moment and asked for afterwards. The previous release keeps working.

-- Revision that its newest delivery prepares or publishes, and whose text it sends. Null: nothing was sent, or it is
-- being withdrawn.
alter table post add column revision_id blob;
-- When the site was last asked with success. Null: never.
alter table post add column checked_at integer;
-- When a reader's request saw its present text. Null: none did.
alter table post add column seen_at integer;
-- What was done with it there, so that it is not overwritten. Null: nothing.
alter table post add column changed_there text;
-- Names of the HTML elements that the site took out of the text, separated by blanks. Null: it took none.
alter table post add column removed text;
alter table post add column version integer not null default 1;
-- Those that may have a next step.
create index post_open on post (channel_id, id) where is_chosen = 1 and seen_at is null;
