-- Filters of a list that an account keeps under a name.

create table saved_view (
    id         blob primary key,
    account_id blob not null references account (id) on delete cascade,
    -- Word of the list: articles, tasks or meetings.
    list       text not null,
    name       text not null,
    -- The filters: the query of the list's URL.
    query      text not null,
    version    integer not null default 1,
    created_at integer not null
) strict;
create unique index saved_view_name on saved_view (account_id, list, name);
