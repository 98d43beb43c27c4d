-- Review of articles before they are published. The permitted words mirror crates/domain/src/review.

-- The review of an article: that of the revision which was submitted last.
create table review (
    id           uuid primary key,
    article_id   uuid not null unique references article (id) on delete cascade,
    state        text not null check (state in ('submitted', 'approved', 'sent_back', 'held', 'expired')),
    -- Increases with each change.
    version      integer not null check (version >= 1),
    revision_id  uuid not null,
    -- Number of the revision.
    revision     integer not null check (revision >= 1),
    -- SHA-256 of its title and text, in hex.
    hash         text not null,
    submitted_by uuid not null,
    submitted_at bigint not null,
    -- When it is decided by itself, and how. Null: no deadline.
    deadline_at  bigint,
    decision     text not null check (decision in ('send_back', 'approve', 'hold', 'escalate')),
    -- The only reviewer besides admins. Null: any reviewer.
    assigned_id  uuid,
    -- Who decided. Null: no user did.
    reviewer_id  uuid,
    -- Name of the person whose link decided. Null: no link did.
    link_name    text,
    decided_at   bigint,
    -- Why it was sent back; may be empty.
    reason       text not null default '',
    -- Result of the last content review: the verdict, its hits as JSON, and their number.
    verdict      text not null check (verdict in ('clean', 'flag', 'needs_approval', 'block')),
    hits         text not null,
    hit_count    integer not null check (hit_count >= 0),
    check (deadline_at is null or state = 'submitted')
);
create index review_revision on review (revision_id);
create index review_waiting on review (submitted_at, id) where state in ('submitted', 'held');

-- The row of table target for each review.
create function review_target() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        insert into target (id, kind, title, path, owner_id, revision_id, deleted_at)
        select new.id, 'review', a.title, a.slug, a.owner_id, null, null from article a where a.id = new.article_id;
    elsif tg_op = 'UPDATE' then
        update target g set title = a.title, path = a.slug, owner_id = a.owner_id
          from article a
         where a.id = new.article_id and g.id = new.id;
    else
        delete from target where id = old.id;
    end if;
    return null;
end $$;
create trigger review_target_exists after insert or delete on review for each row execute function review_target();
create trigger review_target_update after update of revision_id, state on review
    for each row execute function review_target();

-- Revisions that were approved. Only these are published where a reviewer is required.
create table approval (
    revision_id uuid primary key,
    article_id  uuid not null references article (id) on delete cascade,
    hash        text not null,
    -- Who approved. Null: the content review, a deadline, or a link.
    reviewer_id uuid,
    approved_at bigint not null,
    -- The hits that were approved, as JSON.
    hits        text not null
);
create index approval_article on approval (article_id);

-- Links with which a person without an account decides about one revision.
create table review_link (
    -- SHA-256 of the secret, in hex.
    secret_hash text primary key,
    review_id   uuid not null references review (id) on delete cascade,
    revision_id uuid not null,
    -- Name of the person.
    name        text not null,
    created_by  uuid not null,
    created_at  bigint not null,
    expires_at  bigint not null,
    -- Null: it has not decided.
    used_at     bigint
);
create index review_link_review on review_link (review_id);
