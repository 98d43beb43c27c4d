//! Passkeys, answered challenges, and accounts whose password does not log in.

use crate::{Conn, StoreError, db::with_conn, row::row};
use domain::{
    AccountId, PasskeyId, Timestamp,
    accounts::passkey::{Confirmations, Passkey},
};
use uuid::Uuid;

row! {
    /// A passkey as it is listed.
    #[derive(Debug, Clone, PartialEq, Eq)]
    struct PasskeyRow {
        id: Uuid,
        name: String,
        created_at: i64,
        used_at: Option<i64>,
    }
}

impl From<PasskeyRow> for Passkey {
    fn from(row: PasskeyRow) -> Self {
        Self {
            id: PasskeyId(row.id),
            name: row.name,
            created_at: row.created_at.into(),
            used_at: row.used_at.map(Timestamp::from),
        }
    }
}

row! {
    /// What checks an answer of a passkey.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct PasskeyKey {
        /// Id.
        pub id: Uuid,
        /// Its account.
        pub account_id: Uuid,
        /// The public key, base64url.
        pub public_key: String,
        /// Counter of the device at the last use.
        pub counter: i64,
    }
}

/// A passkey to store.
#[derive(Debug, Clone, Copy)]
pub struct NewPasskeyRecord<'a> {
    /// Its account.
    pub account: AccountId,
    /// Id of the key on its device, base64url.
    pub credential: &'a str,
    /// The public key, base64url.
    pub public_key: &'a str,
    /// Name.
    pub name: &'a str,
    /// Counter of the device.
    pub counter: i64,
    /// When it is added.
    pub at: Timestamp,
}

/// Locks an account until the transaction ends, so that its last passkey and its password are not turned off at once.
/// Taken before the session, as other changes of accounts do.
pub async fn lock(conn: Conn<'_>, account: AccountId) -> Result<(), StoreError> {
    let sql = match conn {
        Conn::Sqlite(_) => "select 1 from account where id = $1",
        Conn::Postgres(_) => "select 1 from account where id = $1 for no key update",
    };
    let _: Option<i32> =
        with_conn!(conn, c => sqlx::query_scalar(sql).bind(account.0).fetch_optional(c).await)?;
    Ok(())
}

/// Returns the passkeys of an account, first added first.
pub async fn list(conn: Conn<'_>, account: AccountId) -> Result<Vec<Passkey>, StoreError> {
    let rows: Vec<PasskeyRow> = with_conn!(conn, c => sqlx::query_as(
        "select id, name, created_at, used_at from passkey where account_id = $1 order by created_at, id")
        .bind(account.0).fetch_all(c).await)?;
    Ok(rows.into_iter().map(Passkey::from).collect())
}

/// Returns the ids of the keys of an account on their devices.
pub async fn credentials(conn: Conn<'_>, account: AccountId) -> Result<Vec<String>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "select credential from passkey where account_id = $1 order by created_at, id")
        .bind(account.0).fetch_all(c).await)?)
}

/// Returns the accounts that have a passkey.
pub async fn accounts(conn: Conn<'_>) -> Result<Vec<Uuid>, StoreError> {
    Ok(
        with_conn!(conn, c => sqlx::query_scalar("select distinct account_id from passkey order by account_id")
        .fetch_all(c).await)?,
    )
}

/// Stores a passkey. [`StoreError::is_unique_violation`]: the key was added before.
pub async fn insert(conn: Conn<'_>, new: NewPasskeyRecord<'_>) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into passkey (id, account_id, credential, public_key, name, counter, created_at)
         values ($1, $2, $3, $4, $5, $6, $7)")
        .bind(PasskeyId::generate().0).bind(new.account.0).bind(new.credential).bind(new.public_key)
        .bind(new.name).bind(new.counter).bind(new.at.millis()).execute(c).await?.rows_affected());
    Ok(())
}

/// Returns the passkey with this id on its device.
pub async fn find(conn: Conn<'_>, credential: &str) -> Result<Option<PasskeyKey>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select id, account_id, public_key, counter from passkey where credential = $1")
        .bind(credential).fetch_optional(c).await)?)
}

