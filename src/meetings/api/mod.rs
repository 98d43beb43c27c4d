//! `/rooms` and `/meetings`.

mod action_body;
mod body;
pub mod bulk;
pub mod hand_over;
pub mod meetings;
mod recurrence;
mod reminder_body;
mod room_body;
pub mod rooms;
pub mod series;
pub mod waiting;

pub(crate) use body::MeetingItem;

use domain::{DomainError, error::ValidationError, time::Disambiguation};
use serde::{Deserialize, Deserializer};

/// Reads a field that may be null: `None` if it is absent, `Some(None)` if it is null.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(json: D) -> Result<Option<Option<T>>, D::Error> {
    Option::<T>::deserialize(json).map(Some)
}

/// Parses the id of a room in a body or a query.
pub(super) fn room_id(text: &str) -> Result<domain::RoomId, DomainError> {
    text.parse().map_err(|_| super::write::unknown_room())
}

/// Returns the refusal of a field that is required.
fn required(field: &str) -> DomainError {
    DomainError::invalid(field, ValidationError::Empty)
}

/// Parses which of two local times is meant.
fn disambiguation(text: Option<&str>) -> Result<Option<Disambiguation>, DomainError> {
    match text {
        None => Ok(None),
        Some("earlier") => Ok(Some(Disambiguation::Earlier)),
        Some("later") => Ok(Some(Disambiguation::Later)),
        Some(_) => {
            let words = "earlier, later".to_owned();
            Err(DomainError::invalid("disambiguation", ValidationError::NotOneOf { words }))
        }
    }
}

fn both_forms() -> DomainError {
    let why = "send either starts_at and ends_at, or local_start and local_end, not both";
    DomainError::invalid("starts_at", ValidationError::Sentence { why: why.to_owned() })
}
