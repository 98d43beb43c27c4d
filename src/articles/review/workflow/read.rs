//! Reads reviews, and presents them to a user.

use super::{
    check, comments,
    decide::{is_own, undo_until},
};
use crate::{
    app_state::AppState,
    services::{Presenter, internal_error, rendering},
    text::{
        diff,
        html::escape,
        link_cards::{may_have_cards, with_cards},
        render::{Budget, POOL, Share, prefix_ids},
    },
};
use domain::{
    AccountId, Actor, ArticleId, DomainError, Version,
    account::Language,
    review::{
        ReviewedText,
        workflow::{FirstApproval, MAX_LISTED, Review, ReviewProblem, ReviewSettings, Reviewer, may_review},
    },
};
use store::{
    Conn, PoolRole, StoreError, approval,
    article_review::{self, ReviewRow},
    asked, details, link_card, review_settings, revision,
};
use texts::refusal::sentence;
use uuid::Uuid;

/// Prefix of element ids in a shown text.
const TEXT_ID_PREFIX: &str = "text-";

/// Renders the text of a revision as on the public site, with its cards.
pub async fn rendered(
    parts: &AppState,
    share: Share,
    language: Language,
    (revision, body): (Uuid, String),
) -> Result<String, DomainError> {
    let outcome = rendering::render_for_client(share, body).await?;
    let outcome = rendering::resolved(parts, share, outcome).await?;
    let html = match outcome.as_ref() {
        Ok(html) => html.as_str(),
        Err(limit) => {
            let refusal = DomainError::invalid("body", (*limit).into());
            return Ok(format!("<p>{}</p>", escape(&sentence(language, &refusal))));
        }
    };
    if !may_have_cards(html) {
        return Ok(prefix_ids(html, TEXT_ID_PREFIX));
    }
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let cards = link_card::of_revision(lease.conn(), revision).await.map_err(internal_error)?;
    Ok(prefix_ids(&with_cards(html, &cards), TEXT_ID_PREFIX))
}

/// Presents a review.
pub fn present(
    presenter: &Presenter<'_>,
    row: ReviewRow,
    settings: &ReviewSettings,
) -> Result<Review, StoreError> {
    let actor = presenter.actor;
    let state = row.state()?;
    let is_own = !settings.allow_own && is_own(actor, &row);
    let first = row.first_reviewer.as_ref().zip(row.first_approved_at);
    let first = first.map(|(name, at)| FirstApproval { reviewer: name.clone(), at: presenter.moment(at) });
    let is_theirs = row.assigned_id.is_none_or(|to| to == actor.account.0) || actor.is_admin();
    Ok(Review {
        may_decide: state.is_open() && may_review(actor) && is_theirs,
        undo_until: undo_until(actor, &row, (settings, presenter.now)),
        is_own,
        is_first: settings.workflow.reviewers() > 1 && row.first_reviewer_id == Some(actor.account.0),
        first,
        verdict: row.verdict()?,
        decision: row.decision()?,
        hits: row.hits()?,
        state,
        id: row.id,
        article_id: ArticleId(row.article_id),
        owner_id: AccountId(row.owner_id),
        version: Version(row.version),
        revision: row.revision,
        submitted: presenter.moment(row.submitted_at),
        deadline: row.deadline_at.map(|at| presenter.moment(at)),
        planned: row.planned_at.map(|at| presenter.moment(at)),
        held: row.held_at.filter(|_| state.is_open()).map(|at| presenter.moment(at)),
        needs_second: settings.workflow.reviewers() > 1 && row.first_approved_at.is_none(),
        decided: row.decided_at.map(|at| presenter.moment(at)),
        hit_count: row.hit_count.unsigned_abs(),
        newer_edits: u32::try_from(row.newer_edits).unwrap_or(u32::MAX),
        open_comments: u32::try_from(row.open_comments).unwrap_or(u32::MAX),
        title: row.title,
        owner: row.owner,
        hash: row.hash,
        assigned: row.assigned,
        asked: Vec::new(),
        is_asked: false,
        reviewer: row.reviewer,
        reason: row.reason,
    })
}

/// Adds who was asked for each review.
async fn add_asked(conn: Conn<'_>, actor: &Actor, reviews: &mut [Review]) -> Result<(), DomainError> {
    let ids: Vec<Uuid> = reviews.iter().map(|review| review.id).collect();
    for row in asked::of_reviews(conn, &ids).await.map_err(internal_error)? {
        if let Some(review) = reviews.iter_mut().find(|review| review.id == row.review_id) {
            let id = AccountId(row.account_id);
            review.is_asked |= id == actor.account;
            review.asked.push(Reviewer { id, name: row.name });
        }
    }
    Ok(())
}

