//! Series of meetings as the API reads and returns them.

use super::body::{MeetingBody, NewMeetingBody};
use crate::{
    http::{
        Web,
        api::{
            ApiError, ErrorBody,
            error::{ConflictBody, OccurrenceConflictBody},
            extract::{Auth, AuthJson, id, word},
        },
    },
    series::api::RecurrenceBody,
};
use axum::{
    Json,
    extract::{Path, State},
};
use domain::{
    DomainError, Timestamp,
    meetings::{
        BookedSeries, ChangedSeries, Meeting, MeetingSeries, NewMeetingSeries, OccurrenceRef, OnConflict,
        PlannedOccurrence, SeriesChange, SeriesDryRun, SeriesEdit,
    },
    series::{MovedOccurrences, Reach, RuleFields},
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// A meeting, and what happened to the others of its series.
#[derive(Debug, Serialize, ToSchema)]
pub struct MeetingResultBody {
    /// The meeting; of a new series, the first one that was booked.
    #[serde(flatten)]
    meeting: MeetingBody,
    /// The others; absent unless several meetings were booked or changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    series: Option<SeriesResultBody>,
}

/// What was done to the meetings of a series.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct SeriesResultBody {
    /// Number of meetings that were booked.
    booked: usize,
    /// Number of meetings that were changed.
    changed: usize,
    /// Number of meetings that were cancelled.
    cancelled: usize,
    /// Number of meetings that were moved one by one before, and kept their own time.
    kept_moved: usize,
    /// Occurrences that were not booked.
    skipped: Vec<OccurrenceConflictBody>,
}

/// What booking a series would do.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeriesDryRunBody {
    /// The next occurrences, at most ten, those that are not possible included.
    next: Vec<PlannedOccurrenceBody>,
    /// Number of all occurrences.
    count: usize,
    /// Number of occurrences that are booked at once; the others follow when their time comes closer.
    booked_at_once: usize,
    /// Every occurrence that is not possible, by start.
    occurrences: Vec<OccurrenceConflictBody>,
    /// The bookings in the way, by start, each once.
    conflicts: Vec<ConflictBody>,
}

/// An occurrence that would be booked.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlannedOccurrenceBody {
    /// Local time by the rule; identifies the occurrence in its series.
    original_local: String,
    /// When it starts.
    #[schema(value_type = String, format = DateTime)]
    starts_at: Timestamp,
    /// When it ends.
    #[schema(value_type = String, format = DateTime)]
    ends_at: Timestamp,
    /// `moved_by_gap` (its local time is skipped), `earlier` or `later` (it occurs twice); null: its
    /// local time occurs once.
    mark: Option<&'static str>,
    /// Whether the clocks have changed since the occurrence before.
    has_other_offset: bool,
    /// Months (`2027-02`) and days that the rule leaves out before it.
    omitted: Vec<String>,
}

/// The series of a meeting.
#[derive(Debug, Serialize, ToSchema)]
pub struct MeetingSeriesBody {
    /// Id of the series.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// When it repeats.
    #[schema(value_type = RecurrenceBody)]
    rule: RuleFields,
    /// IANA time zone of the rule.
    zone: String,
    /// Local time from which on the rule applies.
    starts_local: String,
    /// Its meetings from a day ago on, by start; at most 60.
    meetings: Vec<OccurrenceRefBody>,
    /// Occurrences from a day ago on that were not booked, by start.
    skipped: Vec<OccurrenceConflictBody>,
    /// Number of stored meetings that a change of this and the following ones reaches.
    following_count: usize,
    /// Number of stored meetings that a change of all reaches.
    all_count: usize,
    /// Number of those that were moved one by one.
    moved_count: usize,
}

/// A meeting of a series.
#[derive(Debug, Serialize, ToSchema)]
pub struct OccurrenceRefBody {
    /// Id of the meeting.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// When it starts.
    #[schema(value_type = String, format = DateTime)]
    starts_at: Timestamp,
    /// When it ends.
    #[schema(value_type = String, format = DateTime)]
    ends_at: Timestamp,
    /// State of the meeting.
    state: &'static str,
}

impl From<Meeting> for MeetingResultBody {
    fn from(meeting: Meeting) -> Self {
        Self { meeting: meeting.into(), series: None }
    }
}

impl From<BookedSeries> for MeetingResultBody {
    fn from(booked: BookedSeries) -> Self {
        let skipped = booked.skipped.into_iter().map(OccurrenceConflictBody::from).collect();
        let series = SeriesResultBody { booked: booked.booked, skipped, ..SeriesResultBody::default() };
        Self { meeting: booked.meeting.into(), series: Some(series) }
    }
}

impl From<ChangedSeries> for MeetingResultBody {
    fn from(changed: ChangedSeries) -> Self {
        let ChangedSeries { meeting, changed, cancelled, added, kept_moved } = changed;
        let series = SeriesResultBody { booked: added, changed, cancelled, kept_moved, skipped: Vec::new() };
        Self { meeting: meeting.into(), series: Some(series) }
    }
}

