//! People with an account.

use crate::{Conn, StoreError, db::on, row::row};
use domain::{
    PersonId, Role, Timestamp,
    person::{Language, Person, ProfileEdit, Theme},
};
use std::str::FromStr;
use uuid::Uuid;

row! {
    /// A person as they stand in SQL.
    #[derive(Clone, PartialEq, Eq)]
    pub struct PersonRecord {
        /// Identity.
        pub id: Uuid,
        /// Address they log in with.
        pub email: String,
        /// What they are called.
        pub name: String,
        /// What they may do.
        pub role: String,
        /// Hash of their password; `None`: cannot log in with one.
        pub password: Option<String>,
        /// Whether the account is shut: 0 or 1.
        pub disabled: i32,
        /// Zone of their screen.
        pub zone: String,
        /// Language of their screen.
        pub language: String,
        /// Theme of their screen.
        pub theme: String,
        /// When the account was made, milliseconds.
        pub created_at: i64,
    }
}

impl TryFrom<PersonRecord> for Person {
    type Error = StoreError;

    fn try_from(record: PersonRecord) -> Result<Self, StoreError> {
        Ok(Self {
            id: PersonId(record.id),
            role: word(&record.role)?,
            is_disabled: record.disabled != 0,
            language: word::<Language>(&record.language)?,
            theme: word::<Theme>(&record.theme)?,
            created_at: Timestamp::from_millis(record.created_at),
            email: record.email,
            name: record.name,
            zone: record.zone,
        })
    }
}

/// A word of the schema as its enum.
pub(crate) fn word<T: FromStr>(text: &str) -> Result<T, StoreError> {
    text.parse().map_err(|_| StoreError::Corrupt(format!("unknown word {text:?}")))
}

macro_rules! columns {
    () => {
        "id, email, name, role, password, disabled, zone, language, theme, created_at"
    };
}

/// Stores a new account. [`StoreError::is_taken`]: the address has one.
pub async fn insert(conn: Conn<'_>, person: &Person, password_hash: Option<&str>) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query(
        "insert into person (id, email, name, role, password, zone, language, theme, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)")
        .bind(person.id.0).bind(&person.email).bind(&person.name).bind(person.role.as_str()).bind(password_hash)
        .bind(&person.zone).bind(person.language.as_str()).bind(person.theme.as_str())
        .bind(person.created_at.millis()).execute(c).await?.rows_affected());
    Ok(())
}

/// The person; `None`: there is none.
pub async fn find(conn: Conn<'_>, id: PersonId) -> Result<Option<PersonRecord>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(concat!("select ", columns!(), " from person where id = $1"))
        .bind(id.0).fetch_optional(c).await)?)
}

/// The person with this address (lower case); `None`: there is none.
pub async fn find_by_email(conn: Conn<'_>, email: &str) -> Result<Option<PersonRecord>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(concat!("select ", columns!(), " from person where email = $1"))
        .bind(email).fetch_optional(c).await)?)
}

/// Everybody, by name.
pub async fn all(conn: Conn<'_>) -> Result<Vec<PersonRecord>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(concat!("select ", columns!(), " from person order by lower(name), id"))
        .fetch_all(c).await)?)
}

/// Whether there is an admin, shut out or not: set-up is closed once there was one.
pub async fn has_admin(conn: Conn<'_>) -> Result<bool, StoreError> {
    let found: Option<i32> = on!(conn, c => sqlx::query_scalar("select 1 from person where role = 'admin' limit 1")
        .fetch_optional(c).await)?;
    Ok(found.is_some())
}

/// Admins who can log in, oldest account first; locked until the transaction ends.
pub async fn lock_admins(conn: Conn<'_>) -> Result<Vec<Uuid>, StoreError> {
    let sql = match conn {
        Conn::Sqlite(_) => "select id from person where role = 'admin' and disabled = 0 order by id",
        Conn::Postgres(_) => {
            "select id from person where role = 'admin' and disabled = 0 order by id for no key update"
        }
    };
    Ok(on!(conn, c => sqlx::query_scalar(sql).fetch_all(c).await)?)
}

/// Gives another role. `None`: there is no such person.
pub async fn set_role(conn: Conn<'_>, id: PersonId, role: Role) -> Result<Option<PersonRecord>, StoreError> {
    Ok(
        on!(conn, c => sqlx::query_as(concat!("update person set role = $2 where id = $1 returning ", columns!()))
        .bind(id.0).bind(role.as_str()).fetch_optional(c).await)?,
    )
}

/// Shuts or opens the account. `None`: there is no such person.
pub async fn set_disabled(
    conn: Conn<'_>,
    id: PersonId,
    is_disabled: bool,
) -> Result<Option<PersonRecord>, StoreError> {
    Ok(
        on!(conn, c => sqlx::query_as(concat!("update person set disabled = $2 where id = $1 returning ", columns!()))
        .bind(id.0).bind(i32::from(is_disabled)).fetch_optional(c).await)?,
    )
}

/// Sets the hash of the password. `false`: there is no such person, or the account is shut.
pub async fn set_password(conn: Conn<'_>, id: PersonId, hash: &str) -> Result<bool, StoreError> {
    Ok(on!(conn, c => sqlx::query("update person set password = $2 where id = $1 and disabled = 0")
        .bind(id.0).bind(hash).execute(c).await?.rows_affected())
        > 0)
}

/// Changes what is given. `None`: there is no such person.
pub async fn set_profile(
    conn: Conn<'_>,
    id: PersonId,
    edit: &ProfileEdit,
) -> Result<Option<PersonRecord>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(concat!(
        "update person
            set name = coalesce($2, name), zone = coalesce($3, zone), language = coalesce($4, language),
                theme = coalesce($5, theme)
          where id = $1
         returning ", columns!()))
        .bind(id.0).bind(edit.name.as_deref()).bind(edit.zone.as_deref())
        .bind(edit.language.map(Language::as_str)).bind(edit.theme.map(Theme::as_str))
        .fetch_optional(c).await)?)
}
