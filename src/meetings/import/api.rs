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
};
use app::{meetings::texts::import::problem_sentence, texts::Language};
use axum::{
    Json,
    extract::{Request, State},
};
use domain::{
    DomainError, Timestamp,
    error::ValidationError,
    meetings::{ImportAttendees, ImportItem, ImportOutcome, ImportReport, MeetingImport, OnProblem},
};
use serde::{Deserialize, Serialize};
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
    /// Number of events that were imported before.
    known: usize,
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
    /// `new`, `known` or `refused`.
    outcome: &'static str,
    /// Id of its meeting, of a series the first one; null: it is not new.
    #[schema(value_type = Option<String>, format = Uuid)]
    meeting_id: Option<Uuid>,
    /// When it starts; null: it is not new.
    #[schema(value_type = Option<String>, format = DateTime)]
    starts_at: Option<Timestamp>,
    /// When it ends.
    #[schema(value_type = Option<String>, format = DateTime)]
    ends_at: Option<Timestamp>,
    /// Name of its room; empty: it has none.
    room: String,
    /// Number of meetings that are booked at once; more than 1: it repeats.
    count: usize,
    /// Number of attendees who are invited to each.
    attendees: usize,
    /// Why it is refused: `all_day`, `no_start`, `no_end`, `no_uid`, `duplicate`, `cancelled`, `past`,
    /// `unknown_zone`, `bad_attendee`, `room_taken` or `invalid`; null: it is not.
    problem: Option<&'static str>,
    /// The same as a sentence.
    message: Option<String>,
}

/// Imports a calendar file (RFC 5545) as meetings: at most 10 MiB and 5,000 events, in one transaction. An
/// event is known by its UID: importing a file again changes nothing. Alarms are left out, and attendees unless they are to be invited: at
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
    };
    Ok(Json(web.services.meetings.import(&actor, file).await?.into()))
}

/// The text of a file.
pub fn text_of(bytes: Vec<u8>) -> Result<String, DomainError> {
    String::from_utf8(bytes).map_err(|_| {
        let why = "is not UTF-8 text".to_owned();
        DomainError::invalid("file", ValidationError::Unreadable { why })
    })
}

impl From<ImportReport> for MeetingImportBody {
    fn from(report: ImportReport) -> Self {
        let (new, known, refused) = report.counts();
        let items = report.items.into_iter().map(MeetingImportItemBody::from).collect();
        Self { is_written: report.is_written, new, known, refused, items }
    }
}

impl From<ImportItem> for MeetingImportItemBody {
    fn from(item: ImportItem) -> Self {
        let (outcome, meeting_id, problem) = match &item.outcome {
            ImportOutcome::New(id) => ("new", Some(id.0), None),
            ImportOutcome::Known => ("known", None, None),
            ImportOutcome::Refused(problem) => ("refused", None, Some(problem)),
        };
        Self {
            line: item.line,
            outcome,
            meeting_id,
            starts_at: item.starts.map(|at| at.at),
            ends_at: item.ends.map(|at| at.at),
            room: item.room,
            count: item.count,
            attendees: item.attendees,
            problem: problem.map(|problem| problem.code()),
            message: problem.map(|problem| problem_sentence(Language::En, problem)),
            title: item.title,
        }
    }
}
