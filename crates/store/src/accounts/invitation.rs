//! One-time links: first set-up, invitations, password resets. Only hashes of their tokens are
//! stored.

use crate::{Conn, StoreError, db::with_conn, row::row};
use domain::{AccountId, Timestamp};
use uuid::Uuid;

row! {
    /// A link that was not used yet.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct InvitationRecord {
        /// Hash of its token.
        pub token_hash: String,
        /// `set_up`, `invite` or `reset`.
        pub purpose: String,
        /// Account whose password it resets; `None`: not a reset.
        pub account_id: Option<Uuid>,
        /// Email address of the recipient.
        pub email: String,
        /// Name of the recipient.
        pub name: String,
        /// Role of the new account.
        pub role: String,
        /// When it expires, milliseconds.
        pub expires_at: i64,
    }
}

/// Number of characters of the token's hash that identify an invitation to admins.
const ID_CHARS: usize = 16;

impl InvitationRecord {
    /// Returns the id of the invitation's link; it reveals nothing of the token.
    #[must_use]
    pub fn id(&self) -> &str {
        self.token_hash.get(..ID_CHARS).unwrap_or_default()
    }
}

macro_rules! columns {
    () => {
        "token_hash, purpose, account_id, email, name, role, expires_at"
    };
}

/// Stores a new link.
pub async fn insert(conn: Conn<'_>, new: &InvitationRecord) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(concat!("insert into invitation (", columns!(), ") values ($1, $2, $3, $4, $5, $6, $7)"))
        .bind(&new.token_hash).bind(&new.purpose).bind(new.account_id).bind(&new.email).bind(&new.name)
        .bind(&new.role).bind(new.expires_at).execute(c).await?.rows_affected());
    Ok(())
}

/// Returns the link; `None`: it does not exist or has expired at `at`.
pub async fn find(
    conn: Conn<'_>,
    token_hash: &str,
    at: Timestamp,
) -> Result<Option<InvitationRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(concat!(
        "select ", columns!(), " from invitation where token_hash = $1 and expires_at > $2"))
        .bind(token_hash).bind(at.millis()).fetch_optional(c).await)?)
}

/// Deletes the link and returns it; `None`: it does not exist or has expired at `at`. Of concurrent
/// callers, one gets it.
pub async fn consume(
    conn: Conn<'_>,
    token_hash: &str,
    at: Timestamp,
) -> Result<Option<InvitationRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(concat!(
        "delete from invitation where token_hash = $1 and expires_at > $2 returning ", columns!()))
        .bind(token_hash).bind(at.millis()).fetch_optional(c).await)?)
}

/// Returns the invitations, also expired ones, newest first; at most `limit`.
pub async fn list(conn: Conn<'_>, limit: i64) -> Result<Vec<InvitationRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(concat!(
        "select ", columns!(), " from invitation where purpose = 'invite' order by expires_at desc, token_hash limit $1"))
        .bind(limit).fetch_all(c).await)?)
}

/// Deletes the invitation with this id, also an expired one, and returns it; `None`: it does not
/// exist. Of concurrent callers, one gets it.
pub async fn withdraw(conn: Conn<'_>, id: &str) -> Result<Option<InvitationRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(concat!(
        "delete from invitation where purpose = 'invite' and substr(token_hash, 1, 16) = $1 returning ", columns!()))
        .bind(id).fetch_optional(c).await)?)
}

/// Deletes all links for the first set-up.
pub async fn end_set_up(conn: Conn<'_>) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("delete from invitation where purpose = 'set_up'").execute(c).await?.rows_affected());
    Ok(())
}

/// Deletes all invitations for an email address. Returns whether there was one.
pub async fn end_for_email(conn: Conn<'_>, email: &str) -> Result<bool, StoreError> {
    let ended = with_conn!(conn, c => sqlx::query("delete from invitation where purpose = 'invite' and email = $1")
        .bind(email).execute(c).await?.rows_affected());
    Ok(ended > 0)
}

/// Deletes all password resets of an account.
pub async fn end_resets(conn: Conn<'_>, account: AccountId) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("delete from invitation where purpose = 'reset' and account_id = $1")
        .bind(account.0).execute(c).await?.rows_affected());
    Ok(())
}
