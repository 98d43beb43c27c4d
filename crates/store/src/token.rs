//! API tokens. Only hashes of their secrets are stored.

use crate::{Conn, StoreError, db::on, row::row, session::Bearer};
use domain::{
    PersonId, Timestamp, TokenId,
    person::{Scope, TokenRow},
};
use uuid::Uuid;

row! {
    /// A token as it stands in SQL, without its hash.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct TokenRecord {
        /// Identity.
        pub id: Uuid,
        /// Whose it is.
        pub owner_id: Uuid,
        /// Name of that person.
        pub owner: String,
        /// What it is for.
        pub name: String,
        /// What it opens.
        pub scope: String,
        /// When it was made, milliseconds.
        pub created_at: i64,
        /// When it stops working, milliseconds.
        pub expires_at: i64,
        /// When it was last used, milliseconds.
        pub used_at: Option<i64>,
    }
}

impl From<TokenRecord> for TokenRow {
    fn from(record: TokenRecord) -> Self {
        Self {
            id: TokenId(record.id),
            owner_id: PersonId(record.owner_id),
            owner: record.owner,
            name: record.name,
            // The table holds no other word; the narrower one, should a later release have left one.
            scope: record.scope.parse().unwrap_or(Scope::Read),
            created_at: record.created_at.into(),
            expires_at: record.expires_at.into(),
            used_at: record.used_at.map(Timestamp::from_millis),
        }
    }
}

row! {
    /// Who is behind a token, and what it opens.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct TokenBearer {
        /// Who.
        flat pub bearer: Bearer,
        /// What it opens.
        pub scope: String,
    }
}

/// Stores a new token.
pub async fn insert(
    conn: Conn<'_>,
    person: PersonId,
    row: &TokenRow,
    secret_hash: &str,
) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query(
        "insert into token (id, secret_hash, person_id, name, scope, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7)")
        .bind(row.id.0).bind(secret_hash).bind(person.0).bind(&row.name).bind(row.scope.as_str())
        .bind(row.created_at.millis()).bind(row.expires_at.millis()).execute(c).await?.rows_affected());
    Ok(())
}

/// Who is behind a token at `at`; `None`: no such token, too old, or the account is shut.
pub async fn bearer(
    conn: Conn<'_>,
    id: TokenId,
    secret_hash: &str,
    at: Timestamp,
) -> Result<Option<TokenBearer>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(
        "select t.person_id, p.role, p.zone, p.language, t.created_at, coalesce(t.used_at, 0) as used_at, t.scope
           from token t
           join person p on p.id = t.person_id
          where t.secret_hash = $1 and t.id = $2 and t.expires_at > $3 and p.disabled = 0")
        .bind(secret_hash).bind(id.0).bind(at.millis()).fetch_optional(c).await)?)
}

/// Notes that it was used.
pub async fn touch(conn: Conn<'_>, id: TokenId, at: Timestamp) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query("update token set used_at = $2 where id = $1 and (used_at is null or used_at < $2)")
        .bind(id.0).bind(at.millis()).execute(c).await?.rows_affected());
    Ok(())
}

macro_rules! tokens {
    ($where:literal, $order:literal) => {
        concat!(
            "select t.id, t.person_id as owner_id, p.name as owner, t.name, t.scope, t.created_at, t.expires_at, t.used_at
               from token t
               join person p on p.id = t.person_id ",
            $where,
            " order by ",
            $order
        )
    };
}

/// The tokens of a person, newest first.
pub async fn of(conn: Conn<'_>, person: PersonId) -> Result<Vec<TokenRecord>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(tokens!("where t.person_id = $1", "t.id desc"))
        .bind(person.0).fetch_all(c).await)?)
}

/// The tokens of everybody else, by owner, newest first; at most `limit`.
pub async fn of_others(conn: Conn<'_>, person: PersonId, limit: i64) -> Result<Vec<TokenRecord>, StoreError> {
    Ok(
        on!(conn, c => sqlx::query_as(tokens!("where t.person_id <> $1", "lower(p.name), p.id, t.id desc limit $2"))
        .bind(person.0).bind(limit).fetch_all(c).await)?,
    )
}

/// Ends one; whose it was, and what it was called. `owner`: only if it is theirs. `None`: there is none.
pub async fn end(
    conn: Conn<'_>,
    owner: Option<PersonId>,
    id: TokenId,
) -> Result<Option<(PersonId, String)>, StoreError> {
    let ended: Option<(Uuid, String)> = on!(conn, c => sqlx::query_as(
        "delete from token where id = $1 and ($2 is null or person_id = $2) returning person_id, name")
        .bind(id.0).bind(owner.map(|owner| owner.0)).fetch_optional(c).await)?;
    Ok(ended.map(|(person, name)| (PersonId(person), name)))
}

/// Ends all of a person but those to `keep`; answers how many ended.
pub async fn end_all_but(mut conn: Conn<'_>, person: PersonId, keep: &[TokenId]) -> Result<u64, StoreError> {
    let mut ended = 0;
    for token in of(conn.again(), person).await? {
        let id = TokenId(token.id);
        if !keep.contains(&id) && end(conn.again(), Some(person), id).await?.is_some() {
            ended += 1;
        }
    }
    Ok(ended)
}

/// Ends all of a person; answers how many.
pub async fn end_all(conn: Conn<'_>, person: PersonId) -> Result<u64, StoreError> {
    Ok(
        on!(conn, c => sqlx::query("delete from token where person_id = $1").bind(person.0).execute(c).await?.rows_affected()),
    )
}
