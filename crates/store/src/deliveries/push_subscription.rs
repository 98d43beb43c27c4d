//! Browsers that show the notifications of an account (Web Push).

use crate::{Conn, StoreError, db::with_conn, row::row};
use domain::{AccountId, PushDeviceId, Timestamp, push::MAX_DEVICES};
use uuid::Uuid;

row! {
    /// A stored browser. Times are milliseconds.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct PushSubscriptionRow {
        /// Id.
        pub id: Uuid,
        /// Address at its push service.
        pub endpoint: String,
        /// Name of the browser and its system.
        pub agent: String,
        /// When it was added.
        pub created_at: i64,
        /// When its push service last accepted a message; `None`: never.
        pub used_at: Option<i64>,
        /// When a message was last given up; `None`: not since the last accepted one.
        pub failed_at: Option<i64>,
    }
}

/// A browser before it is stored.
#[derive(Debug, Clone, Copy)]
pub struct NewPushSubscription<'a> {
    /// Whom it belongs to.
    pub account: AccountId,
    /// Address at its push service.
    pub endpoint: &'a str,
    /// Public key, base64url.
    pub p256dh: &'a str,
    /// Authentication secret, base64url.
    pub auth: &'a str,
    /// Name of the browser and its system.
    pub agent: &'a str,
}

/// Returns the browsers of an account, oldest first.
pub async fn list(conn: Conn<'_>, account: AccountId) -> Result<Vec<PushSubscriptionRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select id, endpoint, agent, created_at, used_at, failed_at from push_subscription
          where account_id = $1 order by created_at, id")
        .bind(account.0).fetch_all(c).await)?)
}

/// Stores a browser in the place of one with the same endpoint. Messages that wait for another account are
/// deleted with that one. Of more than 20 of the account, those that were not used for longest are deleted.
pub async fn save(
    mut conn: Conn<'_>,
    new: NewPushSubscription<'_>,
    now: Timestamp,
) -> Result<PushSubscriptionRow, StoreError> {
    with_conn!(conn.reborrow(), c => sqlx::query(
        "delete from push_subscription where endpoint = $1 and account_id <> $2")
        .bind(new.endpoint).bind(new.account.0).execute(c).await.map(drop))?;
    let row = with_conn!(conn.reborrow(), c => sqlx::query_as(
        "insert into push_subscription (id, account_id, endpoint, p256dh, auth, agent, created_at)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (endpoint) do update
            set account_id = excluded.account_id, p256dh = excluded.p256dh, auth = excluded.auth, agent = excluded.agent,
                created_at = excluded.created_at, used_at = null, failed_at = null
         returning id, endpoint, agent, created_at, used_at, failed_at")
        .bind(PushDeviceId::generate().0).bind(new.account.0).bind(new.endpoint).bind(new.p256dh)
        .bind(new.auth).bind(new.agent).bind(now.millis()).fetch_one(c).await)?;
    with_conn!(conn, c => sqlx::query(
        "delete from push_subscription
          where id in (select id from push_subscription where account_id = $1
                        order by coalesce(used_at, created_at) desc, id desc limit 1000 offset $2)")
        .bind(new.account.0).bind(i64::from(MAX_DEVICES)).execute(c).await.map(drop))?;
    Ok(row)
}

/// Deletes the browser of the account with this endpoint. Returns whether there was one.
pub async fn delete_at(conn: Conn<'_>, account: AccountId, endpoint: &str) -> Result<bool, StoreError> {
    let deleted = with_conn!(conn, c => sqlx::query(
        "delete from push_subscription where account_id = $1 and endpoint = $2")
        .bind(account.0).bind(endpoint).execute(c).await?.rows_affected());
    Ok(deleted > 0)
}

/// Deletes a browser of the account. Returns whether there was one.
pub async fn delete(conn: Conn<'_>, account: AccountId, id: PushDeviceId) -> Result<bool, StoreError> {
    let deleted = with_conn!(conn, c => sqlx::query(
        "delete from push_subscription where account_id = $1 and id = $2")
        .bind(account.0).bind(id.0).execute(c).await?.rows_affected());
    Ok(deleted > 0)
}

/// Deletes all browsers of an account, with their messages.
pub async fn delete_all(conn: Conn<'_>, account: AccountId) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("delete from push_subscription where account_id = $1")
        .bind(account.0).execute(c).await.map(drop))?;
    Ok(())
}
