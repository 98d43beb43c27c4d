//! Submits texts for review: by their authors, or because they are scheduled. Authors may ask reviewers;
//! the others may decide too, because being asked is no right.

use super::change;
use crate::{
    app_state::AppState,
    articles::review::{
        content::{self, CheckedRevision},
        notify::Change,
    },
    services::{internal_error, write_error},
    tasks::unit_of_work::UnitOfWork,
    zone::Zone,
};
use domain::{
    AccountId, Actor, ArticleId, DomainError, Role, Timestamp,
    error::ValidationError,
    review::workflow::{MAX_ASKED, ReviewProblem, ReviewSettings, ReviewState, Reviewer, Workflow},
};
use serde_json::json;
use std::collections::{BTreeSet, HashMap};
use store::{
    Conn, PoolRole,
    approval::{self, RevisionText},
    approver,
    article::{self, ArticleRecord},
    article_review::{self, ReviewRow},
    asked, review_settings,
    revision::{self, RevisionRecord},
    setting,
    submission::{self, NewReview},
    task_list,
};
use uuid::Uuid;

/// Maximum number of accounts that are offered.
const MAX_OFFERED: i64 = 100;

/// Submits the current revision of an article, and asks reviewers; `None`: as before.
pub async fn submit(
    parts: &AppState,
    actor: &Actor,
    id: ArticleId,
    (seen, reviewers): (i32, Option<Vec<AccountId>>),
) -> Result<(), DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let article = article::find(lease.conn(), id).await.map_err(internal_error)?;
    let article = article.ok_or_else(|| DomainError::no_such("article"))?;
    if !actor.may_change(AccountId(article.owner_id)) {
        return Err(DomainError::NotAllowed);
    }
    let settings = review_settings::find(lease.conn()).await.map_err(internal_error)?;
    if settings.workflow == Workflow::None {
        return Err(ReviewProblem::NoWorkflow.into());
    }
    let text = revision::find(lease.conn(), article.revision_id).await.map_err(internal_error)?;
    let text = text.ok_or_else(|| DomainError::no_such("revision"))?;
    if text.number != seen {
        return Err(newer(text));
    }
    let asked = match &reviewers {
        Some(chosen) => Some(checked_reviewers(lease.conn(), chosen).await?),
        None => None,
    };
    let checked = content::check_in_time(actor.into(), lease.conn(), reviewed(&text)).await?;
    drop(lease);
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    let (_, review) = change::lock(&mut unit, id).await?;
    let current = article::find(unit.tx.conn(), id).await.map_err(internal_error)?;
    if current.as_ref().map(|current: &ArticleRecord| current.revision_id) != Some(text.id) {
        return Err(conflict(&mut unit, id).await?);
    }
    if is_submitted(review.as_ref(), &checked)? {
        let open = review.filter(|review| review.state == ReviewState::Submitted.as_str());
        return match (open, asked) {
            (Some(review), Some(accounts)) => ask(unit, &review, &accounts).await,
            _ => Ok(()),
        };
    }
    let (before, asked) = (review.map(|review| review.id), Some(asked.unwrap_or_default()));
    let submission = Submission { article: id, number: text.number, before, checked, asked };
    put_all(&mut unit, &settings, &[submission]).await?;
    unit.commit().await
}

/// What is reviewed of a revision.
pub fn reviewed(text: &RevisionRecord) -> RevisionText {
    let (title, body) = (text.title.clone(), text.body.clone());
    RevisionText { id: text.id, title, body, details: text.details.clone() }
}

async fn conflict(unit: &mut UnitOfWork<'_>, id: ArticleId) -> Result<DomainError, DomainError> {
    let current = article::find(unit.tx.conn(), id).await.map_err(internal_error)?;
    let current = current.ok_or_else(|| DomainError::no_such("article"))?;
    let text = revision::find(unit.tx.conn(), current.revision_id).await.map_err(internal_error)?;
    let text = text.ok_or_else(|| DomainError::no_such("revision"))?;
    Ok(newer(text))
}

/// The refusal of a revision that is not the current one, which is this.
fn newer(text: RevisionRecord) -> DomainError {
    let RevisionRecord { number, title, body, .. } = text;
    DomainError::TextConflict { revision: number, title, body, has_text: false }
}

