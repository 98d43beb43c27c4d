//! `/rules/{id}/waits` and `/waits/{id}/…`: who waits until when.

use crate::{
    http::{
        Web,
        api::{
            ApiError, ErrorBody,
            extract::{AuthJson, AuthQuery, id, page_size, word},
            numbers::{optional_integer, query_limit},
        },
    },
    tasks::api::when,
};
use axum::{
    Json,
    extract::{Path, State},
};
use domain::{
    Actor, State as TaskState, Timestamp, Version, input_limits,
    wait::{WaitChange, WaitQuery, WaitRow},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// A wait: a subject for which a rule acts at a moment.
#[derive(Debug, Serialize, ToSchema)]
pub struct WaitBody {
    /// Id of the wait.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// Its rule.
    #[schema(value_type = String, format = Uuid)]
    rule_id: Uuid,
    /// Whom or what it is about.
    subject: String,
    /// Part of the subject; empty: the subject as a whole.
    key: String,
    /// `scheduled` (it is open), `executed` (the rule has acted), `cancelled`, `failed` or `missed`.
    state: &'static str,
    /// Incremented by every change; send it back as `seen_version`.
    version: i32,
    /// When the rule acts.
    #[schema(value_type = String, format = DateTime)]
    due_at: Timestamp,
    /// Moment of the newest signal that opened it.
    #[schema(value_type = String, format = DateTime)]
    opened_at: Timestamp,
    /// When the rule acted.
    #[schema(value_type = Option<String>, format = DateTime)]
    executed_at: Option<Timestamp>,
    /// Why it failed, was missed or cancelled; `signal`: see `closed_by`.
    reason: Option<String>,
    /// The signal that closed it.
    closed_by: Option<SignalMoment>,
    /// The first signal that would have closed it and came after the rule had acted. Only in
    /// responses about one wait.
    came_after: Option<SignalMoment>,
    /// Its task.
    #[schema(value_type = String, format = Uuid)]
    task_id: Uuid,
}

/// Name and moment of a signal.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignalMoment {
    /// Its name.
    name: String,
    /// When it happened.
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
}

impl From<WaitRow> for WaitBody {
    fn from(row: WaitRow) -> Self {
        let moment = |(name, at): (String, domain::LocalizedTime)| SignalMoment { name, at: at.at };
        Self {
            id: row.id.0,
            rule_id: row.rule_id.0,
            subject: row.subject,
            key: row.key,
            state: row.state.as_str(),
            version: row.version.0,
            due_at: row.due.at,
            opened_at: row.opened.at,
            executed_at: row.fired.map(|at| at.at),
            reason: row.reason,
            closed_by: row.closed_by.map(moment),
            came_after: row.came_after.map(moment),
            task_id: row.task_id.0,
        }
    }
}

/// A page of waits.
#[derive(Debug, Serialize, ToSchema)]
pub struct WaitPage {
    /// Newest first.
    items: Vec<WaitBody>,
    /// Cursor of the next page; null: this is the last page.
    next_cursor: Option<String>,
}

/// Filter of the waits of a rule.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct WaitsQuery {
    /// Only waits of this subject.
    subject: Option<String>,
    /// Only waits in this state.
    state: Option<String>,
    /// `next_cursor` of the previous page.
    cursor: Option<String>,
    /// Number of items on the page, at most 200.
    #[serde(default, deserialize_with = "query_limit")]
    limit: Option<u64>,
}

/// Lists the waits of a rule, newest first.
#[utoipa::path(get, path = "/rules/{id}/waits", tag = "rules",
    params(("id" = String, Path, description = "Id of the rule"), WaitsQuery), responses(
    (status = 200, description = "A page of waits", body = WaitPage),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such rule", body = ErrorBody),
    (status = 422, description = "A filter is invalid", body = ErrorBody)))]
