//! `POST /meetings/import`.

use crate::{
    http::{
        Web,
        api::{
            ApiError, ErrorBody,
            extract::{AuthQuery, word},
        },
    },
    media::api::read_whole,
    meetings::api::room_id,
    text::ical::read,
};
use axum::{
    Json,
    extract::{Request, State},
};
use domain::{
    DomainError, Timestamp,
    error::ValidationError,
    meetings::{
        ImportAttendees, ImportCounts, ImportItem, ImportOutcome, ImportReport, MeetingImport, OnKnown,
        OnProblem,
    },
};
use serde::{Deserialize, Serialize};
use texts::{Language, meeting_import::problem_sentence};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// Path of the route below the API.
pub const PATH: &str = "/api/v1/meetings/import";

/// How a calendar file is imported.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ImportQuery {
    /// Whether the file is only checked; `true` if absent.
    dry_run: Option<bool>,
    /// If an event cannot become a meeting: `refuse` the file (if absent) or `skip` the event.
    on_problem: Option<String>,
    /// `none` (if absent): attendees are left out, or `invite`: they are invited by mail.
    attendees: Option<String>,
    /// If the file has a newer version of an event that was imported before: `update` its meetings (if
    /// absent), which also cancels what is cancelled, or `keep` them.
    on_known: Option<String>,
    /// Id of the room of all events; if absent, each has the room whose name is its location.
    room_id: Option<String>,
}

/// What becomes of the events of a calendar file.
#[derive(Debug, Serialize, ToSchema)]
pub struct MeetingImportBody {
    /// Whether the new ones were written.
    is_written: bool,
    /// Number of events that become meetings.
    new: usize,
    /// Number of events that were imported before, or change nothing by themselves.
    known: usize,
    /// Number of events that change meetings that were imported before.
    update: usize,
    /// Number of events that cancel meetings that were imported before.
    cancel: usize,
    /// Number of events that cannot become meetings.
    refused: usize,
    /// The events, by line.
    items: Vec<MeetingImportItemBody>,
}

/// An event of a calendar file.
#[derive(Debug, Serialize, ToSchema)]
pub struct MeetingImportItemBody {
    /// Number of its first line, from 1.
    line: usize,
    /// Title.
    title: String,
    /// `new`, `known`, `update`, `cancel`, `older` (than what was imported before), `merged` (it only changes a
    /// series of the file) or `refused`.
    outcome: &'static str,
    /// Id of its meeting, of a series the first one that is still to come; null: nothing changes.
    #[schema(value_type = Option<String>, format = Uuid)]
    meeting_id: Option<Uuid>,
    /// When it starts; null: nothing changes.
    #[schema(value_type = Option<String>, format = DateTime)]
    starts_at: Option<Timestamp>,
    /// When it ends.
    #[schema(value_type = Option<String>, format = DateTime)]
    ends_at: Option<Timestamp>,
    /// Name of its room; empty: it has none.
    room: String,
    /// Number of meetings that are booked, changed or cancelled at once; more than 1: it repeats.
    count: usize,
    /// When it starts before the update; null: it is new, or stays at its time.
    #[schema(value_type = Option<String>, format = DateTime)]
    was_starts_at: Option<Timestamp>,
    /// IANA time zone in which it is planned; empty: nothing changes.
    zone: String,
    /// Whether times of a series that have passed are left out.
    is_running: bool,
    /// Last date of a series that goes further ahead than allowed, `YYYY-MM-DD`; null: it does not.
    shortened_to: Option<String>,
    /// Number of attendees who are invited to each.
    attendees: usize,
    /// Why it is refused: `all_day`, `no_start`, `no_end`, `no_uid`, `duplicate`, `cancelled`, `past`,
    /// `unknown_zone`, `zone_differs`, `method`, `no_series`, `changed_here`, `bad_attendee`, `room_taken` or
    /// `invalid`; null: it is not.
    problem: Option<&'static str>,
    /// The same as a sentence.
    message: Option<String>,
}

