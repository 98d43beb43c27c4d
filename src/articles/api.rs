//! `/articles`.

use crate::http::api::planned_release::PlannedReleaseBody;
use crate::{
    articles::{
        details::body::{DetailsBody, DetailsEditBody},
        review::workflow::api::ReviewBody,
    },
    http::{
        Web,
        api::{
            ApiError, ErrorBody,
            dto::TaskBody,
            extract::{Auth, AuthJson, AuthQuery, id, page_size, word},
            numbers::{query_limit, required_integer},
        },
    },
};
use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use domain::{
    Timestamp,
    article::{Article, ArticleEdit, ArticleFilter, ArticleQuery, ArticleRow, ExcerptPart, NewArticle},
    input_limits,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// A new article.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewArticleBody {
    /// 1 to 300 characters.
    title: String,
    /// Markdown, at most 500,000 bytes.
    body: String,
    /// Requested slug; derived from the title if absent, made unique if taken.
    slug: Option<String>,
    /// Its details: summary, tags, cover and others.
    #[serde(default)]
    details: DetailsEditBody,
}

/// A changed text, or changed details.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ArticleEditBody {
    /// New title.
    title: Option<String>,
    /// New Markdown.
    body: Option<String>,
    /// Changed details: summary, tags, cover and others.
    #[serde(default)]
    details: DetailsEditBody,
    /// Number of the revision that the caller saw; a different current one is a conflict.
    #[serde(deserialize_with = "required_integer")]
    seen_revision: i32,
}

/// An article.
#[derive(Debug, Serialize, ToSchema)]
pub struct ArticleBody {
    /// Id of the article.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// Slug: its name in the URL.
    slug: String,
    /// Title of the current revision.
    title: String,
    /// Number of the current revision, from 1.
    revision: i32,
    /// `draft`, `in_review`, `approved` or `sent_back`.
    state: &'static str,
    /// When it was published; null: it is not public.
    #[schema(value_type = Option<String>, format = DateTime)]
    published_at: Option<Timestamp>,
    /// Account that owns it.
    #[schema(value_type = String, format = Uuid)]
    owner_id: Uuid,
    /// When it was last changed.
    #[schema(value_type = String, format = DateTime)]
    changed_at: Timestamp,
    /// When it was moved to the trash; it is deleted permanently 30 days later. Null: it is not in
    /// the trash.
    #[schema(value_type = Option<String>, format = DateTime)]
    deleted_at: Option<Timestamp>,
    /// Its next scheduled task.
    next_task: Option<TaskBody>,
    /// The scheduled release that it is in; null: it is in none.
    release: Option<PlannedReleaseBody>,
    /// In search results: the sentence of the text with the first hit, in parts. Absent if only
    /// title or slug match.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    excerpt: Vec<ExcerptBody>,
}

/// A part of an excerpt.
#[derive(Debug, Serialize, ToSchema)]
pub struct ExcerptBody {
    /// Plain text: escape it before it is shown as HTML.
    text: String,
    /// Whether it matches the search.
    is_hit: bool,
}

/// An article with its text.
#[derive(Debug, Serialize, ToSchema)]
pub struct ArticleDetail {
    /// The article.
    #[serde(flatten)]
    article: ArticleBody,
    /// Markdown of the current revision.
    body: String,
    /// Details of the current revision: summary, tags, cover and others.
    details: DetailsBody,
    /// Number of the revision that is public.
    published_revision: Option<i32>,
    /// Previous slugs, which redirect to the article.
    slug_redirects: Vec<String>,
    /// Its scheduled tasks.
    tasks: Vec<TaskBody>,
    /// Number of its newest approved revision that is not public yet; null: there is none.
    approved_revision: Option<i32>,
    /// Its review; null: it was never submitted.
    review: Option<ReviewBody>,
}

