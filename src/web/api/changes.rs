//! `/tasks/{id}/…`: what can be done to a task. Each needs the version its caller saw.

use super::{
    super::Web,
    ApiError, ErrorBody,
    sent::{Sent, id},
    shapes::TaskBody,
    tasks::when,
};
use axum::{
    Json,
    extract::{Path, State},
};
use domain::{Actor, Version, task::Change};
use serde::Deserialize;
use utoipa::ToSchema;

/// The version the caller saw.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Seen {
    /// `version` of the task.
    seen_version: i32,
}

/// Another moment: `due_at`, or `local` and `zone`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RescheduleBody {
    /// `version` of the task.
    seen_version: i32,
    /// An exact moment, RFC 3339.
    due_at: Option<String>,
    /// What a wall clock shows: `2027-03-28T02:30`.
    local: Option<String>,
    /// Where it hangs: `Europe/Berlin`.
    zone: Option<String>,
    /// `earlier` or `later`, where `local` happens twice.
    disambiguation: Option<String>,
}

type Answer = Result<Json<TaskBody>, ApiError>;

async fn change(web: &Web, actor: &Actor, task: &str, change: Change, seen: i32) -> Answer {
    let task = web.desk.tasks.change(actor, id(task, "task")?, change, Version(seen)).await?;
    Ok(Json(task.into()))
}

/// Moves a waiting task.
#[utoipa::path(post, path = "/tasks/{id}/reschedule", tag = "tasks", request_body = RescheduleBody,
    params(("id" = String, Path, description = "Its identity")), responses(
    (status = 200, description = "The task", body = TaskBody),
    (status = 404, description = "There is none", body = ErrorBody),
    (status = 409, description = "Changed meanwhile, or not waiting; `task` is how it is now", body = ErrorBody),
    (status = 422, description = "A field is wrong", body = ErrorBody)))]
pub(super) async fn reschedule(
    State(web): State<Web>,
    Path(task): Path<String>,
    Sent(actor, body): Sent<RescheduleBody>,
) -> Answer {
    let when = when(body.due_at, body.local, body.zone, body.disambiguation)?;
    change(&web, &actor, &task, Change::Reschedule { when }, body.seen_version).await
}

/// Calls a waiting task off.
#[utoipa::path(post, path = "/tasks/{id}/cancel", tag = "tasks", request_body = Seen,
    params(("id" = String, Path, description = "Its identity")), responses(
    (status = 200, description = "The task", body = TaskBody),
    (status = 404, description = "There is none", body = ErrorBody),
    (status = 409, description = "Changed meanwhile, or not waiting; `task` is how it is now", body = ErrorBody)))]
pub(super) async fn cancel(
    State(web): State<Web>,
    Path(task): Path<String>,
    Sent(actor, body): Sent<Seen>,
) -> Answer {
    change(&web, &actor, &task, Change::Cancel, body.seen_version).await
}

/// Lets a waiting task happen at once.
#[utoipa::path(post, path = "/tasks/{id}/publish-now", tag = "tasks", request_body = Seen,
    params(("id" = String, Path, description = "Its identity")), responses(
    (status = 200, description = "The task", body = TaskBody),
    (status = 404, description = "There is none", body = ErrorBody),
    (status = 409, description = "Changed meanwhile, or not waiting; `task` is how it is now", body = ErrorBody)))]
pub(super) async fn publish_now(
    State(web): State<Web>,
    Path(task): Path<String>,
    Sent(actor, body): Sent<Seen>,
) -> Answer {
    change(&web, &actor, &task, Change::PublishNow, body.seen_version).await
}

/// Takes the last change of a task back.
#[utoipa::path(post, path = "/tasks/{id}/undo", tag = "tasks", request_body = Seen,
    params(("id" = String, Path, description = "Its identity")), responses(
    (status = 200, description = "The task", body = TaskBody),
    (status = 404, description = "There is none", body = ErrorBody),
    (status = 409, description = "Too late, or changed meanwhile", body = ErrorBody)))]
pub(super) async fn undo(
    State(web): State<Web>,
    Path(task): Path<String>,
    Sent(actor, body): Sent<Seen>,
) -> Answer {
    change(&web, &actor, &task, Change::Undo, body.seen_version).await
}

/// Tries a failed or missed task once more, at once.
#[utoipa::path(post, path = "/tasks/{id}/retry", tag = "tasks", request_body = Seen,
    params(("id" = String, Path, description = "Its identity")), responses(
    (status = 200, description = "The task", body = TaskBody),
    (status = 404, description = "There is none", body = ErrorBody),
    (status = 409, description = "Changed meanwhile, or neither failed nor missed", body = ErrorBody)))]
pub(super) async fn retry(
    State(web): State<Web>,
    Path(task): Path<String>,
    Sent(actor, body): Sent<Seen>,
) -> Answer {
    change(&web, &actor, &task, Change::Retry, body.seen_version).await
}

/// Pins the article's current revision instead of the one the task holds.
#[utoipa::path(post, path = "/tasks/{id}/replace-revision", tag = "tasks", request_body = Seen,
    params(("id" = String, Path, description = "Its identity")), responses(
    (status = 200, description = "The task", body = TaskBody),
    (status = 404, description = "There is none", body = ErrorBody),
    (status = 409, description = "Changed meanwhile, or not waiting; `task` is how it is now", body = ErrorBody)))]
pub(super) async fn replace_revision(
    State(web): State<Web>,
    Path(task): Path<String>,
    Sent(actor, body): Sent<Seen>,
) -> Answer {
    change(&web, &actor, &task, Change::ReplaceRevision, body.seen_version).await
}
