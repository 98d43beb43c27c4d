//! `/tasks/bulk`: creates many tasks in one transaction.

use super::{NewTaskBody, bulk_items::Items};
use crate::http::{
    Web,
    api::{
        ApiError, ErrorBody,
        dto::TaskBody,
        extract::{AuthJson, shape_error},
    },
};
use axum::{Json, extract::State, http::StatusCode};
use domain::{DomainError, error::ValidationError, input_limits, task::NewTask};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Maximum number of invalid items that are reported.
const MAX_REPORTED_ERRORS: usize = 100;

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
    let created = web.services.tasks.schedule_all(&actor, read(bulk.items.0)?).await?;
    Ok((StatusCode::CREATED, Json(BulkResponse { items: created.into_iter().map(TaskBody::from).collect() })))
}

fn read(items: Vec<serde_json::Value>) -> Result<Vec<NewTask>, DomainError> {
    if items.is_empty() {
        return Err(DomainError::invalid("items", ValidationError::Empty));
    }
    if items.len() > input_limits::MAX_BULK_ITEMS {
        return Err(DomainError::invalid("items", ValidationError::TooMany { max: 10_000 }));
    }
    let mut valid = Vec::with_capacity(items.len());
    let mut invalid = Vec::new();
    for (index, item) in items.into_iter().enumerate() {
        let body = serde_json::from_value::<NewTaskBody>(item).map_err(|error| shape_error(&error));
        match body.and_then(NewTask::try_from) {
            Ok(new) => valid.push(new),
            Err(refusal) if invalid.len() < MAX_REPORTED_ERRORS => invalid.push((index, refusal)),
            Err(_) => break,
        }
    }
    if invalid.is_empty() { Ok(valid) } else { Err(DomainError::Bulk { items: invalid }) }
}
