-- Mails that a limit holds, and mails that are not sent because their address is blocked.
create table held_mail (
    delivery_id blob primary key,
    address     text not null,
    -- The account that caused the mail, and sees it here.
    account_id  blob not null,
    -- Which limit holds it: of the account, of the address, of the desk. 'blocked': it is not sent at all.
    reason      text not null check (reason in ('account', 'address', 'desk', 'blocked')),
    -- Lower ones are sent first.
    rank        integer not null,
    held_at     integer not null,
    -- When it is tried again. Null: it is not sent.
    until_at    integer,
    -- Whether its account has been notified.
    is_notified     integer not null default 0 check (is_notified in (0, 1))
) strict;
create index held_mail_until on held_mail (until_at, rank) where until_at is not null;
create index held_mail_account on held_mail (account_id, held_at);
create index held_mail_unnotified on held_mail (account_id) where is_notified = 0;

-- When the last mail about a change of the meeting was sent: later changes are collected for some minutes. Null: none was.
alter table meeting_invite add column changed_at integer;
-- Start of the meeting as the last mail says. Null: not known.
alter table meeting_invite add column mailed_starts_at integer;
alter table series_invite add column changed_at integer;
alter table series_invite add column mailed_starts_at integer;
create index meeting_invite_email on meeting_invite (email, mailed_at);
create index series_invite_email on series_invite (email, mailed_at);
create index reminder_address on reminder (address) where address is not null;
