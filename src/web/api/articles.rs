//! `/articles`.

use super::{
    super::Web,
    ApiError, ErrorBody,
    sent::{Asked, Bearer, Sent, id, page_size, word},
    shapes::TaskBody,
};
use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use domain::{
    Timestamp,
    article::{Article, ArticleEdit, ArticleFilter, ArticleQuery, ArticleRow, ExcerptPart, NewArticle},
    limit,
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
    /// Wanted name in the address; made from the title if absent, made unique if taken.
    slug: Option<String>,
}

/// Another text.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ArticleEditBody {
    /// New title.
    title: Option<String>,
    /// New Markdown.
    body: Option<String>,
    /// The revision the writer saw.
    seen_revision: i32,
}

/// An article.
#[derive(Debug, Serialize, ToSchema)]
pub struct ArticleBody {
    /// Identity.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// Name in the address.
    slug: String,
    /// Title of the current revision.
    title: String,
    /// Number of the current revision, from 1.
    revision: i32,
    /// `draft`, `in_review`, `approved` or `sent_back`.
    state: &'static str,
    /// Since when it is public.
    #[schema(value_type = Option<String>, format = DateTime)]
    published_at: Option<Timestamp>,
    /// Whose it is.
    #[schema(value_type = String, format = Uuid)]
    owner_id: Uuid,
    /// When it last changed.
    #[schema(value_type = String, format = DateTime)]
    changed_at: Timestamp,
    /// In the trash since; it goes for good 30 days later.
    #[schema(value_type = Option<String>, format = DateTime)]
    deleted_at: Option<Timestamp>,
    /// The next task that waits for it.
    waiting: Option<TaskBody>,
    /// Of a search: the sentence of the text that holds the first hit, in parts. Absent where only title or slug hold the words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    excerpt: Vec<ExcerptBody>,
}

/// A part of an excerpt.
#[derive(Debug, Serialize, ToSchema)]
pub struct ExcerptBody {
    /// Plain text: escape it before it is shown as HTML.
    text: String,
    /// Whether it was searched for.
    is_hit: bool,
}

/// An article with its text.
#[derive(Debug, Serialize, ToSchema)]
pub struct ArticleWhole {
    /// The article.
    #[serde(flatten)]
    article: ArticleBody,
    /// Markdown of the current revision.
    body: String,
    /// Number of the revision that is public.
    published_revision: Option<i32>,
    /// Older names that lead here.
    former_slugs: Vec<String>,
    /// All tasks that wait for it.
    tasks: Vec<TaskBody>,
}

/// A page of articles.
#[derive(Debug, Serialize, ToSchema)]
pub struct ArticlePage {
    /// Newest change first; of a search, best hits first.
    items: Vec<ArticleBody>,
    /// Where the next page starts; null: this is the last one.
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
            waiting: row.waiting.map(TaskBody::from),
            excerpt: row.excerpt.into_iter().map(ExcerptBody::from).collect(),
        }
    }
}

impl From<ExcerptPart> for ExcerptBody {
    fn from(part: ExcerptPart) -> Self {
        Self { text: part.text, is_hit: part.is_hit }
    }
}

impl From<Article> for ArticleWhole {
    fn from(article: Article) -> Self {
        Self {
            article: article.row.into(),
            body: article.body,
            published_revision: article.published_revision,
            former_slugs: article.former_slugs,
            tasks: article.waiting.into_iter().map(TaskBody::from).collect(),
        }
    }
}

/// Writes an article: a draft of the token's owner.
#[utoipa::path(post, path = "/articles", tag = "articles", request_body = NewArticleBody, responses(
    (status = 201, description = "The article", body = ArticleWhole),
    (status = 422, description = "A field is wrong", body = ErrorBody)))]
pub(super) async fn create(
    State(web): State<Web>,
    Sent(actor, new): Sent<NewArticleBody>,
) -> Result<(StatusCode, Json<ArticleWhole>), ApiError> {
    let new = NewArticle { title: new.title, body: new.body, slug: new.slug };
    let article = web.desk.articles.create(&actor, new).await?;
    Ok((StatusCode::CREATED, Json(article.into())))
}

/// Which articles.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ArticlesAsked {
    /// `draft`, `scheduled`, `published` or `trash`; only `trash` lists what is deleted.
    state: Option<String>,
    /// Words that title, slug or text hold, all of them, in any case and width; the last one may be the beginning of a word (of a word in the text from three
    /// characters on).
    /// "In quotes": next to each other. At most 200 characters. Best hits first: in the title, as spelled; then without diacritics;
    /// then in the text; newest change first among equals.
    q: Option<String>,
    /// `true`: only the token owner's own.
    #[serde(default)]
    mine: bool,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
    /// Items on the page, at most 200.
    limit: Option<u64>,
}

