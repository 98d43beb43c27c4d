-- Comments on paragraphs of a revision.

create table review_comment (
    id          uuid primary key,
    article_id  uuid not null references article (id) on delete cascade deferrable initially deferred,
    -- Number of the revision.
    revision    integer not null check (revision >= 1),
    -- Number of the paragraph, from 1, and its first characters.
    paragraph   integer not null check (paragraph >= 1),
    quote       text not null,
    text        text not null,
    author_id   uuid not null,
    created_at  bigint not null,
    -- Null: it is open.
    resolved_at bigint,
    resolved_by uuid,
    check ((resolved_at is null) = (resolved_by is null))
);
create index review_comment_article on review_comment (article_id, revision, paragraph, id);
