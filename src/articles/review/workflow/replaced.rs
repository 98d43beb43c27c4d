//! Tasks that the review held and that another task of the article has replaced.

use super::change;
use crate::{
    server::app_state::AppState,
    services::internal_error,
    tasks::{decide, unit::UnitOfWork},
};
use domain::{Actor, ArticleId, DomainError, Kind, State, attention::AttentionCause};
use std::collections::HashSet;
use store::{PoolRole, task_list, task_list::TaskListRow};

/// Dismisses held tasks of an article that is scheduled again.
pub async fn dismiss(parts: &AppState, actor: &Actor, article: ArticleId) -> Result<(), DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let open = task_list::open_of_targets(lease.conn(), &[article.0]).await.map_err(internal_error)?;
    drop(lease);
    if replaced(&open).is_empty() {
        return Ok(());
    }
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    change::lock(&mut unit, article).await?;
    let open = task_list::open_of_targets(unit.tx.conn(), &[article.0]).await.map_err(internal_error)?;
    for row in replaced(&open) {
        let (to, detail) = decide::cancelled(row)?;
        unit.change(row, "cancel", &to, detail.text()).await?;
    }
    unit.commit().await
}

/// The held tasks whose kind is scheduled again.
fn replaced(open: &[TaskListRow]) -> Vec<&TaskListRow> {
    let is_scheduled = |row: &TaskListRow| row.state == State::Scheduled.as_str();
    let scheduled: HashSet<&str> =
        open.iter().filter(|row| is_scheduled(row)).map(|row| row.kind.as_str()).collect();
    let is_replaced = |row: &&TaskListRow| {
        let is_held = row.reason.as_deref().and_then(AttentionCause::of_review).is_some();
        row.kind == Kind::ArticlePublish.as_str()
            && !is_scheduled(row)
            && is_held
            && scheduled.contains(row.kind.as_str())
    };
    open.iter().filter(is_replaced).collect()
}
