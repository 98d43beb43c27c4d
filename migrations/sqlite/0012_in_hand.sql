-- What the nodes have in hand, a row for each of the batches that run at once: each writes only its own, with 20 bytes a task.
-- (node.in_flight is for programs from before this step; two releases run side by side.)
create table in_hand (
    node_id blob not null,
    place   integer not null check (place >= 0),
    -- Identity and version of each task, 16 and 4 bytes, the highest first.
    tasks   blob not null check (length(tasks) % 20 = 0),
    primary key (node_id, place)
) strict;