/// Imports a calendar file (RFC 5545) as meetings: at most 10 MiB and 5,000 events, in one transaction. An
/// event is known by its UID: importing a file again changes nothing, a newer version of an event updates its
/// meetings, and a cancelled one (`STATUS` or `METHOD:CANCEL`) cancels them. Other methods (`REPLY`, `COUNTER`,
/// `REFRESH`) are refused. A series becomes one from now on, at most 18 months ahead. Alarms are left out, and attendees unless they are to be invited: at
/// most 200 to an event, and 5,000 invitations. An organizer who is not the caller is named in the description.
#[utoipa::path(post, path = "/meetings/import", tag = "meetings", params(ImportQuery),
    request_body(content = String, content_type = "text/calendar"), responses(
    (status = 200, description = "What becomes of each event", body = MeetingImportBody),
    (status = 413, description = "Larger than 10 MiB", body = ErrorBody),
    (status = 422, description = "The file cannot be read, or a parameter is invalid", body = ErrorBody),
    (status = 429, description = "An address outside the desk would get more mails within an hour than it may", body = ErrorBody)))]
pub async fn import(
    State(web): State<Web>,
    AuthQuery(actor, query): AuthQuery<ImportQuery>,
    request: Request,
) -> Result<Json<MeetingImportBody>, ApiError> {
    let bytes = read_whole(request.into_body()).await?;
    let file = MeetingImport {
        text: text_of(bytes.into())?,
        room_id: query.room_id.as_deref().map(room_id).transpose()?,
        is_dry_run: query.dry_run.unwrap_or(true),
        on_problem: match query.on_problem {
            Some(on) => word("on_problem", &on, OnProblem::NAMES)?,
            None => OnProblem::Refuse,
        },
        attendees: match query.attendees {
            Some(attendees) => word("attendees", &attendees, ImportAttendees::NAMES)?,
            None => ImportAttendees::Ignore,
        },
        on_known: match query.on_known {
            Some(on) => word("on_known", &on, OnKnown::NAMES)?,
            None => OnKnown::Update,
        },
    };
    Ok(Json(web.services.meetings.import(&actor, file).await?.into()))
}

/// The text of a file.
pub fn text_of(bytes: Vec<u8>) -> Result<String, DomainError> {
    read::text_of(bytes).ok_or_else(|| {
        let why = "is not UTF-8 text".to_owned();
        DomainError::invalid("file", ValidationError::Unreadable { why })
    })
}

impl From<ImportReport> for MeetingImportBody {
    fn from(report: ImportReport) -> Self {
        let ImportCounts { new, known, update, cancel, refused } = report.counts();
        let items = report.items.into_iter().map(MeetingImportItemBody::from).collect();
        Self { is_written: report.is_written, new, known, update, cancel, refused, items }
    }
}

impl From<ImportItem> for MeetingImportItemBody {
    fn from(item: ImportItem) -> Self {
        let (outcome, meeting_id, problem) = match &item.outcome {
            ImportOutcome::New(id) => ("new", Some(id.0), None),
            ImportOutcome::Known => ("known", None, None),
            ImportOutcome::Update(id) => ("update", Some(id.0), None),
            ImportOutcome::Cancel(id) => ("cancel", Some(id.0), None),
            ImportOutcome::Older => ("older", None, None),
            ImportOutcome::Merged => ("merged", None, None),
            ImportOutcome::Refused(problem) => ("refused", None, Some(problem)),
        };
        Self {
            line: item.line,
            outcome,
            meeting_id,
            starts_at: item.starts.map(|at| at.at),
            ends_at: item.ends.map(|at| at.at),
            was_starts_at: item.was.map(|at| at.at),
            zone: item.zone,
            is_running: item.is_running,
            shortened_to: item.shortened_to,
            room: item.room,
            count: item.count,
            attendees: item.attendees,
            problem: problem.map(|problem| problem.code()),
            message: problem.map(|problem| problem_sentence(Language::En, problem)),
            title: item.title,
        }
    }
}
