-- Addresses to which the desk sends no mail.
create table blocked_address (
    -- Lower case, its domain in the letters of its language.
    address    text primary key,
    blocked_at bigint not null,
    -- The admin who entered it. Null: its owner asked for no more mail through the link in one.
    blocked_by uuid references account (id)
);

-- Mails to addresses outside the desk in the last day: what the limits count. A row is written when the
-- delivery is claimed for the first time.
create table outside_mail (
    delivery_id uuid not null,
    address     text not null,
    -- The account that caused the mail.
    account_id  uuid not null,
    at          bigint not null,
    primary key (delivery_id, address)
);
create index outside_mail_account on outside_mail (account_id, at);
create index outside_mail_address on outside_mail (address, at);
create index outside_mail_at on outside_mail (at);
