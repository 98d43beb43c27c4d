//! `/tasks/bulk-change` and `/batches/{id}/undo`: one change of many tasks.

use crate::{
    http::{
        Web,
        api::{
            ApiError, ErrorBody,
            error::ErrorDetail,
            extract::{AuthJson, AuthKey, id, instant, word},
            numbers::optional_integer,
        },
    },
    kinds::words,
};
use axum::{
    Json,
    extract::{Path, State},
};
use domain::{
    DomainError, State as TaskState, TaskId, Timestamp,
    bulk_change::{BulkChange, BulkItem, BulkMove, BulkOutcome, BulkRefusal, BulkSelection},
    error::ValidationError,
    task::TaskQuery,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// Tasks, `ids` or a `filter`, and a change of them.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BulkChangeBody {
    /// Ids of 1 to 10,000 tasks.
    ids: Option<Vec<String>>,
    /// All tasks that match; at most 10,000.
    filter: Option<BulkFilter>,
    /// The change.
    change: BulkChangeFields,
    /// Whether nothing is changed; the response says what would be.
    #[serde(default)]
    dry_run: bool,
}

/// Which tasks.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BulkFilter {
    /// Only tasks in this state.
    state: Option<String>,
    /// Only tasks of this kind.
    kind: Option<String>,
    /// Only tasks due at or after this instant, RFC 3339.
    from: Option<String>,
    /// Only tasks due before this instant, RFC 3339.
    to: Option<String>,
    /// Only tasks of articles whose title or slug contains these words; at most 200 characters.
    #[schema(max_length = 200)]
    q: Option<String>,
}

/// A change.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BulkChangeFields {
    /// `shift` (by `days` and `minutes`), `move_to_day` (`day`), `to_slots`, `cancel`, `retry` or
    /// `run_now`.
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
    /// `move_to_day`: the day, `YYYY-MM-DD`, in the time zone of each task.
    day: Option<String>,
}

/// What was changed, or would be.
#[derive(Debug, Serialize, ToSchema)]
pub struct BulkOutcomeBody {
    /// Undoes it within 7 days: `POST /batches/{id}/undo`; null: nothing was changed.
    #[schema(value_type = Option<String>, format = Uuid)]
    batch_id: Option<Uuid>,
    /// IANA name of the desk's time zone that the change or its undo set; absent: the zone stayed.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_zone: Option<String>,
    /// Number of tasks, meetings or reminders that it was about.
    matched: u64,
    /// Number of those that were changed, or would be.
    changed: u64,
    /// Dry run: number of moved tasks that share their new moment with another task.
    conflicts: u64,
    /// Dry run: who moves where, by the new time; at most 100.
    moves: Vec<BulkMoveBody>,
    /// Dry run: who would be changed without being moved; at most 100.
    items: Vec<BulkItemBody>,
    /// Who stays as it is, and why.
    refused: Vec<BulkRefusalBody>,
}

/// What would be changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct BulkItemBody {
    /// Id.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// Title.
    title: String,
    /// When it is due, or starts; null: an article.
    #[schema(value_type = Option<String>, format = DateTime)]
    at: Option<Timestamp>,
}

impl From<BulkItem> for BulkItemBody {
    fn from(one: BulkItem) -> Self {
        Self { id: one.id.0, title: one.title, at: one.at.map(|at| at.at) }
    }
}

/// Who would be moved.
#[derive(Debug, Serialize, ToSchema)]
pub struct BulkMoveBody {
    /// Id.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// Its title.
    title: String,
    /// When it is due, or starts, now.
    #[schema(value_type = String, format = DateTime)]
    from: Timestamp,
    /// When it would be due, or start.
    #[schema(value_type = String, format = DateTime)]
    to: Timestamp,
    /// Whether another task is due at that moment.
    is_conflict: bool,
}

/// Who is not changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct BulkRefusalBody {
    /// Id.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// Stable code for programs.
    code: String,
    /// Message for people.
    message: String,
}

impl From<BulkMove> for BulkMoveBody {
    fn from(one: BulkMove) -> Self {
        Self {
            id: one.id.0,
            title: one.title,
            from: one.from.at,
            to: one.to.at,
            is_conflict: one.is_conflict,
        }
    }
}

impl From<BulkRefusal> for BulkRefusalBody {
    fn from(one: BulkRefusal) -> Self {
        let ErrorDetail { code, message, .. } = ErrorDetail::of(&one.why);
        Self { id: one.id.0, code, message }
    }
}

