//! What all changes of a review share: locks, the tasks of the deadline, notifications, released tasks, events.

use crate::{
    articles::review::{
        notify::{self, Change},
        released,
    },
    services::{internal_error, write_error},
    tasks::{
        decide,
        kinds::{self, TaskKind},
        schedule,
        undo_plan::ChangeDetail,
        unit::{UnitOfWork, to_update},
    },
};
use domain::{ArticleId, DomainError, State, TaskId, Timestamp, time::warnings_before};
use serde_json::Value;
use store::{
    article_review::{self, ReviewRow},
    target::{self, Target},
    task::TaskUpdate,
};
use uuid::Uuid;

/// Locks an article and its review, and loads both; `None`: it has no review.
pub async fn lock(
    unit: &mut UnitOfWork<'_>,
    article: ArticleId,
) -> Result<(Target, Option<ReviewRow>), DomainError> {
    let before = article_review::find(unit.tx.conn(), article).await.map_err(internal_error)?;
    let ids: Vec<Uuid> = before.iter().map(|review| review.id).chain([article.0]).collect();
    let locked = target::lock(unit.tx.conn(), &ids).await.map_err(internal_error)?;
    let target = locked.into_iter().find(|target| target.id == article.0 && target.kind == "article");
    let target = target.ok_or_else(|| DomainError::no_such("article"))?;
    if target.deleted_at.is_some() {
        return Err(DomainError::InTrash);
    }
    let review = article_review::find(unit.tx.conn(), article).await.map_err(internal_error)?;
    Ok((target, review))
}

/// A kind of a task, and when it runs; `None`: never.
type Planned = (&'static dyn TaskKind, Option<Timestamp>);

/// The tasks of a deadline.
fn deadline_tasks(deadline: Option<Timestamp>, now: Timestamp) -> Result<[Planned; 3], DomainError> {
    let kind = |word: &str| kinds::find(word).ok_or_else(|| DomainError::no_such("kind"));
    let warnings = deadline.and_then(|deadline| warnings_before(deadline, now));
    Ok([
        (kind("review.decide")?, deadline),
        (kind("review.warn")?, warnings.map(|[first, _]| first)),
        (kind("review.warn_again")?, warnings.map(|[_, last]| last)),
    ])
}

/// Makes the tasks of the deadline follow the review: the decision, and the warnings before it. Writes
/// them with all events recorded so far.
pub async fn follow_deadline(
    unit: &mut UnitOfWork<'_>,
    review: Uuid,
    deadline: Option<Timestamp>,
) -> Result<(), DomainError> {
    for (kind, at) in deadline_tasks(deadline, unit.now())? {
        let waiting = unit.scheduled_task(kind, review).await?;
        match (waiting, at) {
            (None, None) => {}
            (Some(row), Some(at)) if row.due_at == at.millis() => {}
            (Some(row), Some(at)) => {
                let to = TaskUpdate { state: State::Scheduled, due_at: at.millis(), ..to_update(&row)? };
                let detail = ChangeDetail { due_at: Some(at), ..ChangeDetail::before(&row) };
                unit.change(&row, "reschedule", &to, detail.text()).await?;
            }
            (Some(row), None) => {
                let (to, detail) = decide::cancelled(&row)?;
                unit.change(&row, "cancel", &to, detail.text()).await?;
            }
            (None, Some(at)) => add_task(unit, kind, review, at).await?,
        }
    }
    unit.write_events().await
}

async fn add_task(
    unit: &mut UnitOfWork<'_>,
    kind: &'static dyn TaskKind,
    review: Uuid,
    at: Timestamp,
) -> Result<(), DomainError> {
    let locked = target::lock(unit.tx.conn(), &[review]).await.map_err(internal_error)?;
    let target = locked.into_iter().next().ok_or_else(|| DomainError::no_such("review"))?;
    let task = schedule::new_task(unit, TaskId::generate(), kind, &target, at);
    let event = schedule::scheduled(unit.presenter.actor, &task, unit.now());
    unit.record_events([event]);
    unit.add_task(task);
    Ok(())
}

/// Notifies the accounts that a change concerns. The review was just written.
pub async fn notify(
    unit: &mut UnitOfWork<'_>,
    review: &ReviewRow,
    change: Change<'_>,
) -> Result<(), DomainError> {
    let by = (Some(unit.presenter.actor.account.0), unit.now());
    let events =
        notify::notify(&mut unit.tx, &[(review, change)], by).await.map_err(write_error(unit.parts))?;
    unit.record_events(events);
    Ok(())
}

/// Releases the tasks that waited for the approval of a revision.
pub async fn release(unit: &mut UnitOfWork<'_>, revision: Uuid) -> Result<(), DomainError> {
    let by = (Some(unit.presenter.actor.account), unit.now());
    let released = released::release(&mut unit.tx, &[revision], by).await.map_err(internal_error)?;
    released.hints.into_iter().for_each(|hint| unit.add_hint(hint));
    unit.record_events(released.events);
    Ok(())
}

/// Records an event of the article.
pub fn record(
    unit: &mut UnitOfWork<'_>,
    article: Uuid,
    verb: &'static str,
    (revision, detail): (i32, &Value),
) {
    unit.record_event("article", article, verb, None, Some(revision), detail.to_string());
}
