//! Hours of weekdays, as the API reads and returns them: when a room is open, and when reviewers work.

use domain::meetings::OpeningHours;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A time of some weekdays, in the zone of the room or the desk.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HoursBody {
    /// `monday` to `sunday`; every day if absent.
    #[schema(max_items = 7)]
    weekdays: Option<Vec<String>>,
    /// `08:00`.
    from: String,
    /// `18:00`; `24:00`: the end of the day.
    to: String,
}

impl From<HoursBody> for OpeningHours {
    fn from(body: HoursBody) -> Self {
        Self { weekdays: body.weekdays.unwrap_or_default(), from: body.from, to: body.to }
    }
}

impl From<OpeningHours> for HoursBody {
    fn from(hours: OpeningHours) -> Self {
        let OpeningHours { weekdays, from, to } = hours;
        Self { weekdays: Some(weekdays).filter(|days| !days.is_empty()), from, to }
    }
}
