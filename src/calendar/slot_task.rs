//! A task in the next slot.

use super::{share_next, slots};
use crate::{
    articles::review::workflow::follow_schedules,
    server::app_state::AppState,
    tasks::{
        schedule,
        unit::{UnitOfWork, find_idempotent_result},
    },
};
use domain::{
    Actor, DomainError, TaskId,
    calendar::NewSlotTask,
    task::{NewTask, TaskRow},
};

/// Creates one task in the next free slot of the desk, or in the next one, in which room is made.
pub async fn create(parts: &AppState, actor: &Actor, new: NewSlotTask) -> Result<TaskRow, DomainError> {
    let id = TaskId::generate();
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    if let Some(first) = find_idempotent_result(&mut unit, id.0).await? {
        return unit.load_task(TaskId(first)).await;
    }
    let (when, moved) = match new.shares_next {
        true => share_next::make_room(&mut unit, new.target_id).await?,
        false => (slots::take(&mut unit).await?, Vec::new()),
    };
    let new = NewTask { kind: new.kind, target_id: new.target_id, when, priority: new.priority };
    let row = schedule::one_in(unit, id, new).await?;
    if !moved.is_empty() {
        follow_schedules(parts, actor, &moved.iter().collect::<Vec<_>>()).await;
    }
    Ok(row)
}
