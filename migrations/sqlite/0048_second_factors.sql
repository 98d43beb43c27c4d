-- Second factors of accounts: codes of an authenticator app (TOTP).
create table second_factor (
    account_id   blob primary key references account (id) on delete cascade,
    -- The secret of the codes, encrypted.
    secret       text not null,
    created_at   integer not null,
    -- When the first code was entered. Null: not yet, and log-ins ask for none.
    confirmed_at integer,
    -- Number of the last accepted time step. Each step is accepted once.
    last_step    integer not null default 0
) strict;

-- Recovery codes that were not used yet.
create table recovery_code (
    code_hash  text primary key,
    account_id blob not null references account (id) on delete cascade
) strict;
create index recovery_code_account on recovery_code (account_id);

-- Log-ins whose password was right and whose code is awaited.
create table pending_log_in (
    token_hash    text primary key,
    account_id    blob not null references account (id) on delete cascade,
    -- 1: the user chose to stay logged in.
    is_persistent integer not null check (is_persistent in (0, 1)),
    -- Number of codes that may still be tried.
    tries_left    integer not null,
    expires_at    integer not null
) strict;
create index pending_log_in_account on pending_log_in (account_id);
