-- In the trash since; null: not deleted. After 30 days the row goes for good.
alter table article add column deleted_at integer;
create index article_deleted on article (deleted_at) where deleted_at is not null;
-- Names that a deleted article keeps, also when its row is gone: of an address readers knew (it answers 410 and is not given away),
-- and of a file it was imported from (it is not imported again).
create table deleted_name (
    kind       text not null check (kind in ('slug', 'import')),
    name       text not null,
    article_id blob not null,
    deleted_at integer not null,
    primary key (kind, name)
) strict;
create index deleted_name_article on deleted_name (article_id);
