//! `/tasks/bulk`: all or nothing.

use super::{
    super::Web,
    ApiError, ErrorBody,
    sent::{Sent, shape},
    shallow::Items,
    shapes::TaskBody,
    tasks::NewTaskBody,
};
use axum::{Json, extract::State, http::StatusCode};
use domain::{Refusal, limit, refusal::Problem, task::NewTask};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Most wrong items that are named.
const NAMED: usize = 100;

/// Many tasks.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BulkBody {
    /// 1 to 10,000 of them.
    #[schema(value_type = Vec<NewTaskBody>)]
    items: Items,
}

/// The tasks that were made.
#[derive(Debug, Serialize, ToSchema)]
pub struct BulkMade {
    /// In the order they were sent.
    items: Vec<TaskBody>,
}

/// Schedules up to 10,000 tasks, all or nothing.
#[utoipa::path(post, path = "/tasks/bulk", tag = "tasks", request_body = BulkBody, responses(
    (status = 201, description = "The tasks", body = BulkMade),
    (status = 413, description = "Larger than 8 MiB", body = ErrorBody),
    (status = 422, description = "Some are wrong: `errors` says which; nothing was stored", body = ErrorBody)))]
pub(super) async fn create(
    State(web): State<Web>,
    Sent(actor, bulk): Sent<BulkBody>,
) -> Result<(StatusCode, Json<BulkMade>), ApiError> {
    let made = web.desk.tasks.schedule_all(&actor, read(bulk.items.0)?).await?;
    Ok((StatusCode::CREATED, Json(BulkMade { items: made.into_iter().map(TaskBody::from).collect() })))
}

fn read(items: Vec<serde_json::Value>) -> Result<Vec<NewTask>, Refusal> {
    if items.is_empty() {
        return Err(Refusal::invalid("items", Problem::Empty));
    }
    if items.len() > limit::BULK_ITEMS {
        return Err(Refusal::invalid("items", Problem::TooMany { max: 10_000 }));
    }
    let mut good = Vec::with_capacity(items.len());
    let mut wrong = Vec::new();
    for (index, item) in items.into_iter().enumerate() {
        let body = serde_json::from_value::<NewTaskBody>(item).map_err(|error| shape(&error));
        match body.and_then(NewTask::try_from) {
            Ok(new) => good.push(new),
            Err(refusal) if wrong.len() < NAMED => wrong.push((index, refusal)),
            Err(_) => break,
        }
    }
    if wrong.is_empty() { Ok(good) } else { Err(Refusal::Bulk { items: wrong }) }
}
