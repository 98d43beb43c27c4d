//! Undo: the last change of a task is taken back while its old moment is ahead. An undo is not undone.
//!
//! What has happened is taken back by a task that is executed in the same transaction, so that the ledger stays true: every
//! executed task has its row and its effect, and *executed* is never left.

use super::{
    past::{Detail, Past, Way},
    schedule,
    unit::{Unit, facts, parsed},
};
use crate::{desk::broken, zone};
use domain::{Kind, PersonId, Refusal, State, TaskId, Timestamp, Version, channel::Happening};
use store::{
    event::NewEvent,
    outbox::Message,
    target::{self, Public},
    task::{self, Facts, Fresh},
    task_list::Line,
};

/// Takes the last change back; answers which task to show: the one that waits, else the one that took it back.
pub async fn undo(unit: &mut Unit<'_>, line: &Line, next: TaskId) -> Result<TaskId, Refusal> {
    let past = Past::of(line).filter(|past| unit.now() < past.until).ok_or(Refusal::CannotUndo)?;
    match past.way {
        Way::Restore => restore(unit, line, &past).await,
        Way::Drop => {
            let to = Facts { state: State::Cancelled, ..facts(line)? };
            unit.change(line, "undo", &to, undid(line, &past).text()).await?;
            Ok(TaskId(line.id))
        }
        Way::TakeBack => take_back(unit, line, &past, next).await,
    }
}

/// The moment before the change; of a wall-clock time, as the rules of its zone are today.
fn moment_again(was: &Detail) -> Result<Timestamp, Refusal> {
    let due_at = was.was_due_at.ok_or(Refusal::CannotUndo)?;
    Ok(zone::instant_again(was.was_local.as_deref(), was.was_zone.as_deref(), due_at))
}

fn undid(line: &Line, past: &Past) -> Detail {
    Detail { undid: Some(past.verb.to_owned()), ..Detail::before(line) }
}

/// The task waits again as it waited before the change.
async fn restore(unit: &mut Unit<'_>, line: &Line, past: &Past) -> Result<TaskId, Refusal> {
    let was = &past.detail;
    let due_at = moment_again(was)?;
    let to = Facts {
        state: State::Scheduled,
        due_at: due_at.millis(),
        local: was.was_local.clone(),
        zone: was.was_zone.clone(),
        revision_id: was.was_revision_id,
        ..facts(line)?
    };
    let detail = Detail { due_at: Some(due_at), ..undid(line, past) };
    unit.change(line, "undo", &to, detail.text()).await?;
    Ok(TaskId(line.id))
}

/// The article goes back to where it stood, and the wish waits again if it had a moment.
async fn take_back(unit: &mut Unit<'_>, line: &Line, past: &Past, next: TaskId) -> Result<TaskId, Refusal> {
    let public = past.detail.was_public;
    let put = target::put_back(unit.tx.conn(), line.target_id, line.public_revision_id, public).await;
    let Some(revision) = put.map_err(broken)? else { return Err(Refusal::CannotUndo) };
    let executed = Some((State::Executed, State::Executed));
    unit.note("task", line.id, "undo", executed, Some(line.version), undid(line, past).text());
    let id = if past.detail.was_due_at.is_none() { next } else { TaskId::fresh() };
    execute(unit, line, public, id).await?;
    tell(unit, line, public, revision, id).await?;
    if id == next {
        return Ok(id);
    }
    wait_again(unit, line, past, next).await
}

/// Whoever was told of it is told that it was taken back.
async fn tell(
    unit: &mut Unit<'_>,
    line: &Line,
    public: Option<Public>,
    revision: i32,
    task: TaskId,
) -> Result<(), Refusal> {
    let event = match (public, line.public_revision_id) {
        (None, _) => Happening::ArticleUnpublished,
        (Some(_), None) => Happening::ArticlePublished,
        (Some(_), Some(_)) => Happening::ArticleUpdated,
    };
    unit.post(Message { task, version: Version::FIRST, event, article: line.target_id, revision }).await
}

/// A task like this one.
fn like(unit: &Unit<'_>, id: TaskId, kind: Kind, line: &Line) -> Result<Fresh, Refusal> {
    Ok(Fresh {
        id,
        kind: kind.as_str(),
        late_grace: kind.late_rule().grace,
        unique_key: Some(task::unique_key(kind, line.target_id)),
        lane: parsed(&line.lane)?,
        bucket: queue::bucket_of(id, unit.parts.hints.buckets()),
        target_id: line.target_id,
        revision_id: None,
        due_at: unit.now(),
        local: None,
        zone: None,
        request: None,
        owner: PersonId(line.owner_id),
    })
}

/// Books what put the article back, as a task that is executed now.
async fn execute(
    unit: &mut Unit<'_>,
    line: &Line,
    public: Option<Public>,
    id: TaskId,
) -> Result<(), Refusal> {
    let (kind, verb) = match public {
        Some(_) => (Kind::ArticlePublish, "publish"),
        None => (Kind::ArticleUnpublish, "unpublish"),
    };
    let task = Fresh { revision_id: public.map(|public| public.revision_id), ..like(unit, id, kind, line)? };
    task::insert_executed(unit.tx.conn(), &task).await.map_err(broken)?;
    task::insert_execution(unit.tx.conn(), &task, &unit.parts.node).await.map_err(broken)?;
    let detail = Detail { of_task: Some(line.id), due_at: Some(task.due_at), ..Detail::default() };
    unit.note_all([NewEvent {
        verb: "execute",
        to_state: Some(State::Executed.as_str()),
        detail: detail.text(),
        ..schedule::scheduled(unit.lens.actor, &task, unit.now())
    }]);
    unit.note("article", line.target_id, verb, None, None, serde_json::json!({ "task": id }).to_string());
    Ok(())
}

/// The wish waits again for its old moment, with the text it held.
async fn wait_again(unit: &mut Unit<'_>, line: &Line, past: &Past, id: TaskId) -> Result<TaskId, Refusal> {
    let was = &past.detail;
    let kind = parsed(&line.kind)?;
    if let Some(other) = unit.waiting(kind, line.target_id).await? {
        return Err(Refusal::AlreadyScheduled { task: Box::new(unit.show(other)?) });
    }
    let task = Fresh {
        revision_id: was.was_revision_id,
        due_at: moment_again(was)?,
        local: was.was_local.clone(),
        zone: was.was_zone.clone(),
        ..like(unit, id, kind, line)?
    };
    let detail = Detail { of_task: Some(line.id), due_at: Some(task.due_at), ..Detail::default() };
    let event = schedule::scheduled(unit.lens.actor, &task, unit.now());
    unit.note_all([NewEvent { detail: detail.text(), version: Some(Version::FIRST.0), ..event }]);
    schedule::insert(unit, std::slice::from_ref(&task)).await?;
    unit.hint(schedule::hint_of(&task));
    Ok(id)
}
