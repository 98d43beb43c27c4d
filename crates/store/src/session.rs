//! Log-ins. Only hashes of their secrets are stored: a stolen copy of the database opens nothing.

use crate::{Conn, StoreError, db::on, row::row};
use domain::{PersonId, Timestamp};
use uuid::Uuid;

/// Characters of a secret's hash that name a session to its owner.
const NAME: usize = 16;

row! {
    /// A log-in, as it stands in SQL.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SessionRecord {
        /// Hash of its secret.
        pub secret_hash: String,
        /// Browser, as it introduced itself.
        pub agent: String,
        /// When it began, milliseconds.
        pub created_at: i64,
        /// When it was last used, milliseconds.
        pub seen_at: i64,
    }
}

impl SessionRecord {
    /// What its owner calls it by; tells nothing of the secret.
    #[must_use]
    pub fn name(&self) -> &str {
        self.secret_hash.get(..NAME).unwrap_or_default()
    }
}

row! {
    /// Who is behind a secret.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Bearer {
        /// The person.
        pub person_id: Uuid,
        /// Their role now.
        pub role: String,
        /// Their zone.
        pub zone: String,
        /// Their language.
        pub language: String,
        /// When the session or token was made, milliseconds.
        pub created_at: i64,
        /// When it was last used, milliseconds; 0: never.
        pub used_at: i64,
    }
}

row! {
    /// Who is behind a session, and when its password was last entered.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SessionBearer {
        /// Who.
        flat pub bearer: Bearer,
        /// When the password was last entered in it, milliseconds.
        pub password_at: i64,
    }
}

/// Stores a new session. Its password has just been entered.
pub async fn insert(
    conn: Conn<'_>,
    person: PersonId,
    secret_hash: &str,
    agent: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query(
        "insert into session (secret_hash, person_id, agent, created_at, seen_at, password_at)
         values ($1, $2, $3, $4, $4, $4)")
        .bind(secret_hash).bind(person.0).bind(agent).bind(at.millis()).execute(c).await?.rows_affected());
    Ok(())
}

/// Who is behind a session; `None`: no such session, or the account is shut.
pub async fn bearer(conn: Conn<'_>, secret_hash: &str) -> Result<Option<SessionBearer>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(
        "select s.person_id, p.role, p.zone, p.language, s.created_at, s.seen_at as used_at, s.password_at
           from session s
           join person p on p.id = s.person_id
          where s.secret_hash = $1 and p.disabled = 0")
        .bind(secret_hash).fetch_optional(c).await)?)
}

/// Notes that it was used.
pub async fn touch(conn: Conn<'_>, secret_hash: &str, at: Timestamp) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query("update session set seen_at = $2 where secret_hash = $1 and seen_at < $2")
        .bind(secret_hash).bind(at.millis()).execute(c).await?.rows_affected());
    Ok(())
}

/// Notes that the password was entered in it.
pub async fn prove(conn: Conn<'_>, secret_hash: &str, at: Timestamp) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query("update session set password_at = $2 where secret_hash = $1 and password_at < $2")
        .bind(secret_hash).bind(at.millis()).execute(c).await?.rows_affected());
    Ok(())
}

/// Whether it has not ended; keeps others from ending it until the transaction does.
pub async fn hold(conn: Conn<'_>, secret_hash: &str) -> Result<bool, StoreError> {
    let sql = match conn {
        Conn::Sqlite(_) => "select 1 from session where secret_hash = $1",
        Conn::Postgres(_) => "select 1 from session where secret_hash = $1 for key share",
    };
    let found: Option<i32> =
        on!(conn, c => sqlx::query_scalar(sql).bind(secret_hash).fetch_optional(c).await)?;
    Ok(found.is_some())
}

/// The sessions of a person, last used first.
pub async fn of(conn: Conn<'_>, person: PersonId) -> Result<Vec<SessionRecord>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(
        "select secret_hash, agent, created_at, seen_at
           from session
          where person_id = $1
          order by seen_at desc, secret_hash")
        .bind(person.0).fetch_all(c).await)?)
}

/// Ends one; whose it was. `None`: there is none.
pub async fn end(conn: Conn<'_>, secret_hash: &str) -> Result<Option<PersonId>, StoreError> {
    let person: Option<Uuid> = on!(conn, c => sqlx::query_scalar(
        "delete from session where secret_hash = $1 returning person_id")
        .bind(secret_hash).fetch_optional(c).await)?;
    Ok(person.map(PersonId))
}

/// Ends the one of a person with this name. `false`: there is none.
pub async fn end_named(conn: Conn<'_>, person: PersonId, name: &str) -> Result<bool, StoreError> {
    Ok(on!(conn, c => sqlx::query(
        "delete from session where person_id = $1 and substr(secret_hash, 1, 16) = $2")
        .bind(person.0).bind(name).execute(c).await?.rows_affected())
        > 0)
}

/// Ends all of a person.
pub async fn end_all(conn: Conn<'_>, person: PersonId) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query("delete from session where person_id = $1").bind(person.0).execute(c).await?.rows_affected());
    Ok(())
}

/// Forgets those that began before `began` or were last used before `seen`: they open nothing any more.
pub async fn forget(conn: Conn<'_>, began: Timestamp, seen: Timestamp) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query("delete from session where created_at < $1 or seen_at < $2")
        .bind(began.millis()).bind(seen.millis()).execute(c).await?.rows_affected());
    Ok(())
}
