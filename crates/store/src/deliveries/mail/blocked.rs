//! Addresses that get no mail from the desk.

use crate::{Conn, StoreError, db::with_conn, json_rows::encode, row::row};
use domain::{AccountId, Timestamp};
use std::collections::HashSet;
use uuid::Uuid;

row! {
    /// A blocked address.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct BlockedRow {
        /// The address.
        pub address: String,
        /// Since when, milliseconds.
        pub blocked_at: i64,
        /// The admin who entered it; `None`: its owner asked for it.
        pub blocked_by: Option<Uuid>,
        /// Name of that admin.
        pub name: Option<String>,
    }
}

/// Blocks an address. `false`: it is blocked already.
pub async fn block(
    conn: Conn<'_>,
    address: &str,
    by: Option<AccountId>,
    at: Timestamp,
) -> Result<bool, StoreError> {
    let added = with_conn!(conn, c => sqlx::query(
        "insert into blocked_address (address, blocked_at, blocked_by) values ($1, $2, $3) on conflict do nothing")
        .bind(address).bind(at.millis()).bind(by.map(|by| by.0)).execute(c).await?.rows_affected());
    Ok(added == 1)
}

/// Allows mail to an address again. `false`: it was not blocked.
pub async fn allow(conn: Conn<'_>, address: &str) -> Result<bool, StoreError> {
    let deleted = with_conn!(conn, c => sqlx::query("delete from blocked_address where address = $1")
        .bind(address).execute(c).await?.rows_affected());
    Ok(deleted == 1)
}

/// Returns the blocked addresses after `start`, by address.
pub async fn list(conn: Conn<'_>, start: &str, limit: i64) -> Result<Vec<BlockedRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select b.address, b.blocked_at, b.blocked_by, a.name
           from blocked_address b
           left join account a on a.id = b.blocked_by
          where b.address > $1
          order by b.address
          limit $2")
        .bind(start).bind(limit).fetch_all(c).await)?)
}

/// Returns which of these addresses are blocked.
pub async fn among(conn: Conn<'_>, addresses: &[String]) -> Result<HashSet<String>, StoreError> {
    let found: Vec<String> = match conn {
        _ if addresses.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_scalar(
                "select address from blocked_address where address in (select value from jsonb_each($1))",
            )
            .bind(encode(addresses)?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_scalar("select address from blocked_address where address = any($1)")
                .bind(addresses)
                .fetch_all(c)
                .await?
        }
    };
    Ok(found.into_iter().collect())
}
