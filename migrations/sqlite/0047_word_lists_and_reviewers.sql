-- States of word lists after each change, the last 50 of a list.
create table word_list_revision (
    list_id    blob not null,
    version    integer not null check (version >= 1),
    change     text not null check (change in ('create', 'change', 'set_terms', 'restore', 'earlier')),
    name       text not null,
    language   text not null,
    action     text not null,
    -- JSON array of the terms.
    terms      text not null,
    term_count integer not null check (term_count >= 0),
    -- JSON: the first added and removed terms, and how many there are.
    changes    text not null,
    -- Null: it is not known, because the list was changed before its states were kept.
    account_id blob,
    changed_at integer not null,
    primary key (list_id, version)
) strict;

-- The reviewers who were asked for a review. No row: any reviewer is asked.
create table review_asked (
    review_id  blob not null references review (id) on delete cascade,
    account_id blob not null,
    primary key (review_id, account_id)
) strict, without rowid;
create index review_asked_account on review_asked (account_id);
