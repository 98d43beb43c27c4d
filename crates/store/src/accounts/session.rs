//! Login sessions. Only hashes of their secrets are stored: a stolen copy of the database gives no
//! access.

use crate::{Conn, StoreError, db::with_conn, row::row};
use domain::{AccountId, Timestamp};
use uuid::Uuid;

/// Number of characters of the secret's hash that identify a session to its owner.
const NAME_CHARS: usize = 16;

row! {
    /// A session row.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SessionRecord {
        /// Hash of its secret.
        pub secret_hash: String,
        /// User agent of the browser.
        pub user_agent: String,
        /// IP address of the log-in.
        pub address: String,
        /// Whether the user chose to stay logged in: 0 or 1.
        pub is_persistent: i32,
        /// When it was created, milliseconds.
        pub created_at: i64,
        /// When it was last used, milliseconds.
        pub seen_at: i64,
    }
}

impl SessionRecord {
    /// Returns the name of the session for its owner; it reveals nothing of the secret.
    #[must_use]
    pub fn name(&self) -> &str {
        self.secret_hash.get(..NAME_CHARS).unwrap_or_default()
    }
}

row! {
    /// Something that an account did with its own access, of which it is notified in case it was someone else.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct AccessEvent {
        /// The account.
        pub account_id: Uuid,
        /// `log_in`, `change_password`, `create_token`, `token_expires`, or a change of the second factor, of passkeys or of
        /// linked sign-ins.
        pub verb: String,
        /// When, milliseconds.
        pub at: i64,
        /// Details, a JSON object.
        pub detail: String,
    }
}

row! {
    /// Account of a session or token.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Bearer {
        /// Id of the account.
        pub account_id: Uuid,
        /// Current role.
        pub role: String,
        /// Time zone.
        pub time_zone: String,
        /// Language.
        pub language: String,
        /// When the session or token was created, milliseconds.
        pub created_at: i64,
        /// When it was last used, milliseconds; 0: never.
        pub used_at: i64,
    }
}

row! {
    /// Account of a session, and when its password was last entered.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SessionBearer {
        /// Account of the session.
        flat pub bearer: Bearer,
        /// When the password was last entered in this session, milliseconds.
        pub password_entered_at: i64,
        /// Whether the user chose to stay logged in: 0 or 1.
        pub is_persistent: i32,
        /// Number of second factors of the account, and 1 more if the log-in had both: with the provider, which proves them,
        /// or where the password is off with a passkey.
        pub second_factors: i64,
        /// Which accounts must have a second factor, see [`crate::second_factor::rule_of`].
        pub second_factor_rule: Option<String>,
    }
}

/// A session to store.
#[derive(Debug, Clone, Copy)]
pub struct NewSession<'a> {
    /// Account of the user.
    pub account: AccountId,
    /// Hash of its secret.
    pub secret_hash: &'a str,
    /// User agent of the browser.
    pub agent: &'a str,
    /// IP address of the log-in.
    pub address: &'a str,
    /// Whether the user chose to stay logged in.
    pub is_persistent: bool,
    /// Time of the log-in.
    pub at: Timestamp,
}

/// Stores a new session. The password has just been entered.
pub async fn insert(conn: Conn<'_>, new: NewSession<'_>) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into session
            (secret_hash, account_id, user_agent, address, is_persistent, created_at, seen_at, password_entered_at)
         values ($1, $2, $3, $4, $5, $6, $6, $6)")
        .bind(new.secret_hash).bind(new.account.0).bind(new.agent).bind(new.address)
        .bind(i32::from(new.is_persistent)).bind(new.at.millis()).execute(c).await?.rows_affected());
    Ok(())
}

/// Returns the account of a session; `None`: the session does not exist, or the account is
/// disabled.
pub async fn bearer(conn: Conn<'_>, secret_hash: &str) -> Result<Option<SessionBearer>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select s.account_id, p.role, p.time_zone, p.language, s.created_at, s.seen_at as used_at,
                s.password_entered_at, s.is_persistent,
                (select count(*) from second_factor f
                  where f.account_id = s.account_id and f.confirmed_at is not null)
                + (select count(*) from password_off o
                    where o.account_id = s.account_id
                      and not exists (select 1 from sign_in_session i where i.session_hash = s.secret_hash))
                + (select count(*) from sign_in_session i
                    where i.session_hash = s.secret_hash and i.has_both_factors = 1) as second_factors,
                (select value from setting where name = 'second_factor.rule') as second_factor_rule
           from session s
           join account p on p.id = s.account_id
          where s.secret_hash = $1 and p.is_disabled = 0")
        .bind(secret_hash).fetch_optional(c).await)?)
}

/// Records that the session was used.
pub async fn touch(conn: Conn<'_>, secret_hash: &str, at: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("update session set seen_at = $2 where secret_hash = $1 and seen_at < $2")
        .bind(secret_hash).bind(at.millis()).execute(c).await?.rows_affected());
    Ok(())
}

