//! Where technical errors end: logged once, told in plain words.

use domain::Refusal;
use store::StoreError;
use uuid::Uuid;

/// What a person is told of a technical error: that the database is away, or a reference to find it by in the log.
#[must_use]
pub fn broken(error: StoreError) -> Refusal {
    if error.is_away() {
        tracing::warn!(error = %chain(&error), "the database does not answer");
        return Refusal::Unavailable;
    }
    let mut reference = Uuid::new_v4().simple().to_string();
    reference.truncate(8);
    tracing::error!(%reference, error = %chain(&error), "the desk could not do what it was asked");
    Refusal::Internal { reference }
}

/// An error with all its causes, in one line.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    text
}
