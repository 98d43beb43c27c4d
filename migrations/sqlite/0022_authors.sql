-- Public articles of an author.

create index article_author on article (owner_id, published_at, id) where published_at is not null;
