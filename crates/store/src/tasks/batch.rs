//! Changes of many tasks at once, kept so that each can be undone as a whole.
//!
//! A batch names its tasks. Which of them it changed last is in their events: see `ChangeDetail`.

use crate::{
    Conn, StoreError,
    db::with_conn,
    json_rows::{column, encode},
    row::row,
};
use domain::{AccountId, BatchId, Timestamp};
use uuid::Uuid;

/// How long a batch can be undone, milliseconds: 7 days.
pub const KEPT_MS: i64 = 7 * 24 * 3_600_000;

row! {
    /// A batch.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct BatchRow {
        /// Who made the change.
        pub account_id: Uuid,
        /// When, milliseconds.
        pub created_at: i64,
        /// When it was undone; `None`: it was not.
        pub undone_at: Option<i64>,
        /// The desk's time zone before the change; `None`: the zone was not changed.
        pub was_time_zone: Option<String>,
        /// The desk's time zone after the change.
        pub time_zone: Option<String>,
    }
}

/// Records a batch, unless it exists.
pub async fn create(
    conn: Conn<'_>,
    id: BatchId,
    account: AccountId,
    now: Timestamp,
) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into batch (id, account_id, created_at) values ($1, $2, $3) on conflict do nothing")
        .bind(id.0).bind(account.0).bind(now.millis()).execute(c).await.map(drop))?;
    Ok(())
}

/// Records that a batch changed the desk's time zone.
pub async fn set_time_zones(conn: Conn<'_>, id: BatchId, was: &str, zone: &str) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("update batch set was_time_zone = $2, time_zone = $3 where id = $1")
        .bind(id.0).bind(was).bind(zone).execute(c).await.map(drop))?;
    Ok(())
}

/// Adds tasks to a batch.
pub async fn add_tasks(conn: Conn<'_>, id: BatchId, tasks: &[Uuid]) -> Result<(), StoreError> {
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(
                "insert into batch_task (batch_id, task_id) select $1, unhex(value) from jsonb_each($2) where true
                 on conflict do nothing",
            )
            .bind(id.0)
            .bind(encode(tasks.iter().map(Uuid::as_simple))?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "insert into batch_task (batch_id, task_id) select $1, unnest($2::uuid[]) on conflict do nothing",
            )
            .bind(id.0)
            .bind(tasks)
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

/// Returns a batch; `None`: it does not exist, or it is too old.
pub async fn find(conn: Conn<'_>, id: BatchId) -> Result<Option<BatchRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select account_id, created_at, undone_at, was_time_zone, time_zone from batch where id = $1")
        .bind(id.0).fetch_optional(c).await)?)
}

/// Returns the tasks of a batch.
pub async fn tasks(conn: Conn<'_>, id: BatchId) -> Result<Vec<Uuid>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "select task_id from batch_task where batch_id = $1 order by task_id")
        .bind(id.0).fetch_all(c).await)?)
}

/// An article that a batch changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchArticle {
    /// Its id.
    pub article: Uuid,
    /// Its owner before and after; `None`: not changed.
    pub owner: Option<(Uuid, Uuid)>,
    /// Number of the revision that the change stored; `None`: none.
    pub revision: Option<i32>,
}

/// Adds articles to a batch.
pub async fn add_articles(conn: Conn<'_>, id: BatchId, articles: &[BatchArticle]) -> Result<(), StoreError> {
    match conn {
        _ if articles.is_empty() => {}
        Conn::Sqlite(c) => {
            let row = |one: &BatchArticle| {
                let (was, owner) = one.owner.map(|(was, owner)| (was.simple(), owner.simple())).unzip();
                (one.article.simple(), was, owner, one.revision)
            };
            sqlx::query(
                "insert into batch_article (batch_id, article_id, was_owner_id, owner_id, revision)
                 select $1, unhex(value ->> 0), unhex(value ->> 1), unhex(value ->> 2), value ->> 3
                   from jsonb_each($2)",
            )
            .bind(id.0)
            .bind(encode(articles.iter().map(row))?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "insert into batch_article (batch_id, article_id, was_owner_id, owner_id, revision)
                 select $1, a.* from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::integer[]) as a",
            )
            .bind(id.0)
            .bind(column(articles, |one| one.article))
            .bind(column(articles, |one| one.owner.map(|(was, _)| was)))
            .bind(column(articles, |one| one.owner.map(|(_, owner)| owner)))
            .bind(column(articles, |one| one.revision))
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

/// Returns the articles of a batch.
pub async fn articles(conn: Conn<'_>, id: BatchId) -> Result<Vec<BatchArticle>, StoreError> {
    type Row = (Uuid, Option<Uuid>, Option<Uuid>, Option<i32>);
    let rows: Vec<Row> = with_conn!(conn, c => sqlx::query_as(
        "select article_id, was_owner_id, owner_id, revision from batch_article where batch_id = $1 order by article_id")
        .bind(id.0).fetch_all(c).await)?;
    let article =
        |(article, was, owner, revision): Row| BatchArticle { article, owner: was.zip(owner), revision };
    Ok(rows.into_iter().map(article).collect())
}

/// A meeting or reminder that a batch changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchItem {
    /// Its id.
    pub id: Uuid,
    /// What it is.
    pub kind: ItemKind,
    /// Its version after the change.
    pub version: i32,
}

/// What a batch changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemKind {
    /// Meetings.
    Meeting,
    /// Reminders.
    Reminder,
}

