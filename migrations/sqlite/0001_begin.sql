-- The tables of Presstime, SQLite. Words and rules mirror crates/domain/src/state.rs; times are milliseconds of UTC.
-- Hot tables (task, execution, event) carry no foreign keys: they cost a quarter of a burst, and the checker looks instead.

create table setting (
    name  text primary key,
    value text not null
) strict;

create table person (
    id         blob primary key,
    email      text not null unique check (email = lower(email)),
    name       text not null,
    role       text not null check (role in ('creator', 'reviewer', 'admin')),
    password   text,
    disabled   integer not null default 0 check (disabled in (0, 1)),
    zone       text not null,
    language   text not null check (language in ('en', 'zh')),
    theme      text not null default 'auto' check (theme in ('auto', 'light', 'dark')),
    created_at integer not null
) strict;

create table session (
    secret_hash text primary key,
    person_id   blob not null references person (id),
    agent       text not null,
    created_at  integer not null,
    seen_at     integer not null
) strict;
create index session_person on session (person_id);

create table token (
    id          blob primary key,
    secret_hash text not null unique,
    person_id   blob not null references person (id),
    name        text not null,
    created_at  integer not null,
    expires_at  integer not null,
    used_at     integer
) strict;
create index token_person on token (person_id);

-- One-time links: set-up of the first admin, invitations, password resets.
create table invitation (
    token_hash text primary key,
    purpose    text not null check (purpose in ('set_up', 'invite', 'reset')),
    person_id  blob,
    email      text not null,
    name       text not null,
    role       text not null check (role in ('creator', 'reviewer', 'admin')),
    expires_at integer not null
) strict;

-- Tries at logging in, by account and by address: a leaky bucket each.
create table log_in_limit (
    name    text primary key,
    free_at integer not null
) strict;

create table idempotency (
    person_id   blob not null,
    key         text not null,
    fingerprint text not null,
    result_id   blob not null,
    created_at  integer not null,
    primary key (person_id, key)
) strict;
create index idempotency_age on idempotency (created_at);

create table article (
    id                    blob primary key,
    slug                  text not null unique,
    owner_id              blob not null,
    state                 text not null check (state in ('draft', 'in_review', 'approved', 'sent_back')),
    revision_id           blob not null,
    revision              integer not null check (revision >= 1),
    title                 text not null,
    published_revision_id blob,
    published_at          integer,
    updated_at            integer,
    created_at            integer not null,
    changed_at            integer not null,
    -- Identity of an imported file: its path below the folder it was imported from, and a hash of what was read.
    import_path           text unique,
    import_hash           text,
    check ((published_revision_id is null) = (published_at is null))
) strict;
create index article_changed on article (changed_at, id);
create index article_public on article (published_at, id) where published_at is not null;

create table revision (
    id          blob primary key,
    article_id  blob not null references article (id) deferrable initially deferred,
    number      integer not null check (number >= 1),
    title       text not null,
    body        text not null,
    words       integer not null,
    is_autosave integer not null default 0 check (is_autosave in (0, 1)),
    author_id   blob not null,
    saved_at    integer not null,
    unique (article_id, number)
) strict;

create table former_slug (
    slug       text primary key,
    article_id blob not null references article (id),
    left_at    integer not null
) strict;
create index former_slug_article on former_slug (article_id);

create table task (
    id               blob primary key,
    kind             text not null,
    lane             text not null default 'normal' check (lane in ('high', 'normal', 'low')),
    bucket           integer not null check (bucket >= 0),
    target_id        blob not null,
    revision_id      blob,
    due_at           integer not null,
    -- What the person typed: wall time and IANA zone; null where a program gave an exact moment.
    local            text,
    zone             text,
    state            text not null check (state in ('scheduled', 'executed', 'failed', 'cancelled', 'missed')),
    version          integer not null default 1 check (version >= 1),
    -- Equals version while what is pinned may go out; the compare-and-set asks for it.
    approved_version integer check (approved_version <= version),
    late_grace       integer not null,
    not_before       integer,
    attempts         integer not null default 0,
    strikes          integer not null default 0,
    payload          text,
    unique_key       text,
    owner_id         blob not null,
    executed_at      integer,
    reason           text,
    created_at       integer not null,
    check ((state = 'executed') = (executed_at is not null)),
    check (executed_at is null or executed_at >= due_at)
) strict;
create index task_waiting on task (bucket, due_at, id) where state = 'scheduled';
create index task_target on task (target_id, due_at, id) where state = 'scheduled';
create index task_newest on task (target_id, id);
create unique index task_once on task (unique_key) where state = 'scheduled' and unique_key is not null;
create index task_state on task (state, due_at, id);
create index task_due on task (due_at, id);
create index task_executed on task (executed_at, id) where executed_at is not null;

-- The ledger: one row an execution. Its primary key is the last line of defence against a second one.
create table execution (
    task_id     blob primary key,
    version     integer not null,
    node        text not null,
    due_at      integer not null,
    hinted_at   integer,
    moved_at    integer,
    popped_at   integer,
    started_at  integer not null,
    executed_at integer not null
) strict;
create index execution_at on execution (executed_at);

-- Append-only: the log, every timeline, the live stream.
create table event (
    seq        integer primary key autoincrement,
    at         integer not null,
    actor      text not null,
    actor_id   blob,
    entity     text not null,
    entity_id  blob not null,
    verb       text not null,
    from_state text,
    to_state   text,
    version    integer,
    detail     text not null default '{}'
) strict;
create index event_entity on event (entity_id, seq);
create trigger event_is_final before update on event begin select raise(abort, 'events are append-only'); end;