/// Records that the password was entered in this session.
pub async fn record_password_entry(
    conn: Conn<'_>,
    secret_hash: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "update session set password_entered_at = $2 where secret_hash = $1 and password_entered_at < $2")
        .bind(secret_hash).bind(at.millis()).execute(c).await?.rows_affected());
    Ok(())
}

/// Whether the session exists; locks it until the transaction ends.
pub async fn lock(conn: Conn<'_>, secret_hash: &str) -> Result<bool, StoreError> {
    let sql = match conn {
        Conn::Sqlite(_) => "select 1 from session where secret_hash = $1",
        Conn::Postgres(_) => "select 1 from session where secret_hash = $1 for key share",
    };
    let found: Option<i32> =
        with_conn!(conn, c => sqlx::query_scalar(sql).bind(secret_hash).fetch_optional(c).await)?;
    Ok(found.is_some())
}

/// Returns the sessions of an account, last used first.
pub async fn list(conn: Conn<'_>, account: AccountId) -> Result<Vec<SessionRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select secret_hash, user_agent, address, is_persistent, created_at, seen_at
           from session
          where account_id = $1
          order by seen_at desc, secret_hash")
        .bind(account.0).fetch_all(c).await)?)
}

/// Returns what accounts did with their own access in the events after `seq` up to `until`, in their order: log-ins and
/// tokens only where the event says that they are news. Also when another account reset a second factor or passkeys.
pub async fn access_events(conn: Conn<'_>, (seq, until): (i64, i64)) -> Result<Vec<AccessEvent>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select entity_id as account_id, verb, at, detail from event
          where seq > $1
            and seq <= $2
            and entity = 'account'
            and case when verb in ('reset_second_factor', 'reset_passkeys') then actor_id is null or actor_id <> entity_id
                          else actor_id = entity_id end
            and (verb in ('change_password', 'add_second_factor', 'remove_second_factor', 'reset_second_factor',
                          'renew_recovery_codes', 'use_recovery_code', 'add_passkey', 'remove_passkey',
                          'reset_passkeys', 'turn_password_off', 'turn_password_on', 'link_identity', 'unlink_identity')
                 or verb in ('log_in', 'create_token') and detail like '%\"is_news\":true%')
          order by seq")
        .bind(seq).bind(until).fetch_all(c).await)?)
}

/// Whether the account has logged in before.
pub async fn has_logged_in(conn: Conn<'_>, account: AccountId) -> Result<bool, StoreError> {
    let found: Option<(i64,)> = with_conn!(conn, c => sqlx::query_as(
        "select seq from event where entity_id = $1 and verb = 'log_in' order by seq limit 1")
        .bind(account.0).fetch_optional(c).await)?;
    Ok(found.is_some())
}

/// Deletes a session and returns its account. `None`: it does not exist.
pub async fn end(conn: Conn<'_>, secret_hash: &str) -> Result<Option<AccountId>, StoreError> {
    let account: Option<Uuid> = with_conn!(conn, c => sqlx::query_scalar(
        "delete from session where secret_hash = $1 returning account_id")
        .bind(secret_hash).fetch_optional(c).await)?;
    Ok(account.map(AccountId))
}

/// Deletes a session of an account by name. False: it does not exist.
pub async fn end_by_name(conn: Conn<'_>, account: AccountId, name: &str) -> Result<bool, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query(
        "delete from session where account_id = $1 and substr(secret_hash, 1, 16) = $2")
        .bind(account.0).bind(name).execute(c).await?.rows_affected())
        > 0)
}

/// Deletes all sessions of an account, and its log-ins that await a code.
pub async fn end_all(mut conn: Conn<'_>, account: AccountId) -> Result<(), StoreError> {
    crate::second_factor::end_pending(conn.reborrow(), account).await?;
    with_conn!(conn, c => sqlx::query("delete from session where account_id = $1")
        .bind(account.0).execute(c).await?.rows_affected());
    Ok(())
}

/// Deletes all sessions of an account except the one with this hash, and its log-ins that await a code. Returns the
/// number of sessions.
pub async fn end_others(mut conn: Conn<'_>, account: AccountId, kept: &str) -> Result<u64, StoreError> {
    crate::second_factor::end_pending(conn.reborrow(), account).await?;
    Ok(with_conn!(conn, c => sqlx::query("delete from session where account_id = $1 and secret_hash <> $2")
        .bind(account.0).bind(kept).execute(c).await?.rows_affected()))
}

/// Deletes expired sessions: persistent ones created before `persistent_began`, others created
/// before `began` or last used before `seen`.
pub async fn delete_expired(
    conn: Conn<'_>,
    persistent_began: Timestamp,
    began: Timestamp,
    seen: Timestamp,
) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "delete from session
          where created_at < $1 or (is_persistent = 0 and (created_at < $2 or seen_at < $3))")
        .bind(persistent_began.millis()).bind(began.millis()).bind(seen.millis())
        .execute(c).await?.rows_affected());
    Ok(())
}
