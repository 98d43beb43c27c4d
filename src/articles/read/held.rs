//! Publishes that the review holds.

use crate::services::{Presenter, internal_error};
use domain::{DomainError, Kind, task::TaskRow};
use std::collections::HashMap;
use store::{Conn, task_list};
use uuid::Uuid;

/// Returns the publishes of these articles that an approval executes at once.
pub async fn held(
    conn: Conn<'_>,
    presenter: &Presenter<'_>,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, TaskRow>, DomainError> {
    let rows = task_list::held_of_targets(conn, ids).await.map_err(internal_error)?;
    let publishes = presenter.tasks(rows).into_iter().filter(|task| task.kind == Kind::ArticlePublish);
    Ok(publishes.map(|task| (task.target_id, task)).collect())
}
