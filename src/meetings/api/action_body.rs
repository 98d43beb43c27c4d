//! Actions on a meeting as the API reads them, and what happens to a new one whose room is taken.

use super::body::NewMeetingBody;
use crate::http::api::numbers::{optional_integer, required_integer};
use domain::{DomainError, error::ValidationError};
use serde::Deserialize;
use utoipa::ToSchema;

/// An action on a meeting.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MeetingActionBody {
    /// `version` of the meeting that the caller saw; a different current one is a conflict.
    #[serde(deserialize_with = "required_integer")]
    pub seen_version: i32,
    /// To reject or cancel: why.
    #[schema(max_length = 500)]
    pub reason: Option<String>,
    /// To extend: by how many minutes.
    #[serde(default, deserialize_with = "optional_integer")]
    #[schema(minimum = 1, maximum = 20_160)]
    pub minutes: Option<i32>,
    /// To cancel a meeting that repeats: `this` (if absent), `following` or `all`.
    pub reach: Option<String>,
    /// Meetings of the series that were moved one by one: `keep` (if absent) or `follow`.
    pub moved: Option<String>,
}

/// Whether the meeting waits for its room if that is taken.
pub(super) fn waits(new: &NewMeetingBody) -> Result<bool, DomainError> {
    match new.if_taken.as_deref() {
        None | Some("refuse") => Ok(false),
        Some("wait") if new.series.is_some() => {
            let why = "a series cannot wait for its room; use `conflicts`".to_owned();
            Err(DomainError::invalid("if_taken", ValidationError::Sentence { why }))
        }
        Some("wait") => Ok(true),
        Some(_) => {
            let words = "refuse, wait".to_owned();
            Err(DomainError::invalid("if_taken", ValidationError::NotOneOf { words }))
        }
    }
}
