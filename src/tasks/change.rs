//! Changes of an existing task: each is one compare-and-set and one event. All work while the
//! engine is paused.

use super::{decide, group_commit, undo};
use crate::tasks::unit_of_work::{UnitOfWork, find_idempotent_result, kind_of, parsed, to_update};
use crate::{app_state::AppState, kinds::undo_plan::ChangeDetail, services::internal_error};
use domain::{
    AccountId, Actor, DomainError, State, TaskId, Timestamp, Version,
    attention::AttentionCause,
    review::workflow::ReviewProblem,
    task::{Change, RevisionChoice, TaskRow},
};
use store::{
    mutant::{self, Mutant},
    target::{self, Target},
    task::{self, TaskUpdate},
    task_list::TaskListRow,
};
use uuid::Uuid;

/// Changes a task if it still has the version the actor saw.
///
/// Undoing an executed task returns the task that is scheduled again, or the one that reverted it.
pub async fn change(
    parts: &AppState,
    actor: &Actor,
    id: TaskId,
    change: Change,
    seen: Version,
) -> Result<TaskRow, DomainError> {
    if let Some(row) = group_commit::change(parts, actor, id, &change, seen).await? {
        return Ok(row);
    }
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    let target = task::target_of(unit.tx.conn(), id).await.map_err(internal_error)?;
    let target = target.ok_or_else(|| DomainError::no_such("task"))?;
    let target = target::lock(unit.tx.conn(), &[target]).await.map_err(internal_error)?.into_iter().next();
    let mut row = unit.load_row(id).await?;
    if matches!(change, Change::Reschedule { .. }) && mutant::is_active(Mutant::RescheduleUnguarded) {
        mutant::reopen(unit.tx.conn(), id).await.map_err(internal_error)?;
        row.state = State::Scheduled.as_str().to_owned();
    }
    if !actor.may_change(AccountId(row.owner_id)) {
        return Err(DomainError::NotAllowed);
    }
    let next = TaskId::generate();
    if let Some(done) = find_idempotent_result(&mut unit, next.0).await? {
        return repeated_result(&mut unit, TaskId(done), id).await;
    }
    if row.version != seen.0 {
        return Err(unit.conflict(row, true));
    }
    let answered = apply(&mut unit, &row, target.as_ref(), change, next).await?;
    unit.commit_and_load(answered).await
}

/// Returns the result of a repeated request: the task it created, if any, otherwise the task it
/// changed.
async fn repeated_result(
    unit: &mut UnitOfWork<'_>,
    made: TaskId,
    changed: TaskId,
) -> Result<TaskRow, DomainError> {
    match unit.load_task(made).await {
        Err(DomainError::NoSuch { .. }) => unit.load_task(changed).await,
        other => other,
    }
}

/// Makes the change and returns the id of the task to show.
async fn apply(
    unit: &mut UnitOfWork<'_>,
    row: &TaskListRow,
    target: Option<&Target>,
    change: Change,
    next: TaskId,
) -> Result<TaskId, DomainError> {
    let state: State = parsed(&row.state)?;
    if !decide::may_change(row, &change, state) {
        return Err(DomainError::FollowsMeeting);
    }
    if !matches!(change, Change::Cancel) && target.is_some_and(|target| target.deleted_at.is_some()) {
        return Err(DomainError::InTrash);
    }
    match change {
        Change::Reschedule { when } if state == State::Scheduled => {
            let (to, detail) = decide::moved(row, &when, unit.now())?;
            unit.change(row, "reschedule", &to, detail.text()).await?;
        }
        Change::Reschedule { when } if matches!(state, State::Failed | State::Missed) => {
            let chosen = with_approved(unit, row).await?;
            check_replanned(unit, &chosen).await?;
            let (to, detail) = decide::replanned(&chosen, &when, unit.now())?;
            let detail = ChangeDetail { was_revision_id: row.revision_id, ..detail };
            unit.change(row, "reschedule", &to, detail.text()).await?;
        }
        Change::Cancel if matches!(state, State::Scheduled | State::Failed | State::Missed) => {
            let (to, detail) = decide::cancelled(row)?;
            unit.change(row, "cancel", &to, detail.text()).await?;
        }
        Change::PublishNow if state == State::Scheduled => {
            check_again(unit, row).await?;
            run_now(unit, row, row.revision_id).await?;
        }
        Change::Retry if matches!(state, State::Failed | State::Missed) => {
            let chosen = with_approved(unit, row).await?;
            check_again(unit, &chosen).await?;
            let (to, detail) = decide::retried(&chosen, unit.now())?;
            let detail = ChangeDetail { was_revision_id: row.revision_id, ..detail };
            unit.change(row, "retry", &to, detail.text()).await?;
        }
        Change::ReplaceRevision if may_replace(row, state) => replace(unit, row, target).await?,
        Change::PinRevision { revision } if may_replace(row, state) => {
            let target = pinning(unit, row, (target, revision)).await?;
            replace(unit, row, target.as_ref()).await?;
        }
        Change::Undo => return undo::undo(unit, row, next).await,
        _ => return Err(unit.conflict(row.clone(), false)),
    }
    Ok(TaskId(row.id))
}

