-- Releases: articles that become public, or are unpublished, in one transaction at one moment.

create table article_release (
    id           blob primary key,
    name         text not null,
    version      integer not null default 1 check (version >= 1),
    owner_id     blob not null,
    created_at   integer not null,
    -- Null: it is not published.
    published_at integer,
    -- When it was last reverted. Null: never, or it was published again since.
    reverted_at  integer
) strict;

-- The articles of a release.
create table article_release_item (
    release_id       blob not null references article_release (id) on delete cascade,
    article_id       blob not null,
    -- Order within the release.
    place            integer not null,
    action           text not null check (action in ('publish', 'unpublish')),
    -- The revision that becomes public. Null: the article is unpublished.
    revision_id      blob,
    -- 1 until the release is published; again after it was reverted.
    is_open          integer not null default 1 check (is_open in (0, 1)),
    -- What was public before the release was published. All null: nothing was, or it is not published.
    was_revision_id  blob,
    was_published_at integer,
    was_updated_at   integer,
    primary key (release_id, article_id),
    check ((action = 'publish') = (revision_id is not null))
) strict, without rowid;
-- An article is in one release at a time, until that one is published.
create unique index article_release_item_open on article_release_item (article_id) where is_open = 1;

create trigger article_release_target_insert after insert on article_release begin
    insert into target (id, kind, title, owner_id) values (new.id, 'release', new.name, new.owner_id);
end;
create trigger article_release_target_update after update of name, owner_id on article_release begin
    update target set title = new.name, owner_id = new.owner_id where id = new.id;
end;
create trigger article_release_target_delete after delete on article_release begin
    delete from target where id = old.id;
end;
