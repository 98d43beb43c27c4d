-- The tables of Presstime, SQLite. The permitted words mirror state.rs, node.rs, account.rs, channel/
-- and delivery.rs of crates/domain.
--
-- Unless a comment says otherwise, times are milliseconds since 1970 in UTC, and null in a column
-- `…_at` means "not yet" or "never".
--
-- Tables that grow fast (task, execution, event, delivery, delivery_attempt) have no foreign keys:
-- keys add a quarter to the time of a burst. The audit compares these tables instead.

create table setting (
    name  text primary key,
    value text not null
) strict;

create table account (
    id            blob primary key,
    email         text not null unique check (email = lower(email)),
    name          text not null,
    role          text not null check (role in ('creator', 'reviewer', 'admin')),
    -- Argon2 hash. Null: the account cannot log in with a password.
    password_hash text,
    is_disabled   integer not null default 0 check (is_disabled in (0, 1)),
    time_zone     text not null,
    language      text not null check (language in ('en', 'zh')),
    theme         text not null default 'auto' check (theme in ('auto', 'light', 'dark')),
    created_at    integer not null
) strict;

create table session (
    secret_hash         text primary key,
    account_id          blob not null references account (id),
    user_agent          text not null,
    -- IP address of the log-in.
    address             text not null,
    -- 1: the user chose to stay logged in, and the browser keeps the cookie.
    is_persistent       integer not null default 0 check (is_persistent in (0, 1)),
    created_at          integer not null,
    seen_at             integer not null,
    -- When the password was last entered in this session. What outlives the session (tokens, roles)
    -- asks for it again. 0: too long ago.
    password_entered_at integer not null default 0
) strict;
create index session_account on session (account_id);

create table token (
    id          blob primary key,
    secret_hash text not null unique,
    account_id  blob not null references account (id),
    name        text not null,
    created_at  integer not null,
    expires_at  integer not null,
    -- Null: never used.
    used_at     integer,
    scope       text not null default 'write' check (scope in ('read', 'write'))
) strict;
create index token_account on token (account_id);

-- One-time links: set-up of the first admin, invitations, password resets.
create table invitation (
    token_hash text primary key,
    purpose    text not null check (purpose in ('set_up', 'invite', 'reset')),
    -- The account whose password is reset. Null: not a reset.
    account_id blob,
    email      text not null,
    name       text not null,
    role       text not null check (role in ('creator', 'reviewer', 'admin')),
    expires_at integer not null
) strict;

-- Log-in attempts by account and by address: one token bucket per name.
create table login_rate_limit (
    name         text primary key,
    -- When all attempts are available again.
    available_at integer not null
) strict;

-- Idempotency keys of requests, per account.
create table idempotency (
    account_id  blob not null,
    key         text not null,
    fingerprint text not null,
    result_id   blob not null,
    created_at  integer not null,
    primary key (account_id, key)
) strict;
create index idempotency_age on idempotency (created_at);

create table article (
    id                    blob primary key,
    slug                  text not null unique,
    owner_id              blob not null,
    state                 text not null check (state in ('draft', 'in_review', 'approved', 'sent_back')),
    -- The current revision and its number.
    revision_id           blob not null,
    revision              integer not null check (revision >= 1),
    title                 text not null,
    -- The public revision, and since when the article is public. Both null: the article is not
    -- public.
    published_revision_id blob,
    published_at          integer,
    -- When the public text was last replaced. Null: never.
    updated_at            integer,
    created_at            integer not null,
    changed_at            integer not null,
    -- When the article was moved to the trash. Null: it is not deleted. After 30 days the row is
    -- removed.
    deleted_at            integer,
    -- Identity of an imported file: its path below the import folder, and a hash of its content.
    -- Null: the article was not imported.
    import_path           text unique,
    import_hash           text,
    -- What the last import did, so that the next one does not overwrite changes made by users: the
    -- number of the revision it wrote, and the moments for which it scheduled tasks (null: it
    -- scheduled none).
    import_revision       integer,
    import_due_at         integer,
    import_expires_at     integer,
    check ((published_revision_id is null) = (published_at is null))
) strict;
create index article_changed on article (changed_at, id);
create index article_public on article (published_at, id) where published_at is not null;
create index article_deleted on article (deleted_at) where deleted_at is not null;

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

