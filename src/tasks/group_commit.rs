//! Group commit of frequent changes: reschedule and cancel a scheduled task, retry a failed or
//! missed one. Concurrent changes share one transaction.

use super::decide;
use crate::tasks::unit_of_work::parsed;
use crate::{
    app_state::AppState,
    kinds::{
        self,
        undo_plan::{ChangeDetail, UndoKind, UndoPlan},
    },
    services::{Presenter, hints, internal_error, write_error},
};
use domain::{
    AccountId, Actor, DomainError, Hint, KindClass, State, TaskId, Version,
    attention::AttentionCause,
    task::{Change, TaskRow},
};
use futures::future::join_all;
use std::collections::HashSet;
use store::{
    PoolRole,
    bulk::{FailedState, Transition, TransitionRequest},
    event::NewEvent,
    failpoint,
    mutant::{self, Mutant},
    task::TaskUpdate,
    task_list::{self, TaskListRow},
};

/// Makes the change if it supports group commit and the task still has the version the actor saw.
/// `None`: the change needs its own transaction, even if only to find out why it is refused.
pub async fn change(
    parts: &AppState,
    actor: &Actor,
    id: TaskId,
    change: &Change,
    seen: Version,
) -> Result<Option<TaskRow>, DomainError> {
    // An idempotency key is stored in its own transaction.
    if actor.idempotency.is_some() || mutant::is_active(Mutant::RescheduleUnguarded) {
        return Ok(None);
    }
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let row = task_list::find(lease.conn(), id).await.map_err(internal_error)?;
    let Some(row) = row.filter(|row| !kinds::is_hidden_from(actor, &row.kind)) else { return Ok(None) };
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    drop(lease);
    let is_fit = row.version == seen.0 && !needs_own_transaction(&row, change);
    let prepared = if is_fit { PreparedChange::of(row, change, &presenter)? } else { None };
    let Some(prepared) = prepared else { return Ok(None) };
    failpoint::hit("group_commit.read").await.map_err(internal_error)?;
    if !prepared.commit(parts, &presenter).await? {
        return Ok(None);
    }
    failpoint::hit("group_commit.committed").await.map_err(internal_error)?;
    hints::publish(parts, prepared.hint()?.into_iter().collect());
    presenter.task(prepared.row(&presenter)).map(Some).ok_or_else(|| DomainError::no_such("task"))
}

/// Makes the same change to these tasks as they were read. Returns those that were changed. The
/// others need their own transaction, even if only to find out why they are refused.
pub async fn change_all(
    parts: &AppState,
    presenter: &Presenter<'_>,
    change: &Change,
    rows: Vec<TaskListRow>,
) -> Result<HashSet<TaskId>, DomainError> {
    let rows = rows.into_iter().filter(|row| !needs_own_transaction(row, change));
    let prepared = rows.map(|row| PreparedChange::of(row, change, presenter));
    let prepared: Vec<PreparedChange> = prepared.filter_map(Result::transpose).collect::<Result<_, _>>()?;
    let done = join_all(prepared.iter().map(|one| one.commit(parts, presenter))).await;
    failpoint::hit("group_commit.committed").await.map_err(internal_error)?;
    let (mut changed, mut hints) = (HashSet::new(), Vec::new());
    for (one, is_done) in prepared.iter().zip(done) {
        if is_done.unwrap_or(false) {
            changed.insert(TaskId(one.row.id));
            hints.extend(one.hint()?);
        }
    }
    hints::publish(parts, hints);
    Ok(changed)
}

/// Whether the change reads or writes more than the task.
fn needs_own_transaction(row: &TaskListRow, change: &Change) -> bool {
    takes_approved(row, change) || (*change == Change::Cancel && has_follower_of_dismissal(row))
}

/// Whether something follows the dismissal of the task: users only dismiss tasks of such kinds.
fn has_follower_of_dismissal(row: &TaskListRow) -> bool {
    kinds::find(&row.kind).is_some_and(|kind| kind.is_managed() && kind.has_followers())
}

/// Whether the change gives a task that the review holds the newest approved revision: that needs its own
/// transaction.
fn takes_approved(row: &TaskListRow, change: &Change) -> bool {
    let is_held = row.reason.as_deref().is_some_and(|reason| AttentionCause::of_review(reason).is_some());
    is_held && row.revision_id.is_some() && matches!(change, Change::Retry | Change::Reschedule { .. })
}

/// A change, prepared for group commit.
pub struct PreparedChange {
    /// The task before the change.
    pub row: TaskListRow,
    transition: Transition,
    verb: &'static str,
    pub to: TaskUpdate,
    pub detail: ChangeDetail,
}

