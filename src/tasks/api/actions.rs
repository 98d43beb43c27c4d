//! `/tasks/{id}/…`: actions on a task. Each requires the version that the caller saw.

use super::when;
use crate::http::{
    Web,
    api::{
        ApiError, ErrorBody,
        dto::TaskBody,
        extract::{AuthJson, id},
        numbers::{optional_integer, required_integer},
    },
};
use axum::{
    Json,
    extract::{Path, State},
};
use domain::{Actor, Version, task::Change};
use serde::Deserialize;
use utoipa::ToSchema;

/// The version that the caller saw.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeenVersion {
    /// `version` of the task that the caller saw; a different current one is a conflict.
    #[serde(deserialize_with = "required_integer")]
    seen_version: i32,
}

/// The version that the caller saw, and a revision.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplaceRevisionBody {
    /// `version` of the task that the caller saw; a different current one is a conflict.
    #[serde(deserialize_with = "required_integer")]
    seen_version: i32,
    /// Number of the revision that is published. Absent: the current one.
    #[serde(default, deserialize_with = "optional_integer")]
    #[schema(minimum = 1)]
    revision: Option<i32>,
}

/// A new time: `due_at`, or `local` and `zone`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RescheduleBody {
    /// `version` of the task that the caller saw; a different current one is a conflict.
    #[serde(deserialize_with = "required_integer")]
    seen_version: i32,
    /// An instant, RFC 3339.
    due_at: Option<String>,
    /// A local time: `2027-03-28T02:30`.
    local: Option<String>,
    /// Time zone of `local`: `Europe/Berlin`.
    zone: Option<String>,
    /// `earlier` or `later`, if `local` occurs twice.
    disambiguation: Option<String>,
}

type TaskResponse = Result<Json<TaskBody>, ApiError>;

async fn change(web: &Web, actor: &Actor, task: &str, change: Change, seen: i32) -> TaskResponse {
    let task = web.services.tasks.change(actor, id(task, "task")?, change, Version(seen)).await?;
    Ok(Json(task.into()))
}

/// Reschedules a task.
#[utoipa::path(post, path = "/tasks/{id}/reschedule", tag = "tasks", request_body = RescheduleBody,
    params(("id" = String, Path, description = "Id of the task")), responses(
    (status = 200, description = "The task", body = TaskBody),
    (status = 404, description = "No such task", body = ErrorBody),
    (status = 409, description = "Changed in the meantime, or not scheduled; `task` is the current task", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn reschedule(
    State(web): State<Web>,
    Path(task): Path<String>,
    AuthJson(actor, body): AuthJson<RescheduleBody>,
) -> TaskResponse {
    let when = when(body.due_at, body.local, body.zone, body.disambiguation)?;
    change(&web, &actor, &task, Change::Reschedule { when }, body.seen_version).await
}

/// Cancels a scheduled task.
#[utoipa::path(post, path = "/tasks/{id}/cancel", tag = "tasks", request_body = SeenVersion,
    params(("id" = String, Path, description = "Id of the task")), responses(
    (status = 200, description = "The task", body = TaskBody),
    (status = 404, description = "No such task", body = ErrorBody),
    (status = 409, description = "Changed in the meantime, or not scheduled; `task` is the current task", body = ErrorBody)))]
pub async fn cancel(
    State(web): State<Web>,
    Path(task): Path<String>,
    AuthJson(actor, body): AuthJson<SeenVersion>,
) -> TaskResponse {
    change(&web, &actor, &task, Change::Cancel, body.seen_version).await
}

/// Executes a scheduled task now.
#[utoipa::path(post, path = "/tasks/{id}/publish-now", tag = "tasks", request_body = SeenVersion,
    params(("id" = String, Path, description = "Id of the task")), responses(
    (status = 200, description = "The task", body = TaskBody),
    (status = 404, description = "No such task", body = ErrorBody),
    (status = 409, description = "Changed in the meantime, or not scheduled; `task` is the current task", body = ErrorBody)))]
pub async fn publish_now(
    State(web): State<Web>,
    Path(task): Path<String>,
    AuthJson(actor, body): AuthJson<SeenVersion>,
) -> TaskResponse {
    change(&web, &actor, &task, Change::PublishNow, body.seen_version).await
}

/// Undoes the last change of a task.
#[utoipa::path(post, path = "/tasks/{id}/undo", tag = "tasks", request_body = SeenVersion,
    params(("id" = String, Path, description = "Id of the task")), responses(
    (status = 200, description = "The task", body = TaskBody),
    (status = 404, description = "No such task", body = ErrorBody),
    (status = 409, description = "Too late, or changed in the meantime", body = ErrorBody)))]
pub async fn undo(
    State(web): State<Web>,
    Path(task): Path<String>,
    AuthJson(actor, body): AuthJson<SeenVersion>,
) -> TaskResponse {
    change(&web, &actor, &task, Change::Undo, body.seen_version).await
}

/// Executes a failed or missed task again, now. One that the review holds takes the newest approved
/// revision.
#[utoipa::path(post, path = "/tasks/{id}/retry", tag = "tasks", request_body = SeenVersion,
    params(("id" = String, Path, description = "Id of the task")), responses(
    (status = 200, description = "The task", body = TaskBody),
    (status = 404, description = "No such task", body = ErrorBody),
    (status = 409, description = "Changed in the meantime, neither failed nor missed, or held and not approved", body = ErrorBody)))]
pub async fn retry(
    State(web): State<Web>,
    Path(task): Path<String>,
    AuthJson(actor, body): AuthJson<SeenVersion>,
) -> TaskResponse {
    change(&web, &actor, &task, Change::Retry, body.seen_version).await
}

/// Replaces the revision that a scheduled or held task publishes. A held task whose text may be published
/// then is executed now.
#[utoipa::path(post, path = "/tasks/{id}/replace-revision", tag = "tasks", request_body = ReplaceRevisionBody,
    params(("id" = String, Path, description = "Id of the task")), responses(
    (status = 200, description = "The task", body = TaskBody),
    (status = 404, description = "No such task", body = ErrorBody),
    (status = 409, description = "Changed in the meantime, or neither scheduled nor held; `task` is the current task", body = ErrorBody)))]
pub async fn replace_revision(
    State(web): State<Web>,
    Path(task): Path<String>,
    AuthJson(actor, body): AuthJson<ReplaceRevisionBody>,
) -> TaskResponse {
    let to = body.revision.map_or(Change::ReplaceRevision, |revision| Change::PinRevision { revision });
    change(&web, &actor, &task, to, body.seen_version).await
}
