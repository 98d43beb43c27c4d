//! `/meetings/bulk-change`: one change of several meetings.

use super::room_id;
use crate::{
    http::{
        Web,
        api::{
            ApiError, ErrorBody,
            extract::{AuthJson, instant, word},
            numbers::optional_integer,
        },
    },
    tasks::api::bulk_change::BulkOutcomeBody,
};
use axum::{Json, extract::State};
use domain::{
    DomainError, MeetingId,
    error::ValidationError,
    meetings::{MeetingQuery, MeetingScope, MeetingSelection, MeetingState, MeetingsChange},
};
use serde::Deserialize;
use utoipa::ToSchema;

/// Meetings, `ids` or a `filter`, and a change of them.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MeetingsChangeBody {
    /// Ids of 1 to 200 meetings.
    ids: Option<Vec<String>>,
    /// All meetings that match; at most 200.
    filter: Option<MeetingsFilter>,
    /// The change.
    change: MeetingsChangeFields,
    /// Whether nothing is changed; the response says what would be.
    #[serde(default)]
    dry_run: bool,
}

/// Which meetings.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MeetingsFilter {
    /// Only meetings that end after this instant, RFC 3339.
    from: Option<String>,
    /// Only meetings that start before this instant, RFC 3339.
    to: Option<String>,
    /// Only meetings in this room.
    room_id: Option<String>,
    /// Only meetings in this state.
    state: Option<String>,
    /// `all` (if absent), `mine` (that the caller organizes or attends) or `to_approve`.
    scope: Option<String>,
    /// Only meetings whose title contains this text.
    #[schema(max_length = 200)]
    q: Option<String>,
}

/// A change.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MeetingsChangeFields {
    /// `shift` (by `days` and `minutes`), `cancel`, `approve` or `reject` (`reason`). Of a series, only the
    /// selected meetings are changed.
    #[serde(rename = "type")]
    what: String,
    /// `shift`: days, which keep the wall-clock time; negative: earlier.
    #[serde(default, deserialize_with = "optional_integer")]
    #[schema(minimum = -3660, maximum = 3660)]
    days: Option<i32>,
    /// `shift`: minutes; negative: earlier.
    #[serde(default, deserialize_with = "optional_integer")]
    #[schema(minimum = -527_040, maximum = 527_040)]
    minutes: Option<i32>,
    /// `cancel`, `reject`: why.
    #[schema(max_length = 500)]
    reason: Option<String>,
}

fn unreadable(field: &str, why: &str) -> DomainError {
    DomainError::invalid(field, ValidationError::Sentence { why: why.to_owned() })
}

impl TryFrom<MeetingsChangeFields> for MeetingsChange {
    type Error = DomainError;
    fn try_from(fields: MeetingsChangeFields) -> Result<Self, DomainError> {
        let MeetingsChangeFields { what, days, minutes, reason } = fields;
        if what != "shift" && (days.is_some() || minutes.is_some()) {
            return Err(unreadable("days", "days and minutes belong to shift"));
        }
        if !matches!(what.as_str(), "cancel" | "reject") && reason.is_some() {
            return Err(unreadable("reason", "reason belongs to cancel and reject"));
        }
        let reason = reason.unwrap_or_default();
        Ok(match what.as_str() {
            "shift" => Self::Shift { days: days.unwrap_or_default(), minutes: minutes.unwrap_or_default() },
            "cancel" => Self::Cancel { reason },
            "approve" => Self::Approve,
            "reject" => Self::Reject { reason },
            _ => {
                let words = Self::WORDS.join(", ");
                return Err(DomainError::invalid("type", ValidationError::NotOneOf { words }));
            }
        })
    }
}

impl TryFrom<MeetingsFilter> for MeetingQuery {
    type Error = DomainError;
    fn try_from(filter: MeetingsFilter) -> Result<Self, DomainError> {
        Ok(Self {
            scope: filter.scope.map(|scope| word("scope", &scope, MeetingScope::NAMES)).transpose()?,
            from: filter.from.map(|from| instant("from", &from)).transpose()?,
            to: filter.to.map(|to| instant("to", &to)).transpose()?,
            room_id: filter.room_id.as_deref().map(room_id).transpose()?,
            state: filter.state.map(|state| word("state", &state, MeetingState::NAMES)).transpose()?,
            q: filter.q,
            ..Self::default()
        })
    }
}

fn selection(
    ids: Option<Vec<String>>,
    filter: Option<MeetingsFilter>,
) -> Result<MeetingSelection, DomainError> {
    match (ids, filter) {
        (Some(ids), None) => {
            let read = |text: &String| {
                text.parse::<MeetingId>().map_err(|_| unreadable("ids", "ids must be the ids of meetings"))
            };
            Ok(MeetingSelection::Meetings(ids.iter().map(read).collect::<Result<_, _>>()?))
        }
        (None, Some(filter)) => Ok(MeetingSelection::Matching(Box::new(filter.try_into()?))),
        _ => Err(unreadable("ids", "send either ids or filter")),
    }
}

/// Changes up to 200 meetings, each that can be changed; the response lists the others. Meetings that move
/// together may take the times that others of them leave.
#[utoipa::path(post, path = "/meetings/bulk-change", tag = "meetings", request_body = MeetingsChangeBody, responses(
    (status = 200, description = "What was changed, or would be", body = BulkOutcomeBody),
    (status = 409, description = "The first request with this Idempotency-Key has not ended", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn change_many(
    State(web): State<Web>,
    AuthJson(actor, body): AuthJson<MeetingsChangeBody>,
) -> Result<Json<BulkOutcomeBody>, ApiError> {
    let selection = selection(body.ids, body.filter)?;
    let wanted = body.change.try_into()?;
    Ok(Json(web.services.meetings.change_many(&actor, selection, wanted, body.dry_run).await?.into()))
}
