//! What becomes of articles that wait for an approval when an admin changes the workflow.

use super::super::{change, decide, follow_schedules};
use crate::{
    app_state::AppState,
    articles::review::{approved_tasks, notify::Change},
    services::{internal_error, write_error},
    tasks::{self, unit_of_work::UnitOfWork},
};
use domain::{
    Actor, DomainError, Kind, State,
    attention::AttentionCause,
    review::{
        Verdict,
        workflow::{ReviewState, WaitingArticles, WaitingChoice, Workflow},
    },
};
use serde_json::json;
use std::collections::HashSet;
use store::{
    PoolRole, approval,
    article_review::{self, Decided, ReviewRow},
    release_item, released_task, target,
    task_list::{self, TaskListRow},
    unapproved,
};
use uuid::Uuid;

/// Maximum number of scheduled texts that are submitted when reviewers begin to approve.
const MAX_SUBMITTED: i64 = 1_000;

/// Number of articles that wait for an approval.
pub async fn count(parts: &AppState) -> Result<u64, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    unapproved::count(lease.conn(), parts.clock.now()).await.map_err(internal_error)
}

/// Applies the choice to the articles that wait. The new settings are written already.
pub async fn apply(
    unit: &mut UnitOfWork<'_>,
    workflow: Workflow,
    choice: WaitingChoice,
) -> Result<WaitingArticles, DomainError> {
    if choice == WaitingChoice::Keep {
        return Ok(WaitingArticles::default());
    }
    let now = unit.now();
    let articles = unapproved::articles(unit.tx.conn(), now).await.map_err(internal_error)?;
    let reviews = lock(unit, &articles).await?;
    Ok(match choice {
        WaitingChoice::Keep => WaitingArticles::default(),
        WaitingChoice::Publish => WaitingArticles {
            published: publish(unit, workflow, reviews).await?,
            ..WaitingArticles::default()
        },
        WaitingChoice::Draft => {
            draft(unit, &articles, reviews).await?;
            WaitingArticles { drafts: articles.len() as u64, ..WaitingArticles::default() }
        }
    })
}

/// Submits the texts of scheduled articles, because reviewers must approve them from now on, and applies
/// the choice to them. Those beyond the maximum are held at their time.
pub async fn submit_scheduled(
    parts: &AppState,
    actor: &Actor,
    (workflow, choice): (Workflow, WaitingChoice),
) -> Result<WaitingArticles, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let tasks = unapproved::scheduled(lease.conn(), MAX_SUBMITTED).await.map_err(internal_error)?;
    drop(lease);
    follow_schedules(parts, actor, &tasks.iter().collect::<Vec<_>>()).await;
    let actor = Actor { idempotency: None, ..actor.clone() };
    let mut unit = UnitOfWork::begin(parts, &actor).await?;
    let changed = apply(&mut unit, workflow, choice).await?;
    unit.commit().await?;
    Ok(changed)
}

/// Locks articles and their reviews in id order, and returns the reviews that wait for a reviewer.
async fn lock(unit: &mut UnitOfWork<'_>, articles: &[Uuid]) -> Result<Vec<ReviewRow>, DomainError> {
    let before = article_review::by_articles(unit.tx.conn(), articles).await.map_err(internal_error)?;
    let ids: Vec<Uuid> = before.iter().map(|review| review.id).chain(articles.iter().copied()).collect();
    target::lock(unit.tx.conn(), &ids).await.map_err(internal_error)?;
    let rows = article_review::by_articles(unit.tx.conn(), articles).await.map_err(internal_error)?;
    let mut open = Vec::with_capacity(rows.len());
    for row in rows {
        if row.state().map_err(internal_error)?.is_open() {
            open.push(row);
        }
    }
    Ok(open)
}

/// Approves the texts, but for those with words that the new workflow blocks. Returns their number.
async fn publish(
    unit: &mut UnitOfWork<'_>,
    workflow: Workflow,
    reviews: Vec<ReviewRow>,
) -> Result<u64, DomainError> {
    let by = Some(unit.presenter.actor.account);
    let mut published: HashSet<Uuid> = HashSet::new();
    for review in &reviews {
        if workflow != Workflow::None && review.verdict().map_err(internal_error)? == Verdict::Block {
            continue;
        }
        let decided = Decided { state: ReviewState::Approved, reviewer: by, link_name: None, reason: "" };
        decide::apply(unit, review, decided).await?;
        published.insert(review.article_id);
    }
    let released =
        released_task::release_unreviewed(unit.tx.conn()).await.map_err(write_error(unit.parts))?;
    for task in &released {
        unit.add_hint(approved_tasks::hint(task).map_err(internal_error)?);
    }
    let ids: Vec<Uuid> = released.iter().map(|task| task.id).collect();
    let rows = task_list::find_many(unit.tx.conn(), &ids).await.map_err(internal_error)?;
    published.extend(rows.into_iter().map(|row| row.target_id));
    Ok(published.len() as u64)
}

/// Makes drafts of the articles: their submissions are withdrawn, and their publications cancelled.
async fn draft(
    unit: &mut UnitOfWork<'_>,
    articles: &[Uuid],
    reviews: Vec<ReviewRow>,
) -> Result<(), DomainError> {
    let failed = write_error(unit.parts);
    let open = task_list::open_of_targets(unit.tx.conn(), articles).await.map_err(internal_error)?;
    for row in open.iter().filter(|row| waits(row)) {
        let (to, detail) = tasks::decide::cancelled(row)?;
        unit.change(row, "cancel", &to, detail.text()).await?;
    }
    let texts: Vec<Uuid> = reviews.iter().map(|review| review.revision_id).collect();
    release_item::remove_texts(unit.tx.conn(), &texts).await.map_err(&failed)?;
    approval::withdraw(unit.tx.conn(), &texts).await.map_err(&failed)?;
    for review in &reviews {
        change::follow_deadline(unit, review.id, None).await?;
        change::notify(unit, review, Change::Withdrawn).await?;
        let is_gone = article_review::withdraw(unit.tx.conn(), review.id, review.version).await;
        if !is_gone.map_err(&failed)? {
            return Err(DomainError::Changed);
        }
        let detail = json!({"hash": review.hash});
        change::record(unit, review.article_id, "review_withdraw", (review.revision, &detail));
    }
    Ok(())
}

/// Whether a task is a publication that waits for an approval, or is held without one.
fn waits(row: &TaskListRow) -> bool {
    let is_held = row.reason.as_deref().and_then(AttentionCause::of_review).is_some();
    let is_scheduled = row.state == State::Scheduled.as_str();
    row.kind == Kind::ArticlePublish.as_str() && if is_scheduled { row.needs_approval } else { is_held }
}
