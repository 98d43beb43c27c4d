//! Series of reminders as the API reads and returns them.

use crate::{http::api::extract::word, series::api::RecurrenceBody};
use domain::{
    DomainError,
    reminders::Repeats,
    series::{Reach, RuleFields},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How a reminder repeats.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewReminderSeriesBody {
    /// When it repeats, in the time zone of its local time. Without `until` and `count` until it is cancelled.
    rule: RecurrenceBody,
}

impl From<NewReminderSeriesBody> for RuleFields {
    fn from(series: NewReminderSeriesBody) -> Self {
        series.rule.into()
    }
}

/// How a reminder repeats. When it is sent, the next occurrence is a reminder of its own that has the series.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReminderSeriesBody {
    /// When it repeats, in the time zone of its local time. Without `until` and `count` until it is cancelled.
    #[schema(value_type = RecurrenceBody)]
    rule: RuleFields,
    /// Local time from which on the rule applies.
    starts_local: String,
}

impl From<Repeats> for ReminderSeriesBody {
    fn from(repeats: Repeats) -> Self {
        Self { rule: repeats.rule, starts_local: repeats.starts_local }
    }
}

/// Whether a change reaches the following occurrences too. As only the coming one is stored, `following` and
/// `all` are the same.
pub fn is_whole_series(reach: Option<&str>) -> Result<bool, DomainError> {
    let reach = reach.map(|text| word::<Reach>("reach", text, Reach::NAMES)).transpose()?;
    Ok(reach.is_some_and(|reach| reach != Reach::This))
}
