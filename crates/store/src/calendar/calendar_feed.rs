//! Feeds. Only hashes of their secrets are stored.

use crate::{Conn, StoreError, db::with_conn, row::row};
use domain::{AccountId, Timestamp, calendar::NewFeed};
use uuid::Uuid;

row! {
    /// A feed, without its hash. Times are milliseconds.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct FeedRow {
        /// Id.
        pub id: Uuid,
        /// What it contains.
        pub kind: String,
        /// Its creator.
        pub owner_id: Uuid,
        /// Its room.
        pub room_id: Option<Uuid>,
        /// Name of the room; empty: it is not the feed of a room.
        pub room: String,
        /// When it was created.
        pub created_at: i64,
        /// When a program read it: the first read of about an hour counts.
        pub read_at: Option<i64>,
    }
}

macro_rules! feeds {
    ($rest:literal) => {
        concat!(
            "select f.id, f.kind, f.owner_id, f.room_id, coalesce(r.name, '') as room, f.created_at, f.read_at
               from feed f
               left join room r on r.id = f.room_id ",
            $rest
        )
    };
}

/// Stores a new feed.
pub async fn insert(
    conn: Conn<'_>,
    (id, owner): (Uuid, AccountId),
    new: NewFeed,
    secret_hash: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into feed (id, kind, owner_id, room_id, secret_hash, created_at) values ($1, $2, $3, $4, $5, $6)")
        .bind(id).bind(new.kind.as_str()).bind(owner.0).bind(new.room_id.map(|room| room.0)).bind(secret_hash)
        .bind(at.millis()).execute(c).await.map(drop))?;
    Ok(())
}

/// Returns the feeds of an account, oldest first.
pub async fn list(conn: Conn<'_>, owner: AccountId) -> Result<Vec<FeedRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(feeds!("where f.owner_id = $1 order by f.id"))
        .bind(owner.0).fetch_all(c).await)?)
}

/// Deletes a feed of this account; false: it has no such feed.
pub async fn delete(conn: Conn<'_>, owner: AccountId, id: Uuid) -> Result<bool, StoreError> {
    let deleted = with_conn!(conn, c => sqlx::query("delete from feed where id = $1 and owner_id = $2")
        .bind(id).bind(owner.0).execute(c).await?.rows_affected());
    Ok(deleted > 0)
}

/// Returns the feed with this secret; `None`: it was revoked, or its creator is disabled.
pub async fn find(conn: Conn<'_>, secret_hash: &str) -> Result<Option<FeedRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(feeds!(
        "join account p on p.id = f.owner_id where f.secret_hash = $1 and p.is_disabled = 0"))
        .bind(secret_hash).fetch_optional(c).await)?)
}

/// Records that a program has read the feed.
pub async fn touch(conn: Conn<'_>, id: Uuid, at: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("update feed set read_at = $2 where id = $1")
        .bind(id).bind(at.millis()).execute(c).await.map(drop))?;
    Ok(())
}

row! {
    /// A scheduled article as a feed shows it. Times are milliseconds.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct FeedArticle {
        /// Id of the task.
        pub id: Uuid,
        /// Kind of the task.
        pub kind: String,
        /// The article.
        pub target_id: Uuid,
        /// Title of the revision.
        pub title: String,
        /// Version of the task.
        pub version: i32,
        /// When it is due.
        pub due_at: i64,
        /// IANA time zone in which it was scheduled.
        pub time_zone: Option<String>,
        /// When it was scheduled.
        pub created_at: i64,
    }
}

/// Returns the articles that are scheduled until a moment, next first. `owner`: only those of this
/// account.
pub async fn articles(
    conn: Conn<'_>,
    owner: Option<AccountId>,
    until: Timestamp,
    limit: i64,
) -> Result<Vec<FeedArticle>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select t.id, t.kind, t.target_id, coalesce(v.title, g.title, '') as title, t.version, t.due_at, t.time_zone,
                t.created_at
           from task t
           left join target g on g.id = t.target_id
           left join revision v on v.id = t.revision_id
          where t.state = 'scheduled' and t.kind in ('article.publish', 'article.unpublish') and t.due_at < $1
            and ($2 is null or t.owner_id = $2)
          order by t.due_at, t.id limit $3")
        .bind(until.millis()).bind(owner.map(|owner| owner.0)).bind(limit).fetch_all(c).await)?)
}

row! {
    /// A scheduled release as a feed shows it. Times are milliseconds.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct FeedRelease {
        /// Id of the task.
        pub id: Uuid,
        /// The release.
        pub target_id: Uuid,
        /// Its name.
        pub name: String,
        /// Number of its articles.
        pub count: i64,
        /// Version of the task.
        pub version: i32,
        /// When it is due.
        pub due_at: i64,
        /// IANA time zone in which it was scheduled.
        pub time_zone: Option<String>,
        /// When it was scheduled.
        pub created_at: i64,
    }
}

/// Returns the releases that are scheduled until a moment, next first. `owner`: only those of this
/// account.
pub async fn releases(
    conn: Conn<'_>,
    owner: Option<AccountId>,
    until: Timestamp,
    limit: i64,
) -> Result<Vec<FeedRelease>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select t.id, t.target_id, r.name, t.version, t.due_at, t.time_zone, t.created_at,
                (select count(*) from article_release_item i where i.release_id = r.id) as count
           from task t
           join article_release r on r.id = t.target_id
          where t.state = 'scheduled' and t.kind = 'release.publish' and t.due_at < $1
            and ($2 is null or t.owner_id = $2)
          order by t.due_at, t.id limit $3")
        .bind(until.millis()).bind(owner.map(|owner| owner.0)).bind(limit).fetch_all(c).await)?)
}
