//! Reviews follow the tasks that publish their texts.

use super::{
    change,
    submit::{self, Submission},
};
use crate::articles::review::workflow::superseded_tasks;
use crate::{
    app_state::AppState,
    articles::review::{
        content::{self, CheckedRevision},
        lists,
        notify::Change,
    },
    services::{Presenter, internal_error, write_error},
    tasks::unit_of_work::UnitOfWork,
};
use domain::{
    Actor, ArticleId, DomainError, Kind, State, Timestamp,
    review::workflow::{ReviewSettings, ReviewState, Workflow},
    task::TaskRow,
};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use store::{
    Conn, PoolRole, approval,
    article_review::{self, ReviewRow},
    dashboard, review_settings,
    revision::{self, RevisionRecord},
    submission,
    task_list::{self, TaskListRow},
};
use uuid::Uuid;

/// Maximum number of texts in one transaction, and in memory.
const MAX_TEXTS: usize = 50;

/// Whether a task publishes a text.
fn is_publication(task: &TaskRow) -> bool {
    task.kind == Kind::ArticlePublish && task.state == State::Scheduled
}

/// Submits the text that a new task publishes, lets the deadline of its review follow the task, and returns the task
/// as it is then.
pub async fn followed(parts: &AppState, actor: &Actor, task: TaskRow) -> TaskRow {
    let id = task.id;
    let mut tasks = follow_tasks(parts, actor, vec![task]).await;
    let index = tasks.iter().position(|task| task.id == id).unwrap_or_default();
    tasks.swap_remove(index)
}

/// Does what [`followed`] does for tasks that were created together.
pub async fn follow_new(parts: &AppState, actor: &Actor, tasks: Vec<TaskRow>) -> Vec<TaskRow> {
    if is_reviewing(parts).await { follow_tasks(parts, actor, tasks).await } else { tasks }
}

async fn follow_tasks(parts: &AppState, actor: &Actor, mut tasks: Vec<TaskRow>) -> Vec<TaskRow> {
    let articles: Vec<Uuid> =
        tasks.iter().filter(|task| is_publication(task)).map(|task| task.target_id).collect();
    let reviewed = follow_articles(parts, actor, &articles).await;
    let is_reviewed = |task: &TaskRow| is_publication(task) && reviewed.contains(&task.target_id);
    let ids: Vec<Uuid> = tasks.iter().filter(|task| is_reviewed(task)).map(|task| task.id.0).collect();
    match reload(parts, actor, &ids).await {
        Ok(mut reloaded) => {
            for task in &mut tasks {
                if let Some(now) = reloaded.remove(&task.id.0) {
                    *task = now;
                }
            }
        }
        Err(error) => tracing::warn!("tasks are returned as they were before their review: {error}"),
    }
    tasks
}

/// Whether the desk reviews texts. An error counts as no: the tasks wait for their approval.
async fn is_reviewing(parts: &AppState) -> bool {
    let settings = async {
        let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        review_settings::find(lease.conn()).await.map_err(internal_error)
    };
    settings.await.is_ok_and(|settings| settings.workflow != Workflow::None)
}

async fn reload(
    parts: &AppState,
    actor: &Actor,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, TaskRow>, DomainError> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let rows = dashboard::find_many(lease.conn(), ids).await.map_err(internal_error)?;
    Ok(presenter.tasks(rows).into_iter().map(|task| (task.id.0, task)).collect())
}

/// Lets the deadlines of reviews follow tasks that were rescheduled together, see
/// [`follow_articles`].
pub async fn follow_schedules(parts: &AppState, actor: &Actor, tasks: &[&TaskListRow]) {
    if !is_reviewing(parts).await {
        return;
    }
    let publications = tasks.iter().filter(|task| task.kind == Kind::ArticlePublish.as_str());
    let articles: Vec<Uuid> = publications.map(|task| task.target_id).collect();
    follow_articles(parts, actor, &articles).await;
}