impl PreparedChange {
    /// Prepares the change; `None`: it does not support group commit, or the actor may not make it.
    pub fn of(
        row: TaskListRow,
        change: &Change,
        presenter: &Presenter<'_>,
    ) -> Result<Option<Self>, DomainError> {
        if !presenter.actor.may_change(AccountId(row.owner_id)) {
            return Ok(None);
        }
        let state = parsed(&row.state)?;
        if !decide::may_change(&row, change, state) {
            return Ok(None);
        }
        let ended = match state {
            State::Failed => Some(FailedState::Failed),
            State::Missed => Some(FailedState::Missed),
            _ => None,
        };
        // Whether its text is older than the public one is checked in a separate transaction.
        let is_checked = || kinds::find(&row.kind).is_some_and(kinds::TaskKind::always_checks_again);
        if ended.is_some() && *change != Change::Cancel && (row.has_newer_revision || is_checked()) {
            return Ok(None);
        }
        if (change, state) == (&Change::Undo, State::Cancelled) {
            return Self::reopening(row, presenter);
        }
        let (transition, verb, (to, detail)) = match (change, state) {
            (Change::Reschedule { when }, State::Scheduled) => {
                (Transition::Scheduled, "reschedule", decide::moved(&row, when, presenter.now)?)
            }
            (Change::Cancel, State::Scheduled) => (Transition::Cancelled, "cancel", decide::cancelled(&row)?),
            (change, _) => match (change, ended) {
                (Change::Retry, Some(ended)) => {
                    (Transition::Reschedule(ended), "retry", decide::retried(&row, presenter.now)?)
                }
                (Change::Reschedule { when }, Some(ended)) => (
                    Transition::Reschedule(ended),
                    "reschedule",
                    decide::replanned(&row, when, presenter.now)?,
                ),
                (Change::Cancel, Some(ended)) => {
                    (Transition::Dismissed(ended), "cancel", decide::cancelled(&row)?)
                }
                _ => return Ok(None),
            },
        };
        Ok(Some(Self { row, transition, verb, to, detail }))
    }

    /// Prepares the undo of the last change of a task that was not executed since; `None`: it cannot
    /// be undone.
    pub fn undoing(row: TaskListRow, presenter: &Presenter<'_>) -> Result<Option<Self>, DomainError> {
        let plan = UndoPlan::of(&row).filter(|plan| presenter.now < plan.until);
        let Some(plan) = plan else { return Ok(None) };
        match plan.kind {
            UndoKind::Reopen => Self::reopening(row, presenter),
            UndoKind::Restore if plan.detail.was_revision_id == row.revision_id => {
                let is_scheduled = row.state == State::Scheduled.as_str();
                let transition = if is_scheduled { Transition::Scheduled } else { Transition::Restored };
                let (to, detail) = decide::restored(&row, &plan)?;
                Ok(Some(Self { row, transition, verb: "undo", to, detail }))
            }
            UndoKind::Cancel if plan.detail.batch.is_some() => {
                let (to, detail) = decide::cancelled(&row)?;
                let detail = ChangeDetail { undid: Some(plan.verb.to_owned()), ..detail };
                Ok(Some(Self { row, transition: Transition::Cancelled, verb: "undo", to, detail }))
            }
            _ => Ok(None),
        }
    }

    /// Prepares the undo of a dismissal; `None`: the task was not dismissed.
    fn reopening(row: TaskListRow, presenter: &Presenter<'_>) -> Result<Option<Self>, DomainError> {
        let Some((to, detail)) = decide::reopened(&row, presenter.now)? else { return Ok(None) };
        let state = if to.state == State::Failed { FailedState::Failed } else { FailedState::Missed };
        Ok(Some(Self { row, transition: Transition::Reopened(state), verb: "undo", to, detail }))
    }

    /// Commits the change; false: it needs its own transaction.
    async fn commit(&self, parts: &AppState, presenter: &Presenter<'_>) -> Result<bool, DomainError> {
        parts
            .group_commit
            .change(&parts.store, self.transition_request(presenter))
            .await
            .map_err(write_error(parts))
    }

    fn version(&self) -> Version {
        Version(self.row.version + 1)
    }

    pub fn transition_request(&self, presenter: &Presenter<'_>) -> TransitionRequest {
        let Self { row, transition, verb, to, detail } = self;
        let event = NewEvent::simple(presenter.now, Some(presenter.actor.account), "task", row.id, verb);
        TransitionRequest {
            id: TaskId(row.id),
            seen: Version(row.version),
            transition: *transition,
            due_at: to.due_at.into(),
            local_time: to.local_time.clone(),
            time_zone: to.time_zone.clone(),
            reason: to.reason.clone(),
            event: NewEvent {
                from_state: Some(transition.from_state().as_str()),
                to_state: Some(transition.to_state().as_str()),
                version: Some(self.version().0),
                detail: detail.text(),
                ..event
            },
        }
    }

    /// Returns the hint of the changed task if it is scheduled.
    pub fn hint(&self) -> Result<Option<Hint>, DomainError> {
        let Self { row, transition, to, .. } = self;
        if transition.to_state() != State::Scheduled {
            return Ok(None);
        }
        let bucket = u16::try_from(row.bucket).unwrap_or_default();
        let (task, version, due_at) = (TaskId(row.id), self.version(), to.due_at.into());
        let (priority, class) = (parsed(&row.priority)?, KindClass::of(&row.kind));
        Ok(Some(Hint { task, version, due_at, priority, class, bucket }))
    }

    /// Returns the task after the change.
    fn row(self, presenter: &Presenter<'_>) -> TaskListRow {
        TaskListRow {
            version: self.version().0,
            state: self.to.state.as_str().to_owned(),
            due_at: self.to.due_at,
            local_time: self.to.local_time,
            time_zone: self.to.time_zone,
            reason: self.to.reason,
            last_verb: Some(self.verb.to_owned()),
            last_at: Some(presenter.now.millis()),
            last_detail: Some(self.detail.text()),
            ..self.row
        }
    }
}
