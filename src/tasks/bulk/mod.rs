//! One change of many tasks: a preview, or the change itself in transactions of a thousand tasks, so
//! that what becomes due meanwhile is not delayed. One undo reverts all of it.

mod decide;
pub mod items;
mod preview;
pub mod to_zone;
mod undo;

pub use undo::undo;

use super::{group_commit::PreparedChange, query::Wanted};
use crate::{
    app_state::AppState,
    kinds::{self, Moved, task_kind::MovedBy},
    services::{Presenter, hints, internal_error, write_error},
};
use decide::{Decided, Decision};
use domain::{
    Actor, BatchId, DomainError, Hint, TaskId, Timestamp,
    bulk_change::{BulkChange, BulkOutcome, BulkRefusal, BulkSelection},
    error::ValidationError,
    input_limits::MAX_BULK_ITEMS,
    task::TaskQuery,
};
use std::collections::HashSet;
use store::{PoolRole, batch, bulk, dashboard, task_list::TaskListRow, task_page};
use uuid::Uuid;

/// Number of tasks in one transaction.
const CHUNK: usize = 1_000;

/// Changes the selected tasks, each by compare-and-set. `is_dry_run`: changes nothing and lists what
/// would happen.
pub async fn change(
    parts: &AppState,
    actor: &Actor,
    selection: &BulkSelection,
    wanted: &BulkChange,
    is_dry_run: bool,
) -> Result<BulkOutcome, DomainError> {
    wanted.check()?;
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    // The idempotency key applies to the whole request, not to each task.
    let actor = Actor { idempotency: None, ..actor.clone() };
    let presenter = Presenter::of(lease.conn(), &actor, parts.clock.now()).await?;
    let (rows, missing) = select(&mut lease, &actor, selection, presenter.now).await?;
    drop(lease);
    let mut outcome = BulkOutcome { matched: (rows.len() + missing.len()) as u64, ..BulkOutcome::default() };
    outcome.refused = missing;
    if is_dry_run {
        return preview::preview(parts, &presenter, (rows, wanted), outcome).await;
    }
    let batch = BatchId::generate();
    let mut changed = HashSet::new();
    for chunk in rows.chunks(CHUNK) {
        match apply(parts, &presenter, batch, (chunk, wanted)).await {
            Ok((done, refused)) => {
                changed.extend(done);
                outcome.refused.extend(refused);
            }
            Err(refusal) if changed.is_empty() => return Err(refusal),
            // What was changed before stays changed, and can be undone.
            Err(refusal) => outcome.refused.extend(chunk.iter().map(|row| refused(row, refusal.clone()))),
        }
    }
    outcome.changed = changed.len() as u64;
    outcome.batch = (!changed.is_empty()).then_some(batch);
    let moved: Vec<_> = rows.iter().filter(|row| changed.contains(&TaskId(row.id))).collect();
    (parts.hooks.follow_schedules)(parts, &actor, &moved).await;
    Ok(outcome)
}

/// Returns the selected tasks by due time, and the ids without a task.
async fn select(
    lease: &mut store::ReadConn,
    actor: &Actor,
    selection: &BulkSelection,
    now: Timestamp,
) -> Result<(Vec<TaskListRow>, Vec<BulkRefusal>), DomainError> {
    let max = u32::try_from(MAX_BULK_ITEMS).unwrap_or(u32::MAX);
    let too_many = |field: &str| DomainError::invalid(field, ValidationError::TooMany { max });
    let (mut rows, asked) = match selection {
        BulkSelection::Tasks(ids) => {
            if ids.is_empty() {
                return Err(DomainError::invalid("ids", ValidationError::Empty));
            }
            if ids.len() > MAX_BULK_ITEMS {
                return Err(too_many("ids"));
            }
            let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect::<HashSet<_>>().into_iter().collect();
            (dashboard::find_many(lease.conn(), &ids).await.map_err(internal_error)?, ids)
        }
        BulkSelection::Matching(query) => {
            let rows = matching(lease, actor, query, now).await?;
            if rows.len() > MAX_BULK_ITEMS {
                return Err(too_many("filter"));
            }
            (rows, Vec::new())
        }
    };
    rows.retain(|row| !kinds::is_hidden_from(actor, &row.kind));
    rows.sort_unstable_by_key(|row| (row.due_at, row.id));
    let found: HashSet<Uuid> = rows.iter().map(|row| row.id).collect();
    let missing = asked.into_iter().filter(|id| !found.contains(id)).map(|id| BulkRefusal {
        id: TaskId(id),
        title: String::new(),
        why: DomainError::no_such("task"),
    });
    Ok((rows, missing.collect()))
}

