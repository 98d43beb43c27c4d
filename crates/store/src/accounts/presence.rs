//! Who has an article or a meeting open.

use crate::{Conn, StoreError, db::with_conn};
use domain::{AccountId, Timestamp};
use uuid::Uuid;

/// How long a row is kept, milliseconds.
const KEPT_MS: i64 = 120_000;

/// Whether the item is an article or a meeting, which every account may read.
pub async fn is_readable(conn: Conn<'_>, item: Uuid) -> Result<bool, StoreError> {
    let found: Option<i32> = with_conn!(conn, c => sqlx::query_scalar(
        "select 1 from target where id = $1 and kind in ('article', 'meeting')")
        .bind(item).fetch_optional(c).await)?;
    Ok(found.is_some())
}

/// Returns when the page of the account last reported.
pub async fn seen_at(
    conn: Conn<'_>,
    item: Uuid,
    account: AccountId,
) -> Result<Option<Timestamp>, StoreError> {
    let at: Option<i64> = with_conn!(conn, c => sqlx::query_scalar(
        "select seen_at from presence where item_id = $1 and account_id = $2")
        .bind(item).bind(account.0).fetch_optional(c).await)?;
    Ok(at.map(Timestamp::from_millis))
}

/// Returns the names of the other accounts that reported since `since`, at most `limit`, by name. Disabled
/// accounts are left out.
pub async fn others(
    conn: Conn<'_>,
    item: Uuid,
    account: AccountId,
    since: Timestamp,
    limit: i64,
) -> Result<Vec<String>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "select a.name from presence p join account a on a.id = p.account_id
          where p.item_id = $1 and p.account_id <> $2 and p.seen_at > $3 and a.is_disabled = 0
          order by a.name, a.id limit $4")
        .bind(item).bind(account.0).bind(since.millis()).bind(limit).fetch_all(c).await)?)
}

/// Records that the account has the item open.
pub async fn record(
    conn: Conn<'_>,
    item: Uuid,
    account: AccountId,
    now: Timestamp,
) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into presence (item_id, account_id, seen_at) values ($1, $2, $3)
         on conflict (item_id, account_id) do update set seen_at = excluded.seen_at")
        .bind(item).bind(account.0).bind(now.millis()).execute(c).await.map(drop))?;
    Ok(())
}

/// Deletes rows that no longer count.
pub async fn delete_old(conn: Conn<'_>, now: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("delete from presence where seen_at < $1")
        .bind(now.millis() - KEPT_MS).execute(c).await.map(drop))?;
    Ok(())
}