-- Everything that can be scheduled: one row for each article. The engine, task lists and Attention
-- know only this table. Triggers of the described table keep the row current, in the transaction of
-- the change.
create table target (
    id          blob primary key,
    -- The described table.
    kind        text not null check (kind <> ''),
    title       text not null,
    -- Last part of its URL. Null: it has no page.
    path        text,
    owner_id    blob not null,
    -- The current revision, which new tasks pin. Null: it has no revisions.
    revision_id blob,
    -- When it was moved to the trash; from then on nothing is scheduled for it. Null: it was not.
    deleted_at  integer
) strict;
create trigger article_target_insert after insert on article begin
    insert into target (id, kind, title, path, owner_id, revision_id, deleted_at)
    values (new.id, 'article', new.title, new.slug, new.owner_id, new.revision_id, new.deleted_at);
end;
create trigger article_target_update after update of title, slug, owner_id, revision_id, deleted_at on article begin
    update target
       set title = new.title, path = new.slug, owner_id = new.owner_id, revision_id = new.revision_id,
           deleted_at = new.deleted_at
     where id = new.id;
end;
create trigger article_target_delete after delete on article begin
    delete from target where id = old.id;
end;

-- Texts as readers see them: written when a text is saved, read by the public site. Rows can be
-- rebuilt from the revisions.
create table rendered (
    revision_id blob primary key,
    -- Version of the renderer. Rows of another version are rendered again.
    renderer    integer not null,
    -- Sanitised HTML. Null: the text exceeds a limit of the renderer, and the site shows a note.
    html        text,
    -- The first words, for lists.
    lead        text not null,
    -- Language guessed from the letters of the text: en, zh, ja, ko. Null: unknown.
    language    text
) strict;

-- Earlier slugs of articles, which redirect to the current one.
create table slug_redirect (
    slug        text primary key,
    article_id  blob not null references article (id),
    replaced_at integer not null
) strict;
create index slug_redirect_article on slug_redirect (article_id);

-- Names that a deleted article keeps, even after its row is removed: a slug that readers knew (it
-- answers 410 and is not given to another article), and the path of an imported file (it is not
-- imported again).
create table deleted_name (
    kind       text not null check (kind in ('slug', 'import')),
    name       text not null,
    article_id blob not null,
    deleted_at integer not null,
    primary key (kind, name)
) strict;
create index deleted_name_article on deleted_name (article_id);

create table task (
    id               blob primary key,
    kind             text not null,
    priority         text not null default 'normal' check (priority in ('high', 'normal', 'low')),
    -- Shard of the task's hints.
    bucket           integer not null check (bucket >= 0),
    target_id        blob not null,
    -- The pinned revision. Null: the kind pins none.
    revision_id      blob,
    due_at           integer not null,
    -- Wall-clock time and IANA time zone as the user typed them. Both null: a client gave an exact
    -- instant.
    local_time       text,
    time_zone        text,
    state            text not null check (state in ('scheduled', 'executed', 'failed', 'cancelled', 'missed')),
    version          integer not null default 1 check (version >= 1),
    -- Equals version while the pinned text is approved; the compare-and-set requires it. Null:
    -- never approved.
    approved_version integer check (approved_version <= version),
    -- How late the task may still be executed; after that it is missed.
    grace_ms         integer not null,
    -- Earliest moment of the next attempt. Null: no attempt has been postponed.
    not_before       integer,
    attempts         integer not null default 0,
    -- How often a process died or failed while it executed this task alone or had it in flight.
    crash_count      integer not null default 0,
    -- The request that created this task together with others. Null: the request created no other
    -- task.
    request_id       blob,
    -- At most one scheduled task may have this key. Null: no such limit.
    unique_key       text,
    owner_id         blob not null,
    executed_at      integer,
    -- Why the task failed, was missed or was cancelled. Null: it was not, or no reason is known.
    reason           text,
    created_at       integer not null,
    check ((state = 'executed') = (executed_at is not null)),
    check (executed_at is null or executed_at >= due_at)
) strict;
-- A target has few tasks: their states and moments are read from the rows, and no change of a task
-- writes to this index.
create index task_target on task (target_id);
create unique index task_unique_key on task (unique_key) where state = 'scheduled' and unique_key is not null;
create index task_state on task (state, due_at, id);
create index task_executed on task (executed_at, id) where executed_at is not null;
-- Quarantined tasks: they were in flight at nodes that died. Every node looks for them each second.
create index task_quarantined on task (id) where crash_count >= 2 and state = 'scheduled';

