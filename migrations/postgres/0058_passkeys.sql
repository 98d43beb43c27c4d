-- Passkeys of accounts: keys of devices with which they log in without the password.
create table passkey (
    id          uuid primary key,
    account_id  uuid not null references account (id) on delete cascade,
    -- Id of the key on its device, base64url.
    credential  text not null unique,
    -- The public key as SubjectPublicKeyInfo, base64url.
    public_key  text not null,
    -- Name that its owner gave it.
    name        text not null,
    -- Counter of the device at the last use. 0: the device does not count.
    counter     bigint not null,
    created_at  bigint not null,
    -- Null: never used.
    used_at     bigint
);
create index passkey_account on passkey (account_id);

-- Challenges that were answered. Each is answered once.
create table passkey_challenge (
    challenge  text primary key,
    expires_at bigint not null
);

-- Accounts whose password does not log in; each has a passkey.
create table password_off (
    account_id uuid primary key references account (id) on delete cascade,
    created_at bigint not null
);