/// Submits the texts of articles that tasks publish, and lets the deadlines of their reviews follow the tasks.
/// Returns the articles whose text is reviewed. An error is only logged: the tasks wait for their approval, and the
/// authors can submit the texts.
pub async fn follow_articles(parts: &AppState, actor: &Actor, articles: &[Uuid]) -> HashSet<Uuid> {
    let articles: BTreeSet<Uuid> = articles.iter().copied().collect();
    let articles: Vec<Uuid> = articles.into_iter().collect();
    // The idempotency key belongs to the tasks.
    let actor = Actor { idempotency: None, ..actor.clone() };
    let mut reviewed = HashSet::new();
    for some in articles.chunks(MAX_TEXTS) {
        match follow(parts, &actor, some).await {
            Ok(done) => reviewed.extend(done),
            // One of them was changed meanwhile: each follows alone.
            Err(_) if some.len() > 1 => {
                for one in some.chunks(1) {
                    reviewed
                        .extend(follow(parts, &actor, one).await.unwrap_or_else(|error| log(one, &error)));
                }
            }
            Err(error) => reviewed.extend(log(some, &error)),
        }
    }
    reviewed
}

fn log(articles: &[Uuid], error: &DomainError) -> HashSet<Uuid> {
    for article in articles {
        tracing::warn!(%article, "the review of an article did not follow its task: {error}");
    }
    HashSet::new()
}

/// A text that a scheduled task publishes.
struct Pinned {
    article: Uuid,
    /// Number of its revision.
    number: i32,
    /// When it is published.
    due: Timestamp,
    checked: CheckedRevision,
}

/// Returns the articles whose text is reviewed.
async fn follow(parts: &AppState, actor: &Actor, articles: &[Uuid]) -> Result<HashSet<Uuid>, DomainError> {
    if articles.is_empty() {
        return Ok(HashSet::new());
    }
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let settings = review_settings::find(lease.conn()).await.map_err(internal_error)?;
    if settings.workflow == Workflow::None {
        // They may have been submitted before the workflow was switched off.
        let found = article_review::by_articles(lease.conn(), articles).await.map_err(internal_error)?;
        return Ok(found.into_iter().map(|review| review.article_id).collect());
    }
    let mut reviewed: HashSet<Uuid> = articles.iter().copied().collect();
    let texts = pinned(lease.conn(), articles).await?;
    let revisions: Vec<Uuid> = texts.iter().map(|(_, text, _)| text.id).collect();
    let approved = approval::of_revisions(lease.conn(), &revisions).await.map_err(internal_error)?;
    let lists = lists::current(lease.conn()).await.map_err(internal_error)?;
    drop(lease);
    let scheduled: Vec<Uuid> = texts.iter().map(|(article, ..)| *article).collect();
    superseded_tasks::dismiss(parts, actor, &scheduled).await?;
    let approved: HashSet<(Uuid, String)> =
        approved.into_iter().map(|one| (one.revision_id, one.hash)).collect();
    let mut all = Vec::with_capacity(texts.len());
    for (article, text, due) in texts {
        match content::check_with(actor.into(), &lists, submit::reviewed(&text)).await {
            Ok(checked) if approved.contains(&(checked.id, checked.hash.clone())) => {}
            Ok(checked) => all.push(Pinned { article, number: text.number, due, checked }),
            Err(error) => {
                reviewed.remove(&article);
                log(&[article], &error);
            }
        }
    }
    if !all.is_empty() {
        put(parts, actor, &settings, all).await?;
    }
    Ok(reviewed)
}

/// The texts that scheduled tasks publish, and when; by article.
async fn pinned(
    mut conn: Conn<'_>,
    articles: &[Uuid],
) -> Result<Vec<(Uuid, RevisionRecord, Timestamp)>, DomainError> {
    let tasks = task_list::waiting_of_targets(conn.reborrow(), articles).await.map_err(internal_error)?;
    // The first of each article.
    let mut revisions: BTreeMap<Uuid, (Uuid, Timestamp)> = BTreeMap::new();
    for task in tasks {
        if let Some(revision) = task.revision_id {
            revisions.entry(task.target_id).or_insert((revision, task.due_at.into()));
        }
    }
    let ids: Vec<Uuid> = revisions.values().map(|(revision, _)| *revision).collect();
    let found = revision::find_many(conn, &ids).await.map_err(internal_error)?;
    let mut found: HashMap<Uuid, RevisionRecord> = found.into_iter().map(|text| (text.id, text)).collect();
    let text = |(article, (revision, due)): (Uuid, (Uuid, Timestamp))| {
        Some((article, found.remove(&revision)?, due))
    };
    Ok(revisions.into_iter().filter_map(text).collect())
}

/// What is written for texts that are not approved.
#[derive(Default)]
struct Writes {
    submitted: Vec<Submission>,
    /// Reviews whose deadline follows the publication, and when that is.
    moved: Vec<(ReviewRow, Timestamp)>,
    /// Held reviews that are submitted again, and when their texts are published.
    resubmitted: Vec<(ReviewRow, Timestamp)>,
}

