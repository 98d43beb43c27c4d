//! Where technical errors end: logged once, told in plain words.

use crate::parts::Parts;
use domain::{Refusal, refusal::Problem};
use store::StoreError;
use uuid::Uuid;

/// What a person is told of a technical error: that the database does not work, or a reference to find it by in the log.
#[must_use]
pub fn broken(error: StoreError) -> Refusal {
    // Read-only and full ones do not save either: what is to be said is the same.
    if error.weather().is_some() {
        tracing::warn!(error = %chain(&error), "the database does not do its work");
        return Refusal::Unavailable;
    }
    // The web layer refuses such texts; this is for what reaches the desk by other ways.
    if error.is_bad_text() {
        return Refusal::invalid("form", Problem::BadCharacters);
    }
    let mut reference = Uuid::new_v4().simple().to_string();
    reference.truncate(8);
    tracing::error!(%reference, error = %chain(&error), "the desk could not do what it was asked");
    Refusal::Internal { reference }
}

/// The same for what a person wrote: the engine hears of it, too, and says what is wrong with the database.
pub fn unsaved(parts: &Parts) -> impl Fn(StoreError) -> Refusal {
    move |error| {
        parts.pulse.refuse(error.weather(), parts.clock.now());
        broken(error)
    }
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