/// Lists articles, newest change first, or searches them.
#[utoipa::path(get, path = "/articles", tag = "articles", params(ArticlesAsked), responses(
    (status = 200, description = "A page of articles", body = ArticlePage)))]
pub(super) async fn list(
    State(web): State<Web>,
    Asked(actor, asked): Asked<ArticlesAsked>,
) -> Result<Json<ArticlePage>, ApiError> {
    let words: Vec<&str> = ArticleFilter::ALL.iter().map(|filter| filter.as_str()).collect();
    let filter = asked.state.map(|state| word("state", &state, &words)).transpose()?;
    let limit = Some(page_size(asked.limit, limit::PAGE_ITEMS));
    let query = ArticleQuery { filter, q: asked.q, is_mine: asked.mine, cursor: asked.cursor, limit };
    let page = web.desk.articles.list(&actor, query).await?.map(ArticleBody::from);
    Ok(Json(ArticlePage { items: page.items, next_cursor: page.next_cursor }))
}

/// Shows one article with its text.
#[utoipa::path(get, path = "/articles/{id}", tag = "articles",
    params(("id" = String, Path, description = "Its identity")), responses(
    (status = 200, description = "The article", body = ArticleWhole),
    (status = 404, description = "There is none", body = ErrorBody),
    (status = 410, description = "It is in the trash", body = ErrorBody)))]
pub(super) async fn find(
    State(web): State<Web>,
    Bearer(actor): Bearer,
    Path(article): Path<String>,
) -> Result<Json<ArticleWhole>, ApiError> {
    let article = web.desk.articles.find(&actor, id(&article, "article")?).await?;
    if article.row.deleted.is_some() {
        let why = "this article is in the trash; restore it first, or list state=trash";
        return Err(ApiError::Unreadable(StatusCode::GONE, why.to_owned()));
    }
    Ok(Json(article.into()))
}

/// Saves another text as a new revision.
#[utoipa::path(patch, path = "/articles/{id}", tag = "articles", request_body = ArticleEditBody,
    params(("id" = String, Path, description = "Its identity")), responses(
    (status = 200, description = "The article", body = ArticleWhole),
    (status = 404, description = "There is none", body = ErrorBody),
    (status = 409, description = "Somebody saved meanwhile; `current` is their text", body = ErrorBody),
    (status = 422, description = "A field is wrong", body = ErrorBody)))]
pub(super) async fn save(
    State(web): State<Web>,
    Path(article): Path<String>,
    Sent(actor, edit): Sent<ArticleEditBody>,
) -> Result<Json<ArticleWhole>, ApiError> {
    let ArticleEditBody { title, body, seen_revision } = edit;
    let edit = ArticleEdit { title, body, seen_revision, is_autosave: false };
    Ok(Json(web.desk.articles.save(&actor, id(&article, "article")?, edit).await?.into()))
}

/// Which text the caller saw.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SeenText {
    /// The revision the caller saw; another one is a conflict. Absent: whichever is there.
    seen_revision: Option<i32>,
}

/// Puts an article into the trash, from where it can be restored for 30 days. Deleted already: nothing changes.
#[utoipa::path(delete, path = "/articles/{id}", tag = "articles",
    params(("id" = String, Path, description = "Its identity"), SeenText), responses(
    (status = 204, description = "It is in the trash"),
    (status = 403, description = "It is somebody else's article", body = ErrorBody),
    (status = 404, description = "There is none", body = ErrorBody),
    (status = 409, description = "It is public, or a task waits for it: `task` is the next one; or somebody saved meanwhile: `current` is their text", body = ErrorBody)))]
pub(super) async fn delete(
    State(web): State<Web>,
    Path(article): Path<String>,
    Asked(actor, seen): Asked<SeenText>,
) -> Result<StatusCode, ApiError> {
    web.desk.articles.delete(&actor, id(&article, "article")?, seen.seen_revision).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Takes an article out of the trash. Not in it: nothing changes.
#[utoipa::path(post, path = "/articles/{id}/restore", tag = "articles",
    params(("id" = String, Path, description = "Its identity")), responses(
    (status = 200, description = "The article", body = ArticleWhole),
    (status = 403, description = "It is somebody else's article", body = ErrorBody),
    (status = 404, description = "There is none, or it has gone for good", body = ErrorBody)))]
pub(super) async fn restore(
    State(web): State<Web>,
    Bearer(actor): Bearer,
    Path(article): Path<String>,
) -> Result<Json<ArticleWhole>, ApiError> {
    Ok(Json(web.desk.articles.undelete(&actor, id(&article, "article")?).await?.into()))
}
