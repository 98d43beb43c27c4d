-- Groups of accounts. The previous release keeps working: it reads and writes neither table.
create table account_group (
    id         blob primary key,
    name       text not null,
    -- The name in lower case: names are unique without regard to case.
    name_key   text not null unique,
    version    integer not null default 1,
    created_at integer not null
) strict;

create table account_group_member (
    group_id   blob not null references account_group (id) on delete cascade,
    account_id blob not null references account (id) on delete cascade,
    primary key (group_id, account_id)
) strict, without rowid;
create index account_group_member_account on account_group_member (account_id);
