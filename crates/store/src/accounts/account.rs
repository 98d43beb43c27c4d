//! Accounts.

use crate::{Conn, StoreError, db::with_conn, json_rows::encode, row::row};
use domain::{
    AccountId, Role, Timestamp,
    account::{Account, AnswerNotices, Language, ProfileEdit, Theme},
};
use std::str::FromStr;
use uuid::Uuid;

row! {
    /// An account row.
    #[derive(Clone, PartialEq, Eq)]
    pub struct AccountRecord {
        /// Id.
        pub id: Uuid,
        /// Email address, used to log in.
        pub email: String,
        /// Display name.
        pub name: String,
        /// Role.
        pub role: String,
        /// Hash of the password; `None`: no password login.
        pub password_hash: Option<String>,
        /// Whether the account is disabled: 0 or 1.
        pub is_disabled: i32,
        /// Time zone of the UI.
        pub time_zone: String,
        /// Language of the UI.
        pub language: String,
        /// Theme of the UI.
        pub theme: String,
        /// Whether keys without a modifier are shortcuts: 0 or 1.
        pub has_shortcuts: i32,
        /// How it hears of answers to its meetings.
        pub answer_notices: String,
        /// What its page as an author says; may be empty.
        pub about: String,
        /// Path of its picture as an author; may be empty.
        pub picture: String,
        /// When the account was created, milliseconds.
        pub created_at: i64,
    }
}

impl TryFrom<AccountRecord> for Account {
    type Error = StoreError;

    fn try_from(record: AccountRecord) -> Result<Self, StoreError> {
        Ok(Self {
            id: AccountId(record.id),
            role: parse_word(&record.role)?,
            is_disabled: record.is_disabled != 0,
            language: parse_word::<Language>(&record.language)?,
            theme: parse_word::<Theme>(&record.theme)?,
            has_shortcuts: record.has_shortcuts != 0,
            answer_notices: parse_word::<AnswerNotices>(&record.answer_notices)?,
            created_at: Timestamp::from_millis(record.created_at),
            about: record.about,
            picture: record.picture,
            email: record.email,
            name: record.name,
            zone: record.time_zone,
        })
    }
}

/// Parses a stored word as its enum.
pub(crate) fn parse_word<T: FromStr>(text: &str) -> Result<T, StoreError> {
    text.parse().map_err(|_| StoreError::Corrupt(format!("unknown word {text:?}")))
}

macro_rules! columns {
    () => {
        "id, email, name, role, password_hash, is_disabled, time_zone, language, theme, has_shortcuts,
         answer_notices, about, picture, created_at"
    };
}

/// Stores a new account. The error is a unique violation if the email address has one.
pub async fn insert(
    conn: Conn<'_>,
    account: &Account,
    password_hash: Option<&str>,
) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into account (id, email, name, role, password_hash, time_zone, language, theme, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)")
        .bind(account.id.0).bind(&account.email).bind(&account.name).bind(account.role.as_str()).bind(password_hash)
        .bind(&account.zone).bind(account.language.as_str()).bind(account.theme.as_str())
        .bind(account.created_at.millis()).execute(c).await?.rows_affected());
    Ok(())
}

/// Returns the account; `None`: it does not exist.
pub async fn find(conn: Conn<'_>, id: AccountId) -> Result<Option<AccountRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(concat!("select ", columns!(), " from account where id = $1"))
        .bind(id.0).fetch_optional(c).await)?)
}

/// Returns the account with this email address (lower case); `None`: there is none.
pub async fn find_by_email(conn: Conn<'_>, email: &str) -> Result<Option<AccountRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(concat!("select ", columns!(), " from account where email = $1"))
        .bind(email).fetch_optional(c).await)?)
}

/// Returns all accounts, by name.
pub async fn all(conn: Conn<'_>) -> Result<Vec<AccountRecord>, StoreError> {
    Ok(
        with_conn!(conn, c => sqlx::query_as(concat!("select ", columns!(), " from account order by lower(name), id"))
        .fetch_all(c).await)?,
    )
}

