//! Tasks that need attention, grouped by cause, and changes of a whole group.

use crate::{
    app_state::AppState,
    services::{Presenter, internal_error},
    tasks::{change, group_commit, zone_moves},
};
use domain::{
    Actor, DomainError, State, TaskId, Timestamp, Version,
    error::ValidationError,
    input_limits::MAX_RETRY_ITEMS,
    task::{AttentionGroup, BulkResult, Change},
};
use std::collections::{HashMap, HashSet};
use store::{PoolRole, dashboard, event, task_list::TaskListRow};
use uuid::Uuid;

/// Maximum number of tasks shown for one cause.
const MAX_GROUP_ROWS: i64 = 50;

/// Returns tasks that need attention, grouped by state and cause. It omits tasks that a newer task
/// of the same target supersedes, and those older than 30 days. Tasks moved by new time-zone data
/// stay until they are dismissed.
pub async fn groups(parts: &AppState, actor: &Actor) -> Result<Vec<AttentionGroup>, DomainError> {
    let now = parts.clock.now();
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, now).await?;
    let owner = (!actor.is_admin()).then_some(actor.account);
    let needing =
        dashboard::attention(lease.conn(), now, MAX_GROUP_ROWS, owner).await.map_err(internal_error)?;
    let ids: Vec<Uuid> = needing.iter().map(|one| one.id).collect();
    let rows = dashboard::find_many(lease.conn(), &ids).await.map_err(internal_error)?;
    let mut rows: HashMap<Uuid, _> = presenter.tasks(rows).into_iter().map(|row| (row.id.0, row)).collect();
    let mut groups: Vec<AttentionGroup> = Vec::new();
    for one in needing {
        let (Some(row), Ok(state)) = (rows.remove(&one.id), one.state.parse()) else { continue };
        match groups.last_mut().filter(|group| group.state == state && group.reason == one.cause) {
            Some(group) => group.tasks.push(row),
            None => groups.push(AttentionGroup {
                state,
                reason: one.cause,
                total: one.total.unsigned_abs(),
                changeable: one.theirs.unsigned_abs(),
                since: one.since.map(|at| presenter.moment(at)),
                tasks: vec![row],
            }),
        }
    }
    groups.extend(zone_moves::group(lease.conn(), &presenter, owner, MAX_GROUP_ROWS).await?);
    Ok(groups)
}

/// Changes all tasks that failed or were missed for one cause. A task that has changed meanwhile
/// does not block others.
pub async fn change_all(
    parts: &AppState,
    actor: &Actor,
    (state, reason): (State, &str),
    wanted: &Change,
    most: u64,
) -> Result<BulkResult, DomainError> {
    if !matches!(state, State::Failed | State::Missed) {
        return Err(DomainError::invalid(
            "state",
            ValidationError::NotOneOf { words: "failed, missed".to_owned() },
        ));
    }
    let most = i64::try_from(most.min(MAX_RETRY_ITEMS)).unwrap_or(0);
    let owner = (!actor.is_admin()).then_some(actor.account);
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let now = parts.clock.now();
    let group =
        dashboard::group(lease.conn(), now, (state, reason), owner, most).await.map_err(internal_error)?;
    drop(lease);
    change_each(parts, actor, group, wanted).await
}

/// Undoes the dismissals by the actor between two moments, as far as the tasks were not changed
/// since.
pub async fn undo_dismissal(
    parts: &AppState,
    actor: &Actor,
    state: State,
    between: (Timestamp, Timestamp),
) -> Result<BulkResult, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let events = event::of_actor(lease.conn(), actor.account, ("task", "cancel"), between).await;
    drop(lease);
    let events = events.map_err(internal_error)?.into_iter();
    let dismissed = events.filter(|event| event.from_state.as_deref() == Some(state.as_str()));
    let group: Vec<_> = dismissed.filter_map(|event| Some((event.entity_id, event.version?))).collect();
    if group.is_empty() || !matches!(state, State::Failed | State::Missed) {
        return Err(DomainError::CannotUndo);
    }
    change_each(parts, actor, group, &Change::Undo).await
}

/// Makes a change to each of these tasks that still has this version.
async fn change_each(
    parts: &AppState,
    actor: &Actor,
    group: Vec<(Uuid, i32)>,
    wanted: &Change,
) -> Result<BulkResult, DomainError> {
    let ids: Vec<Uuid> = group.iter().map(|(id, _)| *id).collect();
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let rows = dashboard::find_many(lease.conn(), &ids).await.map_err(internal_error)?;
    // The idempotency key applies to the whole request, not to each task.
    let actor = Actor { idempotency: None, ..actor.clone() };
    let presenter = Presenter::of(lease.conn(), &actor, parts.clock.now()).await?;
    drop(lease);
    let seen: HashSet<(Uuid, i32)> = group.iter().copied().collect();
    let as_seen = |row: &TaskListRow| seen.contains(&(row.id, row.version));
    let rows = rows.into_iter().filter(as_seen).collect();
    let changed = group_commit::change_all(parts, &presenter, wanted, rows).await?;
    let mut result = BulkResult { done: changed.len() as u64, refused: 0 };
    for (id, version) in group {
        let id = TaskId(id);
        if changed.contains(&id) {
            continue;
        }
        match change::change(parts, &actor, id, wanted.clone(), Version(version)).await {
            Ok(_) => result.done += 1,
            Err(DomainError::Unavailable) if result.done == 0 => return Err(DomainError::Unavailable),
            Err(_) => result.refused += 1,
        }
    }
    Ok(result)
}
