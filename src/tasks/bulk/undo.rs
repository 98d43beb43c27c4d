//! Undoes a change of many tasks, as far as they were not changed or executed since.

use super::{CHUNK, refused, write};
use crate::{
    app_state::AppState,
    kinds::{self, undo_plan::ChangeDetail},
    services::{Presenter, internal_error},
    tasks::group_commit::PreparedChange,
};
use domain::{
    AccountId, Actor, BatchId, DomainError, State, TaskId,
    bulk_change::{BulkOutcome, BulkRefusal},
};
use std::collections::{HashMap, HashSet};
use store::{
    PoolRole, Tx, batch, dashboard,
    event::{self, NewEvent},
    setting,
    task_list::{self, TaskListRow},
};
use uuid::Uuid;

/// Undoes all changes of a batch that can be undone, once.
pub async fn undo(parts: &AppState, actor: &Actor, id: BatchId) -> Result<BulkOutcome, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let found = batch::find(lease.conn(), id).await.map_err(internal_error)?;
    let found = found.ok_or_else(|| DomainError::no_such("batch"))?;
    if !actor.may_change(AccountId(found.account_id)) {
        return Err(DomainError::NotAllowed);
    }
    let zones = found.was_time_zone.zip(found.time_zone);
    if zones.is_some() && !actor.is_admin() {
        return Err(DomainError::NotAllowed);
    }
    if found.undone_at.is_some() {
        return Err(DomainError::CannotUndo);
    }
    let actor = Actor { idempotency: None, ..actor.clone() };
    let presenter = Presenter::of(lease.conn(), &actor, parts.clock.now()).await?;
    let tasks = batch::tasks(lease.conn(), id).await.map_err(internal_error)?;
    let mut rows = dashboard::find_many(lease.conn(), &tasks).await.map_err(internal_error)?;
    drop(lease);
    rows.sort_unstable_by_key(|row| (row.due_at, row.id));
    let mut outcome = BulkOutcome { matched: rows.len() as u64, ..BulkOutcome::default() };
    outcome.time_zone = zones.as_ref().map(|(was, _)| was.clone());
    let mut is_first = true;
    // A change of the zone may have changed no task.
    let chunks = if rows.is_empty() { vec![&rows[..]] } else { rows.chunks(CHUNK).collect() };
    for chunk in chunks {
        let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
        if is_first {
            begin(&mut tx, &presenter, id, zones.as_ref()).await?;
        }
        is_first = false;
        let (prepared, left) = prepare(&mut tx, &presenter, id, chunk).await?;
        let (changed, left) = write(parts, tx, &presenter, (id, prepared, left)).await?;
        outcome.changed += changed.len() as u64;
        outcome.refused.extend(left);
        let restored: Vec<_> = chunk.iter().filter(|row| changed.contains(&TaskId(row.id))).collect();
        (parts.hooks.follow_schedules)(parts, &actor, &restored).await;
    }
    parts.committed.notify_waiters();
    Ok(outcome)
}

/// Marks the batch as undone and restores the desk's time zone, if it changed that. `Changed`: the zone was
/// changed since, and nothing is undone.
async fn begin(
    tx: &mut Tx,
    presenter: &Presenter<'_>,
    id: BatchId,
    zones: Option<&(String, String)>,
) -> Result<(), DomainError> {
    if !batch::mark_undone(tx.conn(), id, presenter.now).await.map_err(internal_error)? {
        return Err(DomainError::CannotUndo);
    }
    let Some((was, zone)) = zones else { return Ok(()) };
    if !setting::change_time_zone(tx.conn(), zone, was).await.map_err(internal_error)? {
        return Err(DomainError::Changed);
    }
    let settings = setting::site_settings(tx.conn()).await.map_err(internal_error)?;
    let account = Some(presenter.actor.account);
    let event = NewEvent::simple(presenter.now, account, "settings", Uuid::nil(), "change");
    let event = NewEvent { detail: serde_json::json!(settings).to_string(), ..event };
    event::append(tx.conn(), &[event]).await.map_err(internal_error)
}

/// Prepares the undo of each task that the batch changed last.
async fn prepare(
    tx: &mut Tx,
    presenter: &Presenter<'_>,
    id: BatchId,
    rows: &[TaskListRow],
) -> Result<(Vec<PreparedChange>, Vec<BulkRefusal>), DomainError> {
    let occupied = occupied(tx, rows).await?;
    let (mut prepared, mut left) = (Vec::new(), Vec::new());
    for row in rows {
        match restored(presenter, id, row, &occupied) {
            Ok(one) => prepared.push(one),
            Err(why) => left.push(refused(row, why)),
        }
    }
    Ok((prepared, left))
}

/// The unique keys of the cancelled tasks that other scheduled tasks have by now.
async fn occupied(tx: &mut Tx, rows: &[TaskListRow]) -> Result<HashMap<String, TaskListRow>, DomainError> {
    let cancelled = rows.iter().filter(|row| row.state == State::Cancelled.as_str());
    let keys: HashSet<String> = cancelled.filter_map(key_of).collect();
    let keys: Vec<String> = keys.into_iter().collect();
    let found = task_list::waiting_with(tx.conn(), &keys).await.map_err(internal_error)?;
    Ok(found.into_iter().filter_map(|row| Some((key_of(&row)?, row))).collect())
}

fn key_of(row: &TaskListRow) -> Option<String> {
    kinds::find(&row.kind)?.unique_key(row.target_id)
}

fn restored(
    presenter: &Presenter<'_>,
    id: BatchId,
    row: &TaskListRow,
    occupied: &HashMap<String, TaskListRow>,
) -> Result<PreparedChange, DomainError> {
    let detail: ChangeDetail =
        row.last_detail.as_deref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    if detail.batch != Some(id.0) {
        return Err(DomainError::Changed);
    }
    if !presenter.actor.may_change(AccountId(row.owner_id)) {
        return Err(DomainError::NotAllowed);
    }
    let prepared = PreparedChange::undoing(row.clone(), presenter)?.ok_or(DomainError::CannotUndo)?;
    let is_scheduled_again = row.state == State::Cancelled.as_str() && prepared.to.state == State::Scheduled;
    let other = key_of(row).filter(|_| is_scheduled_again).and_then(|key| occupied.get(&key));
    match other.filter(|other| TaskId(other.id) != TaskId(row.id)).cloned() {
        Some(other) => match presenter.task(other) {
            Some(task) => Err(DomainError::AlreadyScheduled { task: Box::new(task) }),
            None => Err(DomainError::CannotUndo),
        },
        None => Ok(prepared),
    }
}
