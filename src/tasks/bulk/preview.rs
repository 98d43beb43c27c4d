//! What a change of many tasks would do.

use super::decide::{self, Decided, Decision};
use crate::{
    app_state::AppState,
    services::{Presenter, internal_error},
    tasks::{group_commit::PreparedChange, slots},
    zone::Zone,
};
use domain::{
    DomainError, TaskId, Timestamp, When,
    bulk_change::{BulkChange, BulkItem, BulkMove, BulkOutcome, MAX_LISTED},
};
use std::collections::{HashMap, HashSet};
use store::{PoolRole, batch, slot_plan, task_list::TaskListRow};
use uuid::Uuid;

/// Completes the outcome with what would be changed, who moves where, and the conflicts.
pub async fn preview(
    parts: &AppState,
    presenter: &Presenter<'_>,
    (rows, wanted): (Vec<TaskListRow>, &BulkChange),
    mut outcome: BulkOutcome,
) -> Result<BulkOutcome, DomainError> {
    let slots = match wanted {
        BulkChange::ToSlots => free_slots(parts, presenter.now, rows.len()).await?,
        _ => Vec::new(),
    };
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let not_executable = decide::not_executable(lease.conn(), &rows, wanted).await?;
    drop(lease);
    let decision = Decision { presenter, wanted, batch: None, not_executable };
    let Decided { prepared, refused } = decision.all(&rows, slots);
    outcome.changed = prepared.len() as u64;
    outcome.refused.extend(refused);
    if !wanted.is_move() {
        let item = |one: &PreparedChange| BulkItem {
            id: TaskId(one.row.id),
            title: one.row.title.clone(),
            at: Some(presenter.moment(one.row.due_at)),
        };
        outcome.items = prepared.iter().take(MAX_LISTED).map(item).collect();
        return Ok(outcome);
    }
    let moments: Vec<i64> = prepared.iter().map(|one| one.to.due_at).collect();
    let ids: Vec<Uuid> = prepared.iter().map(|one| one.row.id).collect();
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let taken = batch::taken(lease.conn(), &moments, &ids).await.map_err(internal_error)?;
    let taken: HashSet<i64> = taken.into_iter().collect();
    let mut at_moment: HashMap<i64, u32> = HashMap::new();
    for moment in &moments {
        *at_moment.entry(*moment).or_default() += 1;
    }
    let is_conflict = |moment: i64| taken.contains(&moment) || at_moment.get(&moment).is_some_and(|n| *n > 1);
    outcome.conflicts = moments.iter().filter(|moment| is_conflict(**moment)).count() as u64;
    let mut moves: Vec<BulkMove> = prepared
        .iter()
        .map(|one| BulkMove {
            id: TaskId(one.row.id),
            title: one.row.title.clone(),
            from: presenter.moment(one.row.due_at),
            to: presenter.moment(one.to.due_at),
            is_conflict: is_conflict(one.to.due_at),
        })
        .collect();
    moves.sort_by_key(|one| one.to.at);
    moves.truncate(MAX_LISTED);
    outcome.moves = moves;
    Ok(outcome)
}

/// Free slots, without taking them.
async fn free_slots(parts: &AppState, now: Timestamp, count: usize) -> Result<Vec<When>, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let plan = slot_plan::find(lease.conn()).await.map_err(internal_error)?;
    let Some(plan) = plan else { return Ok(Vec::new()) };
    let zone = Zone::stored(&plan.settings.zone);
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    let free = slots::free_in(lease.conn(), (now, Timestamp::LATEST), count).await?;
    Ok(free.into_iter().map(|at| zone.local_time_at(at)).collect())
}
