-- Sign-in with providers of OpenID Connect. The previous release keeps working: it reads and writes none of these tables.
create table sign_in_provider (
    id                  uuid primary key,
    name                text not null,
    -- URL of the provider, as it names itself in tokens. It never changes: with it, subjects would be other people.
    issuer              text not null,
    client_id           text not null,
    -- Encrypted. Null: the provider asks for none.
    client_secret       text,
    -- Separated by blanks; contains `openid`.
    scopes              text not null,
    -- Who without an account gets one.
    provisioning        text not null check (provisioning in ('none', 'invited', 'group')),
    -- Members of this group of the provider get an account. Empty: no one does by a group.
    member_group        text not null,
    -- Claim with the groups of a person. Empty: groups are not read.
    group_claim         text not null,
    -- JSON array of {"group", "role"}. Empty array: the provider changes no role.
    role_rules          text not null,
    -- JSON array of {"group", "to"}: members of a group of the provider, and the group of the desk they belong to.
    group_rules         text not null,
    -- 1: the provider proves both factors, and the desk asks for no code.
    proves_both_factors integer not null check (proves_both_factors in (0, 1)),
    is_enabled          integer not null check (is_enabled in (0, 1)),
    version             integer not null default 1,
    created_at          bigint not null
);

-- Who an account is at a provider. An e-mail address never decides it.
create table sign_in_identity (
    provider_id uuid not null references sign_in_provider (id) on delete cascade,
    -- `sub`: what the provider calls the person.
    subject     text not null,
    account_id  uuid not null references account (id) on delete cascade,
    -- E-mail address that the provider named last, for people. May be empty.
    address     text not null,
    linked_at   bigint not null,
    used_at     bigint not null,
    primary key (provider_id, subject)
);
create unique index sign_in_identity_account on sign_in_identity (account_id, provider_id);

-- Sign-ins for which the browser is at the provider. Each is used once.
create table sign_in_attempt (
    -- Hash of `state`.
    state_hash      text primary key,
    provider_id     uuid not null references sign_in_provider (id) on delete cascade,
    -- Hash of the cookie of the browser that began it.
    browser_hash    text not null,
    -- The account to link. Null: it is a log-in.
    account_id      uuid references account (id) on delete cascade,
    -- Hash of the token of an invitation. Null: without one.
    invitation_hash text,
    -- Path that follows.
    next_path       text not null,
    expires_at      bigint not null
);
create index sign_in_attempt_expires on sign_in_attempt (expires_at);

-- Sessions that began with a provider.
create table sign_in_session (
    session_hash     text primary key references session (secret_hash) on delete cascade,
    provider_id      uuid not null references sign_in_provider (id) on delete cascade,
    subject          text not null,
    -- Session at the provider; empty: it names none.
    sid              text not null,
    -- 1: the provider proved both factors.
    has_both_factors integer not null check (has_both_factors in (0, 1))
);
create index sign_in_session_subject on sign_in_session (provider_id, subject);

-- Log-ins that began with a provider and await a code. Their sessions begin with it too.
create table sign_in_pending (
    token_hash  text primary key references pending_log_in (token_hash) on delete cascade,
    provider_id uuid not null references sign_in_provider (id) on delete cascade,
    subject     text not null,
    sid         text not null
);

-- Ids of log-out tokens that were used: each is used once.
create table sign_in_log_out (
    provider_id uuid not null references sign_in_provider (id) on delete cascade,
    jti         text not null,
    expires_at  bigint not null,
    primary key (provider_id, jti)
);
