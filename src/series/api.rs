//! `/series`.

use crate::{
    http::{
        Web,
        api::{ApiError, ErrorBody, extract::AuthJson, numbers::optional_integer},
    },
    zone::offset_text,
};
use axum::{Json, extract::State};
use domain::{
    Timestamp,
    base::local_time::{date_text, minute_text},
    series::{NewSeries, Omission, PreviewItem, RuleFields, SeriesPreview, weekday_word},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A recurrence rule in wall-clock time. There is at most one occurrence a day. Exactly one of
/// `until` and `count` is required, and the last occurrence must be within 18 months.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RecurrenceBody {
    /// `daily`, `weekly`, `monthly` or `yearly`.
    #[schema(pattern = "^(?:daily|weekly|monthly|yearly)$")]
    frequency: String,
    /// Every how many days, weeks, months or years; 1 if absent.
    #[serde(default, deserialize_with = "optional_integer")]
    #[schema(minimum = 1, maximum = 366)]
    interval: Option<i32>,
    /// `monday` to `sunday`. Weekly: at least one, that of the start if absent; weeks begin on
    /// Monday. Monthly and yearly: exactly one, with `nth`.
    #[schema(max_items = 7)]
    weekdays: Option<Vec<String>>,
    /// Monthly and yearly: day of the month, 1 to 31, or -1 for the last; that of the start if
    /// absent.
    #[serde(default, deserialize_with = "optional_integer")]
    #[schema(minimum = -1, maximum = 31)]
    day: Option<i32>,
    /// Monthly and yearly: which of the weekdays of the month, 1 to 5, or -1 for the last.
    #[serde(default, deserialize_with = "optional_integer")]
    #[schema(minimum = -1, maximum = 5)]
    nth: Option<i32>,
    /// Yearly: month, 1 to 12; that of the start if absent.
    #[serde(default, deserialize_with = "optional_integer")]
    #[schema(minimum = 1, maximum = 12)]
    month: Option<i32>,
    /// Last local date, `YYYY-MM-DD`.
    until: Option<String>,
    /// Number of occurrences, exceptions included.
    #[serde(default, deserialize_with = "optional_integer")]
    #[schema(minimum = 1, maximum = 1000)]
    count: Option<i32>,
    /// Local dates on which it does not take place, `YYYY-MM-DD`.
    #[schema(max_items = 366)]
    exceptions: Option<Vec<String>>,
    /// A local time that a change of the clocks skips: `next_valid` (the first local time after the
    /// gap, if absent) or `skip`.
    skipped_time: Option<String>,
    /// A local time that occurs twice: `earlier` (if absent) or `later`.
    doubled_time: Option<String>,
    /// A month without that day: `skip` (if absent) or `last_day`.
    short_month: Option<String>,
}

/// A series to preview.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeriesBody {
    /// When it repeats.
    rule: RecurrenceBody,
    /// IANA time zone.
    zone: String,
    /// Local time of the start, to the minute: `2027-03-28T09:00`.
    starts_local: String,
}

/// The next occurrences of a series.
#[derive(Debug, Serialize, ToSchema)]
pub struct PreviewBody {
    /// The next ten occurrences, or fewer if the series ends.
    items: Vec<OccurrenceBody>,
    /// Number of all occurrences that are still to come, including those.
    upcoming_count: usize,
}

/// An occurrence.
#[derive(Debug, Serialize, ToSchema)]
pub struct OccurrenceBody {
    /// Local time by the rule; identifies the occurrence in its series.
    original_local: String,
    /// Local time at which it takes place.
    local: String,
    /// `monday` to `sunday`, of `local`.
    weekday: String,
    /// The instant.
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    /// Offset from UTC at that instant, e.g. `+02:00`.
    offset: String,
    /// Offset of the occurrence before; null: the same, or there is none before.
    offset_before: Option<String>,
    /// `moved_by_gap` (its local time is skipped), `earlier` or `later` (it occurs twice); null:
    /// its local time occurs once.
    mark: Option<&'static str>,
    /// Local time in the zone of the token's owner; null: the same.
    viewer_local: Option<String>,
    /// What the rule leaves out between the occurrence before and this one.
    omitted: Vec<OmissionBody>,
}

/// Something that the rule leaves out.
#[derive(Debug, Serialize, ToSchema)]
pub struct OmissionBody {
    /// `short_month`, `exception` or `skipped_time`.
    reason: &'static str,
    /// The month (`2027-02`), the date (`2027-02-28`) or the local time (`2027-03-28T02:30`).
    value: String,
}

impl From<RecurrenceBody> for RuleFields {
    fn from(rule: RecurrenceBody) -> Self {
        Self {
            frequency: rule.frequency,
            interval: rule.interval,
            weekdays: rule.weekdays,
            day: rule.day,
            nth: rule.nth,
            month: rule.month,
            until: rule.until,
            count: rule.count,
            exceptions: rule.exceptions.unwrap_or_default(),
            skipped_time: rule.skipped_time,
            doubled_time: rule.doubled_time,
            short_month: rule.short_month,
        }
    }
}

impl From<SeriesPreview> for PreviewBody {
    fn from(preview: SeriesPreview) -> Self {
        let items = preview.items.into_iter().map(OccurrenceBody::from).collect();
        Self { items, upcoming_count: preview.upcoming_count }
    }
}

impl From<PreviewItem> for OccurrenceBody {
    fn from(item: PreviewItem) -> Self {
        let PreviewItem { occurrence, local, viewer_local, offset_before_seconds, omitted } = item;
        Self {
            original_local: minute_text(occurrence.original_local),
            local: minute_text(local),
            weekday: weekday_word(local.weekday()),
            at: occurrence.at,
            offset: offset_text(occurrence.offset_seconds),
            offset_before: offset_before_seconds.map(offset_text),
            mark: occurrence.mark.map(|mark| mark.as_str()),
            viewer_local: viewer_local.map(minute_text),
            omitted: omitted.into_iter().map(OmissionBody::from).collect(),
        }
    }
}

impl From<Omission> for OmissionBody {
    fn from(omission: Omission) -> Self {
        let (reason, value) = match omission {
            Omission::Month(first) => ("short_month", date_text(first).chars().take(7).collect()),
            Omission::Exception(date) => ("exception", date_text(date)),
            Omission::SkippedTime(local) => ("skipped_time", minute_text(local)),
        };
        Self { reason, value }
    }
}

/// Returns the next ten occurrences of a series, with what is special about their times. Changes
/// nothing.
#[utoipa::path(post, path = "/series/preview", tag = "series", request_body = SeriesBody, responses(
    (status = 200, description = "The next occurrences", body = PreviewBody),
    (status = 422, description = "A field is invalid; `error.field` names it, e.g. `rule.until`", body = ErrorBody)))]
pub(crate) async fn preview(
    State(web): State<Web>,
    AuthJson(actor, body): AuthJson<SeriesBody>,
) -> Result<Json<PreviewBody>, ApiError> {
    let new = NewSeries { starts_local: body.starts_local, zone: body.zone, rule: body.rule.into() };
    Ok(Json(web.services.series.preview(&actor, new).await?.into()))
}
