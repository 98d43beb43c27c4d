//! Publishes that the review holds.

use crate::services::{Presenter, internal_error};
use domain::{DomainError, Kind, review::workflow::Workflow, task::TaskRow};
use std::collections::HashMap;
use store::{Conn, review_settings, task_list};
use uuid::Uuid;

/// Returns the publishes of these articles that an approval executes at once; none while the desk reviews
/// nothing.
pub async fn held(
    mut conn: Conn<'_>,
    presenter: &Presenter<'_>,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, TaskRow>, DomainError> {
    let settings = review_settings::find(conn.reborrow()).await.map_err(internal_error)?;
    if settings.workflow == Workflow::None {
        return Ok(HashMap::new());
    }
    let rows = task_list::held_of_targets(conn, ids).await.map_err(internal_error)?;
    let publishes = presenter.tasks(rows).into_iter().filter(|task| task.kind == Kind::ArticlePublish);
    Ok(publishes.map(|task| (task.target_id, task)).collect())
}
