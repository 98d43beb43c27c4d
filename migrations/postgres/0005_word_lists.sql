-- Word lists of the content review.
create table word_list (
    id         uuid primary key,
    name       text not null unique,
    language   text not null check (language in ('any', 'en', 'zh')),
    action     text not null check (action in ('replace', 'flag', 'needs_approval', 'block')),
    version    integer not null check (version >= 1),
    -- Number of its terms.
    term_count integer not null default 0 check (term_count >= 0),
    changed_at bigint not null
);

-- The terms of a list, in the order in which they were entered.
create table word_term (
    list_id     uuid not null,
    place       integer not null,
    term        text not null,
    -- JSON array of texts.
    exceptions  text not null,
    -- Null: there is none; required only if the list replaces.
    replacement text,
    is_pattern  integer not null check (is_pattern in (0, 1)),
    primary key (list_id, place)
);
