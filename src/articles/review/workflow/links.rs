//! Links with which a person without an account decides about one revision. Showing one changes
//! nothing: programs that check mail open links too.

use super::{change, decide, read};
use crate::{
    accounts::check as account_check,
    app_state::AppState,
    http::pages::LINK_PARAMETER,
    security::tokens,
    services::{Presenter, internal_error, write_error},
    tasks::unit_of_work::UnitOfWork,
    text::render::{self, Share},
};
use domain::{
    AccountId, Actor, ArticleId, DomainError,
    account::Account,
    review::workflow::{
        LINK_LIFETIME_MS, LinkedReview, ReviewLink, ReviewProblem, ReviewSettings, ReviewState,
        ReviewedDetails, may_review,
    },
};
use serde_json::json;
use store::{
    Conn, PoolRole, account, approval, article,
    article_review::{self, Decided, ReviewRow},
    details, media_use,
    review_link::{self, ReviewLinkRow},
    review_settings, setting,
};

/// Creates a link to the revision under review, for a reviewer who may decide it: a link must not
/// approve what its creator may not.
pub async fn create(
    parts: &AppState,
    actor: &Actor,
    article: ArticleId,
    name: &str,
) -> Result<ReviewLink, DomainError> {
    let name = account_check::person_name(name)?;
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    if !may_review(actor) {
        return Err(DomainError::NotAllowed);
    }
    let (_, review) = change::lock(&mut unit, article).await?;
    let review = review.ok_or(ReviewProblem::NotSubmitted)?;
    let settings = review_settings::find(unit.tx.conn()).await.map_err(internal_error)?;
    decide::require_assigned(actor, &review)?;
    decide::require_other(actor, &review, &settings)?;
    decide::require_second(actor, &review, &settings)?;
    let state = review.state().map_err(internal_error)?;
    if !state.is_open() {
        return Err(ReviewProblem::Closed { state }.into());
    }
    let secret = tokens::generate_secret();
    let expires_at = unit.now().plus(LINK_LIFETIME_MS);
    let row = ReviewLinkRow {
        secret_hash: tokens::hash(&secret),
        review_id: review.id,
        revision_id: review.revision_id,
        name: name.clone(),
        created_by: actor.account.0,
        expires_at: expires_at.millis(),
    };
    let now = unit.now();
    review_link::insert(unit.tx.conn(), &row, now).await.map_err(write_error(parts))?;
    let detail = json!({"name": name, "expires_at": expires_at});
    change::record(&mut unit, article.0, "review_link", (review.revision, &detail));
    let expires = unit.presenter.moment(expires_at);
    unit.commit().await?;
    Ok(ReviewLink { secret, expires, revision: review.revision })
}

/// A link that may decide.
struct Link {
    row: ReviewLinkRow,
    review: ReviewRow,
    /// The account that created it.
    actor: Actor,
    settings: ReviewSettings,
}

/// Loads a link that may decide. The account that created it must still be allowed to decide.
async fn load(mut conn: Conn<'_>, parts: &AppState, secret: &str) -> Result<Link, DomainError> {
    let hash = tokens::hash(secret);
    let link = review_link::find(conn.reborrow(), &hash, parts.clock.now()).await.map_err(internal_error)?;
    let link = link.ok_or(DomainError::LinkSpent)?;
    let reviews = article_review::by_ids(conn.reborrow(), &[link.review_id]).await.map_err(internal_error)?;
    let review = reviews.into_iter().next().ok_or(DomainError::LinkSpent)?;
    let settings = review_settings::find(conn.reborrow()).await.map_err(internal_error)?;
    let by = account::find(conn.reborrow(), AccountId(link.created_by)).await.map_err(internal_error)?;
    let by = by.filter(|by| by.is_disabled == 0).ok_or(DomainError::LinkSpent)?;
    let by = Account::try_from(by).map_err(internal_error)?;
    let article = article::find(conn, ArticleId(review.article_id)).await.map_err(internal_error)?;
    let is_deleted = article.is_none_or(|article| article.deleted_at.is_some());
    let is_open = review.state().map_err(internal_error)?.is_open();
    if is_deleted || !is_open || review.revision_id != link.revision_id {
        return Err(DomainError::LinkSpent);
    }
    let actor = Actor {
        account: by.id,
        role: by.role,
        zone: by.zone,
        language: by.language,
        idempotency: None,
        session: None,
    };
    let may_decide = decide::require_other(&actor, &review, &settings)
        .and_then(|()| decide::require_second(&actor, &review, &settings));
    if !may_review(&actor) || may_decide.is_err() {
        return Err(DomainError::LinkSpent);
    }
    Ok(Link { row: link, review, actor, settings })
}

