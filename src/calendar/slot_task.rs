//! A task in the next slot.

use super::slot_shift;
use crate::{
    app_state::AppState,
    articles::review::workflow::{follow_schedules, followed},
    tasks::{
        schedule, slots,
        unit_of_work::{UnitOfWork, find_idempotent_result},
    },
};
use domain::{
    Actor, BatchId, DomainError, TaskId,
    calendar::{NewSlotTask, SlotPlace, SlotTask},
    task::NewTask,
};

/// Creates one task in the next free slot of the desk, or in another one, in which room is made.
pub async fn create(parts: &AppState, actor: &Actor, new: NewSlotTask) -> Result<SlotTask, DomainError> {
    let id = TaskId::generate();
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    if let Some(first) = find_idempotent_result(&mut unit, id.0).await? {
        let task = unit.load_task(TaskId(first)).await?;
        return Ok(SlotTask { task, batch: None, moved: 0 });
    }
    let batch = BatchId::generate();
    let (when, moved) = match new.place {
        SlotPlace::Next => (slots::take(&mut unit).await?, Vec::new()),
        SlotPlace::ShareNext => slot_shift::make_room(&mut unit, (new.target_id, None), batch).await?,
        SlotPlace::Insert { at } => {
            slot_shift::make_room(&mut unit, (new.target_id, Some(at)), batch).await?
        }
    };
    let batch = (!moved.is_empty()).then_some(batch);
    let (kind, target_id, priority, revision) = (new.kind, new.target_id, new.priority, new.revision);
    let new = NewTask { kind, target_id, when, priority, revision };
    let task = schedule::one_in(unit, (id, new), batch).await?;
    let task = followed(parts, actor, task).await;
    if !moved.is_empty() {
        follow_schedules(parts, actor, &moved.iter().collect::<Vec<_>>()).await;
    }
    Ok(SlotTask { task, batch, moved: moved.len() as u64 })
}
