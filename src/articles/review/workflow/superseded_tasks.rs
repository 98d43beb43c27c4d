//! Tasks that the review held and that another task of the article has replaced.

use crate::{
    app_state::AppState,
    services::{Presenter, internal_error},
    tasks::{change, group_commit},
};
use domain::{Actor, DomainError, Kind, State, TaskId, Version, attention::AttentionCause, task::Change};
use std::collections::HashSet;
use store::{PoolRole, task_list, task_list::TaskListRow};
use uuid::Uuid;

/// Dismisses held tasks of articles that are scheduled again.
pub async fn dismiss(parts: &AppState, actor: &Actor, articles: &[Uuid]) -> Result<(), DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let open = task_list::open_of_targets(lease.conn(), articles).await.map_err(internal_error)?;
    let replaced = replaced(open);
    if replaced.is_empty() {
        return Ok(());
    }
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    drop(lease);
    let ids: Vec<(TaskId, Version)> =
        replaced.iter().map(|row| (TaskId(row.id), Version(row.version))).collect();
    let done = group_commit::change_all(parts, &presenter, &Change::Cancel, replaced).await?;
    // What cannot be changed together, such as a task that reminders follow.
    for (id, seen) in ids.into_iter().filter(|(id, _)| !done.contains(id)) {
        change::change(parts, actor, id, Change::Cancel, seen).await?;
    }
    Ok(())
}

/// The held tasks whose kind is scheduled again.
fn replaced(open: Vec<TaskListRow>) -> Vec<TaskListRow> {
    let is_scheduled = |row: &TaskListRow| row.state == State::Scheduled.as_str();
    let scheduled: HashSet<(Uuid, String)> =
        open.iter().filter(|row| is_scheduled(row)).map(|row| (row.target_id, row.kind.clone())).collect();
    let is_replaced = |row: &TaskListRow| {
        let is_held = row.reason.as_deref().and_then(AttentionCause::of_review).is_some();
        row.kind == Kind::ArticlePublish.as_str()
            && !is_scheduled(row)
            && is_held
            && scheduled.contains(&(row.target_id, row.kind.clone()))
    };
    open.into_iter().filter(is_replaced).collect()
}