/// Whether there is an admin, disabled or not: the first set-up is closed once there was one.
pub async fn has_admin(conn: Conn<'_>) -> Result<bool, StoreError> {
    let found: Option<i32> = with_conn!(conn, c => sqlx::query_scalar("select 1 from account where role = 'admin' limit 1")
        .fetch_optional(c).await)?;
    Ok(found.is_some())
}

row! {
    /// An account that is locked until the transaction ends.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct LockedAccount {
        /// Id.
        pub id: Uuid,
        /// Role.
        pub role: String,
        /// Whether the account is disabled: 0 or 1.
        pub is_disabled: i32,
    }
}

macro_rules! locked {
    ($lock:literal) => {
        concat!(
            "select id, role, is_disabled
               from account
              where id in ($1, $2, $3) or (role = 'admin' and is_disabled = 0)
              order by id",
            $lock
        )
    };
}

/// Locks these accounts and all admins that can log in, in id order, and returns them.
pub async fn lock_with_admins(conn: Conn<'_>, ids: [AccountId; 3]) -> Result<Vec<LockedAccount>, StoreError> {
    let sql = match conn {
        Conn::Sqlite(_) => locked!(""),
        Conn::Postgres(_) => locked!(" for no key update"),
    };
    let [one, two, three] = ids.map(|id| id.0);
    Ok(with_conn!(conn, c => sqlx::query_as(sql).bind(one).bind(two).bind(three).fetch_all(c).await)?)
}

/// Sets the role of an account that still has the role `was`. `None`: it has not.
pub async fn set_role(
    conn: Conn<'_>,
    id: AccountId,
    was: Role,
    role: Role,
) -> Result<Option<AccountRecord>, StoreError> {
    Ok(
        with_conn!(conn, c => sqlx::query_as(concat!("update account set role = $3 where id = $1 and role = $2 returning ", columns!()))
        .bind(id.0).bind(was.as_str()).bind(role.as_str()).fetch_optional(c).await)?,
    )
}

/// Disables or enables the account. `None`: it is so already, or does not exist.
pub async fn set_disabled(
    conn: Conn<'_>,
    id: AccountId,
    is_disabled: bool,
) -> Result<Option<AccountRecord>, StoreError> {
    Ok(
        with_conn!(conn, c => sqlx::query_as(concat!("update account set is_disabled = $2 where id = $1 and is_disabled <> $2 returning ", columns!()))
        .bind(id.0).bind(i32::from(is_disabled)).fetch_optional(c).await)?,
    )
}

/// Sets the password hash. False: the account does not exist or is disabled.
pub async fn set_password(conn: Conn<'_>, id: AccountId, hash: &str) -> Result<bool, StoreError> {
    Ok(
        with_conn!(conn, c => sqlx::query("update account set password_hash = $2 where id = $1 and is_disabled = 0")
        .bind(id.0).bind(hash).execute(c).await?.rows_affected())
            > 0,
    )
}

/// Whether the enabled account still has this password hash; locks it until the transaction ends. A concurrent change
/// of the password waits for it, and then ends what this transaction began.
pub async fn lock_password(conn: Conn<'_>, id: AccountId, hash: &str) -> Result<bool, StoreError> {
    let sql = match conn {
        Conn::Sqlite(_) => "select 1 from account where id = $1 and password_hash = $2 and is_disabled = 0",
        Conn::Postgres(_) => {
            "select 1 from account where id = $1 and password_hash = $2 and is_disabled = 0 for share"
        }
    };
    let found: Option<i32> =
        with_conn!(conn, c => sqlx::query_scalar(sql).bind(id.0).bind(hash).fetch_optional(c).await)?;
    Ok(found.is_some())
}

/// Whether the account is enabled; locks it until the transaction ends. What disables it or ends its sessions waits for
/// it, and then ends what this transaction began.
pub async fn lock_enabled(conn: Conn<'_>, id: AccountId) -> Result<bool, StoreError> {
    let sql = match conn {
        Conn::Sqlite(_) => "select 1 from account where id = $1 and is_disabled = 0",
        Conn::Postgres(_) => "select 1 from account where id = $1 and is_disabled = 0 for share",
    };
    let found: Option<i32> =
        with_conn!(conn, c => sqlx::query_scalar(sql).bind(id.0).fetch_optional(c).await)?;
    Ok(found.is_some())
}

