//! Background indexing: articles older than the index, and articles that an older program writes
//! beside this one.

use super::index::put_current;
use crate::{Conn, PoolRole, Store, StoreError, db::with_conn};
use uuid::Uuid;

/// Maximum number of articles, and bytes of text, indexed in one transaction, so that SQLite's only
/// writer is soon free again.
const MAX_BATCH_ARTICLES: i64 = 20;
const MAX_BATCH_BYTES: i64 = 200_000;

/// Result of one step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FillStep {
    /// Number of articles indexed.
    pub count: u64,
    /// Start of the next step; `None`: everything is indexed.
    pub next: Option<(i64, Uuid)>,
}

/// Whether every article has its entry.
pub async fn is_filled(conn: Conn<'_>) -> Result<bool, StoreError> {
    let is_filled: i32 =
        with_conn!(conn, c => sqlx::query_scalar("select is_filled from search_state").fetch_one(c).await)?;
    Ok(is_filled != 0)
}

/// Indexes the next articles, oldest change first, whose entry is missing or stale. The first step
/// starts at `(0, nil)`.
pub async fn fill(store: &Store, from: (i64, Uuid)) -> Result<FillStep, StoreError> {
    let stale = stale(store.read(PoolRole::Engine).await?.conn(), from).await?;
    let Some(&(id, changed_at, _)) = stale.last() else {
        let is_filled = is_filled(store.read(PoolRole::Engine).await?.conn()).await?;
        if !is_filled {
            let mut tx = store.begin(PoolRole::Dispatcher).await?;
            with_conn!(tx.conn(), c => sqlx::query("update search_state set is_filled = 1").execute(c).await?.rows_affected());
            tx.commit().await?;
        }
        return Ok(FillStep::default());
    };
    let ids: Vec<Uuid> = stale.into_iter().map(|(id, ..)| id).collect();
    let mut tx = store.begin(PoolRole::Dispatcher).await?;
    let ids = lock(tx.conn(), ids).await?;
    put_current(tx.conn(), &ids).await?;
    tx.commit().await?;
    Ok(FillStep { count: ids.len() as u64, next: Some((changed_at, id)) })
}

/// Returns articles to index, with their last change and the size of their text in bytes.
async fn stale(conn: Conn<'_>, (changed_at, id): (i64, Uuid)) -> Result<Vec<(Uuid, i64, i64)>, StoreError> {
    let rows: Vec<(Uuid, i64, i64)> = with_conn!(conn, c => sqlx::query_as(
        "select a.id, a.changed_at, cast(octet_length(r.body) as bigint)
           from article a
           join revision r on r.id = a.revision_id
           left join search_entry e on e.article_id = a.id
          where (a.changed_at, a.id) > ($1, $2) and (e.article_id is null or e.changed_at <> a.changed_at)
          order by a.changed_at, a.id
          limit $3")
        .bind(changed_at).bind(id).bind(MAX_BATCH_ARTICLES).fetch_all(c).await)?;
    let mut bytes = 0;
    let fits = |(_, _, length): &(Uuid, i64, i64)| {
        let is_first = bytes == 0;
        bytes += length.max(&1);
        is_first || bytes <= MAX_BATCH_BYTES
    };
    Ok(rows.into_iter().take_while(fits).collect())
}

/// Locks the articles. An article that is being saved is skipped; saving indexes it.
async fn lock(conn: Conn<'_>, ids: Vec<Uuid>) -> Result<Vec<Uuid>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(_) => ids,
        Conn::Postgres(c) => {
            sqlx::query_scalar(
                "select id from article where id = any($1) order by id for no key update skip locked",
            )
            .bind(ids)
            .fetch_all(c)
            .await?
        }
    })
}
