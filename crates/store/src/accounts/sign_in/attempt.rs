//! Sign-ins that are at a provider, sessions that began there, and log-out tokens.

use crate::{Conn, StoreError, db::with_conn, row::row};
use domain::{AccountId, ProviderId, Timestamp};
use uuid::Uuid;

row! {
    /// A sign-in that came back from the provider.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct AttemptRecord {
        /// The account to link; `None`: it is a log-in.
        pub account_id: Option<Uuid>,
        /// Hash of the token of an invitation.
        pub invitation_hash: Option<String>,
        /// Path that follows.
        pub next_path: String,
    }
}

/// A sign-in to store.
#[derive(Debug, Clone, Copy)]
pub struct NewAttempt<'a> {
    /// The provider.
    pub provider: ProviderId,
    /// Hash of `state`.
    pub state_hash: &'a str,
    /// Hash of the cookie of the browser.
    pub browser_hash: &'a str,
    /// The account to link.
    pub account: Option<AccountId>,
    /// Hash of the token of an invitation.
    pub invitation_hash: Option<&'a str>,
    /// Path that follows.
    pub next_path: &'a str,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// Stores a sign-in.
pub async fn insert(conn: Conn<'_>, new: NewAttempt<'_>) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into sign_in_attempt
            (state_hash, provider_id, browser_hash, account_id, invitation_hash, next_path, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7)")
        .bind(new.state_hash).bind(new.provider.0).bind(new.browser_hash).bind(new.account.map(|account| account.0))
        .bind(new.invitation_hash).bind(new.next_path).bind(new.expires_at.millis())
        .execute(c).await?.rows_affected());
    Ok(())
}

/// Deletes a sign-in of this browser at this provider and returns it. `None`: there is none, or it has expired. Of
/// concurrent callers, one gets it.
pub async fn consume(
    conn: Conn<'_>,
    provider: ProviderId,
    (state_hash, browser_hash): (&str, &str),
    now: Timestamp,
) -> Result<Option<AttemptRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "delete from sign_in_attempt
          where state_hash = $1 and browser_hash = $2 and provider_id = $3 and expires_at > $4
         returning account_id, invitation_hash, next_path")
        .bind(state_hash).bind(browser_hash).bind(provider.0).bind(now.millis()).fetch_optional(c).await)?)
}

/// Deletes expired sign-ins and log-out tokens.
pub async fn delete_expired(mut conn: Conn<'_>, now: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn.reborrow(), c => sqlx::query("delete from sign_in_attempt where expires_at < $1")
        .bind(now.millis()).execute(c).await?.rows_affected());
    with_conn!(conn, c => sqlx::query("delete from sign_in_log_out where expires_at < $1")
        .bind(now.millis()).execute(c).await?.rows_affected());
    Ok(())
}

/// A session that began with a provider.
#[derive(Debug, Clone, Copy)]
pub struct ProviderSession<'a> {
    /// Hash of its secret.
    pub session_hash: &'a str,
    /// The provider.
    pub provider: ProviderId,
    /// What the provider calls the person.
    pub subject: &'a str,
    /// Session at the provider; empty: it names none.
    pub sid: &'a str,
    /// Whether the provider proved both factors.
    pub has_both_factors: bool,
}

/// Records with which provider a session began.
pub async fn record_session(conn: Conn<'_>, new: ProviderSession<'_>) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into sign_in_session (session_hash, provider_id, subject, sid, has_both_factors)
         values ($1, $2, $3, $4, $5)")
        .bind(new.session_hash).bind(new.provider.0).bind(new.subject).bind(new.sid)
        .bind(i32::from(new.has_both_factors)).execute(c).await?.rows_affected());
    Ok(())
}

/// Records with which provider a log-in began that awaits a code.
pub async fn record_pending(
    conn: Conn<'_>,
    token_hash: &str,
    (provider, subject, sid): (ProviderId, &str, &str),
) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into sign_in_pending (token_hash, provider_id, subject, sid) values ($1, $2, $3, $4)")
        .bind(token_hash).bind(provider.0).bind(subject).bind(sid).execute(c).await?.rows_affected());
    Ok(())
}

/// Records the provider of the session of a log-in that awaited a code, if it began with one.
pub async fn complete_pending(
    conn: Conn<'_>,
    token_hash: &str,
    session_hash: &str,
) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into sign_in_session (session_hash, provider_id, subject, sid, has_both_factors)
         select $2, provider_id, subject, sid, 0 from sign_in_pending where token_hash = $1")
        .bind(token_hash).bind(session_hash).execute(c).await?.rows_affected());
    Ok(())
}

/// Deletes the sessions of one session at the provider. `subject`: only of this person. Returns their accounts, one for
/// each session.
pub async fn end_sid(
    conn: Conn<'_>,
    provider: ProviderId,
    sid: &str,
    subject: Option<&str>,
) -> Result<Vec<AccountId>, StoreError> {
    let accounts: Vec<Uuid> = with_conn!(conn, c => sqlx::query_scalar(
        "delete from session
          where secret_hash in (select session_hash from sign_in_session
                                 where provider_id = $1 and sid = $2 and sid <> ''
                                   and subject = coalesce($3, subject))
         returning account_id")
        .bind(provider.0).bind(sid).bind(subject).fetch_all(c).await)?;
    Ok(accounts.into_iter().map(AccountId).collect())
}

/// Deletes the sessions that an account began with a provider, and its log-ins that await a code.
pub async fn end_of_account(
    mut conn: Conn<'_>,
    provider: ProviderId,
    account: AccountId,
) -> Result<(), StoreError> {
    crate::second_factor::end_pending(conn.reborrow(), account).await?;
    with_conn!(conn, c => sqlx::query(
        "delete from session
          where account_id = $2
            and secret_hash in (select session_hash from sign_in_session where provider_id = $1)")
        .bind(provider.0).bind(account.0).execute(c).await?.rows_affected());
    Ok(())
}

/// Deletes all sessions that began with a provider, and log-ins that await a code.
pub async fn end_of_provider(mut conn: Conn<'_>, provider: ProviderId) -> Result<(), StoreError> {
    with_conn!(conn.reborrow(), c => sqlx::query(
        "delete from pending_log_in
          where token_hash in (select token_hash from sign_in_pending where provider_id = $1)")
        .bind(provider.0).execute(c).await?.rows_affected());
    with_conn!(conn, c => sqlx::query(
        "delete from session
          where secret_hash in (select session_hash from sign_in_session where provider_id = $1)")
        .bind(provider.0).execute(c).await?.rows_affected());
    Ok(())
}

/// Records the id of a log-out token. False: it was used already.
pub async fn use_log_out(
    conn: Conn<'_>,
    provider: ProviderId,
    jti: &str,
    expires_at: Timestamp,
) -> Result<bool, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query(
        "insert into sign_in_log_out (provider_id, jti, expires_at) values ($1, $2, $3) on conflict do nothing")
        .bind(provider.0).bind(jti).bind(expires_at.millis()).execute(c).await?.rows_affected())
        > 0)
}