-- One row per execution. Its primary key is the last defence against a second execution. Without
-- rowid: the table is its own index, which saves a write per execution.
create table execution (
    task_id     blob primary key,
    version     integer not null,
    node        text not null,
    due_at      integer not null,
    -- When the task's hint entered the future set, moved to the publish list, and was popped by a
    -- consumer. Null: no hint brought the task.
    hinted_at   integer,
    moved_at    integer,
    popped_at   integer,
    started_at  integer not null,
    executed_at integer not null
) strict, without rowid;
create index execution_at on execution (executed_at);

-- The append-only log: every timeline and the live stream read it.
create table event (
    seq        integer primary key autoincrement,
    at         integer not null,
    -- Name of the account at that time, or 'engine'.
    actor      text not null,
    -- Null: the engine.
    actor_id   blob,
    entity     text not null,
    entity_id  blob not null,
    verb       text not null,
    -- States before and after. Null: the event changed no state.
    from_state text,
    to_state   text,
    -- Version (tasks) or revision number (articles) after the event. Null: the entity has none.
    version    integer,
    -- A JSON object.
    detail     text not null default '{}'
) strict;
create index event_entity on event (entity_id, seq);
create trigger event_append_only before update on event begin select raise(abort, 'events are append-only'); end;

-- Maximum number of tasks of a kind that are executed at the same time, over all nodes. No row, or
-- null: no limit.
create table kind_limit (
    kind            text primary key,
    max_concurrency integer check (max_concurrency between 1 and 500),
    version         integer not null check (version >= 1)
) strict;

-- Tasks whose instant, or whose local time, changed with newer time-zone data; kept until an admin
-- or the owner dismisses them.
create table zone_move (
    task_id         blob primary key,
    -- Release of the time-zone data, e.g. 2026f.
    tzdata_release  text not null,
    -- 'skipped': the local time no longer exists. 'doubled': it occurs twice.
    cause           text not null check (cause in ('moved', 'skipped', 'doubled')),
    local_time      text not null,
    time_zone       text not null,
    previous_due_at integer not null,
    due_at          integer not null,
    found_at        integer not null
) strict;
create index zone_move_due on zone_move (due_at, task_id);

-- Tasks whose "publish now" failed and that have their previous schedule again. A row counts while
-- the task is scheduled in this version; any later change ends it.
create table failed_publish_now (
    task_id   blob primary key,
    version   integer not null,
    failed_at integer not null
) strict;

