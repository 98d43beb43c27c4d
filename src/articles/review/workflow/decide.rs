//! Decisions of reviewers.

use super::{change, submit};
use crate::{
    app_state::AppState,
    articles::review::{
        content::{self, CheckedRevision},
        notify::Change,
    },
    services::{internal_error, write_error},
    tasks::unit_of_work::{UnitOfWork, find_idempotent_result},
};
use domain::{
    Actor, ArticleId, DomainError, Timestamp,
    error::ValidationError,
    review::workflow::{
        APPROVAL_UNDO_MS, MAX_REASON_CHARS, ReviewProblem, ReviewSettings, ReviewState, Workflow,
        are_approved, may_review,
    },
    text::find_forbidden_char,
};
use serde_json::json;
use store::{
    Conn, PoolRole, approval,
    article_review::{self, Decided, ReviewRow},
    review_settings,
};

/// Approves the revision that was seen.
pub async fn approve(
    parts: &AppState,
    actor: &Actor,
    article: ArticleId,
    (seen, hash): (i32, &str),
) -> Result<(), DomainError> {
    require_role(actor)?;
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let settings = review_settings::find(lease.conn()).await.map_err(internal_error)?;
    let review = find(lease.conn(), article).await?;
    require_assigned(actor, &review)?;
    require_other(actor, &review, &settings)?;
    require_second(actor, &review, &settings)?;
    require_seen(&review, seen)?;
    if review.hash != hash {
        return Err(ReviewProblem::Stale { revision: review.revision }.into());
    }
    let checked = check(lease.conn(), actor, &review).await?;
    drop(lease);
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    if find_idempotent_result(&mut unit, article.0).await?.is_some() {
        return Ok(());
    }
    let review = lock(&mut unit, article, &review).await?;
    if !are_hits_known(&review, &checked)? {
        return Err(store_new_hits(unit, &review, &checked).await?);
    }
    approve_locked(&mut unit, &settings, &review, None).await?;
    unit.commit().await
}

/// Approves a review that is locked, or gives it the first of two approvals. `link_name`: name of the
/// person whose link approves, in place of the actor who created it.
pub async fn approve_locked(
    unit: &mut UnitOfWork<'_>,
    settings: &ReviewSettings,
    review: &ReviewRow,
    link_name: Option<&str>,
) -> Result<(), DomainError> {
    let by = unit.presenter.actor.account;
    if settings.workflow.reviewers() > 1 {
        require_second(unit.presenter.actor, review, settings)?;
        if review.first_approved_at.is_none() {
            return approve_first(unit, review, link_name).await;
        }
    }
    let state = ReviewState::Approved;
    let reviewer = link_name.is_none().then_some(by);
    apply(unit, review, Decided { state, reviewer, link_name, reason: "" }).await
}

async fn approve_first(
    unit: &mut UnitOfWork<'_>,
    review: &ReviewRow,
    link_name: Option<&str>,
) -> Result<(), DomainError> {
    let (now, by) = (unit.now(), unit.presenter.actor.account);
    let place = (review.id, review.version);
    let stored = article_review::approve_first(unit.tx.conn(), place, (by, link_name), now).await;
    stored.map_err(write_error(unit.parts))?.ok_or(DomainError::Changed)?;
    let detail = json!({"link_name": link_name, "hash": review.hash});
    change::record(unit, review.article_id, "approve_first", (review.revision, &detail));
    change::notify(unit, review, Change::ApprovedFirst).await
}

/// Until when the actor may take the approval of a review back: for a minute, and until the text is public.
/// `None`: they may not.
pub fn undo_until(
    actor: &Actor,
    review: &ReviewRow,
    (settings, now): (&ReviewSettings, Timestamp),
) -> Option<Timestamp> {
    // Without a review the text would be held, and no reviewer asked.
    if settings.workflow == Workflow::None {
        return None;
    }
    // Without a reviewer it was approved by itself.
    let is_approved = review.state == ReviewState::Approved.as_str() && review.reviewer.is_some();
    let is_theirs = review.reviewer_id == Some(actor.account.0) || actor.is_admin();
    let is_public = review.published_revision_id == Some(review.revision_id);
    let until = Timestamp::from_millis(review.decided_at?).plus(APPROVAL_UNDO_MS);
    (is_approved && is_theirs && !is_public && now < until).then_some(until)
}

