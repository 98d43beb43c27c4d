//! Makes room in the next posting slot: the user's publications move to the slot after their own.

use super::slots::no_free_slot;
use crate::{
    services::{internal_error, write_error},
    tasks::{group_commit::PreparedChange, unit::UnitOfWork},
    zone::Zone,
};
use domain::{
    AccountId, DomainError, Kind, State, TaskId, Timestamp, When,
    calendar::{SlotUse, slots_in_use},
    error::ValidationError,
    task::Change,
};
use std::collections::HashMap;
use store::{
    bulk, slot_plan, target,
    task_list::TaskListRow,
    task_page::{self, TaskFilter},
};
use uuid::Uuid;

/// Maximum number of publications that move at once.
const MAX_MOVED: i64 = 1_000;

/// Takes the next slot for a new task of this target. Returns its time, and the publications that
/// move. The plan stays locked until the transaction ends. `NoSuch`: there is no free slot.
pub async fn make_room(
    unit: &mut UnitOfWork<'_>,
    target: Uuid,
) -> Result<(When, Vec<TaskListRow>), DomainError> {
    let plan = slot_plan::lock(unit.tx.conn()).await.map_err(internal_error)?.ok_or_else(no_free_slot)?;
    let zone = Zone::stored(&plan.settings.zone);
    // In the order of locks: the plan, targets, tasks.
    target::lock(unit.tx.conn(), &[target]).await.map_err(internal_error)?;
    let slots = plan.settings.between(unit.now(), Timestamp::LATEST, &zone);
    let free = slot_plan::free(unit.tx.conn(), &slots, 1).await.map_err(internal_error)?;
    let free = *free.first().ok_or_else(no_free_slot)?;
    let taken = taken(unit, free).await?;
    let slots: Vec<Timestamp> = slots.into_iter().take_while(|at| *at <= free).collect();
    let may_move = |row: &TaskListRow| unit.presenter.actor.may_change(AccountId(row.owner_id));
    let places = slots_in_use(slots.iter().map(|at| match taken.get(&at.millis()) {
        None => SlotUse::Free,
        Some(rows) if rows.iter().all(may_move) => SlotUse::Movable,
        Some(_) => SlotUse::Fixed,
    }));
    let first = *places.first().ok_or_else(no_free_slot)?;
    let mut moves = Vec::new();
    for pair in places.windows(2) {
        let when = zone.local_time_at(slots[pair[1]]);
        let rows = taken.get(&slots[pair[0]].millis()).into_iter().flatten();
        moves.extend(rows.map(|row| (row.clone(), when.clone())));
    }
    // The target is scheduled already, and will be refused: its own time is then the one it has.
    if moves.iter().any(|(row, _)| row.target_id == target) {
        moves.clear();
    }
    let moved = moves.iter().map(|(row, _)| row.clone()).collect();
    move_all(unit, moves).await?;
    Ok((zone.local_time_at(slots[first]), moved))
}

/// The publications that are scheduled before a moment, by their time.
async fn taken(
    unit: &mut UnitOfWork<'_>,
    before: Timestamp,
) -> Result<HashMap<i64, Vec<TaskListRow>>, DomainError> {
    let filter = TaskFilter {
        state: Some(State::Scheduled),
        kind: Some(Kind::ArticlePublish),
        from: unit.now().millis() + 1,
        to: before.millis(),
        q: None,
        is_descending: false,
        hidden_kinds: "",
        start: None,
        limit: MAX_MOVED + 1,
    };
    let rows = task_page::page(unit.tx.conn(), filter).await.map_err(internal_error)?;
    if i64::try_from(rows.len()).unwrap_or(i64::MAX) > MAX_MOVED {
        let max = u32::try_from(MAX_MOVED).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("slot", ValidationError::TooMany { max }));
    }
    let mut taken: HashMap<i64, Vec<TaskListRow>> = HashMap::new();
    for row in rows {
        taken.entry(row.due_at).or_default().push(row);
    }
    Ok(taken)
}

/// Moves all, or none: one that was changed meanwhile refuses the whole request.
async fn move_all(unit: &mut UnitOfWork<'_>, moves: Vec<(TaskListRow, When)>) -> Result<(), DomainError> {
    let mut prepared = Vec::new();
    for (row, when) in moves {
        let change = Change::Reschedule { when };
        prepared.push(PreparedChange::of(row, &change, &unit.presenter)?.ok_or(DomainError::Changed)?);
    }
    if prepared.is_empty() {
        return Ok(());
    }
    let requests: Vec<_> = prepared.iter().map(|one| one.transition_request(&unit.presenter)).collect();
    let changed = bulk::change_all(unit.tx.conn(), &requests).await.map_err(write_error(unit.parts))?;
    if prepared.iter().any(|one| !changed.contains(&TaskId(one.row.id))) {
        return Err(DomainError::Changed);
    }
    for one in &prepared {
        unit.note_moved(&one.row.kind, one.row.target_id);
        one.hint()?.into_iter().for_each(|hint| unit.add_hint(hint));
    }
    Ok(())
}