/// Refuses a task that may not be executed with the revision it has pinned. The refusal of one that is
/// not approved names the time at which it stays planned.
async fn check_again(unit: &mut UnitOfWork<'_>, row: &TaskListRow) -> Result<(), DomainError> {
    let refused = kind_of(row)?.check_again(unit.tx.conn(), &[row]).await.map_err(internal_error)?;
    let Some((_, why)) = refused.into_iter().next() else { return Ok(()) };
    let is_unapproved = matches!(why, DomainError::Review { problem: ReviewProblem::NotApproved { .. } });
    if !is_unapproved || row.state != State::Scheduled.as_str() {
        return Err(why);
    }
    let planned = Some(unit.presenter.moment(row.due_at));
    Err(ReviewProblem::NotApproved { planned }.into())
}

/// Whether the task still takes another revision: it is scheduled, or the review holds it.
fn may_replace(row: &TaskListRow, state: State) -> bool {
    state == State::Scheduled || is_held(row, state)
}

/// Whether the review holds the task.
fn is_held(row: &TaskListRow, state: State) -> bool {
    let reason = row.reason.as_deref().and_then(AttentionCause::of_review);
    matches!(state, State::Failed | State::Missed) && reason.is_some()
}

/// Returns the task with the newest approved revision, if the review holds it with an older one or the
/// same. What was mended and approved since is published, not what was held.
async fn with_approved(unit: &mut UnitOfWork<'_>, row: &TaskListRow) -> Result<TaskListRow, DomainError> {
    let state: State = parsed(&row.state)?;
    let (kind, pinned) = (kind_of(row)?, row.revision_id);
    if !is_held(row, state) || !kind.pins_revision() {
        return Ok(row.clone());
    }
    let newest = kind.newest_approved(unit.tx.conn(), row.target_id, pinned).await.map_err(internal_error)?;
    Ok(TaskListRow { revision_id: newest.or(pinned), ..row.clone() })
}

/// Refuses a new time for a task that cannot be executed then. One that waits for an approval can.
async fn check_replanned(unit: &mut UnitOfWork<'_>, row: &TaskListRow) -> Result<(), DomainError> {
    match check_again(unit, row).await {
        Err(DomainError::Review { problem: ReviewProblem::NotApproved { .. } }) => Ok(()),
        other => other,
    }
}

/// The target, with the revision that has this number.
async fn pinning(
    unit: &mut UnitOfWork<'_>,
    row: &TaskListRow,
    (target, number): (Option<&Target>, i32),
) -> Result<Option<Target>, DomainError> {
    let Some(target) = target else { return Ok(None) };
    let choice = Some(RevisionChoice::Number(number));
    let revision_id = unit.choose(kind_of(row)?, target, choice).await?;
    Ok(Some(Target { revision_id, ..target.clone() }))
}

/// Moves a scheduled task to now, with this revision.
pub async fn run_now(
    unit: &mut UnitOfWork<'_>,
    row: &TaskListRow,
    revision_id: Option<Uuid>,
) -> Result<(), DomainError> {
    let now = unit.now();
    let approves = revision_id != row.revision_id;
    let to = TaskUpdate {
        due_at: now.millis(),
        local_time: None,
        time_zone: None,
        revision_id,
        approves,
        ..to_update(row)?
    };
    let was_state = kind_of(row)?.state_before(&mut unit.tx, row.target_id).await.map_err(internal_error)?;
    let detail = ChangeDetail { due_at: Some(now), was_state, ..ChangeDetail::before(row) };
    unit.change(row, "publish_now", &to, detail.text()).await
}

async fn replace(
    unit: &mut UnitOfWork<'_>,
    row: &TaskListRow,
    target: Option<&Target>,
) -> Result<(), DomainError> {
    let kind = kind_of(row)?;
    let Some(target) = target.filter(|_| kind.pins_revision()) else {
        return Err(unit.conflict(row.clone(), false));
    };
    if row.revision_id == target.revision_id {
        return Ok(());
    }
    unit.check(kind, target, Timestamp::from_millis(row.due_at)).await?;
    unit.approve(kind, target.id).await?;
    let to = TaskUpdate { revision_id: target.revision_id, approves: true, ..to_update(row)? };
    let detail = ChangeDetail::before(row);
    if row.state == State::Scheduled.as_str() {
        return unit.change(row, "replace_revision", &to, detail.text()).await;
    }
    // The time of a held task has passed: what may be published is published now.
    let chosen = TaskListRow { revision_id: target.revision_id, ..row.clone() };
    let to = match kind.refusal(unit.tx.conn(), &chosen).await.map_err(internal_error)? {
        Some(why) => TaskUpdate { reason: Some(why.to_owned()), ..to },
        None => decide::retried(&chosen, unit.now())?.0,
    };
    let detail = ChangeDetail { due_at: Some(to.due_at.into()), ..detail };
    unit.change(row, "replace_revision", &to, detail.text()).await
}
