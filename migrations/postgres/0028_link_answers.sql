-- Links of articles that answered when they were opened last: SHA-256 of the address in hex, and when.
create table link_answer (
    url_hash text primary key,
    answered_at bigint not null
);
create index link_answer_age on link_answer (answered_at);
