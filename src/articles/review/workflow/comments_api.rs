//! `/articles/{id}/comments` and `/comments/{id}/…`.

use crate::http::{
    Web,
    api::{
        ApiError, ErrorBody,
        extract::{Auth, AuthJson, id},
    },
};
use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use domain::{
    Actor, DomainError, Timestamp,
    review::comment::{NewComment, ReviewComment},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// A comment on a paragraph of a revision.
#[derive(Debug, Serialize, ToSchema)]
pub struct CommentBody {
    /// Its id.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// Id of the article.
    #[schema(value_type = String, format = Uuid)]
    article_id: Uuid,
    /// Number of the revision.
    revision: i32,
    /// Number of the paragraph, from 1: a block between blank lines of the Markdown text.
    paragraph: u32,
    /// The first 200 characters of the paragraph.
    quote: String,
    /// Text.
    text: String,
    /// Name of the account that wrote it.
    author: String,
    /// When it was written.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When it was resolved; null: it is open.
    #[schema(value_type = Option<String>, format = DateTime)]
    resolved_at: Option<Timestamp>,
    /// Name of the account that resolved it; null: it is open.
    resolved_by: Option<String>,
}

impl From<ReviewComment> for CommentBody {
    fn from(comment: ReviewComment) -> Self {
        Self {
            id: comment.id,
            article_id: comment.article_id.0,
            revision: comment.revision,
            paragraph: comment.paragraph,
            quote: comment.quote,
            text: comment.text,
            author: comment.author,
            created_at: comment.created.at,
            resolved_at: comment.resolved.map(|at| at.at),
            resolved_by: comment.resolved_by,
        }
    }
}

/// The comments of an article.
#[derive(Debug, Serialize, ToSchema)]
pub struct CommentsBody {
    /// By revision and paragraph, at most 500.
    items: Vec<CommentBody>,
}

/// A new comment.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewCommentBody {
    /// Number of the revision.
    revision: i32,
    /// Number of the paragraph, from 1: a block between blank lines of the Markdown text.
    paragraph: u32,
    /// Text, 1 to 2,000 characters.
    text: String,
}

/// Returns the comments on all revisions of an article.
#[utoipa::path(get, path = "/articles/{id}/comments", tag = "review",
    params(("id" = String, Path, description = "Id of the article")), responses(
    (status = 200, description = "The comments", body = CommentsBody),
    (status = 404, description = "No such article", body = ErrorBody)))]
pub async fn list(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(article): Path<String>,
) -> Result<Json<CommentsBody>, ApiError> {
    let comments = web.services.reviews.comments(&actor, id(&article, "article")?).await?;
    Ok(Json(CommentsBody { items: comments.into_iter().map(CommentBody::from).collect() }))
}

/// Comments on a paragraph of a revision.
#[utoipa::path(post, path = "/articles/{id}/comments", tag = "review", request_body = NewCommentBody,
    params(("id" = String, Path, description = "Id of the article")), responses(
    (status = 201, description = "The comment", body = CommentBody),
    (status = 403, description = "The token's owner may not review, and the article belongs to another account", body = ErrorBody),
    (status = 404, description = "No such article or revision", body = ErrorBody),
    (status = 409, description = "The article is in the trash", body = ErrorBody),
    (status = 422, description = "A field is invalid, or the article has 500 comments", body = ErrorBody)))]
pub async fn create(
    State(web): State<Web>,
    Path(article): Path<String>,
    AuthJson(actor, body): AuthJson<NewCommentBody>,
) -> Result<(StatusCode, Json<CommentBody>), ApiError> {
    let new = NewComment { revision: body.revision, paragraph: body.paragraph, text: body.text };
    let comment = web.services.reviews.comment(&actor, id(&article, "article")?, new).await?;
    Ok((StatusCode::CREATED, Json(comment.into())))
}

/// Resolves a comment.
#[utoipa::path(post, path = "/comments/{id}/resolve", tag = "review",
    params(("id" = String, Path, description = "Id of the comment")), responses(
    (status = 200, description = "The comment", body = CommentBody),
    (status = 403, description = "Only for its author, the owner of the article and reviewers", body = ErrorBody),
    (status = 404, description = "No such comment", body = ErrorBody),
    (status = 409, description = "It is resolved already, or the article is in the trash", body = ErrorBody)))]
pub async fn resolve(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(comment): Path<String>,
) -> Result<Json<CommentBody>, ApiError> {
    change(&web, &actor, &comment, true).await
}

/// Opens a resolved comment again.
#[utoipa::path(post, path = "/comments/{id}/reopen", tag = "review",
    params(("id" = String, Path, description = "Id of the comment")), responses(
    (status = 200, description = "The comment", body = CommentBody),
    (status = 403, description = "Only for its author, the owner of the article and reviewers", body = ErrorBody),
    (status = 404, description = "No such comment", body = ErrorBody),
    (status = 409, description = "It is open, or the article is in the trash", body = ErrorBody)))]
pub async fn reopen(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(comment): Path<String>,
) -> Result<Json<CommentBody>, ApiError> {
    change(&web, &actor, &comment, false).await
}

async fn change(
    web: &Web,
    actor: &Actor,
    comment: &str,
    is_resolved: bool,
) -> Result<Json<CommentBody>, ApiError> {
    let id: Uuid = comment.parse().map_err(|_| DomainError::no_such("comment"))?;
    Ok(Json(web.services.reviews.resolve_comment(actor, id, is_resolved).await?.into()))
}