impl ItemKind {
    const fn word(self) -> &'static str {
        match self {
            Self::Meeting => "meeting",
            Self::Reminder => "reminder",
        }
    }
}

/// Adds meetings or reminders to a batch. `first`: number of those that it has already.
pub async fn add_items(
    conn: Conn<'_>,
    id: BatchId,
    items: &[BatchItem],
    first: usize,
) -> Result<(), StoreError> {
    let position = |place: usize| i32::try_from(first + place).unwrap_or(i32::MAX);
    match conn {
        _ if items.is_empty() => {}
        Conn::Sqlite(c) => {
            let rows = items.iter().enumerate();
            let rows =
                rows.map(|(place, one)| (one.id.simple(), one.kind.word(), one.version, position(place)));
            sqlx::query(
                "insert into batch_item (batch_id, item_id, kind, version, position)
                 select $1, unhex(value ->> 0), value ->> 1, value ->> 2, value ->> 3 from jsonb_each($2)",
            )
            .bind(id.0)
            .bind(encode(rows)?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "insert into batch_item (batch_id, item_id, kind, version, position)
                 select $1, i.* from unnest($2::uuid[], $3::text[], $4::integer[], $5::integer[]) as i",
            )
            .bind(id.0)
            .bind(column(items, |one| one.id))
            .bind(column(items, |one| one.kind.word()))
            .bind(column(items, |one| one.version))
            .bind((0..items.len()).map(position).collect::<Vec<_>>())
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

/// Returns the meetings and reminders of a batch, the last change first.
pub async fn items(conn: Conn<'_>, id: BatchId) -> Result<Vec<BatchItem>, StoreError> {
    let rows: Vec<(Uuid, String, i32)> = with_conn!(conn, c => sqlx::query_as(
        "select item_id, kind, version from batch_item where batch_id = $1 order by position desc")
        .bind(id.0).fetch_all(c).await)?;
    let kind = |word: &str| match word {
        "meeting" => ItemKind::Meeting,
        _ => ItemKind::Reminder,
    };
    Ok(rows.into_iter().map(|(id, word, version)| BatchItem { id, kind: kind(&word), version }).collect())
}

/// Marks a batch as undone. `false`: it was undone before.
pub async fn mark_undone(conn: Conn<'_>, id: BatchId, now: Timestamp) -> Result<bool, StoreError> {
    let changed = with_conn!(conn, c => sqlx::query(
        "update batch set undone_at = $2 where id = $1 and undone_at is null")
        .bind(id.0).bind(now.millis()).execute(c).await.map(|done| done.rows_affected()))?;
    Ok(changed == 1)
}

/// Deletes batches that can no longer be undone.
pub async fn delete_expired(mut conn: Conn<'_>, now: Timestamp) -> Result<(), StoreError> {
    let before = now.millis() - KEPT_MS;
    with_conn!(conn.reborrow(), c => sqlx::query(
        "delete from batch_task where batch_id in (select id from batch where created_at < $1)")
        .bind(before).execute(c).await.map(drop))?;
    with_conn!(conn.reborrow(), c => sqlx::query(
        "delete from batch_article where batch_id in (select id from batch where created_at < $1)")
        .bind(before).execute(c).await.map(drop))?;
    with_conn!(conn.reborrow(), c => sqlx::query(
        "delete from batch_item where batch_id in (select id from batch where created_at < $1)")
        .bind(before).execute(c).await.map(drop))?;
    with_conn!(conn, c => sqlx::query("delete from batch where created_at < $1")
        .bind(before).execute(c).await.map(drop))?;
    Ok(())
}

/// Returns the moments out of these at which a task is scheduled that is not one of `besides`.
pub async fn taken(conn: Conn<'_>, moments: &[i64], besides: &[Uuid]) -> Result<Vec<i64>, StoreError> {
    Ok(match conn {
        _ if moments.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_scalar(
                "select distinct due_at from task
                  where state = 'scheduled' and due_at in (select value from jsonb_each($1))
                    and id not in (select unhex(value) from jsonb_each($2))",
            )
            .bind(encode(moments)?)
            .bind(encode(besides.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_scalar(
                "select distinct due_at from task
                  where state = 'scheduled' and due_at = any($1) and not (id = any($2))",
            )
            .bind(moments)
            .bind(besides)
            .fetch_all(c)
            .await?
        }
    })
}