create table channel (
    id                   blob primary key,
    transport            text not null check (transport in ('webhook', 'mail', 'sms', 'amqp')),
    name                 text not null,
    -- Address and options of the transport as JSON, without secrets.
    endpoint             text not null,
    -- The events it is notified of, separated by blanks.
    events               text not null,
    retry_schedule       text not null,
    on_unknown_outcome   text not null check (on_unknown_outcome in ('retry', 'hold')),
    concurrency          integer not null check (concurrency between 1 and 20),
    -- Both encrypted. A generated secret signs webhooks; the previous one signs too until
    -- previous_valid_until. A secret that an admin entered is sent to the receiver. Null: the
    -- channel has none.
    secret               text check (secret is not null or transport <> 'webhook'),
    previous_secret      text check (previous_secret is null or transport = 'webhook'),
    previous_valid_until integer,
    state                text not null default 'active' check (state in ('active', 'paused', 'off')),
    -- Attempts that failed in a row.
    failures             integer not null default 0 check (failures >= 0),
    -- No attempt is made before this moment. Null: the circuit breaker is closed.
    breaker_open_until   integer,
    succeeded_at         integer,
    failed_at            integer,
    -- Response to the attempt that last failed. Null: none was received, or no attempt has failed.
    last_status          integer,
    last_response_body   text,
    created_at           integer not null,
    check ((previous_secret is null) = (previous_valid_until is null))
) strict;

create table delivery (
    id           blob primary key,
    -- Null: a test message.
    task_id      blob,
    version      integer not null,
    channel_id   blob not null,
    -- Name of the channel when the delivery was written; the channel may be deleted later.
    channel      text not null,
    event        text not null,
    title        text not null,
    body         text not null,
    state        text not null default 'pending'
                 check (state in ('pending', 'sending', 'delivered', 'failed', 'unconfirmed', 'cancelled', 'held')),
    not_before   integer not null,
    -- Attempts since an admin last had it sent again: the step of the retry schedule.
    attempts     integer not null default 0 check (attempts >= 0),
    max_attempts integer not null check (max_attempts >= 1),
    -- Number of all attempts: the fencing token.
    epoch        integer not null default 0 check (epoch >= attempts),
    -- Until when, and for which node, the delivery is claimed. Null: it is not being sent.
    lease_until  integer,
    lease_owner  text,
    created_at   integer not null,
    -- Null: the delivery has not ended.
    ended_at     integer,
    unique (task_id, version, channel_id, event),
    check ((state = 'sending') = (lease_until is not null)),
    check ((state in ('delivered', 'failed', 'unconfirmed', 'cancelled')) = (ended_at is not null))
) strict;
create index delivery_waiting on delivery (channel_id, not_before, id) where state = 'pending';
create index delivery_sending on delivery (lease_until) where state = 'sending';
create index delivery_unresolved on delivery (ended_at, id) where state in ('failed', 'unconfirmed');
create index delivery_channel on delivery (channel_id, id);

-- One row per attempt, written before the attempt is made; its outcome is set once.
create table delivery_attempt (
    delivery_id   blob not null,
    epoch         integer not null,
    started_at    integer not null,
    -- Both null: the attempt is running, or its node has not reported.
    ended_at      integer,
    outcome       text check (outcome in ('delivered', 'refused', 'unreachable', 'blocked', 'unknown', 'not_sent')),
    -- Null: no response was received.
    status        integer,
    response_body text,
    primary key (delivery_id, epoch),
    check ((ended_at is null) = (outcome is null))
) strict, without rowid;

-- Outcome at each recipient of a message with several recipients. No row: not attempted yet, or the
-- whole attempt failed.
create table delivery_recipient (
    delivery_id   blob not null,
    recipient     text not null,
    -- 'deferred': refused for now, tried again. 'refused': refused for good. 'unknown': the
    -- response was lost, it may have arrived.
    outcome       text not null check (outcome in ('delivered', 'deferred', 'refused', 'unknown')),
    -- Null: no response was received.
    status        integer,
    response_body text,
    at            integer not null,
    primary key (delivery_id, recipient)
) strict, without rowid;