/// Records a use. False: the passkey was removed, or an answer with this counter or a later one was accepted already.
pub async fn record_use(conn: Conn<'_>, id: Uuid, counter: i64, at: Timestamp) -> Result<bool, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query(
        "update passkey set counter = $2, used_at = $3
          where id = $1
            and (counter < $2 or counter = 0 and $2 = 0)")
        .bind(id).bind(counter).bind(at.millis()).execute(c).await?.rows_affected())
        > 0)
}

/// Deletes a passkey of an account; returns its name. `None`: the account has none with this id.
pub async fn remove(conn: Conn<'_>, account: AccountId, id: PasskeyId) -> Result<Option<String>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "delete from passkey where account_id = $1 and id = $2 returning name")
        .bind(account.0).bind(id.0).fetch_optional(c).await)?)
}

/// Deletes all passkeys of an account; returns their number.
pub async fn remove_all(conn: Conn<'_>, account: AccountId) -> Result<u64, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query("delete from passkey where account_id = $1")
        .bind(account.0).execute(c).await?.rows_affected()))
}

/// Records that a challenge is answered. False: it was answered before.
pub async fn use_challenge(
    conn: Conn<'_>,
    challenge: &str,
    expires_at: Timestamp,
) -> Result<bool, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query(
        "insert into passkey_challenge (challenge, expires_at) values ($1, $2) on conflict (challenge) do nothing")
        .bind(challenge).bind(expires_at.millis()).execute(c).await?.rows_affected())
        > 0)
}

/// Deletes answered challenges that have expired.
pub async fn delete_expired_challenges(conn: Conn<'_>, now: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("delete from passkey_challenge where expires_at < $1")
        .bind(now.millis()).execute(c).await?.rows_affected());
    Ok(())
}

/// Whether log-ins with the password of an account are refused.
pub async fn is_password_off(conn: Conn<'_>, account: AccountId) -> Result<bool, StoreError> {
    let found: Option<i32> = with_conn!(conn, c => sqlx::query_scalar(
        "select 1 from password_off where account_id = $1").bind(account.0).fetch_optional(c).await)?;
    Ok(found.is_some())
}

/// With what an account can confirm who uses its session.
pub async fn confirmations(conn: Conn<'_>, account: AccountId) -> Result<Confirmations, StoreError> {
    let found: Option<(i32, i32)> = with_conn!(conn, c => sqlx::query_as(
        "select case when a.password_hash is null
                          or exists (select 1 from password_off o where o.account_id = a.id) then 0 else 1 end,
                case when exists (select 1 from passkey p where p.account_id = a.id) then 1 else 0 end
           from account a
          where a.id = $1")
        .bind(account.0).fetch_optional(c).await)?;
    let (password, passkey) = found.unwrap_or_default();
    Ok(Confirmations { has_password: password == 1, has_passkey: passkey == 1 })
}

/// Refuses log-ins with the password of an account that has a passkey. False: it has none, or they are refused already.
pub async fn turn_password_off(
    conn: Conn<'_>,
    account: AccountId,
    at: Timestamp,
) -> Result<bool, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query(
        "insert into password_off (account_id, created_at)
         select a.id, cast($2 as bigint) from account a
          where a.id = $1 and exists (select 1 from passkey p where p.account_id = a.id)
         on conflict (account_id) do nothing")
        .bind(account.0).bind(at.millis()).execute(c).await?.rows_affected())
        > 0)
}

/// Allows log-ins with the password of an account. False: they are allowed.
pub async fn turn_password_on(conn: Conn<'_>, account: AccountId) -> Result<bool, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query("delete from password_off where account_id = $1")
        .bind(account.0).execute(c).await?.rows_affected())
        > 0)
}

/// Allows log-ins with the password if the account has no passkey. False: it has one, or they are allowed.
pub async fn turn_password_on_without_passkey(
    conn: Conn<'_>,
    account: AccountId,
) -> Result<bool, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query(
        "delete from password_off
          where account_id = $1 and not exists (select 1 from passkey p where p.account_id = $1)")
        .bind(account.0).execute(c).await?.rows_affected())
        > 0)
}
