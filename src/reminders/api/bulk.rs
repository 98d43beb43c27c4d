//! `/reminders/bulk-change`: one change of many reminders.

use crate::{
    http::{
        Web,
        api::{
            ApiError, ErrorBody,
            extract::{AuthJson, word},
            numbers::optional_integer,
        },
    },
    tasks::api::bulk_change::BulkOutcomeBody,
};
use axum::{Json, extract::State};
use domain::{
    DomainError, ReminderId,
    error::ValidationError,
    reminders::{ReminderQuery, ReminderSelection, ReminderState, ReminderView, RemindersChange},
};
use serde::Deserialize;
use utoipa::ToSchema;

/// Reminders, `ids` or a `filter`, and a change of them.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RemindersChangeBody {
    /// Ids of 1 to 1,000 reminders.
    ids: Option<Vec<String>>,
    /// All reminders that the caller created or gets and that match; at most 1,000.
    filter: Option<RemindersFilter>,
    /// The change.
    change: RemindersChangeFields,
    /// Whether nothing is changed; the response says what would be.
    #[serde(default)]
    dry_run: bool,
}

/// Which reminders.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RemindersFilter {
    /// `today`, `coming` or `done`; all if absent.
    view: Option<String>,
    /// Only reminders in this state.
    state: Option<String>,
    /// Only reminders that contain this text.
    #[schema(max_length = 200)]
    q: Option<String>,
}

/// A change.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RemindersChangeFields {
    /// `shift` (by `days` and `minutes`), `done` or `cancel`.
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
}

fn unreadable(field: &str, why: &str) -> DomainError {
    DomainError::invalid(field, ValidationError::Sentence { why: why.to_owned() })
}

impl TryFrom<RemindersChangeFields> for RemindersChange {
    type Error = DomainError;
    fn try_from(fields: RemindersChangeFields) -> Result<Self, DomainError> {
        let RemindersChangeFields { what, days, minutes } = fields;
        if what != "shift" && (days.is_some() || minutes.is_some()) {
            return Err(unreadable("days", "days and minutes belong to shift"));
        }
        Ok(match what.as_str() {
            "shift" => Self::Shift { days: days.unwrap_or_default(), minutes: minutes.unwrap_or_default() },
            "done" => Self::Done,
            "cancel" => Self::Cancel,
            _ => {
                let words = Self::WORDS.join(", ");
                return Err(DomainError::invalid("type", ValidationError::NotOneOf { words }));
            }
        })
    }
}

fn selection(
    ids: Option<Vec<String>>,
    filter: Option<RemindersFilter>,
) -> Result<ReminderSelection, DomainError> {
    match (ids, filter) {
        (Some(ids), None) => {
            let read = |text: &String| {
                text.parse::<ReminderId>().map_err(|_| unreadable("ids", "ids must be the ids of reminders"))
            };
            Ok(ReminderSelection::Reminders(ids.iter().map(read).collect::<Result<_, _>>()?))
        }
        (None, Some(RemindersFilter { view, state, q })) => {
            Ok(ReminderSelection::Matching(Box::new(ReminderQuery {
                view: view.map(|view| word("view", &view, ReminderView::NAMES)).transpose()?,
                state: state.map(|state| word("state", &state, ReminderState::NAMES)).transpose()?,
                q,
                ..ReminderQuery::default()
            })))
        }
        _ => Err(unreadable("ids", "send either ids or filter")),
    }
}

/// Changes up to 1,000 reminders, each that can be changed; the response lists the others.
#[utoipa::path(post, path = "/reminders/bulk-change", tag = "reminders", request_body = RemindersChangeBody, responses(
    (status = 200, description = "What was changed, or would be", body = BulkOutcomeBody),
    (status = 409, description = "The first request with this Idempotency-Key has not ended", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn change_many(
    State(web): State<Web>,
    AuthJson(actor, body): AuthJson<RemindersChangeBody>,
) -> Result<Json<BulkOutcomeBody>, ApiError> {
    let selection = selection(body.ids, body.filter)?;
    let wanted = body.change.try_into()?;
    Ok(Json(web.services.reminders.change_many(&actor, selection, wanted, body.dry_run).await?.into()))
}