/// Whether the text is under review or approved already, and not held.
fn is_submitted(review: Option<&ReviewRow>, checked: &CheckedRevision) -> Result<bool, DomainError> {
    let Some(review) = review.filter(|review| review.revision_id == checked.id) else { return Ok(false) };
    let state = review.state().map_err(internal_error)?;
    Ok(matches!(state, ReviewState::Submitted | ReviewState::Approved) && review.hash == checked.hash)
}

/// A text that is put under review.
pub struct Submission {
    /// The article.
    pub article: ArticleId,
    /// Number of the revision.
    pub number: i32,
    /// The review of the article before; `None`: it has none.
    pub before: Option<Uuid>,
    /// The text.
    pub checked: CheckedRevision,
    /// Who is asked, empty: any reviewer; `None`: those who were asked before.
    pub asked: Option<Vec<Uuid>>,
}

/// Puts texts of different articles under review, and approves those that need no reviewer, with a fixed number of
/// statements. Articles and reviews are locked.
pub async fn put_all(
    unit: &mut UnitOfWork<'_>,
    settings: &ReviewSettings,
    texts: &[Submission],
) -> Result<(), DomainError> {
    if texts.is_empty() {
        return Ok(());
    }
    let (now, failed) = (unit.now(), write_error(unit.parts));
    let new = new_reviews(unit, settings, texts).await?;
    let ids = submission::put_all(unit.tx.conn(), &new, now).await.map_err(&failed)?;
    store_asked(unit, texts, &ids).await?;
    let id_of = |one: &NewReview| ids.get(&one.article.0).copied().unwrap_or(one.id);
    let (approved, waiting): (Vec<&NewReview>, Vec<&NewReview>) =
        new.iter().partition(|one| one.state == ReviewState::Approved);
    let revisions = |all: &[&NewReview]| all.iter().map(|one| one.revision_id).collect::<Vec<Uuid>>();
    if !approved.is_empty() {
        let reviews: Vec<Uuid> = approved.iter().map(|one| id_of(one)).collect();
        approval::approve(unit.tx.conn(), &reviews, now).await.map_err(&failed)?;
        change::release(unit, &revisions(&approved)).await?;
    }
    if !waiting.is_empty() {
        let articles: Vec<Uuid> = waiting.iter().map(|one| one.article.0).collect();
        let revisions = revisions(&waiting);
        approval::withdraw(unit.tx.conn(), &revisions).await.map_err(&failed)?;
        approval::suspend(unit.tx.conn(), &articles, &revisions).await.map_err(&failed)?;
        let stored = article_review::by_articles(unit.tx.conn(), &articles).await.map_err(&failed)?;
        let changes: Vec<_> = stored.iter().map(|review| (review, Change::Submitted)).collect();
        change::notify_all(unit, &changes).await?;
    }
    let deadlines: Vec<_> = new.iter().map(|one| (id_of(one), one.deadline_at)).collect();
    change::follow_deadlines(unit, &deadlines).await
}

/// Decides state and deadline of each text, and records the events.
async fn new_reviews(
    unit: &mut UnitOfWork<'_>,
    settings: &ReviewSettings,
    texts: &[Submission],
) -> Result<Vec<NewReview>, DomainError> {
    let now = unit.now();
    let planned = planned(unit, texts).await?;
    let zone = desk_zone(unit).await?;
    let mut new = Vec::with_capacity(texts.len());
    for Submission { article, number, before, checked, .. } in texts {
        let state = settings.workflow.submitted(checked.found.verdict);
        let planned = planned.get(&article.0).copied();
        let deadline = settings.deadline_at(now, planned, &zone).filter(|_| state == ReviewState::Submitted);
        let terms = content::named(checked.found.hits.iter());
        let detail = json!({"state": state, "verdict": checked.found.verdict, "terms": terms, "deadline_at": deadline});
        change::record(unit, article.0, "submit", (*number, &detail));
        new.push(NewReview {
            id: before.unwrap_or_else(Uuid::now_v7),
            article: *article,
            revision_id: checked.id,
            revision: *number,
            hash: checked.hash.clone(),
            state,
            by: unit.presenter.actor.account,
            deadline_at: deadline,
            decision: settings.deadline.decision,
            found: content::stored(&checked.found).map_err(internal_error)?,
        });
    }
    Ok(new)
}