impl Writes {
    /// Decides about one text.
    fn add(
        &mut self,
        settings: &ReviewSettings,
        (text, review): (Pinned, Option<ReviewRow>),
        now: Timestamp,
    ) -> Result<(), DomainError> {
        let before = review.as_ref().map(|review| review.id);
        let Pinned { article, number, due, checked } = text;
        let state = settings.workflow.submitted(checked.found.verdict);
        let revision = checked.id;
        let submission = Submission { article: ArticleId(article), number, before, checked, asked: None };
        let Some(review) = review else {
            self.submitted.push(submission);
            return Ok(());
        };
        let was = review.state().map_err(internal_error)?;
        match (review.revision_id == revision, was) {
            (true, ReviewState::Submitted) => self.moved.push((review, due)),
            (true, ReviewState::Held) if due > now => match state {
                // A text with blocked words stays held.
                ReviewState::Held => {}
                ReviewState::Submitted => self.resubmitted.push((review, due)),
                _ => self.submitted.push(submission),
            },
            (true, _) => {}
            // A newer text waits for a reviewer: the task takes it when it is approved.
            (false, _) if was.is_open() && review.revision > number => {}
            (false, _) => self.submitted.push(submission),
        }
        Ok(())
    }
}

/// Puts texts under review, or lets their reviews follow the time of the publication, in one transaction.
async fn put(
    parts: &AppState,
    actor: &Actor,
    settings: &ReviewSettings,
    texts: Vec<Pinned>,
) -> Result<(), DomainError> {
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    let articles: Vec<Uuid> = texts.iter().map(|text| text.article).collect();
    let mut reviews = change::lock_all(&mut unit, &articles).await?;
    let mut writes = Writes::default();
    for text in texts {
        // Those that are in the trash now are not reviewed.
        if let Some(review) = reviews.remove(&text.article) {
            writes.add(settings, (text, review), unit.now())?;
        }
    }
    submit::put_all(&mut unit, settings, &writes.submitted).await?;
    follow_due(&mut unit, settings, &writes.moved).await?;
    resubmit(&mut unit, settings, &writes.resubmitted).await?;
    unit.commit().await
}

/// Makes the deadlines of reviews follow the times of the publications.
async fn follow_due(
    unit: &mut UnitOfWork<'_>,
    settings: &ReviewSettings,
    moved: &[(ReviewRow, Timestamp)],
) -> Result<(), DomainError> {
    if moved.is_empty() {
        return Ok(());
    }
    let (now, zone) = (unit.now(), submit::desk_zone(unit).await?);
    let mut deadlines = Vec::with_capacity(moved.len());
    for (review, due) in moved {
        let deadline = settings.deadline_at(review.submitted_at.into(), Some(*due), &zone);
        let deadline = deadline.map(|at| at.max(now));
        if deadline.map(Timestamp::millis) != review.deadline_at {
            deadlines.push((review.id, deadline));
        }
    }
    submission::set_deadlines(unit.tx.conn(), &deadlines).await.map_err(write_error(unit.parts))?;
    change::follow_deadlines(unit, &deadlines).await
}

/// Submits held texts again, because they are scheduled again.
async fn resubmit(
    unit: &mut UnitOfWork<'_>,
    settings: &ReviewSettings,
    held: &[(ReviewRow, Timestamp)],
) -> Result<(), DomainError> {
    if held.is_empty() {
        return Ok(());
    }
    let (now, zone) = (unit.now(), submit::desk_zone(unit).await?);
    let deadline = |due: Timestamp| settings.deadline_at(now, Some(due), &zone);
    let deadlines: Vec<_> = held.iter().map(|(review, due)| (review.id, deadline(*due))).collect();
    let stored = submission::resubmit_all(unit.tx.conn(), &deadlines, settings.deadline.decision, now).await;
    stored.map_err(write_error(unit.parts))?;
    for ((review, _), (_, deadline)) in held.iter().zip(&deadlines) {
        let detail = json!({"state": ReviewState::Submitted, "deadline_at": deadline});
        change::record(unit, review.article_id, "submit", (review.revision, &detail));
    }
    let changes: Vec<_> = held.iter().map(|(review, _)| (review, Change::Submitted)).collect();
    change::notify_all(unit, &changes).await?;
    change::follow_deadlines(unit, &deadlines).await
}