pub async fn list(
    State(web): State<Web>,
    Path(rule): Path<String>,
    AuthQuery(actor, query): AuthQuery<WaitsQuery>,
) -> Result<Json<WaitPage>, ApiError> {
    let query = WaitQuery {
        subject: query.subject,
        state: query.state.map(|state| word("state", &state, TaskState::NAMES)).transpose()?,
        cursor: query.cursor,
        limit: Some(page_size(query.limit, input_limits::MAX_PAGE_ITEMS)),
    };
    let page = web.services.rules.waits(&actor, id(&rule, "rule")?, query).await?.map(WaitBody::from);
    Ok(Json(WaitPage { items: page.items, next_cursor: page.next_cursor }))
}

async fn change(
    web: &Web,
    actor: &Actor,
    wait: &str,
    change: WaitChange,
    seen_version: Option<i32>,
) -> Result<Json<WaitBody>, ApiError> {
    let seen = seen_version.map(Version);
    Ok(Json(web.services.rules.change_wait(actor, id(wait, "wait")?, change, seen).await?.into()))
}

/// The version that the caller saw.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SeenWait {
    /// `version` of the wait that the caller saw; a different current one is a conflict. Absent: no
    /// check.
    seen_version: Option<i32>,
}

/// Lets the rule act now.
#[utoipa::path(post, path = "/waits/{id}/fire", tag = "rules",
    params(("id" = String, Path, description = "Id of the wait"), SeenWait), responses(
    (status = 200, description = "The wait", body = WaitBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such wait", body = ErrorBody),
    (status = 409, description = "Changed in the meantime, or not open; `task` is its task", body = ErrorBody)))]
pub async fn fire(
    State(web): State<Web>,
    Path(wait): Path<String>,
    AuthQuery(actor, query): AuthQuery<SeenWait>,
) -> Result<Json<WaitBody>, ApiError> {
    change(&web, &actor, &wait, WaitChange::Fire, query.seen_version).await
}

/// Cancels a wait: the rule does not act.
#[utoipa::path(post, path = "/waits/{id}/cancel", tag = "rules",
    params(("id" = String, Path, description = "Id of the wait"), SeenWait), responses(
    (status = 200, description = "The wait", body = WaitBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such wait", body = ErrorBody),
    (status = 409, description = "Changed in the meantime, or not open; `task` is its task", body = ErrorBody)))]
pub async fn cancel(
    State(web): State<Web>,
    Path(wait): Path<String>,
    AuthQuery(actor, query): AuthQuery<SeenWait>,
) -> Result<Json<WaitBody>, ApiError> {
    change(&web, &actor, &wait, WaitChange::Cancel, query.seen_version).await
}

/// Another moment: `due_at`, or `local` and `zone`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WaitTimeBody {
    /// An instant, RFC 3339.
    due_at: Option<String>,
    /// A local time: `2027-03-28T02:30`.
    local: Option<String>,
    /// Time zone of `local`: `Europe/Berlin`.
    zone: Option<String>,
    /// `earlier` or `later`, if `local` occurs twice.
    disambiguation: Option<String>,
    /// `version` of the wait that the caller saw; a different current one is a conflict. Absent: no
    /// check.
    #[serde(default, deserialize_with = "optional_integer")]
    seen_version: Option<i32>,
}

/// Lets the rule act at another moment.
#[utoipa::path(post, path = "/waits/{id}/reschedule", tag = "rules", request_body = WaitTimeBody,
    params(("id" = String, Path, description = "Id of the wait")), responses(
    (status = 200, description = "The wait", body = WaitBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such wait", body = ErrorBody),
    (status = 409, description = "Changed in the meantime, or not open; `task` is its task", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn reschedule(
    State(web): State<Web>,
    Path(wait): Path<String>,
    AuthJson(actor, body): AuthJson<WaitTimeBody>,
) -> Result<Json<WaitBody>, ApiError> {
    let when = when(body.due_at, body.local, body.zone, body.disambiguation)?;
    change(&web, &actor, &wait, WaitChange::Reschedule { when }, body.seen_version).await
}
