-- Changes of all waiting deliveries of a channel are made in batches, each in a transaction of its own.

-- What is still to be done to them: cancel them and delete the channel, hold them because the receiver switched the
-- channel off, or make them pending because it was resumed. Null: nothing.
alter table channel add column unfinished text check (unfinished in ('delete', 'hold', 'release'));
-- Last delivery of the last batch. Null: no batch was made.
alter table channel add column unfinished_after blob;
-- Number of deliveries to cancel when the deletion began, and of those that are left. Null: the channel is not being
-- deleted.
alter table channel add column deleting_total integer;
alter table channel add column deleting_remaining integer;

-- Locks of uploaded files by their hash, over all nodes: files and rows of a hash change together.
create table media_lock (
    hash       text primary key,
    -- The change that has the lock.
    holder     blob not null,
    -- From then on another change may take the lock: its node died.
    expires_at integer not null
) strict;
