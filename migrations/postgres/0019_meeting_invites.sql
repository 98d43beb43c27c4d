-- Invitations of attendees by mail, and the links with which they answer.
create table meeting_invite (
    meeting_id   uuid not null references meeting (id) on delete cascade,
    email        text not null check (email = lower(email)),
    -- SHA-256 of what the last mail says of the meeting, in hex. Empty: it says that the meeting is cancelled.
    content_hash text not null,
    -- The message that sends the last mail.
    message_id   uuid not null,
    mailed_at    bigint not null,
    primary key (meeting_id, email)
);

create table answer_link (
    -- SHA-256 of the secret, in hex.
    secret_hash text primary key,
    meeting_id  uuid not null references meeting (id) on delete cascade,
    -- Address of the attendee who answers with it.
    email       text not null,
    created_at  bigint not null
);
create index answer_link_meeting on answer_link (meeting_id);