/// Undoes an approval: the text waits for a reviewer again.
pub async fn undo_approval(
    parts: &AppState,
    actor: &Actor,
    article: ArticleId,
    seen: i32,
) -> Result<(), DomainError> {
    require_role(actor)?;
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    if find_idempotent_result(&mut unit, article.0).await?.is_some() {
        return Ok(());
    }
    let (_, review) = change::lock(&mut unit, article).await?;
    let review = review.ok_or(ReviewProblem::NotSubmitted)?;
    require_seen(&review, seen)?;
    let now = unit.now();
    let settings = review_settings::find(unit.tx.conn()).await.map_err(internal_error)?;
    undo_until(actor, &review, (&settings, now)).ok_or(DomainError::CannotUndo)?;
    let zone = submit::desk_zone(&mut unit).await?;
    let planned = review.planned_at.map(Timestamp::from_millis);
    // A deadline that has passed would approve it again.
    let deadline = settings.deadline_at(review.submitted_at.into(), planned, &zone).filter(|at| *at > now);
    let (place, failed) = ((review.id, review.version), write_error(unit.parts));
    let reopened = article_review::undo_approval(unit.tx.conn(), place, deadline).await;
    reopened.map_err(&failed)?.ok_or(DomainError::Changed)?;
    let (article, revision) = (review.article_id, review.revision_id);
    approval::withdraw(unit.tx.conn(), &[revision]).await.map_err(&failed)?;
    approval::suspend(unit.tx.conn(), &[article], &[revision]).await.map_err(&failed)?;
    let detail = json!({"state": ReviewState::Submitted, "deadline_at": deadline, "hash": review.hash});
    change::record(&mut unit, article, "undo_approval", (review.revision, &detail));
    change::notify(&mut unit, &review, Change::ApprovalUndone).await?;
    change::follow_deadline(&mut unit, review.id, deadline).await?;
    unit.commit().await
}

/// Sends the revision that was seen back.
pub async fn send_back(
    parts: &AppState,
    actor: &Actor,
    article: ArticleId,
    (seen, reason): (i32, &str),
) -> Result<(), DomainError> {
    require_role(actor)?;
    let reason = checked_reason(reason)?;
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    if find_idempotent_result(&mut unit, article.0).await?.is_some() {
        return Ok(());
    }
    let (_, review) = change::lock(&mut unit, article).await?;
    let review = review.ok_or(ReviewProblem::NotSubmitted)?;
    require_assigned(actor, &review)?;
    require_seen(&review, seen)?;
    require_open(&review)?;
    let state = ReviewState::SentBack;
    let decided = Decided { state, reviewer: Some(actor.account), link_name: None, reason: &reason };
    apply(&mut unit, &review, decided).await?;
    unit.commit().await
}

pub async fn find(conn: Conn<'_>, article: ArticleId) -> Result<ReviewRow, DomainError> {
    let review = article_review::find(conn, article).await.map_err(internal_error)?;
    Ok(review.ok_or(ReviewProblem::NotSubmitted)?)
}

/// Whether the actor owns the article or wrote the text.
pub fn is_own(actor: &Actor, review: &ReviewRow) -> bool {
    [review.owner_id, review.author_id].contains(&actor.account.0)
}

/// Refuses a review that the actor cannot approve now.
pub fn may_approve(actor: &Actor, review: &ReviewRow, settings: &ReviewSettings) -> Result<(), DomainError> {
    require_role(actor)?;
    require_open(review)?;
    require_assigned(actor, review)?;
    require_other(actor, review, settings)?;
    require_second(actor, review, settings)
}

fn require_role(actor: &Actor) -> Result<(), DomainError> {
    if may_review(actor) { Ok(()) } else { Err(DomainError::NotAllowed) }
}

/// Refuses the own text, unless the settings allow it.
pub fn require_other(
    actor: &Actor,
    review: &ReviewRow,
    settings: &ReviewSettings,
) -> Result<(), DomainError> {
    if !settings.allow_own && is_own(actor, review) { Err(ReviewProblem::Own.into()) } else { Ok(()) }
}

/// Refuses the second of two approvals by the reviewer who gave the first.
pub fn require_second(
    actor: &Actor,
    review: &ReviewRow,
    settings: &ReviewSettings,
) -> Result<(), DomainError> {
    let is_first = review.first_reviewer_id == Some(actor.account.0);
    if is_first && settings.workflow.reviewers() > 1 { Err(ReviewProblem::First.into()) } else { Ok(()) }
}

/// Refuses a review that is assigned to another reviewer; admins may decide it.
pub fn require_assigned(actor: &Actor, review: &ReviewRow) -> Result<(), DomainError> {
    let other = review.assigned_id.filter(|to| *to != actor.account.0 && !actor.is_admin());
    match other {
        Some(_) => Err(ReviewProblem::Assigned { to: review.assigned.clone().unwrap_or_default() }.into()),
        None => Ok(()),
    }
}

fn require_seen(review: &ReviewRow, seen: i32) -> Result<(), DomainError> {
    if review.revision == seen {
        return Ok(());
    }
    Err(ReviewProblem::Stale { revision: review.revision }.into())
}

