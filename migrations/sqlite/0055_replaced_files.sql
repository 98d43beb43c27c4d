-- The content of a file of the media library can be replaced: its hash stays its address. The previous release keeps
-- working, but shows and sweeps files by their hash alone: replace files when all nodes have this release.

-- Name of the folder with the content. Null: the content is what was uploaded first, in the folder named by the hash.
alter table media add column content text;
-- The content before the last change: the name of its folder, and its type and sizes as JSON. Null: it was never replaced.
alter table media add column earlier_content text;
alter table media add column earlier text;
create index media_content on media (content) where content is not null;
create index media_earlier_content on media (earlier_content) where earlier_content is not null;