/// What a link shows.
pub async fn show(parts: &AppState, secret: &str) -> Result<LinkedReview, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let Link { row: link, review, actor, settings } = load(lease.conn(), parts, secret).await?;
    let site = setting::site_settings(lease.conn()).await.map_err(internal_error)?;
    let texts = approval::texts(lease.conn(), &[review.revision_id]).await.map_err(internal_error)?;
    let text = texts.into_iter().next().ok_or(DomainError::LinkSpent)?;
    let actor = Actor { zone: site.zone.clone(), ..actor };
    let presenter = Presenter::of(lease.conn(), &actor, parts.clock.now()).await?;
    let expires = presenter.moment(link.expires_at);
    let review = read::present(&presenter, review, &settings).map_err(internal_error)?;
    drop(lease);
    let details = details::parse(text.details.as_deref()).map_err(internal_error)?;
    let file = format!("{LINK_PARAMETER}={secret}");
    let details =
        ReviewedDetails { cover: render::media_with_query(&details.cover, &file), ..details.into() };
    Ok(LinkedReview {
        title: text.title,
        publishes_at_once: review.publishes_at_once(),
        author: review.owner,
        html: render::with_media_query(
            &read::rendered(parts, Share::Readers, site.language, (text.id, text.body)).await?,
            &file,
        ),
        details,
        desk: site.title,
        expires,
        planned: review.planned,
        held: review.held,
    })
}

/// Whether the revision that this link is about uses the files with this hash: its pictures are part of
/// what is decided about.
pub async fn may_read_file(parts: &AppState, secret: &str, hash: &str) -> Result<bool, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    match load(lease.conn(), parts, secret).await {
        Ok(link) => {
            media_use::is_used_by(lease.conn(), link.review.revision_id, hash).await.map_err(internal_error)
        }
        Err(DomainError::LinkSpent) => Ok(false),
        Err(refusal) => Err(refusal),
    }
}

/// Decides with a link. Of concurrent decisions one counts.
pub async fn decide(parts: &AppState, secret: &str, send_back: Option<&str>) -> Result<(), DomainError> {
    let reason = send_back.map(decide::checked_reason).transpose()?;
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let Link { row: link, review: before, actor, settings } = load(lease.conn(), parts, secret).await?;
    let checked = decide::check(lease.conn(), &actor, &before).await?;
    drop(lease);
    let mut unit = UnitOfWork::begin(parts, &actor).await?;
    let review = decide::lock(&mut unit, ArticleId(before.article_id), &before).await?;
    if reason.is_none() && !decide::are_hits_known(&review, &checked)? {
        return Err(decide::store_new_hits(unit, &review, &checked).await?);
    }
    let now = unit.now();
    let is_first = review_link::consume(unit.tx.conn(), &link.secret_hash, now).await;
    if !is_first.map_err(write_error(parts))? {
        return Err(DomainError::LinkSpent);
    }
    let link_name = Some(link.name.as_str());
    match reason {
        None => decide::approve_locked(&mut unit, &settings, &review, link_name).await?,
        Some(reason) => {
            let state = ReviewState::SentBack;
            let decided = Decided { state, reviewer: None, link_name, reason: &reason };
            decide::apply(&mut unit, &review, decided).await?;
        }
    }
    unit.commit().await
}