fn require_open(review: &ReviewRow) -> Result<(), DomainError> {
    let state = review.state().map_err(internal_error)?;
    if state.is_open() { Ok(()) } else { Err(ReviewProblem::Closed { state }.into()) }
}

/// Trims a reason: 1 to [`MAX_REASON_CHARS`] characters.
pub fn checked_reason(typed: &str) -> Result<String, DomainError> {
    let reason = typed.trim();
    let problem = if reason.is_empty() {
        ValidationError::Empty
    } else if reason.chars().count() > MAX_REASON_CHARS {
        ValidationError::TooLong { max: u32::try_from(MAX_REASON_CHARS).unwrap_or(u32::MAX) }
    } else if reason.lines().any(|line| find_forbidden_char(line).is_some()) {
        ValidationError::BadCharacters
    } else {
        return Ok(reason.to_owned());
    };
    Err(DomainError::invalid("reason", problem))
}

/// Checks the submitted text against the current word lists, in the share of the account that decides. Refuses
/// one that takes too long.
pub async fn check(
    mut conn: Conn<'_>,
    actor: &Actor,
    review: &ReviewRow,
) -> Result<CheckedRevision, DomainError> {
    let texts = approval::texts(conn.reborrow(), &[review.revision_id]).await.map_err(internal_error)?;
    let text = texts.into_iter().next().ok_or_else(|| DomainError::no_such("revision"))?;
    content::check_in_time(actor.into(), conn, text).await
}

/// Locks the review for a decision. Refuses it if it is not the one that was loaded `before`.
pub async fn lock(
    unit: &mut UnitOfWork<'_>,
    article: ArticleId,
    before: &ReviewRow,
) -> Result<ReviewRow, DomainError> {
    let (_, review) = change::lock(unit, article).await?;
    let review = review.ok_or(ReviewProblem::NotSubmitted)?;
    require_seen(&review, before.revision)?;
    require_open(&review)?;
    if review.hash == before.hash { Ok(review) } else { Err(DomainError::Changed) }
}

/// Whether the reviewer has seen all hits that need an approval. Refuses a text with blocked words,
/// and one that is not the submitted one.
pub fn are_hits_known(review: &ReviewRow, checked: &CheckedRevision) -> Result<bool, DomainError> {
    if let Some(problem) = content::blocked(&checked.found) {
        return Err(problem.into());
    }
    if review.hash != checked.hash {
        return Err(DomainError::Changed);
    }
    let seen = review.hits().map_err(internal_error)?;
    Ok(are_approved(&checked.found.hits, &seen))
}

/// Stores hits that the reviewer has not seen, and returns the refusal.
pub async fn store_new_hits(
    mut unit: UnitOfWork<'_>,
    review: &ReviewRow,
    checked: &CheckedRevision,
) -> Result<DomainError, DomainError> {
    let found = content::stored(&checked.found).map_err(internal_error)?;
    let place = (review.id, review.version);
    let stored = article_review::set_hits(unit.tx.conn(), place, &found).await;
    stored.map_err(write_error(unit.parts))?.ok_or(DomainError::Changed)?;
    let detail = json!({"terms": content::named(checked.found.hits.iter())});
    change::record(&mut unit, review.article_id, "review_hits", (review.revision, &detail));
    unit.commit().await?;
    Ok(ReviewProblem::NewHits.into())
}

/// Writes a decision with its events and the tasks that follow from it. The review is locked.
pub async fn apply(
    unit: &mut UnitOfWork<'_>,
    review: &ReviewRow,
    decided: Decided<'_>,
) -> Result<(), DomainError> {
    let (now, failed) = (unit.now(), write_error(unit.parts));
    let place = (review.id, review.version);
    let done = article_review::decide(unit.tx.conn(), place, &decided, now).await.map_err(&failed)?;
    done.ok_or(DomainError::Changed)?;
    let verb = match decided.state {
        ReviewState::Approved => "approve",
        _ => "send_back",
    };
    let detail = json!({"reason": decided.reason, "link_name": decided.link_name, "hash": review.hash});
    change::record(unit, review.article_id, verb, (review.revision, &detail));
    if decided.state == ReviewState::Approved {
        approval::approve(unit.tx.conn(), &[review.id], now).await.map_err(&failed)?;
        change::release(unit, &[review.revision_id]).await?;
    } else {
        approval::withdraw(unit.tx.conn(), &[review.revision_id]).await.map_err(&failed)?;
        let (article, revision) = (review.article_id, review.revision_id);
        approval::suspend(unit.tx.conn(), &[article], &[revision]).await.map_err(&failed)?;
    }
    change::notify(unit, review, Change::Decided(decided.state, decided.reason)).await?;
    change::follow_deadline(unit, review.id, None).await
}
