-- Comments on paragraphs of a revision.

create table review_comment (
    id          blob primary key,
    article_id  blob not null references article (id) on delete cascade deferrable initially deferred,
    -- Number of the revision.
    revision    integer not null check (revision >= 1),
    -- Number of the paragraph, from 1, and its first characters.
    paragraph   integer not null check (paragraph >= 1),
    quote       text not null,
    text        text not null,
    author_id   blob not null,
    created_at  integer not null,
    -- Null: it is open.
    resolved_at integer,
    resolved_by blob,
    check ((resolved_at is null) = (resolved_by is null))
) strict;
create index review_comment_article on review_comment (article_id, revision, paragraph, id);
