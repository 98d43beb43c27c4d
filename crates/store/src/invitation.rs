//! One-time links: the first set-up, invitations, password resets. Only hashes of their tokens are stored.

use crate::{Conn, StoreError, db::on, row::row};
use domain::{PersonId, Timestamp};
use uuid::Uuid;

row! {
    /// A link that waits to be taken up.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct InvitationRecord {
        /// Hash of its token.
        pub token_hash: String,
        /// `set_up`, `invite` or `reset`.
        pub purpose: String,
        /// Whose password it resets.
        pub person_id: Option<Uuid>,
        /// Address it is for.
        pub email: String,
        /// Name it is for.
        pub name: String,
        /// Role it gives.
        pub role: String,
        /// When it stops working, milliseconds.
        pub expires_at: i64,
    }
}

macro_rules! columns {
    () => {
        "token_hash, purpose, person_id, email, name, role, expires_at"
    };
}

/// Stores a new link.
pub async fn insert(conn: Conn<'_>, new: &InvitationRecord) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query(concat!("insert into invitation (", columns!(), ") values ($1, $2, $3, $4, $5, $6, $7)"))
        .bind(&new.token_hash).bind(&new.purpose).bind(new.person_id).bind(&new.email).bind(&new.name)
        .bind(&new.role).bind(new.expires_at).execute(c).await?.rows_affected());
    Ok(())
}

/// The link, if it works at `at`.
pub async fn find(
    conn: Conn<'_>,
    token_hash: &str,
    at: Timestamp,
) -> Result<Option<InvitationRecord>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(concat!(
        "select ", columns!(), " from invitation where token_hash = $1 and expires_at > $2"))
        .bind(token_hash).bind(at.millis()).fetch_optional(c).await)?)
}

/// Uses the link up, if it works at `at`. Of many who try at once one gets it.
pub async fn take(
    conn: Conn<'_>,
    token_hash: &str,
    at: Timestamp,
) -> Result<Option<InvitationRecord>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(concat!(
        "delete from invitation where token_hash = $1 and expires_at > $2 returning ", columns!()))
        .bind(token_hash).bind(at.millis()).fetch_optional(c).await)?)
}

/// Ends all links for the first set-up.
pub async fn end_set_up(conn: Conn<'_>) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query("delete from invitation where purpose = 'set_up'").execute(c).await?.rows_affected());
    Ok(())
}

/// Ends all invitations for an address.
pub async fn end_for(conn: Conn<'_>, email: &str) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query("delete from invitation where purpose = 'invite' and email = $1")
        .bind(email).execute(c).await?.rows_affected());
    Ok(())
}

/// Ends all resets of a person.
pub async fn end_resets(conn: Conn<'_>, person: PersonId) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query("delete from invitation where purpose = 'reset' and person_id = $1")
        .bind(person.0).execute(c).await?.rows_affected());
    Ok(())
}
