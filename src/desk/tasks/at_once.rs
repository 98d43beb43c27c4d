//! At once: what waits is moved to now with the current text; what does not wait gets a task that is due now.

use super::{
    change,
    past::Detail,
    schedule,
    unit::{Unit, done_before},
};
use crate::{desk::broken, parts::Parts};
use domain::{Actor, ArticleId, Kind, Refusal, TaskId, task::TaskRow};
use store::{
    event::NewEvent,
    target::Target,
    task_list::{self, Line},
};

/// So long after it happened, the same wish counts as a second click, milliseconds.
const SECOND_CLICK_MS: i64 = 60_000;

/// Publishes or unpublishes an article at once. The answer is the task; it happens a moment later.
pub async fn at_once(
    parts: &Parts,
    actor: &Actor,
    article: ArticleId,
    kind: Kind,
) -> Result<TaskRow, Refusal> {
    let mut unit = Unit::begin(parts, actor).await?;
    let target = unit.lock(article).await?;
    let waiting = unit.waiting(kind, article.0).await?;
    if let Some(row) = asked_before(&mut unit, &target, kind, waiting.as_ref()).await? {
        return Ok(row);
    }
    let id = waiting.as_ref().map_or_else(TaskId::fresh, |line| TaskId(line.id));
    if let Some(done) = done_before(&mut unit, id.0).await? {
        return unit.row(TaskId(done)).await;
    }
    if kind == Kind::ArticleUnpublish {
        must_be_public(&mut unit, &target).await?;
    }
    match waiting {
        Some(line) => move_to_now(&mut unit, &line, &target, kind).await?,
        None => new_task(&mut unit, id, &target, kind).await?,
    }
    unit.finish_with(id).await
}

/// The task that does, or did, what is asked for: a second click changes nothing and is answered as the first one was.
async fn asked_before(
    unit: &mut Unit<'_>,
    target: &Target,
    kind: Kind,
    waiting: Option<&Line>,
) -> Result<Option<TaskRow>, Refusal> {
    let (now, is_publish) = (unit.now(), kind == Kind::ArticlePublish);
    if let Some(line) = waiting {
        let is_same = !is_publish || line.revision_id == Some(target.revision_id);
        let is_coming = is_same && line.due_at <= now.millis();
        return is_coming.then(|| unit.show(line.clone())).transpose();
    }
    let is_so = match kind {
        Kind::ArticlePublish => target.public_revision_id == Some(target.revision_id),
        Kind::ArticleUnpublish => target.public_revision_id.is_none(),
    };
    if !is_so {
        return Ok(None);
    }
    let last = task_list::last_executed(unit.tx.conn(), target.id).await.map_err(broken)?;
    let since = now.plus(-SECOND_CLICK_MS).millis();
    let is_it = |line: &Line| line.kind == kind.as_str() && line.executed_at.is_some_and(|at| at >= since);
    last.filter(is_it).map(|line| unit.show(line)).transpose()
}

async fn must_be_public(unit: &mut Unit<'_>, target: &Target) -> Result<(), Refusal> {
    let now = unit.now();
    let is_public = target.public_revision_id.is_some()
        || task_list::is_published_before(unit.tx.conn(), target.id, now).await.map_err(broken)?;
    if is_public { Ok(()) } else { Err(Refusal::NotPublished) }
}

async fn move_to_now(unit: &mut Unit<'_>, line: &Line, target: &Target, kind: Kind) -> Result<(), Refusal> {
    let revision = (kind == Kind::ArticlePublish).then_some(target.revision_id);
    if revision.is_some() {
        unit.approve(target.id).await?;
    }
    change::to_now(unit, line, Some(target), revision).await
}

async fn new_task(unit: &mut Unit<'_>, id: TaskId, target: &Target, kind: Kind) -> Result<(), Refusal> {
    let task = schedule::fresh(unit, id, kind, target, unit.now());
    let detail = Detail {
        due_at: Some(task.due_at),
        is_at_once: true,
        was_public: target.public(),
        ..Detail::default()
    };
    let event = schedule::scheduled(unit.lens.actor, &task, unit.now());
    unit.note_all([NewEvent { detail: detail.text(), ..event }]);
    schedule::insert(unit, std::slice::from_ref(&task)).await?;
    unit.hint(schedule::hint_of(&task));
    Ok(())
}
