//! Second factors, recovery codes, and log-ins that await a code. Secrets are encrypted; of recovery codes and
//! pending log-ins only hashes are stored.

use crate::{Conn, StoreError, db::with_conn, row::row, setting};
use domain::{AccountId, Timestamp, accounts::second_factor::SecondFactorRule};
use uuid::Uuid;

/// Name of the setting that says which accounts must have a second factor.
const RULE: &str = "second_factor.rule";

row! {
    /// The second factor of an account.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SecondFactorRecord {
        /// The encrypted secret.
        pub secret: String,
        /// When it was created, milliseconds.
        pub created_at: i64,
        /// When its first code was entered, milliseconds; `None`: log-ins do not ask for it yet.
        pub confirmed_at: Option<i64>,
        /// Number of the last accepted time step.
        pub last_step: i64,
    }
}

row! {
    /// A log-in whose password was right.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct PendingLogIn {
        /// The account.
        pub account_id: Uuid,
        /// Whether the user chose to stay logged in: 0 or 1.
        pub is_persistent: i32,
        /// Number of codes that may still be tried.
        pub tries_left: i32,
    }
}

/// A pending log-in to store.
#[derive(Debug, Clone, Copy)]
pub struct NewPendingLogIn<'a> {
    /// Hash of its token.
    pub token_hash: &'a str,
    /// The account.
    pub account: AccountId,
    /// Whether the user chose to stay logged in.
    pub is_persistent: bool,
    /// Number of codes that may be tried.
    pub tries: i32,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// Returns the second factor of an account; `None`: it has none, and none is being added.
pub async fn find(conn: Conn<'_>, account: AccountId) -> Result<Option<SecondFactorRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select secret, created_at, confirmed_at, last_step from second_factor where account_id = $1")
        .bind(account.0).fetch_optional(c).await)?)
}

/// Returns the accounts that have a second factor.
pub async fn accounts(conn: Conn<'_>) -> Result<Vec<Uuid>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "select account_id from second_factor where confirmed_at is not null order by account_id")
        .fetch_all(c).await)?)
}

/// Stores a secret that awaits its first code; replaces another one that does. False: the account has a second factor.
pub async fn add(
    conn: Conn<'_>,
    account: AccountId,
    secret: &str,
    at: Timestamp,
) -> Result<bool, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query(
        "insert into second_factor as f (account_id, secret, created_at) values ($1, $2, $3)
         on conflict (account_id) do update
            set secret = excluded.secret, created_at = excluded.created_at, last_step = 0
          where f.confirmed_at is null")
        .bind(account.0).bind(secret).bind(at.millis()).execute(c).await?.rows_affected())
        > 0)
}

/// Records the first code of this secret. False: it was replaced, removed or confirmed in the meantime.
pub async fn confirm(
    conn: Conn<'_>,
    account: AccountId,
    secret: &str,
    (step, at): (i64, Timestamp),
) -> Result<bool, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query(
        "update second_factor set confirmed_at = $3, last_step = $4
          where account_id = $1 and secret = $2 and confirmed_at is null")
        .bind(account.0).bind(secret).bind(at.millis()).bind(step).execute(c).await?.rows_affected())
        > 0)
}

/// Accepts a time step. False: it or a later one was accepted already, or there is no second factor.
pub async fn accept_step(conn: Conn<'_>, account: AccountId, step: i64) -> Result<bool, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query(
        "update second_factor set last_step = $2
          where account_id = $1 and confirmed_at is not null and last_step < $2")
        .bind(account.0).bind(step).execute(c).await?.rows_affected())
        > 0)
}

/// Deletes the second factor and its recovery codes. False: log-ins did not ask for it.
pub async fn remove(mut conn: Conn<'_>, account: AccountId) -> Result<bool, StoreError> {
    let confirmed_at: Option<Option<i64>> = with_conn!(conn.reborrow(), c => sqlx::query_scalar(
        "delete from second_factor where account_id = $1 returning confirmed_at")
        .bind(account.0).fetch_optional(c).await)?;
    with_conn!(conn, c => sqlx::query("delete from recovery_code where account_id = $1")
        .bind(account.0).execute(c).await?.rows_affected());
    Ok(confirmed_at.flatten().is_some())
}

/// Whether log-ins ask for the second factor; locks it until the transaction ends.
pub async fn lock(conn: Conn<'_>, account: AccountId) -> Result<bool, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query(
        "update second_factor set last_step = last_step where account_id = $1 and confirmed_at is not null")
        .bind(account.0).execute(c).await?.rows_affected())
        > 0)
}

/// Replaces the recovery codes of an account by those with these hashes. Its second factor must be locked.
pub async fn replace_codes(
    mut conn: Conn<'_>,
    account: AccountId,
    hashes: &[String],
) -> Result<(), StoreError> {
    with_conn!(conn.reborrow(), c => sqlx::query("delete from recovery_code where account_id = $1")
        .bind(account.0).execute(c).await?.rows_affected());
    for hash in hashes {
        with_conn!(conn.reborrow(), c => sqlx::query(
            "insert into recovery_code (code_hash, account_id) values ($1, $2)")
            .bind(hash).bind(account.0).execute(c).await?.rows_affected());
    }
    Ok(())
}

