-- Cards of links that are a whole paragraph, as their pages were read: a row for each such link of a saved text. A card that
-- was read never changes, so that a published text does not change either. The previous release keeps working without them.
create table link_card (
    revision_id blob not null references revision (id) on delete cascade deferrable initially deferred,
    -- SHA-256 of the address, in hex.
    url_hash    text not null,
    url         text not null,
    -- Account that saved the text: accounts take turns, and each has a maximum number of pages a day.
    account_id  blob not null references account (id) deferrable initially deferred,
    -- When the page was asked for, milliseconds. Null: the card is that of an earlier text.
    asked_at    integer,
    -- Number of attempts to read the page, and when the last one began, milliseconds. Null: none yet.
    attempts    integer not null default 0,
    tried_at    integer,
    -- When the page was read, milliseconds. Null: not yet.
    answered_at integer,
    -- Title of the page. Null: not read yet, or it has none that can be shown; the link stays a link.
    title       text,
    -- Description and name of the site. Empty: none.
    description text not null default '',
    site        text not null default '',
    primary key (revision_id, url_hash)
) strict;
create index link_card_waiting on link_card (asked_at) where answered_at is null;
create index link_card_answer on link_card (url_hash, answered_at);
create index link_card_asked on link_card (account_id, asked_at) where asked_at is not null;
