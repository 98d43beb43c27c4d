//! `/reminders` and `/notifications`.

mod body;
pub mod bulk;
pub mod notifications;
mod series;

pub use body::{NewReminderBody, ReminderActionBody, ReminderBody, ReminderEditBody, SnoozeBody};

use crate::http::{
    Web,
    api::{
        ApiError, ErrorBody,
        extract::{Auth, AuthJson, AuthQuery, id, page_size, word},
        numbers::query_limit,
    },
};
use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use domain::{
    Actor, DomainError, Version,
    error::ValidationError,
    input_limits,
    reminders::{ReminderChange, ReminderQuery, ReminderState, ReminderView, SnoozeTime},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

type ReminderResponse = Result<Json<ReminderBody>, ApiError>;

/// A page of reminders.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReminderPage {
    /// By due time.
    items: Vec<ReminderBody>,
    /// Cursor of the next page; null: this is the last page.
    next_cursor: Option<String>,
}

/// Creates a reminder, or a series: with `series`, or with words that repeat.
#[utoipa::path(post, path = "/reminders", tag = "reminders", request_body = NewReminderBody, responses(
    (status = 201, description = "The reminder", body = ReminderBody),
    (status = 403, description = "Only admins may choose a channel or, unless the setting allows more, an address outside the desk", body = ErrorBody),
    (status = 404, description = "The article or meeting does not exist", body = ErrorBody),
    (status = 422, description = "A field is invalid; `choices` if a local time occurs twice or does not exist", body = ErrorBody),
    (status = 429, description = "An address outside the desk would get more mails within an hour than it may", body = ErrorBody)))]
pub async fn create(
    State(web): State<Web>,
    AuthJson(actor, new): AuthJson<NewReminderBody>,
) -> Result<(StatusCode, Json<ReminderBody>), ApiError> {
    let reminder = web.services.reminders.create(&actor, new.try_into()?).await?;
    Ok((StatusCode::CREATED, Json(reminder.into())))
}

/// Filter of the list of reminders.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct RemindersQuery {
    /// `today` (also those that were sent and are not done), `coming` or `done` (latest first); all
    /// if absent.
    view: Option<String>,
    /// Only reminders in this state.
    state: Option<String>,
    /// Only reminders that contain this text: in their own, in the name of the recipient, or in the title of
    /// what they are about; at most 200 characters.
    q: Option<String>,
    /// `next_cursor` of the previous page.
    cursor: Option<String>,
    /// Number of items on the page, at most 200.
    #[serde(default, deserialize_with = "query_limit")]
    limit: Option<u64>,
}

/// Lists the reminders that the caller created or that are for the caller, by due time.
#[utoipa::path(get, path = "/reminders", tag = "reminders", params(RemindersQuery), responses(
    (status = 200, description = "A page of reminders", body = ReminderPage),
    (status = 422, description = "A filter is invalid", body = ErrorBody)))]
pub async fn list(
    State(web): State<Web>,
    AuthQuery(actor, query): AuthQuery<RemindersQuery>,
) -> Result<Json<ReminderPage>, ApiError> {
    let query = ReminderQuery {
        view: query.view.map(|view| word("view", &view, ReminderView::NAMES)).transpose()?,
        state: query.state.map(|state| word("state", &state, ReminderState::NAMES)).transpose()?,
        q: query.q,
        cursor: query.cursor,
        limit: Some(page_size(query.limit, input_limits::MAX_PAGE_ITEMS)),
        ..ReminderQuery::default()
    };
    let page = web.services.reminders.list(&actor, query).await?.map(ReminderBody::from);
    Ok(Json(ReminderPage { items: page.items, next_cursor: page.next_cursor }))
}

/// Returns a reminder.
#[utoipa::path(get, path = "/reminders/{id}", tag = "reminders",
    params(("id" = String, Path, description = "Id of the reminder")), responses(
    (status = 200, description = "The reminder", body = ReminderBody),
    (status = 404, description = "No such reminder, or it is another user's", body = ErrorBody)))]
pub async fn find(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(reminder): Path<String>,
) -> ReminderResponse {
    Ok(Json(web.services.reminders.find(&actor, id(&reminder, "reminder")?).await?.into()))
}

async fn change(
    web: &Web,
    actor: &Actor,
    reminder: &str,
    change: ReminderChange,
    seen: Option<i32>,
) -> ReminderResponse {
    let id = id(reminder, "reminder")?;
    Ok(Json(web.services.reminders.change(actor, id, change, seen.map(Version)).await?.into()))
}

/// Changes text, time or recipient of a reminder. With a new time it is sent (again) then. With `reach`, also
/// the following ones of its series.
#[utoipa::path(patch, path = "/reminders/{id}", tag = "reminders", request_body = ReminderEditBody,
    params(("id" = String, Path, description = "Id of the reminder")), responses(
    (status = 200, description = "The reminder", body = ReminderBody),
    (status = 403, description = "It was created by another account", body = ErrorBody),
    (status = 404, description = "No such reminder, or it is another user's", body = ErrorBody),
    (status = 409, description = "Changed in the meantime", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody),
    (status = 429, description = "An address outside the desk would get more mails within an hour than it may", body = ErrorBody)))]