/// A page of articles.
#[derive(Debug, Serialize, ToSchema)]
pub struct ArticlePage {
    /// Last changed first; in search results, best match first.
    items: Vec<ArticleBody>,
    /// Cursor of the next page; null: this is the last page.
    next_cursor: Option<String>,
}

impl From<ArticleRow> for ArticleBody {
    fn from(row: ArticleRow) -> Self {
        Self {
            id: row.id.0,
            slug: row.slug,
            title: row.title,
            revision: row.revision,
            state: row.state.as_str(),
            published_at: row.published.map(|published| published.at),
            owner_id: row.owner_id.0,
            changed_at: row.changed.at,
            deleted_at: row.deleted.map(|deleted| deleted.at),
            next_task: row.waiting.map(TaskBody::from),
            release: row.release.map(PlannedReleaseBody::from),
            excerpt: row.excerpt.into_iter().map(ExcerptBody::from).collect(),
        }
    }
}

impl From<ExcerptPart> for ExcerptBody {
    fn from(part: ExcerptPart) -> Self {
        Self { text: part.text, is_hit: part.is_hit }
    }
}

impl From<Article> for ArticleDetail {
    fn from(article: Article) -> Self {
        Self {
            article: article.row.into(),
            body: article.body,
            details: article.details.into(),
            published_revision: article.published_revision,
            slug_redirects: article.former_slugs,
            tasks: article.waiting.into_iter().map(TaskBody::from).collect(),
            approved_revision: article.approved.map(|approved| approved.revision),
            review: article.review.map(ReviewBody::from),
        }
    }
}

/// Creates an article: a draft of the token's owner.
#[utoipa::path(post, path = "/articles", tag = "articles", request_body = NewArticleBody, responses(
    (status = 201, description = "The article", body = ArticleDetail),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn create(
    State(web): State<Web>,
    AuthJson(actor, new): AuthJson<NewArticleBody>,
) -> Result<(StatusCode, Json<ArticleDetail>), ApiError> {
    let details = new.details.into_edit()?;
    let new = NewArticle { title: new.title, body: new.body, slug: new.slug, details };
    let article = web.services.articles.create(&actor, new).await?;
    Ok((StatusCode::CREATED, Json(article.into())))
}

/// Filter of the list of articles.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ArticlesQuery {
    /// `draft`, `scheduled`, `published` or `trash`; only `trash` lists deleted articles.
    state: Option<String>,
    /// Words that title, slug, summary, tags or text must all contain, ignoring case and width. The
    /// last one may be the beginning of a word (in the text: from three characters on). Words in
    /// quotes must be adjacent. At most 200 characters. Order: exact matches in the title, matches
    /// without diacritics, matches in the text; then last changed first.
    q: Option<String>,
    /// Only articles with this tag, in any case and width.
    tag: Option<String>,
    /// `true`: only articles of the token's owner.
    #[serde(default)]
    mine: bool,
    /// `next_cursor` of the previous page.
    cursor: Option<String>,
    /// Number of items on the page, at most 200.
    #[serde(default, deserialize_with = "query_limit")]
    limit: Option<u64>,
}

/// Lists articles, last changed first, or searches them.
#[utoipa::path(get, path = "/articles", tag = "articles", params(ArticlesQuery), responses(
    (status = 200, description = "A page of articles", body = ArticlePage)))]
pub async fn list(
    State(web): State<Web>,
    AuthQuery(actor, query): AuthQuery<ArticlesQuery>,
) -> Result<Json<ArticlePage>, ApiError> {
    let words: Vec<&str> = ArticleFilter::ALL.iter().map(|filter| filter.as_str()).collect();
    let filter = query.state.map(|state| word("state", &state, &words)).transpose()?;
    let limit = Some(page_size(query.limit, input_limits::MAX_PAGE_ITEMS));
    let (q, tag, is_mine, cursor) = (query.q, query.tag, query.mine, query.cursor);
    let query = ArticleQuery { filter, q, tag, is_mine, cursor, limit, ..ArticleQuery::default() };
    let page = web.services.articles.list(&actor, query).await?.map(ArticleBody::from);
    Ok(Json(ArticlePage { items: page.items, next_cursor: page.next_cursor }))
}

