//! Changes of a task that exists: each is one compare-and-set and one event. All work while the engine is paused.

use super::{
    past::Detail,
    schedule::ahead,
    together, undo,
    unit::{Unit, done_before, facts, parsed},
};
use crate::{desk::broken, parts::Parts, zone};
use domain::{
    Actor, Kind, PersonId, Refusal, State, TaskId, Timestamp, Version, When,
    task::{Change, TaskRow},
};
use store::{
    mutant::{self, Mutant},
    publish,
    target::{self, Target},
    task::{self, Facts},
    task_list::Line,
};
use uuid::Uuid;

/// Changes a task that is as the actor saw it.
///
/// An undo of what has happened already answers the task that waits again (or the one that took it back).
pub async fn change(
    parts: &Parts,
    actor: &Actor,
    id: TaskId,
    change: Change,
    seen: Version,
) -> Result<TaskRow, Refusal> {
    if let Some(row) = together::change(parts, actor, id, &change, seen).await? {
        return Ok(row);
    }
    let mut unit = Unit::begin(parts, actor).await?;
    let target = task::target_of(unit.tx.conn(), id).await.map_err(broken)?;
    let target = target.ok_or_else(|| Refusal::no_such("task"))?;
    let target = target::lock(unit.tx.conn(), &[target]).await.map_err(broken)?.into_iter().next();
    let mut line = unit.line(id).await?;
    if matches!(change, Change::Reschedule { .. }) && mutant::is(Mutant::RescheduleUnguarded) {
        mutant::reopen(unit.tx.conn(), id).await.map_err(broken)?;
        line.state = State::Scheduled.as_str().to_owned();
    }
    if !actor.may_change(PersonId(line.owner_id)) {
        return Err(Refusal::NotAllowed);
    }
    let next = TaskId::fresh();
    if let Some(done) = done_before(&mut unit, next.0).await? {
        return answer_again(&mut unit, TaskId(done), id).await;
    }
    if line.version != seen.0 {
        return Err(unit.conflict(line));
    }
    let answered = apply(&mut unit, &line, target.as_ref(), change, next).await?;
    unit.finish_with(answered).await
}

/// What the same request was answered before: the task it made, if it made one, else the task it changed.
async fn answer_again(unit: &mut Unit<'_>, made: TaskId, changed: TaskId) -> Result<TaskRow, Refusal> {
    match unit.row(made).await {
        Err(Refusal::NoSuch { .. }) => unit.row(changed).await,
        other => other,
    }
}

/// Makes the change; answers which task to show.
async fn apply(
    unit: &mut Unit<'_>,
    line: &Line,
    target: Option<&Target>,
    change: Change,
    next: TaskId,
) -> Result<TaskId, Refusal> {
    let state: State = parsed(&line.state)?;
    if !matches!(change, Change::Cancel) && target.is_some_and(|target| target.deleted_at.is_some()) {
        return Err(Refusal::InTrash);
    }
    match change {
        Change::Reschedule { when } if state == State::Scheduled => {
            let (to, detail) = moved(line, &when, unit.now())?;
            unit.change(line, "reschedule", &to, detail.text()).await?;
        }
        Change::Cancel if matches!(state, State::Scheduled | State::Failed | State::Missed) => {
            let (to, detail) = cancelled(line)?;
            unit.change(line, "cancel", &to, detail.text()).await?;
        }
        Change::PublishNow if state == State::Scheduled => {
            must_not_be_older(unit, line).await?;
            to_now(unit, line, target, line.revision_id).await?;
        }
        Change::Retry if matches!(state, State::Failed | State::Missed) => {
            must_not_be_older(unit, line).await?;
            let (to, detail) = retried(line, unit.now())?;
            unit.change(line, "retry", &to, detail.text()).await?;
        }
        Change::ReplaceRevision if state == State::Scheduled => replace(unit, line, target).await?,
        Change::Undo => return undo::undo(unit, line, next).await,
        _ => return Err(unit.conflict(line.clone())),
    }
    Ok(TaskId(line.id))
}

/// Refuses what would put an older text over a newer public one.
async fn must_not_be_older(unit: &mut Unit<'_>, line: &Line) -> Result<(), Refusal> {
    let Some(revision) = line.revision_id else { return Ok(()) };
    let is_older =
        publish::is_newer_public(unit.tx.conn(), line.target_id, revision).await.map_err(broken)?;
    if is_older { Err(Refusal::OlderText) } else { Ok(()) }
}

/// What a move to another moment makes of a task.
pub fn moved(line: &Line, when: &When, now: Timestamp) -> Result<(Facts, Detail), Refusal> {
    let due_at = ahead(when, now)?;
    let (local, zone) = zone::typed(when).unzip();
    let to = Facts { due_at: due_at.millis(), local, zone, ..facts(line)? };
    Ok((to, Detail { due_at: Some(due_at), ..Detail::before(line) }))
}

/// What a cancel makes of it.
pub fn cancelled(line: &Line) -> Result<(Facts, Detail), Refusal> {
    Ok((Facts { state: State::Cancelled, ..facts(line)? }, Detail::before(line)))
}

/// Moves a waiting task to now, with this revision.
pub async fn to_now(
    unit: &mut Unit<'_>,
    line: &Line,
    target: Option<&Target>,
    revision_id: Option<Uuid>,
) -> Result<(), Refusal> {
    let now = unit.now();
    let approves = revision_id != line.revision_id;
    let to = Facts { due_at: now.millis(), local: None, zone: None, revision_id, approves, ..facts(line)? };
    let was_public = target.and_then(Target::public);
    let detail = Detail { due_at: Some(now), was_public, ..Detail::before(line) };
    unit.change(line, "publish_now", &to, detail.text()).await
}

/// What another try makes of it.
pub fn retried(line: &Line, now: Timestamp) -> Result<(Facts, Detail), Refusal> {
    let to = Facts {
        state: State::Scheduled,
        due_at: now.millis(),
        local: None,
        zone: None,
        approves: true,
        starts_over: true,
        ..facts(line)?
    };
    Ok((to, Detail { due_at: Some(now), ..Detail::before(line) }))
}

async fn replace(unit: &mut Unit<'_>, line: &Line, target: Option<&Target>) -> Result<(), Refusal> {
    let Some(target) = target.filter(|_| line.kind == Kind::ArticlePublish.as_str()) else {
        return Err(unit.conflict(line.clone()));
    };
    if line.revision_id == Some(target.revision_id) {
        return Ok(());
    }
    unit.approve(target.id).await?;
    let to = Facts { revision_id: Some(target.revision_id), approves: true, ..facts(line)? };
    unit.change(line, "replace_revision", &to, Detail::before(line).text()).await
}