/// Returns the settings of the review and the review of an article.
pub async fn of_article(
    mut conn: Conn<'_>,
    presenter: &Presenter<'_>,
    article: ArticleId,
) -> Result<(ReviewSettings, Option<Review>), DomainError> {
    let settings = review_settings::find(conn.reborrow()).await.map_err(internal_error)?;
    let row = article_review::find(conn.reborrow(), article).await.map_err(internal_error)?;
    let present = |row| present(presenter, row, &settings).map_err(internal_error);
    let mut review = row.map(present).transpose()?;
    add_asked(conn, presenter.actor, review.as_mut_slice()).await?;
    Ok((settings, review))
}

pub async fn find(
    parts: &AppState,
    actor: &Actor,
    article: ArticleId,
) -> Result<Option<Review>, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    Ok(of_article(lease.conn(), &presenter, article).await?.1)
}

/// Returns the review of an article that has one.
pub async fn existing(parts: &AppState, actor: &Actor, article: ArticleId) -> Result<Review, DomainError> {
    Ok(find(parts, actor, article).await?.ok_or(ReviewProblem::NotSubmitted)?)
}

pub async fn list(parts: &AppState, actor: &Actor) -> Result<Vec<Review>, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let settings = review_settings::find(lease.conn()).await.map_err(internal_error)?;
    let rows = article_review::waiting(lease.conn(), actor.account, MAX_LISTED).await;
    let present = |row| present(&presenter, row, &settings).map_err(internal_error);
    let reviews: Result<Vec<Review>, DomainError> =
        rows.map_err(internal_error)?.into_iter().map(present).collect();
    let mut reviews = reviews?;
    add_asked(lease.conn(), actor, &mut reviews).await?;
    Ok(reviews)
}

/// Number of reviews that the actor may decide.
pub async fn count(parts: &AppState, actor: &Actor) -> Result<u64, DomainError> {
    if !may_review(actor) {
        return Ok(0);
    }
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let settings = review_settings::find(lease.conn()).await.map_err(internal_error)?;
    let but_of = (!settings.allow_own).then_some(actor.account);
    let reviewer = (!actor.is_admin()).then_some(actor.account);
    let approver = (settings.workflow.reviewers() > 1).then_some(actor.account);
    article_review::count_waiting(lease.conn(), but_of, reviewer, approver).await.map_err(internal_error)
}

/// Returns a review with its text, and its changes against the public one.
pub async fn text(parts: &AppState, actor: &Actor, article: ArticleId) -> Result<ReviewedText, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let row = article_review::find(lease.conn(), article).await.map_err(internal_error)?;
    let row = row.ok_or(ReviewProblem::NotSubmitted)?;
    let revision_id = row.revision_id;
    let settings = review_settings::find(lease.conn()).await.map_err(internal_error)?;
    let texts = approval::texts(lease.conn(), &[revision_id]).await.map_err(internal_error)?;
    let text = texts.into_iter().next().ok_or_else(|| DomainError::no_such("revision"))?;
    let details = details::parse(text.details.as_deref()).map_err(internal_error)?.into();
    let body = text.body.clone();
    let check = check::items(lease.conn(), settings.checklist, text, parts.clock.now()).await?;
    let public = match row.published_revision_id.filter(|public| *public != revision_id) {
        Some(public) => revision::find(lease.conn(), public).await.map_err(internal_error)?,
        None => None,
    };
    let comments = comments::list(lease.conn(), &presenter, article).await?;
    let may_comment = comments::may_comment(actor, AccountId(row.owner_id));
    let mut review = present(&presenter, row, &settings).map_err(internal_error)?;
    add_asked(lease.conn(), actor, std::slice::from_mut(&mut review)).await?;
    drop(lease);
    let number = public.as_ref().map(|public| public.number);
    let diff = match public {
        Some(public) => {
            let new = body.clone();
            let compare = move |budget: &Budget| diff::diff_lines(&public.body, &new, budget);
            POOL.run_for_client(actor.into(), compare).await?
        }
        None => Vec::new(),
    };
    let html = rendered(parts, actor.into(), actor.language, (revision_id, body.clone())).await?;
    Ok(ReviewedText { review, body, html, details, check, public: number, diff, comments, may_comment })
}