/// Returns an article with its text.
#[utoipa::path(get, path = "/articles/{id}", tag = "articles",
    params(("id" = String, Path, description = "Id of the article")), responses(
    (status = 200, description = "The article", body = ArticleDetail),
    (status = 404, description = "No such article", body = ErrorBody),
    (status = 410, description = "It is in the trash", body = ErrorBody)))]
pub async fn find(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(article): Path<String>,
) -> Result<Json<ArticleDetail>, ApiError> {
    let article = web.services.articles.find(&actor, id(&article, "article")?).await?;
    if article.row.deleted.is_some() {
        let why = "this article is in the trash; restore it first, or list state=trash";
        return Err(ApiError::Unreadable(StatusCode::GONE, why.to_owned()));
    }
    Ok(Json(article.into()))
}

/// Saves a changed text, or changed details, as a new revision. A scheduled publication takes it, unless the
/// desk pins always (`pins_always` in `/settings/review`) or reviews texts.
#[utoipa::path(patch, path = "/articles/{id}", tag = "articles", request_body = ArticleEditBody,
    params(("id" = String, Path, description = "Id of the article")), responses(
    (status = 200, description = "The article", body = ArticleDetail),
    (status = 404, description = "No such article", body = ErrorBody),
    (status = 409, description = "Another revision was saved in the meantime; `current` is its text", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn save(
    State(web): State<Web>,
    Path(article): Path<String>,
    AuthJson(actor, edit): AuthJson<ArticleEditBody>,
) -> Result<Json<ArticleDetail>, ApiError> {
    let ArticleEditBody { title, body, details, seen_revision } = edit;
    let details = details.into_edit()?;
    let edit = ArticleEdit { title, body, seen_revision, is_autosave: false, details };
    Ok(Json(web.services.articles.save(&actor, id(&article, "article")?, edit).await?.into()))
}

/// Revision that the caller saw.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SeenRevision {
    /// Number of the revision that the caller saw; a different current one is a conflict. Absent:
    /// no check.
    seen_revision: Option<i32>,
}

/// Moves an article to the trash, from which it can be restored for 30 days. If it is already
/// there, nothing changes.
#[utoipa::path(delete, path = "/articles/{id}", tag = "articles",
    params(("id" = String, Path, description = "Id of the article"), SeenRevision), responses(
    (status = 204, description = "It is in the trash"),
    (status = 403, description = "The article belongs to another account", body = ErrorBody),
    (status = 404, description = "No such article", body = ErrorBody),
    (status = 409, description = "It is public, has scheduled tasks (`task` is the next one), is in a scheduled release, or another revision was saved in the meantime (`current` is its text)", body = ErrorBody)))]
pub async fn delete(
    State(web): State<Web>,
    Path(article): Path<String>,
    AuthQuery(actor, seen): AuthQuery<SeenRevision>,
) -> Result<StatusCode, ApiError> {
    web.services.articles.delete(&actor, id(&article, "article")?, seen.seen_revision).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Restores an article from the trash. If it is not there, nothing changes.
#[utoipa::path(post, path = "/articles/{id}/restore", tag = "articles",
    params(("id" = String, Path, description = "Id of the article")), responses(
    (status = 200, description = "The article", body = ArticleDetail),
    (status = 403, description = "The article belongs to another account", body = ErrorBody),
    (status = 404, description = "No such article, or it was deleted permanently", body = ErrorBody)))]
pub async fn restore(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(article): Path<String>,
) -> Result<Json<ArticleDetail>, ApiError> {
    Ok(Json(web.services.articles.undelete(&actor, id(&article, "article")?).await?.into()))
}
