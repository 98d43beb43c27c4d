//! Converts database errors into refusals: logs them once and hides the details from the user.

use domain::{DomainError, error::ValidationError, health::HealthIssue};
use engine::{Context, error_chain};
use store::StoreError;
use uuid::Uuid;

/// Converts a database error: into `Unavailable`, or into a reference by which the error is found
/// in the log.
#[must_use]
pub fn internal_error(error: StoreError) -> DomainError {
    // A read-only or full database does not save either, so the message is the same.
    if HealthIssue::from(&error).is_blocking() {
        tracing::warn!(error = %error_chain(&error), "the database is unavailable or rejects writes");
        return DomainError::Unavailable;
    }
    // The web layer refuses such texts; this covers other entry points.
    if error.is_invalid_text() {
        return DomainError::invalid("form", ValidationError::BadCharacters);
    }
    let mut reference = Uuid::new_v4().simple().to_string();
    reference.truncate(8);
    tracing::error!(%reference, error = %error_chain(&error), "an internal error occurred");
    DomainError::Internal { reference }
}

/// The same for a failed write of a user: also records it in the engine's health issues.
pub fn write_error(parts: &Context) -> impl Fn(StoreError) -> DomainError {
    move |error| {
        parts.engine.record_write_error(&(&error).into(), parts.clock.now());
        internal_error(error)
    }
}