/// Deletes a recovery code. False: the account has none with this hash. Of concurrent callers, one gets it.
pub async fn use_code(conn: Conn<'_>, account: AccountId, hash: &str) -> Result<bool, StoreError> {
    Ok(
        with_conn!(conn, c => sqlx::query("delete from recovery_code where account_id = $1 and code_hash = $2")
        .bind(account.0).bind(hash).execute(c).await?.rows_affected())
            > 0,
    )
}

/// Number of recovery codes that were not used yet.
pub async fn count_codes(conn: Conn<'_>, account: AccountId) -> Result<i64, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar("select count(*) from recovery_code where account_id = $1")
        .bind(account.0).fetch_one(c).await)?)
}

/// Stores a log-in that awaits a code.
pub async fn insert_pending(conn: Conn<'_>, new: NewPendingLogIn<'_>) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into pending_log_in (token_hash, account_id, is_persistent, tries_left, expires_at)
         values ($1, $2, $3, $4, $5)")
        .bind(new.token_hash).bind(new.account.0).bind(i32::from(new.is_persistent)).bind(new.tries)
        .bind(new.expires_at.millis()).execute(c).await?.rows_affected());
    Ok(())
}

/// Returns a pending log-in; `None`: it does not exist, has expired at `at`, or has no tries left.
pub async fn find_pending(
    conn: Conn<'_>,
    token_hash: &str,
    at: Timestamp,
) -> Result<Option<PendingLogIn>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select account_id, is_persistent, tries_left from pending_log_in
          where token_hash = $1 and expires_at > $2 and tries_left > 0")
        .bind(token_hash).bind(at.millis()).fetch_optional(c).await)?)
}

/// Counts a try and returns the pending log-in after it; `None` as for [`find_pending`].
pub async fn take_try(
    conn: Conn<'_>,
    token_hash: &str,
    at: Timestamp,
) -> Result<Option<PendingLogIn>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "update pending_log_in set tries_left = tries_left - 1
          where token_hash = $1 and expires_at > $2 and tries_left > 0
         returning account_id, is_persistent, tries_left")
        .bind(token_hash).bind(at.millis()).fetch_optional(c).await)?)
}

/// Deletes the pending log-ins of an account.
pub async fn end_pending(conn: Conn<'_>, account: AccountId) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("delete from pending_log_in where account_id = $1")
        .bind(account.0).execute(c).await?.rows_affected());
    Ok(())
}

/// Deletes a pending log-in that was completed.
pub async fn delete_pending(conn: Conn<'_>, token_hash: &str) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("delete from pending_log_in where token_hash = $1")
        .bind(token_hash).execute(c).await?.rows_affected());
    Ok(())
}

/// Deletes pending log-ins that have expired.
pub async fn delete_expired_pending(conn: Conn<'_>, now: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("delete from pending_log_in where expires_at < $1")
        .bind(now.millis()).execute(c).await?.rows_affected());
    Ok(())
}

/// Returns which accounts must have a second factor.
pub async fn rule(conn: Conn<'_>) -> Result<SecondFactorRule, StoreError> {
    rule_of(rule_text(conn).await?.as_deref())
}

/// Returns the value of the setting, for [`rule_of`] and [`replace_rule`].
pub async fn rule_text(conn: Conn<'_>) -> Result<Option<String>, StoreError> {
    setting::find(conn, RULE).await
}

/// Stores which accounts must have a second factor, in place of `before`. False: it was changed in the meantime.
pub async fn replace_rule(
    conn: Conn<'_>,
    before: Option<&str>,
    rule: SecondFactorRule,
) -> Result<bool, StoreError> {
    let text = serde_json::to_string(&rule).map_err(|why| StoreError::Corrupt(why.to_string()))?;
    let changed = match before {
        Some(before) => with_conn!(conn, c => sqlx::query(
            "update setting set value = $3 where name = $1 and value = $2")
            .bind(RULE).bind(before).bind(&text).execute(c).await?.rows_affected()),
        None => with_conn!(conn, c => sqlx::query(
            "insert into setting (name, value) values ($1, $2) on conflict (name) do nothing")
            .bind(RULE).bind(&text).execute(c).await?.rows_affected()),
    };
    Ok(changed > 0)
}

/// Reads the value of the setting; `None`: no account must have a second factor.
pub fn rule_of(text: Option<&str>) -> Result<SecondFactorRule, StoreError> {
    let Some(text) = text else { return Ok(SecondFactorRule::default()) };
    serde_json::from_str(text).map_err(|why| StoreError::Corrupt(why.to_string()))
}