/// The zone of the desk: its working hours are in it.
pub async fn desk_zone(unit: &mut UnitOfWork<'_>) -> Result<Zone, DomainError> {
    let site = setting::site_settings(unit.tx.conn()).await.map_err(internal_error)?;
    Ok(Zone::stored(&site.zone))
}

/// When tasks publish the revisions, or those that wait for an approval take them; by article.
async fn planned(
    unit: &mut UnitOfWork<'_>,
    texts: &[Submission],
) -> Result<HashMap<Uuid, Timestamp>, DomainError> {
    let articles: Vec<Uuid> = texts.iter().map(|text| text.article.0).collect();
    let tasks = task_list::waiting_of_targets(unit.tx.conn(), &articles).await.map_err(internal_error)?;
    let revisions: HashMap<Uuid, Uuid> = texts.iter().map(|text| (text.article.0, text.checked.id)).collect();
    let mut planned: HashMap<Uuid, Timestamp> = HashMap::new();
    for task in tasks {
        let revision = revisions.get(&task.target_id).copied();
        if task.revision_id == revision || task.needs_approval {
            let due = Timestamp::from_millis(task.due_at);
            planned.entry(task.target_id).and_modify(|first| *first = due.min(*first)).or_insert(due);
        }
    }
    Ok(planned)
}

/// The accounts that may be asked, by name.
pub async fn reviewers(parts: &AppState) -> Result<Vec<Reviewer>, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let rows = asked::reviewers(lease.conn(), MAX_OFFERED).await.map_err(internal_error)?;
    Ok(rows.into_iter().map(|row| Reviewer { id: AccountId(row.id), name: row.name }).collect())
}

/// Returns the chosen accounts, each once. Refuses those that may not review.
async fn checked_reviewers(conn: Conn<'_>, chosen: &[AccountId]) -> Result<Vec<Uuid>, DomainError> {
    let ids: BTreeSet<Uuid> = chosen.iter().map(|account| account.0).collect();
    let ids: Vec<Uuid> = ids.into_iter().collect();
    if ids.len() > MAX_ASKED {
        let max = u32::try_from(MAX_ASKED).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("reviewers", ValidationError::TooMany { max }));
    }
    let found = approver::accounts(conn, &ids).await.map_err(internal_error)?;
    let may_review = |id: &Uuid| {
        let role = found.iter().find(|one| one.id == *id).and_then(|one| one.role.parse::<Role>().ok());
        role.is_some_and(|role| role >= Role::Reviewer)
    };
    if ids.iter().all(may_review) {
        Ok(ids)
    } else {
        Err(DomainError::invalid("reviewers", ValidationError::Unknown))
    }
}

/// Stores who is asked for texts that were submitted; `reviews`: the review of each article.
async fn store_asked(
    unit: &mut UnitOfWork<'_>,
    texts: &[Submission],
    reviews: &HashMap<Uuid, Uuid>,
) -> Result<(), DomainError> {
    let (mut changed, mut rows) = (Vec::new(), Vec::new());
    for text in texts {
        if let (Some(asked), Some(review)) = (&text.asked, reviews.get(&text.article.0)) {
            changed.push(*review);
            rows.extend(asked.iter().map(|account| (*review, *account)));
        }
    }
    asked::set_all(unit.tx.conn(), &changed, &rows).await.map_err(internal_error)
}

/// Changes who is asked for a text that is under review, and notifies them.
async fn ask(mut unit: UnitOfWork<'_>, review: &ReviewRow, accounts: &[Uuid]) -> Result<(), DomainError> {
    let before = asked::of_reviews(unit.tx.conn(), &[review.id]).await.map_err(internal_error)?;
    let before: BTreeSet<Uuid> = before.into_iter().map(|row| row.account_id).collect();
    let wanted: BTreeSet<Uuid> = accounts.iter().copied().collect();
    if before == wanted {
        return Ok(());
    }
    let touched = article_review::touch(unit.tx.conn(), review.id, review.version).await;
    touched.map_err(internal_error)?.ok_or(DomainError::Changed)?;
    let rows: Vec<(Uuid, Uuid)> = accounts.iter().map(|account| (review.id, *account)).collect();
    asked::set_all(unit.tx.conn(), &[review.id], &rows).await.map_err(internal_error)?;
    change::notify(&mut unit, review, Change::Submitted).await?;
    let detail = json!({"reviewers": accounts});
    change::record(&mut unit, review.article_id, "ask_reviewers", (review.revision, &detail));
    unit.commit().await
}