pub async fn edit(
    State(web): State<Web>,
    Path(reminder): Path<String>,
    AuthJson(actor, edit): AuthJson<ReminderEditBody>,
) -> ReminderResponse {
    let seen = edit.seen_version;
    change(&web, &actor, &reminder, ReminderChange::Edit(edit.try_into()?), seen).await
}

/// The version that the caller saw.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SeenReminder {
    /// `version` of the reminder that the caller saw; a different current one is a conflict. Absent:
    /// no check.
    seen_version: Option<i32>,
    /// Which occurrences of its series are cancelled: `this` (if absent; the series goes on), `following` or
    /// `all`.
    reach: Option<String>,
}

/// Cancels a reminder; with `reach`, also the following ones of its series. A cancelled reminder stays as it is.
#[utoipa::path(delete, path = "/reminders/{id}", tag = "reminders",
    params(("id" = String, Path, description = "Id of the reminder"), SeenReminder), responses(
    (status = 200, description = "The reminder", body = ReminderBody),
    (status = 403, description = "It was created by another account", body = ErrorBody),
    (status = 404, description = "No such reminder, or it is another user's", body = ErrorBody),
    (status = 409, description = "Changed in the meantime, or sent", body = ErrorBody),
    (status = 422, description = "`reach` is invalid", body = ErrorBody)))]
pub async fn cancel(
    State(web): State<Web>,
    Path(reminder): Path<String>,
    AuthQuery(actor, query): AuthQuery<SeenReminder>,
) -> ReminderResponse {
    let wanted = match series::is_whole_series(query.reach.as_deref())? {
        true => ReminderChange::CancelSeries,
        false => ReminderChange::Cancel,
    };
    change(&web, &actor, &reminder, wanted, query.seen_version).await
}

/// Puts a reminder off: it is sent (again) after this number of minutes.
#[utoipa::path(post, path = "/reminders/{id}/snooze", tag = "reminders", request_body = SnoozeBody,
    params(("id" = String, Path, description = "Id of the reminder")), responses(
    (status = 200, description = "The reminder", body = ReminderBody),
    (status = 404, description = "No such reminder, or it is another user's", body = ErrorBody),
    (status = 409, description = "Changed in the meantime", body = ErrorBody),
    (status = 422, description = "`minutes` is missing or too large", body = ErrorBody),
    (status = 429, description = "An address outside the desk would get more mails within an hour than it may", body = ErrorBody)))]
pub async fn snooze(
    State(web): State<Web>,
    Path(reminder): Path<String>,
    AuthJson(actor, body): AuthJson<SnoozeBody>,
) -> ReminderResponse {
    let minutes = body.minutes.ok_or_else(|| DomainError::invalid("minutes", ValidationError::Empty))?;
    let snooze = ReminderChange::Snooze(SnoozeTime::Minutes(minutes));
    change(&web, &actor, &reminder, snooze, body.seen_version).await
}

/// Marks a reminder as done. If it was not sent yet, it is not sent.
#[utoipa::path(post, path = "/reminders/{id}/done", tag = "reminders", request_body = ReminderActionBody,
    params(("id" = String, Path, description = "Id of the reminder")), responses(
    (status = 200, description = "The reminder", body = ReminderBody),
    (status = 404, description = "No such reminder, or it is another user's", body = ErrorBody),
    (status = 409, description = "Changed in the meantime, or cancelled", body = ErrorBody)))]
pub async fn done(
    State(web): State<Web>,
    Path(reminder): Path<String>,
    AuthJson(actor, body): AuthJson<ReminderActionBody>,
) -> ReminderResponse {
    change(&web, &actor, &reminder, ReminderChange::Done, body.seen_version).await
}

/// Undoes the last change of a reminder, unless the moment it had before has passed.
#[utoipa::path(post, path = "/reminders/{id}/undo", tag = "reminders", request_body = ReminderActionBody,
    params(("id" = String, Path, description = "Id of the reminder")), responses(
    (status = 200, description = "The reminder", body = ReminderBody),
    (status = 403, description = "It was created by another account", body = ErrorBody),
    (status = 404, description = "No such reminder, or it is another user's", body = ErrorBody),
    (status = 409, description = "Changed in the meantime, or it cannot be undone", body = ErrorBody),
    (status = 429, description = "An address outside the desk would get more mails within an hour than it may", body = ErrorBody)))]
pub async fn undo(
    State(web): State<Web>,
    Path(reminder): Path<String>,
    AuthJson(actor, body): AuthJson<ReminderActionBody>,
) -> ReminderResponse {
    change(&web, &actor, &reminder, ReminderChange::Undo, body.seen_version).await
}