/// Replaces the hash `was` by another one of the same password. False: the password was changed in the meantime.
pub async fn renew_password_hash(
    conn: Conn<'_>,
    id: AccountId,
    (was, hash): (&str, &str),
) -> Result<bool, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query(
        "update account set password_hash = $3 where id = $1 and password_hash = $2 and is_disabled = 0")
        .bind(id.0).bind(was).bind(hash).execute(c).await?.rows_affected())
        > 0)
}

/// Changes the given fields. `None`: the account does not exist.
pub async fn set_profile(
    conn: Conn<'_>,
    id: AccountId,
    edit: &ProfileEdit,
) -> Result<Option<AccountRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(concat!(
        "update account
            set name = coalesce($2, name), time_zone = coalesce($3, time_zone), language = coalesce($4, language),
                theme = coalesce($5, theme), has_shortcuts = coalesce($6, has_shortcuts),
                answer_notices = coalesce($7, answer_notices), about = coalesce($8, about),
                picture = coalesce($9, picture)
          where id = $1
         returning ", columns!()))
        .bind(id.0).bind(edit.name.as_deref()).bind(edit.zone.as_deref())
        .bind(edit.language.map(Language::as_str)).bind(edit.theme.map(Theme::as_str))
        .bind(edit.has_shortcuts.map(i32::from)).bind(edit.answer_notices.map(AnswerNotices::as_str))
        .bind(edit.about.as_deref()).bind(edit.picture.as_deref())
        .fetch_optional(c).await)?)
}

/// Returns the account with this name, without regard to the case of ASCII letters: the first if several
/// have it.
pub async fn id_of_name(conn: Conn<'_>, name: &str) -> Result<Option<Uuid>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "select id from account where lower(name) = lower($1) order by id limit 1")
        .bind(name).fetch_optional(c).await)?)
}

row! {
    /// An account that articles may name as an author.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct AuthorRow {
        /// Id.
        pub id: Uuid,
        /// Display name.
        pub name: String,
        /// Number of accounts with this name.
        pub namesakes: i64,
    }
}

macro_rules! authors {
    ($rest:literal) => {
        concat!(
            "select p.id, p.name,
                    (select count(*) from account o where lower(o.name) = lower(p.name)) as namesakes
               from account p
              where ",
            $rest
        )
    };
}

/// Returns the accounts with these ids, in any order.
pub async fn authors(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<AuthorRow>, StoreError> {
    Ok(match conn {
        _ if ids.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(authors!("p.id in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(ids.iter().map(Uuid::as_simple))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => sqlx::query_as(authors!("p.id = any($1)")).bind(ids).fetch_all(c).await?,
    })
}

/// Returns the accounts that a name in any case, or an email address (lower case), names: at most two.
pub async fn named_authors(conn: Conn<'_>, name: &str, email: &str) -> Result<Vec<AuthorRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(authors!(
        "lower(p.name) = lower($1) or p.email = $2 order by p.id limit 2"))
        .bind(name).bind(email).fetch_all(c).await)?)
}

row! {
    /// What the page of an author shows.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct AuthorPage {
        /// Name.
        pub name: String,
        /// What it says about them; may be empty.
        pub about: String,
        /// Path of their picture; may be empty.
        pub picture: String,
    }
}

/// Returns what the page of the author with this name shows: of several accounts, the first that shows
/// anything.
pub async fn author_page(conn: Conn<'_>, name: &str) -> Result<Option<AuthorPage>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select name, about, picture from account where name = $1
          order by case when about = '' and picture = '' then 1 else 0 end, id
          limit 1")
        .bind(name).fetch_optional(c).await)?)
}

/// Removes a picture from the pages of authors, unless the library still has its file. `path`: pattern
/// of the paths of the file.
pub async fn forget_picture(conn: Conn<'_>, hash: &str, path: &str) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "update account set picture = ''
          where picture <> '' and picture like $2 and not exists (select 1 from media where hash = $1)")
        .bind(hash).bind(path).execute(c).await?.rows_affected());
    Ok(())
}
