//! What all changes of a review share: locks, the tasks of the deadline, notifications, released tasks, events.

use crate::{
    articles::review::{
        approved_tasks,
        notify::{self, Change},
    },
    kinds::{self, TaskKind, undo_plan::ChangeDetail},
    services::{internal_error, write_error},
    tasks::{
        decide, schedule,
        unit_of_work::{UnitOfWork, parsed},
    },
};
use domain::{
    ArticleId, DomainError, Hint, KindClass, State, TaskId, Timestamp, Version, time::warnings_before,
};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use store::{
    article_review::{self, ReviewRow},
    target::{self, Target},
    task::{self, UnpinnedChange},
    task_list::{self, TaskListRow},
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

/// Locks articles and their reviews, in the order of their ids. Returns the articles that are not in the trash,
/// each with its review; `None`: it has none.
pub async fn lock_all(
    unit: &mut UnitOfWork<'_>,
    articles: &[Uuid],
) -> Result<HashMap<Uuid, Option<ReviewRow>>, DomainError> {
    let before = article_review::by_articles(unit.tx.conn(), articles).await.map_err(internal_error)?;
    let ids: Vec<Uuid> = before.iter().map(|review| review.id).chain(articles.iter().copied()).collect();
    let locked = target::lock(unit.tx.conn(), &ids).await.map_err(internal_error)?;
    let reviews = article_review::by_articles(unit.tx.conn(), articles).await.map_err(internal_error)?;
    let mut reviews: HashMap<Uuid, ReviewRow> =
        reviews.into_iter().map(|review| (review.article_id, review)).collect();
    let open = locked.iter().filter(|target| target.kind == "article" && target.deleted_at.is_none());
    Ok(open.map(|target| (target.id, reviews.remove(&target.id))).collect())
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
    follow_deadlines(unit, &[(review, deadline)]).await
}

/// The same for several reviews, with a fixed number of statements.
pub async fn follow_deadlines(
    unit: &mut UnitOfWork<'_>,
    reviews: &[(Uuid, Option<Timestamp>)],
) -> Result<(), DomainError> {
    let mut wanted = Vec::with_capacity(3 * reviews.len());
    for (review, deadline) in reviews {
        let tasks = deadline_tasks(*deadline, unit.now())?;
        wanted.extend(tasks.into_iter().map(|(kind, at)| (kind, *review, at)));
    }
    let keys: Vec<String> = wanted.iter().filter_map(|(kind, review, _)| kind.unique_key(*review)).collect();
    let waiting = task_list::waiting_with(unit.tx.conn(), &keys).await.map_err(internal_error)?;
    let mut waiting: HashMap<(Uuid, String), TaskListRow> =
        waiting.into_iter().map(|row| ((row.target_id, row.kind.clone()), row)).collect();
    let (mut changed, mut new) = (Vec::new(), Vec::new());
    for (kind, review, at) in wanted {
        match (waiting.remove(&(review, kind.word().to_owned())), at) {
            (None, None) => {}
            (Some(row), Some(at)) if row.due_at == at.millis() => {}
            (Some(row), Some(at)) => {
                let detail = ChangeDetail { due_at: Some(at), ..ChangeDetail::before(&row) };
                changed.push((row, State::Scheduled, at, detail));
            }
            (Some(row), None) => {
                let (_, detail) = decide::cancelled(&row)?;
                let due_at = row.due_at.into();
                changed.push((row, State::Cancelled, due_at, detail));
            }
            (None, Some(at)) => new.push((kind, review, at)),
        }
    }
    change_tasks(unit, changed).await?;
    add_tasks(unit, &new).await?;
    unit.write_events().await
}

/// Reschedules and cancels scheduled tasks of deadlines.
async fn change_tasks(
    unit: &mut UnitOfWork<'_>,
    changes: Vec<(TaskListRow, State, Timestamp, ChangeDetail)>,
) -> Result<(), DomainError> {
    let request = |(row, state, due_at, _): &(TaskListRow, State, Timestamp, ChangeDetail)| UnpinnedChange {
        id: TaskId(row.id),
        seen: Version(row.version),
        state: *state,
        due_at: *due_at,
    };
    let requests: Vec<UnpinnedChange> = changes.iter().map(request).collect();
    let changed = task::change_unpinned(unit.tx.conn(), &requests).await.map_err(internal_error)?;
    if changed.len() != requests.len() {
        return Err(DomainError::Changed);
    }
    for (row, state, due_at, detail) in changes {
        let version = Version(row.version + 1);
        unit.note_moved(&row.kind, row.target_id);
        let verb = if state == State::Scheduled { "reschedule" } else { "cancel" };
        let states = Some((State::Scheduled, state));
        unit.record_event("task", row.id, verb, states, Some(version.0), detail.text());
        if state == State::Scheduled {
            unit.add_hint(Hint {
                task: TaskId(row.id),
                version,
                due_at,
                priority: parsed(&row.priority)?,
                class: KindClass::of(&row.kind),
                bucket: u16::try_from(row.bucket).unwrap_or_default(),
            });
        }
    }
    Ok(())
}

async fn add_tasks(
    unit: &mut UnitOfWork<'_>,
    new: &[(&'static dyn TaskKind, Uuid, Timestamp)],
) -> Result<(), DomainError> {
    if new.is_empty() {
        return Ok(());
    }
    let reviews: BTreeSet<Uuid> = new.iter().map(|(_, review, _)| *review).collect();
    let reviews: Vec<Uuid> = reviews.into_iter().collect();
    let locked = target::lock(unit.tx.conn(), &reviews).await.map_err(internal_error)?;
    for (kind, review, at) in new {
        let target = locked.iter().find(|target| target.id == *review);
        let target = target.ok_or_else(|| DomainError::no_such("review"))?;
        let task = schedule::new_task(unit, TaskId::generate(), *kind, target, *at);
        let event = schedule::scheduled(unit.presenter.actor, &task, unit.now());
        unit.record_events([event]);
        unit.add_task(task);
    }
    Ok(())
}

/// Notifies the accounts that a change concerns. The review was just written.
pub async fn notify(
    unit: &mut UnitOfWork<'_>,
    review: &ReviewRow,
    change: Change<'_>,
) -> Result<(), DomainError> {
    notify_all(unit, &[(review, change)]).await
}

/// The same for several reviews.
pub async fn notify_all(
    unit: &mut UnitOfWork<'_>,
    changes: &[(&ReviewRow, Change<'_>)],
) -> Result<(), DomainError> {
    let by = (Some(unit.presenter.actor.account.0), unit.now());
    let events = notify::notify(&mut unit.tx, changes, by).await.map_err(write_error(unit.parts))?;
    unit.record_events(events);
    Ok(())
}

/// Releases the tasks that waited for the approval of these revisions.
pub async fn release(unit: &mut UnitOfWork<'_>, revisions: &[Uuid]) -> Result<(), DomainError> {
    let by = (Some(unit.presenter.actor.account), unit.now());
    let released = approved_tasks::release(&mut unit.tx, revisions, by).await.map_err(internal_error)?;
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
