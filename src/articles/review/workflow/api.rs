//! `/settings/review`, and the actions of a review on `/articles/{id}`.

pub use super::body::ReviewBody;
use super::{
    body::{ApproveBody, NewReviewLinkBody, ReviewLinkBody, SendBackBody, SubmitBody, UndoApprovalBody},
    settings::body::{ReviewSettingsBody, ReviewSettingsEditBody},
};
use crate::{
    articles::api::ArticleDetail,
    http::{
        Web,
        api::{
            ApiError, ErrorBody,
            extract::{Auth, AuthJson, id},
        },
        pages::LINK_PATH,
    },
};
use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use domain::{Actor, ArticleId, Version, review::workflow::WaitingArticles};

/// Returns the settings of the review.
#[utoipa::path(get, path = "/settings/review", tag = "review", responses(
    (status = 200, description = "The settings", body = ReviewSettingsBody)))]
pub async fn settings(
    State(web): State<Web>,
    Auth(actor): Auth,
) -> Result<Json<ReviewSettingsBody>, ApiError> {
    let settings = web.services.reviews.settings(&actor).await?;
    let kept = web.services.reviews.waiting_count().await?;
    Ok(Json(ReviewSettingsBody::of(settings, WaitingArticles { kept, ..WaitingArticles::default() })))
}

/// Changes the settings of the review. `waiting` says what becomes of the articles that wait for an
/// approval; the response says how many there were.
#[utoipa::path(patch, path = "/settings/review", tag = "review", request_body = ReviewSettingsEditBody, responses(
    (status = 200, description = "The settings", body = ReviewSettingsBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 409, description = "They were changed in the meantime", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn change_settings(
    State(web): State<Web>,
    AuthJson(actor, edit): AuthJson<ReviewSettingsEditBody>,
) -> Result<Json<ReviewSettingsBody>, ApiError> {
    let before = web.services.reviews.settings(&actor).await?;
    // Without the version that the caller saw, the change applies to the one that was just read.
    let seen = edit.seen_version.map_or(before.version, Version);
    let waiting = edit.waiting()?;
    let settings = edit.apply(before)?;
    let changed = web.services.reviews.change_settings(&actor, settings, waiting, Some(seen)).await?;
    Ok(Json(ReviewSettingsBody::of(changed.settings, changed.waiting)))
}

/// Returns the changed article.
async fn changed(web: &Web, actor: &Actor, article: ArticleId) -> Result<Json<ArticleDetail>, ApiError> {
    Ok(Json(web.services.articles.find(actor, article).await?.into()))
}

/// Submits the current revision for review, and asks reviewers. If it is under review already, only who
/// is asked changes; if it is approved, nothing does.
#[utoipa::path(post, path = "/articles/{id}/submit", tag = "review", request_body = SubmitBody,
    params(("id" = String, Path, description = "Id of the article")), responses(
    (status = 200, description = "The article", body = ArticleDetail),
    (status = 403, description = "The article belongs to another account", body = ErrorBody),
    (status = 404, description = "No such article", body = ErrorBody),
    (status = 409, description = "Another revision was saved in the meantime (`current` is its text), or the workflow is `none`", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn submit(
    State(web): State<Web>,
    Path(article): Path<String>,
    AuthJson(actor, body): AuthJson<SubmitBody>,
) -> Result<Json<ArticleDetail>, ApiError> {
    let article = id(&article, "article")?;
    let (mut asked, groups) = (body.asked()?, body.groups()?);
    if !groups.is_empty() {
        let owner = web.services.articles.find(&actor, article).await?.row.owner_id;
        let members = web.services.groups.reviewers_of(&actor, groups, Some(owner)).await?;
        asked.get_or_insert_default().extend(members);
    }
    web.services.reviews.submit(&actor, article, body.seen_revision, asked).await?;
    changed(&web, &actor, article).await
}

/// Approves the revision under review. If its time has come, it is published within a second.
#[utoipa::path(post, path = "/articles/{id}/approve", tag = "review", request_body = ApproveBody,
    params(("id" = String, Path, description = "Id of the article")), responses(
    (status = 200, description = "The article", body = ArticleDetail),
    (status = 403, description = "The token's owner may not review, or it is the own article", body = ErrorBody),
    (status = 404, description = "No such article", body = ErrorBody),
    (status = 409, description = "Another revision is under review, it is decided already, or its words do not allow it", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn approve(
    State(web): State<Web>,
    Path(article): Path<String>,
    AuthJson(actor, body): AuthJson<ApproveBody>,
) -> Result<Json<ArticleDetail>, ApiError> {
    let article = id(&article, "article")?;
    let seen = (body.seen_revision, body.revision_hash);
    web.services.reviews.approve(&actor, article, seen).await?;
    changed(&web, &actor, article).await
}

/// Undoes an approval: the text waits for a reviewer again. Within a minute, and until it is public.
#[utoipa::path(post, path = "/articles/{id}/undo-approval", tag = "review", request_body = UndoApprovalBody,
    params(("id" = String, Path, description = "Id of the article")), responses(
    (status = 200, description = "The article", body = ArticleDetail),
    (status = 403, description = "The token's owner may not review", body = ErrorBody),
    (status = 404, description = "No such article", body = ErrorBody),
    (status = 409, description = "Another revision is under review, another reviewer has approved it, a minute has passed, or it is public", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn undo_approval(
    State(web): State<Web>,
    Path(article): Path<String>,
    AuthJson(actor, body): AuthJson<UndoApprovalBody>,
) -> Result<Json<ArticleDetail>, ApiError> {
    let article = id(&article, "article")?;
    web.services.reviews.undo_approval(&actor, article, body.seen_revision).await?;
    changed(&web, &actor, article).await
}

/// Sends the revision under review back to its author.
#[utoipa::path(post, path = "/articles/{id}/send-back", tag = "review", request_body = SendBackBody,
    params(("id" = String, Path, description = "Id of the article")), responses(
    (status = 200, description = "The article", body = ArticleDetail),
    (status = 403, description = "The token's owner may not review", body = ErrorBody),
    (status = 404, description = "No such article", body = ErrorBody),
    (status = 409, description = "Another revision is under review, or it is decided already", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn send_back(
    State(web): State<Web>,
    Path(article): Path<String>,
    AuthJson(actor, body): AuthJson<SendBackBody>,
) -> Result<Json<ArticleDetail>, ApiError> {
    let article = id(&article, "article")?;
    web.services.reviews.send_back(&actor, article, body.seen_revision, body.reason).await?;
    changed(&web, &actor, article).await
}

/// Creates a link with which a person without an account decides about the revision under review:
/// once, within 7 days.
#[utoipa::path(post, path = "/articles/{id}/review-links", tag = "review", request_body = NewReviewLinkBody,
    params(("id" = String, Path, description = "Id of the article")), responses(
    (status = 201, description = "The link", body = ReviewLinkBody),
    (status = 403, description = "The token's owner may not review", body = ErrorBody),
    (status = 404, description = "No such article", body = ErrorBody),
    (status = 409, description = "The article is not under review", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn create_link(
    State(web): State<Web>,
    Path(article): Path<String>,
    AuthJson(actor, body): AuthJson<NewReviewLinkBody>,
) -> Result<(StatusCode, Json<ReviewLinkBody>), ApiError> {
    let article = id(&article, "article")?;
    let link = web.services.reviews.create_link(&actor, article, body.name).await?;
    let url = format!("{}{LINK_PATH}{}", web.address.public_url, link.secret);
    let body = ReviewLinkBody { url, revision: link.revision, expires_at: link.expires.at };
    Ok((StatusCode::CREATED, Json(body)))
}
