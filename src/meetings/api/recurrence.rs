//! How a new meeting repeats, as the API reads it.

use crate::series::api::RecurrenceBody;
use serde::Deserialize;
use utoipa::ToSchema;

/// How a meeting repeats.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MeetingRecurrenceBody {
    /// When it repeats, in wall-clock time.
    pub rule: RecurrenceBody,
}
