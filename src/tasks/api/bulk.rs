//! `/tasks/bulk`: creates many tasks in one transaction.

use super::NewTaskBody;
use crate::http::{
    Web,
    api::{ApiError, ErrorBody, bulk_items::Items, dto::TaskBody, extract::AuthJson},
};
use axum::{Json, extract::State, http::StatusCode};
use domain::task::NewTask;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// New tasks.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BulkBody {
    /// 1 to 10,000 new tasks.
    #[schema(value_type = Vec<NewTaskBody>)]
    items: Items,
}

/// The created tasks.
#[derive(Debug, Serialize, ToSchema)]
pub struct BulkResponse {
    /// In the order of the request.
    items: Vec<TaskBody>,
}

/// Schedules up to 10,000 tasks, all or nothing.
#[utoipa::path(post, path = "/tasks/bulk", tag = "tasks", request_body = BulkBody, responses(
    (status = 201, description = "The tasks", body = BulkResponse),
    (status = 404, description = "Every invalid item names an article that does not exist: see `errors`; nothing was stored", body = ErrorBody),
    (status = 413, description = "Larger than 8 MiB", body = ErrorBody),
    (status = 422, description = "Some items are invalid: see `errors`; nothing was stored", body = ErrorBody)))]
pub async fn create(
    State(web): State<Web>,
    AuthJson(actor, bulk): AuthJson<BulkBody>,
) -> Result<(StatusCode, Json<BulkResponse>), ApiError> {
    let tasks = &web.services.tasks;
    let check = async |new: Vec<NewTask>| tasks.check_all(&actor, new).await;
    let new = bulk.items.read::<NewTaskBody, NewTask>(check).await?;
    let created = tasks.schedule_all(&actor, new).await?;
    Ok((StatusCode::CREATED, Json(BulkResponse { items: created.into_iter().map(TaskBody::from).collect() })))
}
