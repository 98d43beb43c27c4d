-- Who has an article or a meeting open. A row counts for less than a minute; old ones are deleted.
create table presence (
    -- Article or meeting.
    item_id    uuid not null,
    account_id uuid not null references account (id) on delete cascade,
    -- When the page of the account last reported, milliseconds.
    seen_at    bigint not null,
    primary key (item_id, account_id)
);
