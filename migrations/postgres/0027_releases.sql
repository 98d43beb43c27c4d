-- Releases: articles that become public, or are unpublished, in one transaction at one moment.

create table article_release (
    id           uuid primary key,
    name         text not null,
    version      integer not null default 1 check (version >= 1),
    owner_id     uuid not null,
    created_at   bigint not null,
    -- Null: it is not published.
    published_at bigint,
    -- When it was last reverted. Null: never, or it was published again since.
    reverted_at  bigint
);

-- The articles of a release.
create table article_release_item (
    release_id       uuid not null references article_release (id) on delete cascade,
    article_id       uuid not null,
    -- Order within the release.
    place            integer not null,
    action           text not null check (action in ('publish', 'unpublish')),
    -- The revision that becomes public. Null: the article is unpublished.
    revision_id      uuid,
    -- 1 until the release is published; again after it was reverted.
    is_open          integer not null default 1 check (is_open in (0, 1)),
    -- What was public before the release was published. All null: nothing was, or it is not published.
    was_revision_id  uuid,
    was_published_at bigint,
    was_updated_at   bigint,
    primary key (release_id, article_id),
    check ((action = 'publish') = (revision_id is not null))
);
-- An article is in one release at a time, until that one is published.
create unique index article_release_item_open on article_release_item (article_id) where is_open = 1;

create function article_release_target() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        insert into target (id, kind, title, owner_id) select id, 'release', name, owner_id from added;
    else
        delete from target where id in (select id from removed);
    end if;
    return null;
end $$;
create trigger article_release_target_insert after insert on article_release referencing new table as added
    for each statement execute function article_release_target();
create trigger article_release_target_delete after delete on article_release referencing old table as removed
    for each statement execute function article_release_target();
create function article_release_renamed() returns trigger language plpgsql as $$
begin
    update target set title = new.name, owner_id = new.owner_id where id = new.id;
    return null;
end $$;
create trigger article_release_target_update after update of name, owner_id on article_release
    for each row execute function article_release_renamed();
