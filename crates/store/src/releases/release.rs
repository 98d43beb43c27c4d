//! Releases: one row each. Their articles are in `article_release_item`.

use crate::{Conn, StoreError, db::with_conn, json_rows::encode, row::row};
use domain::{AccountId, ReleaseId, Timestamp};
use uuid::Uuid;

row! {
    /// A release.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ReleaseRecord {
        /// Id.
        pub id: Uuid,
        /// Name.
        pub name: String,
        /// Increases with every change.
        pub version: i32,
        /// Owner.
        pub owner_id: Uuid,
        /// Name of the owner.
        pub owner: String,
        /// When it was created, milliseconds.
        pub created_at: i64,
        /// When it was published, milliseconds; `None`: it is not.
        pub published_at: Option<i64>,
        /// When it was reverted, milliseconds.
        pub reverted_at: Option<i64>,
        /// Number of its articles.
        pub count: i64,
    }
}

/// A new release.
#[derive(Debug, Clone, Copy)]
pub struct NewReleaseRow<'t> {
    /// Id.
    pub id: ReleaseId,
    /// Name.
    pub name: &'t str,
    /// Owner.
    pub owner: AccountId,
    /// Current time.
    pub at: Timestamp,
}

/// A select of [`ReleaseRecord`]s.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "select r.id, r.name, r.version, r.owner_id, coalesce(p.name, '') as owner, r.created_at, r.published_at,
                    r.reverted_at, (select count(*) from article_release_item i where i.release_id = r.id) as count
               from article_release r
               left join account p on p.id = r.owner_id ",
            $rest
        )
    };
}

/// Stores a release without articles.
pub async fn insert(conn: Conn<'_>, new: &NewReleaseRow<'_>) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into article_release (id, name, owner_id, created_at) values ($1, $2, $3, $4)")
        .bind(new.id.0).bind(new.name).bind(new.owner.0).bind(new.at.millis())
        .execute(c).await?.rows_affected());
    Ok(())
}

/// Returns a release; `None`: it does not exist.
pub async fn find(conn: Conn<'_>, id: ReleaseId) -> Result<Option<ReleaseRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(select!("where r.id = $1")).bind(id.0).fetch_optional(c).await)?)
}

/// Returns these releases.
pub async fn find_many(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<ReleaseRecord>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(select!("where r.id in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(ids.iter().map(Uuid::as_simple))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => sqlx::query_as(select!("where r.id = any($1)")).bind(ids).fetch_all(c).await?,
    })
}

/// Returns the newest releases.
pub async fn list(conn: Conn<'_>, limit: u32) -> Result<Vec<ReleaseRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(select!("order by r.id desc limit $1"))
        .bind(i64::from(limit)).fetch_all(c).await)?)
}

/// Renames a release and counts its version. False: it has another version.
pub async fn change(conn: Conn<'_>, id: ReleaseId, seen: i32, name: &str) -> Result<bool, StoreError> {
    let changed = with_conn!(conn, c => sqlx::query(
        "update article_release set name = $3, version = version + 1 where id = $1 and version = $2")
        .bind(id.0).bind(seen).bind(name).execute(c).await?.rows_affected());
    Ok(changed > 0)
}

/// Deletes a release with its list of articles. False: it has another version.
pub async fn delete(conn: Conn<'_>, id: ReleaseId, seen: i32) -> Result<bool, StoreError> {
    let deleted = with_conn!(conn, c => sqlx::query("delete from article_release where id = $1 and version = $2")
        .bind(id.0).bind(seen).execute(c).await?.rows_affected());
    Ok(deleted > 0)
}

/// Marks releases as published at `at`.
pub async fn mark_published(conn: Conn<'_>, ids: &[Uuid], at: Timestamp) -> Result<(), StoreError> {
    macro_rules! publish {
        ($ids:literal) => {
            concat!(
                "update article_release set published_at = $2, reverted_at = null, version = version + 1 where id ",
                $ids
            )
        };
    }
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(publish!("in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(ids.iter().map(Uuid::as_simple))?)
                .bind(at.millis())
                .execute(c)
                .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(publish!("= any($1)")).bind(ids).bind(at.millis()).execute(c).await?;
        }
    }
    Ok(())
}

/// Marks releases as reverted at `at`.
pub async fn mark_reverted(conn: Conn<'_>, ids: &[Uuid], at: Timestamp) -> Result<(), StoreError> {
    macro_rules! revert {
        ($ids:literal) => {
            concat!(
                "update article_release set published_at = null, reverted_at = $2, version = version + 1 where id ",
                $ids
            )
        };
    }
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(revert!("in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(ids.iter().map(Uuid::as_simple))?)
                .bind(at.millis())
                .execute(c)
                .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(revert!("= any($1)")).bind(ids).bind(at.millis()).execute(c).await?;
        }
    }
    Ok(())
}

/// Returns the name of the scheduled release that an article is in; `None`: it is in none.
pub async fn scheduled_with(conn: Conn<'_>, article: Uuid) -> Result<Option<String>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "select r.name
           from article_release_item i
           join article_release r on r.id = i.release_id
          where i.article_id = $1 and i.is_open = 1
            and exists (select 1 from task t where t.target_id = r.id and t.state || '' = 'scheduled')
          limit 1")
        .bind(article).fetch_optional(c).await)?)
}

row! {
    /// The scheduled release that an article is in.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct PlannedReleaseRow {
        /// Id of the article.
        pub article_id: Uuid,
        /// Id of the release.
        pub id: Uuid,
        /// Its name.
        pub name: String,
        /// Word of what it does with the article.
        pub action: String,
        /// When it is due, milliseconds.
        pub due_at: i64,
    }
}

/// Returns the scheduled releases of these articles; an article is in one at most.
pub async fn planned(conn: Conn<'_>, articles: &[Uuid]) -> Result<Vec<PlannedReleaseRow>, StoreError> {
    macro_rules! planned {
        ($articles:literal) => {
            concat!(
                "select i.article_id, r.id, r.name, i.action, t.due_at
                   from article_release_item i
                   join article_release r on r.id = i.release_id
                   join task t on t.target_id = i.release_id and t.kind = 'release.publish'
                              and t.state || '' = 'scheduled'
                  where i.is_open = 1 and i.article_id ",
                $articles
            )
        };
    }
    Ok(match conn {
        _ if articles.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(planned!("in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(articles.iter().map(Uuid::as_simple))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => sqlx::query_as(planned!("= any($1)")).bind(articles).fetch_all(c).await?,
    })
}

/// Returns the open release of an article, whether it is scheduled or not; `None`: it is in none.
pub async fn open_with(conn: Conn<'_>, article: Uuid) -> Result<Option<Uuid>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "select release_id from article_release_item where article_id = $1 and is_open = 1")
        .bind(article).fetch_optional(c).await)?)
}