impl From<BulkOutcome> for BulkOutcomeBody {
    fn from(outcome: BulkOutcome) -> Self {
        Self {
            batch_id: outcome.batch.map(|batch| batch.0),
            time_zone: outcome.time_zone,
            matched: outcome.matched,
            changed: outcome.changed,
            conflicts: outcome.conflicts,
            moves: outcome.moves.into_iter().map(BulkMoveBody::from).collect(),
            items: outcome.items.into_iter().map(BulkItemBody::from).collect(),
            refused: outcome.refused.into_iter().map(BulkRefusalBody::from).collect(),
        }
    }
}

fn unreadable(field: &str, why: &str) -> DomainError {
    DomainError::invalid(field, ValidationError::Sentence { why: why.to_owned() })
}

impl TryFrom<BulkChangeFields> for BulkChange {
    type Error = DomainError;
    fn try_from(fields: BulkChangeFields) -> Result<Self, DomainError> {
        let BulkChangeFields { what, days, minutes, day } = fields;
        if what != "shift" && (days.is_some() || minutes.is_some()) {
            return Err(unreadable("days", "days and minutes belong to shift"));
        }
        if what != "move_to_day" && day.is_some() {
            return Err(unreadable("day", "day belongs to move_to_day"));
        }
        Ok(match what.as_str() {
            "shift" => Self::Shift { days: days.unwrap_or_default(), minutes: minutes.unwrap_or_default() },
            "move_to_day" => Self::MoveToDay { day: day.unwrap_or_default() },
            "to_slots" => Self::ToSlots,
            "cancel" => Self::Cancel,
            "retry" => Self::Retry,
            "run_now" => Self::RunNow,
            _ => {
                let words = Self::WORDS.join(", ");
                return Err(DomainError::invalid("type", ValidationError::NotOneOf { words }));
            }
        })
    }
}

impl TryFrom<BulkFilter> for TaskQuery {
    type Error = DomainError;
    fn try_from(filter: BulkFilter) -> Result<Self, DomainError> {
        Ok(Self {
            state: filter.state.map(|state| word("state", &state, TaskState::NAMES)).transpose()?,
            kind: filter.kind.map(|kind| word("kind", &kind, &words())).transpose()?,
            from: filter.from.map(|from| instant("from", &from)).transpose()?,
            to: filter.to.map(|to| instant("to", &to)).transpose()?,
            q: filter.q,
            ..Self::default()
        })
    }
}

fn selection(ids: Option<Vec<String>>, filter: Option<BulkFilter>) -> Result<BulkSelection, DomainError> {
    match (ids, filter) {
        (Some(ids), None) => {
            let read = |text: &String| {
                text.parse::<TaskId>().map_err(|_| unreadable("ids", "ids must be the ids of tasks"))
            };
            Ok(BulkSelection::Tasks(ids.iter().map(read).collect::<Result<_, _>>()?))
        }
        (None, Some(filter)) => Ok(BulkSelection::Matching(Box::new(filter.try_into()?))),
        _ => Err(unreadable("ids", "send either ids or filter")),
    }
}

/// Changes up to 10,000 tasks, each that can be changed; the response lists the others. What is due
/// is not delayed.
#[utoipa::path(post, path = "/tasks/bulk-change", tag = "tasks", request_body = BulkChangeBody, responses(
    (status = 200, description = "What was changed, or would be", body = BulkOutcomeBody),
    (status = 409, description = "The first request with this Idempotency-Key has not ended", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn change(
    State(web): State<Web>,
    AuthJson(actor, body): AuthJson<BulkChangeBody>,
) -> Result<Json<BulkOutcomeBody>, ApiError> {
    let selection = selection(body.ids, body.filter)?;
    let wanted = body.change.try_into()?;
    let outcome = web.services.tasks.bulk_change(&actor, selection, wanted, body.dry_run).await?;
    Ok(Json(outcome.into()))
}

/// Undoes a change of many tasks, articles, meetings or reminders, or of the desk's time zone, as far as they
/// were not changed or executed since.
#[utoipa::path(post, path = "/batches/{id}/undo", tag = "tasks",
    params(("id" = String, Path, description = "`batch_id` of the change")), responses(
    (status = 200, description = "What was undone", body = BulkOutcomeBody),
    (status = 403, description = "Another account made the change", body = ErrorBody),
    (status = 404, description = "No such change, or it is older than 7 days", body = ErrorBody),
    (status = 409, description = "It was undone before, the time zone of the desk was changed since, or the first request with this Idempotency-Key has not ended", body = ErrorBody)))]
pub async fn undo(
    State(web): State<Web>,
    AuthKey(actor): AuthKey,
    Path(batch): Path<String>,
) -> Result<Json<BulkOutcomeBody>, ApiError> {
    Ok(Json(web.services.tasks.undo_batch(&actor, id(&batch, "batch")?).await?.into()))
}
