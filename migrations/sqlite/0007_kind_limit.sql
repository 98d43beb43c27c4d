-- How many tasks of a kind may be executed at once, over all nodes. No row, or null: as many as there are.
create table kind_limit (
    kind    text primary key,
    at_once integer check (at_once between 1 and 500),
    version integer not null check (version >= 1)
) strict;
