//! The pause of all publishing. Stored in SQL, so that it applies to every node and survives a
//! restart. It can have an end, at which the engine resumes by itself.

use crate::{Conn, StoreError, db::with_conn, row::row};
use domain::{AccountId, Timestamp, engine::ActivePause};
use uuid::Uuid;

row! {
    /// The pause in effect.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Pause {
        /// When it began, milliseconds.
        pub paused_at: i64,
        /// The account that paused.
        pub paused_by: Uuid,
        /// Its name.
        pub name: String,
        /// When publishing resumes, milliseconds; `None`: when an admin resumes it.
        pub ends_at: Option<i64>,
    }
}

impl Pause {
    /// Returns the pause as every node knows it.
    #[must_use]
    pub fn active(&self) -> ActivePause {
        let until = self.ends_at.map(Timestamp::from_millis);
        ActivePause { since: self.paused_at.into(), by: AccountId(self.paused_by), until }
    }
}

/// Returns the pause in effect at `now`; `None`: publishing runs.
pub async fn find(conn: Conn<'_>, now: Timestamp) -> Result<Option<Pause>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select p.paused_at, p.paused_by, a.name, p.ends_at
           from engine_pause p
           join account a on a.id = p.paused_by
          where p.ends_at is null or p.ends_at > $1")
        .bind(now.millis())
        .fetch_optional(c)
        .await)?)
}

/// Pauses publishing until `ends_at`, or until it is resumed. False: it is paused already, nothing
/// was changed.
pub async fn begin(
    conn: Conn<'_>,
    by: AccountId,
    now: Timestamp,
    ends_at: Option<Timestamp>,
) -> Result<bool, StoreError> {
    let changed = with_conn!(conn, c => sqlx::query(
        "insert into engine_pause (id, paused_at, paused_by, ends_at)
         values (1, $1, $2, $3)
         on conflict (id) do nothing")
        .bind(now.millis())
        .bind(by.0)
        .bind(ends_at.map(Timestamp::millis))
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(changed > 0)
}

/// Resumes publishing. False: it was not paused.
pub async fn end(conn: Conn<'_>) -> Result<bool, StoreError> {
    let changed = with_conn!(conn, c => sqlx::query("delete from engine_pause")
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(changed > 0)
}

/// Ends a pause whose end has come. False: there is none, or another node has ended it.
pub async fn end_expired(conn: Conn<'_>, now: Timestamp) -> Result<bool, StoreError> {
    let changed = with_conn!(conn, c => sqlx::query("delete from engine_pause where ends_at <= $1")
        .bind(now.millis())
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(changed > 0)
}
