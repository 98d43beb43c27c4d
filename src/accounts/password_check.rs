//! Requires the password again for changes that outlive the session, so that a stolen cookie alone
//! cannot make them.

use crate::services::internal_error;
use domain::{Actor, DomainError, Timestamp, error::ValidationError};
use store::{Conn, session};

/// Refuses an actor whose session has no recent password check, or has ended. API tokens and the
/// command line pass.
///
/// Locks the session until the transaction ends. A concurrent change of the password waits for it,
/// and then revokes what this transaction created.
pub async fn require_recent(conn: Conn<'_>, actor: &Actor, now: Timestamp) -> Result<(), DomainError> {
    let Some(session) = &actor.session else { return Ok(()) };
    if actor.needs_password(now) {
        return Err(DomainError::invalid("password", ValidationError::PasswordAgain));
    }
    if session::lock(conn, &session.hash).await.map_err(internal_error)? {
        Ok(())
    } else {
        Err(DomainError::LogIn)
    }
}
