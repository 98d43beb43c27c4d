//! API tokens. Only hashes of their secrets are stored.

use crate::{
    Conn, StoreError,
    db::with_conn,
    row::row,
    session::{AccessEvent, Bearer},
};
use domain::{
    AccountId, Timestamp, TokenId,
    account::{Scope, TokenRow},
};
use serde_json::json;
use uuid::Uuid;

row! {
    /// A token row, without its hash.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct TokenRecord {
        /// Id.
        pub id: Uuid,
        /// Owner.
        pub owner_id: Uuid,
        /// Name of the owner.
        pub owner: String,
        /// Name that the owner gave it.
        pub name: String,
        /// Scope.
        pub scope: String,
        /// When it was created, milliseconds.
        pub created_at: i64,
        /// When it expires, milliseconds.
        pub expires_at: i64,
        /// When it was last used, milliseconds.
        pub used_at: Option<i64>,
    }
}

impl From<TokenRecord> for TokenRow {
    fn from(record: TokenRecord) -> Self {
        Self {
            id: TokenId(record.id),
            owner_id: AccountId(record.owner_id),
            owner: record.owner,
            name: record.name,
            // An unknown scope, written by a later release, is read as the narrowest one.
            scope: record.scope.parse().unwrap_or(Scope::Read),
            created_at: record.created_at.into(),
            expires_at: record.expires_at.into(),
            used_at: record.used_at.map(Timestamp::from_millis),
        }
    }
}

row! {
    /// Account and scope of a token.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct TokenBearer {
        /// Account of the token.
        flat pub bearer: Bearer,
        /// Scope.
        pub scope: String,
    }
}

/// Stores a new token.
pub async fn insert(
    conn: Conn<'_>,
    account: AccountId,
    row: &TokenRow,
    secret_hash: &str,
) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into token (id, secret_hash, account_id, name, scope, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7)")
        .bind(row.id.0).bind(secret_hash).bind(account.0).bind(&row.name).bind(row.scope.as_str())
        .bind(row.created_at.millis()).bind(row.expires_at.millis()).execute(c).await?.rows_affected());
    Ok(())
}

/// Returns the account of a token at `at`; `None`: the token does not exist or has expired, or the
/// account is disabled.
pub async fn bearer(
    conn: Conn<'_>,
    id: TokenId,
    secret_hash: &str,
    at: Timestamp,
) -> Result<Option<TokenBearer>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select t.account_id, p.role, p.time_zone, p.language, t.created_at, coalesce(t.used_at, 0) as used_at, t.scope
           from token t
           join account p on p.id = t.account_id
          where t.secret_hash = $1 and t.id = $2 and t.expires_at > $3 and p.is_disabled = 0")
        .bind(secret_hash).bind(id.0).bind(at.millis()).fetch_optional(c).await)?)
}

/// Records that the token was used.
pub async fn touch(conn: Conn<'_>, id: TokenId, at: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("update token set used_at = $2 where id = $1 and (used_at is null or used_at < $2)")
        .bind(id.0).bind(at.millis()).execute(c).await?.rows_affected());
    Ok(())
}

/// Returns the tokens of enabled accounts that expire after the first moment and up to the second one, and not
/// before `now`, as what their owners are notified of: `at` is when they expire.
pub async fn expiring(
    conn: Conn<'_>,
    (after, until): (i64, i64),
    now: Timestamp,
    limit: i64,
) -> Result<Vec<AccessEvent>, StoreError> {
    let rows: Vec<(Uuid, String, i64)> = with_conn!(conn, c => sqlx::query_as(
        "select t.account_id, t.name, t.expires_at
           from token t
           join account p on p.id = t.account_id
          where t.expires_at > $1 and t.expires_at <= $2 and t.expires_at > $3 and p.is_disabled = 0
          order by t.expires_at, t.id
          limit $4")
        .bind(after).bind(until).bind(now.millis()).bind(limit).fetch_all(c).await)?;
    let event = |(account_id, name, at): (Uuid, String, i64)| {
        let detail = json!({ "name": name }).to_string();
        AccessEvent { account_id, verb: "token_expires".to_owned(), at, detail }
    };
    Ok(rows.into_iter().map(event).collect())
}

macro_rules! tokens {
    ($where:literal, $order:literal) => {
        concat!(
            "select t.id, t.account_id as owner_id, p.name as owner, t.name, t.scope, t.created_at, t.expires_at, t.used_at
               from token t
               join account p on p.id = t.account_id ",
            $where,
            " order by ",
            $order
        )
    };
}

/// Returns the tokens of an account, newest first.
pub async fn list_owned(conn: Conn<'_>, account: AccountId) -> Result<Vec<TokenRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(tokens!("where t.account_id = $1", "t.id desc"))
        .bind(account.0).fetch_all(c).await)?)
}

/// Returns the tokens of all other accounts, by owner, newest first; at most `limit`.
pub async fn list_others(
    conn: Conn<'_>,
    account: AccountId,
    limit: i64,
) -> Result<Vec<TokenRecord>, StoreError> {
    Ok(
        with_conn!(conn, c => sqlx::query_as(tokens!("where t.account_id <> $1", "lower(p.name), p.id, t.id desc limit $2"))
        .bind(account.0).bind(limit).fetch_all(c).await)?,
    )
}

/// Deletes a token; returns its owner and name. `owner`: only if it belongs to this account.
/// `None`: it does not exist.
pub async fn end(
    conn: Conn<'_>,
    owner: Option<AccountId>,
    id: TokenId,
) -> Result<Option<(AccountId, String)>, StoreError> {
    let ended: Option<(Uuid, String)> = with_conn!(conn, c => sqlx::query_as(
        "delete from token where id = $1 and ($2 is null or account_id = $2) returning account_id, name")
        .bind(id.0).bind(owner.map(|owner| owner.0)).fetch_optional(c).await)?;
    Ok(ended.map(|(account, name)| (AccountId(account), name)))
}

/// Deletes all tokens of an account except `keep`; returns how many.
pub async fn end_all_except(
    mut conn: Conn<'_>,
    account: AccountId,
    keep: &[TokenId],
) -> Result<u64, StoreError> {
    let mut ended = 0;
    for token in list_owned(conn.reborrow(), account).await? {
        let id = TokenId(token.id);
        if !keep.contains(&id) && end(conn.reborrow(), Some(account), id).await?.is_some() {
            ended += 1;
        }
    }
    Ok(ended)
}

/// Deletes all tokens of an account; returns how many.
pub async fn end_all(conn: Conn<'_>, account: AccountId) -> Result<u64, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query("delete from token where account_id = $1")
        .bind(account.0).execute(c).await?.rows_affected()))
}
