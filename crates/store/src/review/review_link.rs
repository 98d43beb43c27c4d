//! Links with which a person without an account decides about one revision. Only hashes of their
//! secrets are stored.

use crate::{Conn, StoreError, db::with_conn, row::row};
use domain::Timestamp;
use uuid::Uuid;

row! {
    /// A link.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ReviewLinkRow {
        /// Hash of its secret.
        pub secret_hash: String,
        /// The review.
        pub review_id: Uuid,
        /// The revision about which it decides.
        pub revision_id: Uuid,
        /// Name of the person.
        pub name: String,
        /// Account that created it.
        pub created_by: Uuid,
        /// When it expires, milliseconds.
        pub expires_at: i64,
    }
}

/// Stores a new link.
pub async fn insert(conn: Conn<'_>, new: &ReviewLinkRow, at: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into review_link (secret_hash, review_id, revision_id, name, created_by, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7)")
        .bind(&new.secret_hash).bind(new.review_id).bind(new.revision_id).bind(&new.name).bind(new.created_by)
        .bind(at.millis()).bind(new.expires_at)
        .execute(c).await.map(drop))?;
    Ok(())
}

/// Returns a link that has not decided and not expired.
pub async fn find(
    conn: Conn<'_>,
    secret_hash: &str,
    at: Timestamp,
) -> Result<Option<ReviewLinkRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select secret_hash, review_id, revision_id, name, created_by, expires_at
           from review_link where secret_hash = $1 and expires_at > $2 and used_at is null")
        .bind(secret_hash).bind(at.millis()).fetch_optional(c).await)?)
}

/// Uses the link; false: it has decided already, or has expired. Of concurrent callers, one gets
/// true.
pub async fn consume(conn: Conn<'_>, secret_hash: &str, at: Timestamp) -> Result<bool, StoreError> {
    let used = with_conn!(conn, c => sqlx::query(
        "update review_link set used_at = $2 where secret_hash = $1 and expires_at > $2 and used_at is null")
        .bind(secret_hash).bind(at.millis()).execute(c).await?.rows_affected());
    Ok(used > 0)
}