async fn matching(
    lease: &mut store::ReadConn,
    actor: &Actor,
    query: &TaskQuery,
    now: Timestamp,
) -> Result<Vec<TaskListRow>, DomainError> {
    let query = TaskQuery { is_latest_first: false, ..query.clone() };
    let wanted = Wanted::of(lease.conn(), actor, &query, now).await?;
    let filter = wanted.filter(i64::try_from(MAX_BULK_ITEMS + 1).unwrap_or(i64::MAX));
    task_page::page(lease.conn(), filter).await.map_err(internal_error)
}

fn refused(row: &TaskListRow, why: DomainError) -> BulkRefusal {
    BulkRefusal { id: TaskId(row.id), title: row.title.clone(), why }
}

/// Changes some tasks in one transaction. Returns the changed ones and the others.
async fn apply(
    parts: &AppState,
    presenter: &Presenter<'_>,
    batch: BatchId,
    (rows, wanted): (&[TaskListRow], &BulkChange),
) -> Result<(HashSet<TaskId>, Vec<BulkRefusal>), DomainError> {
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let slots = match wanted {
        BulkChange::ToSlots => decide::take_slots(tx.conn(), presenter.now, rows.len()).await?,
        _ => Vec::new(),
    };
    let not_executable = decide::not_executable(tx.conn(), rows, wanted).await?;
    let decision = Decision { presenter, wanted, batch: Some(batch), not_executable };
    let Decided { prepared, refused } = decision.all(rows, slots);
    if prepared.is_empty() {
        return Ok((HashSet::new(), refused));
    }
    batch::create(tx.conn(), batch, presenter.actor.account, presenter.now).await.map_err(internal_error)?;
    write(parts, tx, presenter, (batch, prepared, refused)).await
}

/// Writes prepared changes and commits. Tasks that were changed meanwhile are refused.
async fn write(
    parts: &AppState,
    mut tx: store::Tx,
    presenter: &Presenter<'_>,
    (batch, prepared, mut refused): (BatchId, Vec<PreparedChange>, Vec<BulkRefusal>),
) -> Result<(HashSet<TaskId>, Vec<BulkRefusal>), DomainError> {
    if prepared.is_empty() {
        tx.commit().await.map_err(write_error(parts))?;
        return Ok((HashSet::new(), refused));
    }
    let ids: Vec<Uuid> = prepared.iter().map(|one| one.row.id).collect();
    batch::add_tasks(tx.conn(), batch, &ids).await.map_err(internal_error)?;
    let requests: Vec<_> = prepared.iter().map(|one| one.transition_request(presenter)).collect();
    let changed = bulk::change_all(tx.conn(), &requests).await.map_err(write_error(parts))?;
    let mut published = follow(parts, &mut tx, presenter, (&prepared, &changed)).await?;
    tx.commit().await.map_err(write_error(parts))?;
    for one in &prepared {
        if changed.contains(&TaskId(one.row.id)) {
            published.extend(one.hint()?);
        } else {
            refused.push(self::refused(&one.row, DomainError::Changed));
        }
    }
    hints::publish(parts, published);
    Ok((changed, refused))
}

/// Makes what hangs on the changed tasks follow them. Returns the hints of its new tasks.
async fn follow(
    parts: &AppState,
    tx: &mut store::Tx,
    presenter: &Presenter<'_>,
    (prepared, changed): (&[PreparedChange], &HashSet<TaskId>),
) -> Result<Vec<Hint>, DomainError> {
    let mut moved = Moved::default();
    for one in prepared.iter().filter(|one| changed.contains(&TaskId(one.row.id))) {
        moved.note(&one.row.kind, one.row.target_id);
    }
    let account = Some(presenter.actor.account);
    let by = MovedBy { account, at: presenter.now, buckets: parts.hints.buckets() };
    kinds::store_followers(tx, moved, by).await.map_err(write_error(parts))
}