impl From<PlannedOccurrence> for PlannedOccurrenceBody {
    fn from(one: PlannedOccurrence) -> Self {
        let PlannedOccurrence { original_local, starts, ends, mark, has_other_offset, omitted } = one;
        let mark = mark.map(|mark| mark.as_str());
        Self { original_local, starts_at: starts.at, ends_at: ends.at, mark, has_other_offset, omitted }
    }
}

impl From<SeriesDryRun> for SeriesDryRunBody {
    fn from(run: SeriesDryRun) -> Self {
        Self {
            next: run.next.into_iter().map(PlannedOccurrenceBody::from).collect(),
            count: run.count,
            booked_at_once: run.booked_at_once,
            conflicts: ConflictBody::of_occurrences(&run.conflicts),
            occurrences: run.conflicts.into_iter().map(OccurrenceConflictBody::from).collect(),
        }
    }
}

impl From<OccurrenceRef> for OccurrenceRefBody {
    fn from(one: OccurrenceRef) -> Self {
        Self { id: one.id.0, starts_at: one.starts.at, ends_at: one.ends.at, state: one.state.as_str() }
    }
}

impl From<MeetingSeries> for MeetingSeriesBody {
    fn from(series: MeetingSeries) -> Self {
        Self {
            id: series.id,
            rule: series.rule,
            zone: series.zone,
            starts_local: series.starts_local,
            meetings: series.occurrences.into_iter().map(OccurrenceRefBody::from).collect(),
            skipped: series.skipped.into_iter().map(OccurrenceConflictBody::from).collect(),
            following_count: series.following,
            all_count: series.all,
            moved_count: series.moved,
        }
    }
}

impl NewMeetingBody {
    /// Takes out how it repeats: the rule, and what happens to occurrences that are not possible.
    pub fn take_series(&mut self) -> Result<Option<(RuleFields, OnConflict)>, DomainError> {
        let choice = self.conflicts.take();
        let choice = choice.map(|text| word("conflicts", &text, OnConflict::NAMES)).transpose()?;
        let rule = self.series.take().map(|series| RuleFields::from(series.rule));
        Ok(rule.map(|rule| (rule, choice.unwrap_or(OnConflict::Refuse))))
    }
}

/// Returns how far a change reaches; `None`: only this meeting.
pub fn reach(
    reach: Option<&str>,
    moved: Option<&str>,
) -> Result<Option<(Reach, MovedOccurrences)>, DomainError> {
    let reach = reach.map(|text| word("reach", text, Reach::NAMES)).transpose()?;
    let moved = moved.map(|text| word("moved", text, MovedOccurrences::NAMES)).transpose()?;
    let moved = moved.unwrap_or(MovedOccurrences::Keep);
    Ok(reach.filter(|reach| *reach != Reach::This).map(|reach| (reach, moved)))
}

/// Returns the change of several meetings.
pub fn series_edit((reach, moved): (Reach, MovedOccurrences), change: SeriesChange) -> SeriesEdit {
    SeriesEdit { reach, moved, change }
}

/// Says what booking a series would do, with every conflict. Books nothing. The body is that of a new
/// meeting, with `series`.
#[utoipa::path(post, path = "/meetings/series/dry-run", tag = "meetings", request_body = NewMeetingBody, responses(
    (status = 200, description = "What would be booked, and what is in the way", body = SeriesDryRunBody),
    (status = 403, description = "The room may be booked by other roles only", body = ErrorBody),
    (status = 422, description = "A field is invalid; `error.field` names it, e.g. `rule.until`", body = ErrorBody)))]
pub async fn dry_run(
    State(web): State<Web>,
    AuthJson(actor, mut new): AuthJson<NewMeetingBody>,
) -> Result<Json<SeriesDryRunBody>, ApiError> {
    let (rule, on_conflict) = new.take_series()?.ok_or_else(|| super::required("series"))?;
    let new = NewMeetingSeries { meeting: new.try_into()?, rule, on_conflict };
    Ok(Json(web.services.meetings.dry_run_series(&actor, new).await?.into()))
}

/// Returns the series of a meeting: its rule, its other meetings, and occurrences that were not
/// booked.
#[utoipa::path(get, path = "/meetings/{id}/series", tag = "meetings",
    params(("id" = String, Path, description = "Id of the meeting")), responses(
    (status = 200, description = "The series", body = MeetingSeriesBody),
    (status = 404, description = "No such meeting, or it does not repeat", body = ErrorBody)))]
pub async fn find_series(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(meeting): Path<String>,
) -> Result<Json<MeetingSeriesBody>, ApiError> {
    let found = web.services.meetings.series(&actor, id(&meeting, "meeting")?).await?;
    Ok(Json(found.ok_or_else(|| DomainError::no_such("series"))?.into()))
}
