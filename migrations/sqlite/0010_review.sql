-- Review of articles before they are published. The permitted words mirror crates/domain/src/review.

-- The review of an article: that of the revision which was submitted last.
create table review (
    id           blob primary key,
    article_id   blob not null unique references article (id) on delete cascade,
    state        text not null check (state in ('submitted', 'approved', 'sent_back', 'held', 'expired')),
    -- Increases with each change.
    version      integer not null check (version >= 1),
    revision_id  blob not null,
    -- Number of the revision.
    revision     integer not null check (revision >= 1),
    -- SHA-256 of its title and text, in hex.
    hash         text not null,
    submitted_by blob not null,
    submitted_at integer not null,
    -- When it is decided by itself, and how. Null: no deadline.
    deadline_at  integer,
    decision     text not null check (decision in ('send_back', 'approve', 'hold', 'escalate')),
    -- The only reviewer besides admins. Null: any reviewer.
    assigned_id  blob,
    -- Who decided. Null: no user did.
    reviewer_id  blob,
    -- Name of the person whose link decided. Null: no link did.
    link_name    text,
    decided_at   integer,
    -- Why it was sent back; may be empty.
    reason       text not null default '',
    -- Result of the last content review: the verdict, its hits as JSON, and their number.
    verdict      text not null check (verdict in ('clean', 'flag', 'needs_approval', 'block')),
    hits         text not null,
    hit_count    integer not null check (hit_count >= 0),
    check (deadline_at is null or state = 'submitted')
) strict;
create index review_revision on review (revision_id);
create index review_waiting on review (submitted_at, id) where state in ('submitted', 'held');

-- The row of table target for each review.
create trigger review_target_insert after insert on review begin
    insert into target (id, kind, title, path, owner_id, revision_id, deleted_at)
    select new.id, 'review', a.title, a.slug, a.owner_id, null, null from article a where a.id = new.article_id;
end;
create trigger review_target_update after update of revision_id, state on review begin
    update target
       set title = (select a.title from article a where a.id = new.article_id),
           path = (select a.slug from article a where a.id = new.article_id),
           owner_id = (select a.owner_id from article a where a.id = new.article_id)
     where id = new.id;
end;
create trigger review_target_delete after delete on review begin
    delete from target where id = old.id;
end;

-- Revisions that were approved. Only these are published where a reviewer is required.
create table approval (
    revision_id blob primary key,
    article_id  blob not null references article (id) on delete cascade,
    hash        text not null,
    -- Who approved. Null: the content review, a deadline, or a link.
    reviewer_id blob,
    approved_at integer not null,
    -- The hits that were approved, as JSON.
    hits        text not null
) strict;
create index approval_article on approval (article_id);

-- Links with which a person without an account decides about one revision.
create table review_link (
    -- SHA-256 of the secret, in hex.
    secret_hash text primary key,
    review_id   blob not null references review (id) on delete cascade,
    revision_id blob not null,
    -- Name of the person.
    name        text not null,
    created_by  blob not null,
    created_at  integer not null,
    expires_at  integer not null,
    -- Null: it has not decided.
    used_at     integer
) strict;
create index review_link_review on review_link (review_id);