-- Deliveries that failed at least once and wait for another attempt. The table stays small:
-- delivered and ended ones are deleted. A row whose delivery has ended has no effect.
create table failing_delivery (
    delivery_id     blob primary key,
    channel_id      blob not null,
    first_failed_at integer not null,
    -- From when on Attention shows it.
    shown_at        integer not null
) strict, without rowid;
create index failing_delivery_shown on failing_delivery (channel_id, shown_at);

-- The processes that serve this database. All times are by the database's clock.
create table node (
    id                 blob primary key,
    name               text not null,
    role               text not null check (role in ('web', 'work', 'all')),
    -- Version of the program.
    version            text not null,
    state              text not null default 'alive' check (state in ('alive', 'stopped', 'lost')),
    started_at         integer not null,
    heartbeat_at       integer not null,
    -- When its consumer last made progress. Null: it runs no engine.
    engine_seen_at     integer,
    -- When it last looked for overdue tasks. Null: not yet.
    overdue_checked_at integer,
    -- Used on PostgreSQL only, where a standby may take over. Here always null.
    timeline_id        integer,
    ended_at           integer,
    check ((state = 'stopped') = (ended_at is not null))
) strict;

-- Tasks that the nodes are executing: one row per batch that a node runs at the same time, 20 bytes
-- a task. Each batch writes only its own row, and only before it begins.
create table in_flight (
    node_id blob not null,
    slot    integer not null check (slot >= 0),
    -- Id and version of each task: 16 and 4 bytes, most significant byte first.
    tasks   blob not null check (length(tasks) % 20 = 0),
    primary key (node_id, slot)
) strict;

-- Summary of the audits of all nodes since the first one, over all restarts. One row; none before
-- the first audit.
create table audit_summary (
    id                 integer primary key check (id = 1),
    -- Executions from `since` to just before `audited_until` were audited. The node that moves
    -- `audited_until` forward has audited the executions in between and adds what it found.
    since              integer not null,
    audited_until      integer not null,
    audited_at         integer,
    -- The newest event at the last audit.
    audited_seq        integer not null default 0,
    -- A clock was set back: executions before clock_rewind_until whose events have a seq up to
    -- clock_rewind_seq are counted already.
    clock_rewind_until integer not null default 0,
    clock_rewind_seq   integer not null default 0,
    audited            integer not null default 0 check (audited >= 0),
    lost               integer not null default 0 check (lost >= 0),
    early              integer not null default 0 check (early >= 0),
    duplicates         integer not null default 0 check (duplicates >= 0),
    -- How often no running node looked for overdue tasks for more than 5 s, when the last such gap
    -- ended (null: there was none), and the longest gap.
    unmonitored_gaps   integer not null default 0 check (unmonitored_gaps >= 0),
    last_gap_at        integer,
    longest_gap_ms     integer not null default 0 check (longest_gap_ms >= 0),
    check ((unmonitored_gaps = 0) = (last_gap_at is null))
) strict;

-- The pause of all publishing; no row: publishing runs. At ends_at (null: never) the engine deletes
-- the row.
create table engine_pause (
    id        integer primary key check (id = 1),
    paused_at integer not null,
    paused_by blob not null references account (id),
    ends_at   integer check (ends_at > paused_at)
) strict;

-- Index of the full-text search, one entry per article. crates/store/src/search makes the tokens,
-- the same for both engines. seq grows with each change of an article: reading the index backwards
-- returns the newest change first.
create table search_entry (
    seq        integer primary key,
    article_id blob not null unique,
    -- The article's changed_at when this entry was made. Another value: the entry is stale.
    changed_at integer not null
) strict;
create virtual table search_index using fts5 (tokens, content = '', contentless_delete = 1, detail = none, prefix = '4', tokenize = 'ascii');
-- One row: whether every article has its entry. An empty database needs none.
create table search_state (
    id        integer primary key check (id = 1),
    is_filled integer not null check (is_filled in (0, 1))
) strict;
insert into search_state (id, is_filled) values (1, 1);
