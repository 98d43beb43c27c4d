//! `/releases`: articles that become public together.

use super::body::{NewReleaseBody, ReleaseDetail, ReleaseEditBody, ReleaseList, ReleaseTimeBody};
use crate::{
    http::{
        Web,
        api::{
            ApiError, ErrorBody,
            dto::TaskBody,
            extract::{Auth, AuthJson, AuthQuery, id},
        },
    },
    tasks::api::when,
};
use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use domain::{ReleaseId, Version};
use serde::Deserialize;
use utoipa::IntoParams;

/// Lists the newest releases.
#[utoipa::path(get, path = "/releases", tag = "releases", responses(
    (status = 200, description = "The releases", body = ReleaseList)))]
pub async fn list(State(web): State<Web>, Auth(actor): Auth) -> Result<Json<ReleaseList>, ApiError> {
    Ok(Json(web.services.releases.list(&actor).await?.into()))
}

/// Creates a release: its articles become public, or are unpublished, in one transaction at one moment.
#[utoipa::path(post, path = "/releases", tag = "releases", request_body = NewReleaseBody, responses(
    (status = 201, description = "The release", body = ReleaseDetail),
    (status = 403, description = "An article belongs to another account", body = ErrorBody),
    (status = 404, description = "No such article or revision", body = ErrorBody),
    (status = 409, description = "An article is in another release or in the trash; the message names it", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn create(
    State(web): State<Web>,
    AuthJson(actor, new): AuthJson<NewReleaseBody>,
) -> Result<(StatusCode, Json<ReleaseDetail>), ApiError> {
    let release = web.services.releases.create(&actor, new.read()?).await?;
    Ok((StatusCode::CREATED, Json(release.into())))
}

/// Returns a release, with what keeps its articles from being published now.
#[utoipa::path(get, path = "/releases/{id}", tag = "releases",
    params(("id" = String, Path, description = "Id of the release")), responses(
    (status = 200, description = "The release", body = ReleaseDetail),
    (status = 404, description = "No such release", body = ErrorBody)))]
pub async fn find(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(release): Path<String>,
) -> Result<Json<ReleaseDetail>, ApiError> {
    let release: ReleaseId = id(&release, "release")?;
    Ok(Json(web.services.releases.find(&actor, release).await?.into()))
}

/// Changes the name or the articles of a release that is neither scheduled nor published. A failed one is
/// published at once if articles are only removed from it and none that is left is blocked.
#[utoipa::path(patch, path = "/releases/{id}", tag = "releases", request_body = ReleaseEditBody,
    params(("id" = String, Path, description = "Id of the release")), responses(
    (status = 200, description = "The release", body = ReleaseDetail),
    (status = 403, description = "The release or an article belongs to another account", body = ErrorBody),
    (status = 404, description = "No such release, article or revision", body = ErrorBody),
    (status = 409, description = "It is scheduled or published, was changed in the meantime, or an article is in another release", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn edit(
    State(web): State<Web>,
    Path(release): Path<String>,
    AuthJson(actor, edit): AuthJson<ReleaseEditBody>,
) -> Result<Json<ReleaseDetail>, ApiError> {
    let release: ReleaseId = id(&release, "release")?;
    Ok(Json(web.services.releases.edit(&actor, release, edit.read()?).await?.into()))
}

/// The version that the caller saw.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SeenRelease {
    /// `version` of the release that the caller saw; a different current one is a conflict. Absent: no
    /// check.
    seen_version: Option<i32>,
}

/// Deletes a release that is neither scheduled nor published; its articles stay as they are.
#[utoipa::path(delete, path = "/releases/{id}", tag = "releases",
    params(("id" = String, Path, description = "Id of the release"), SeenRelease), responses(
    (status = 204, description = "It is deleted"),
    (status = 403, description = "The release belongs to another account", body = ErrorBody),
    (status = 404, description = "No such release", body = ErrorBody),
    (status = 409, description = "It is scheduled or published, or was changed in the meantime", body = ErrorBody)))]
pub async fn delete(
    State(web): State<Web>,
    Path(release): Path<String>,
    AuthQuery(actor, seen): AuthQuery<SeenRelease>,
) -> Result<StatusCode, ApiError> {
    let release: ReleaseId = id(&release, "release")?;
    web.services.releases.delete(&actor, release, seen.seen_version.map(Version)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Schedules a release. It is moved, cancelled and retried by its task, under `/tasks`. At its moment
/// every article is checked once more; if one is blocked, nothing changes, and the task fails with its
/// name.
#[utoipa::path(post, path = "/releases/{id}/schedule", tag = "releases", request_body = ReleaseTimeBody,
    params(("id" = String, Path, description = "Id of the release")), responses(
    (status = 201, description = "The task", body = TaskBody),
    (status = 403, description = "The release belongs to another account", body = ErrorBody),
    (status = 404, description = "No such release", body = ErrorBody),
    (status = 409, description = "It is scheduled or published, has no articles, or an article is blocked; the message names it", body = ErrorBody),
    (status = 422, description = "A field is invalid; `choices` if a local time occurs twice or does not exist", body = ErrorBody)))]
pub async fn schedule(
    State(web): State<Web>,
    Path(release): Path<String>,
    AuthJson(actor, time): AuthJson<ReleaseTimeBody>,
) -> Result<(StatusCode, Json<TaskBody>), ApiError> {
    let release: ReleaseId = id(&release, "release")?;
    let when = when(time.due_at, time.local, time.zone, time.disambiguation)?;
    let task = web.services.releases.schedule(&actor, release, when).await?;
    Ok((StatusCode::CREATED, Json(task.into())))
}

/// Publishes a release now: by its task, which is executed shortly after.
#[utoipa::path(post, path = "/releases/{id}/publish-now", tag = "releases",
    params(("id" = String, Path, description = "Id of the release")), responses(
    (status = 200, description = "The task", body = TaskBody),
    (status = 403, description = "The release belongs to another account", body = ErrorBody),
    (status = 404, description = "No such release", body = ErrorBody),
    (status = 409, description = "It is published, has no articles, or an article is blocked; the message names it", body = ErrorBody)))]
pub async fn publish_now(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(release): Path<String>,
) -> Result<Json<TaskBody>, ApiError> {
    let release: ReleaseId = id(&release, "release")?;
    Ok(Json(web.services.releases.publish_now(&actor, release).await?.into()))
}

/// Reverts a published release: everything is public again as before, in one transaction. By a task, which
/// is executed shortly after.
#[utoipa::path(post, path = "/releases/{id}/revert", tag = "releases",
    params(("id" = String, Path, description = "Id of the release")), responses(
    (status = 200, description = "The task", body = TaskBody),
    (status = 403, description = "The release belongs to another account", body = ErrorBody),
    (status = 404, description = "No such release", body = ErrorBody),
    (status = 409, description = "It is not published, or what is public of an article changed since; the message names it", body = ErrorBody)))]
pub async fn revert(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(release): Path<String>,
) -> Result<Json<TaskBody>, ApiError> {
    let release: ReleaseId = id(&release, "release")?;
    Ok(Json(web.services.releases.revert(&actor, release).await?.into()))
}
