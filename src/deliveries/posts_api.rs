//! `/articles/{id}/posts` and `/posts`: the other sites on which channels publish articles. For admins.

use crate::http::{
    Web,
    api::{
        ApiError, ErrorBody,
        extract::{Auth, AuthJson, AuthQuery, id, page_size, word},
        numbers::{query_limit, required_integer},
    },
};
use axum::{
    Json,
    extract::{Path, State},
};
use domain::{
    Actor, Timestamp, Version, input_limits,
    post::{Post, PostAction, PostQuery, PostState},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// An article at a channel that publishes on another site.
#[derive(Debug, Serialize, ToSchema)]
pub struct PostBody {
    /// Its id; null: the article was never chosen for the channel.
    #[schema(value_type = Option<String>, format = Uuid)]
    id: Option<Uuid>,
    /// Grows with each change of it, also by the engine.
    version: i32,
    /// Id of the article.
    #[schema(value_type = String, format = Uuid)]
    article_id: Uuid,
    /// Id of the channel.
    #[schema(value_type = String, format = Uuid)]
    channel_id: Uuid,
    /// Name of the channel.
    channel: String,
    /// Whether it is published there with the article.
    is_chosen: bool,
    /// `off`, `planned`, `preparing`, `ready`, `publishing`, `published`, `live`, `withdrawing`, `withdrawn`, `failed`,
    /// `unconfirmed`, `changed_there` or `cancelled`.
    state: &'static str,
    /// Address on the other site; null: the site has not named it.
    url: Option<String>,
    /// Since when it is public there; null: it is not, as far as is known.
    #[schema(value_type = Option<String>, format = DateTime)]
    published_at: Option<Timestamp>,
    /// Its newest delivery, which can be sent again; null: nothing was sent.
    #[schema(value_type = Option<String>, format = Uuid)]
    delivery_id: Option<Uuid>,
    /// Why its last attempt failed.
    problem: Option<String>,
    /// When the site was last asked with success.
    #[schema(value_type = Option<String>, format = DateTime)]
    checked_at: Option<Timestamp>,
    /// When a reader's request saw its present text.
    #[schema(value_type = Option<String>, format = DateTime)]
    seen_at: Option<Timestamp>,
    /// Names of the HTML elements that the site took out of the text.
    removed: Vec<String>,
    /// What was done with it on the site, so that it is not overwritten: `edited`, `trashed`, `deleted` or `published`.
    changed_there: Option<String>,
}

impl From<Post> for PostBody {
    fn from(post: Post) -> Self {
        Self {
            id: post.id.map(|id| id.0),
            version: post.version.0,
            article_id: post.article.0,
            channel_id: post.channel.0,
            channel: post.name,
            is_chosen: post.is_chosen,
            state: PostState::as_str(post.state),
            url: post.url,
            published_at: post.published_at,
            delivery_id: post.delivery.map(|delivery| delivery.0),
            problem: post.problem,
            checked_at: post.checked_at,
            seen_at: post.seen_at,
            removed: post.removed,
            changed_there: post.changed_there,
        }
    }
}

/// An article at all channels that publish on other sites.
#[derive(Debug, Serialize, ToSchema)]
pub struct PostPage {
    /// Ordered by the name of the channel.
    items: Vec<PostBody>,
    /// Always null: there is one page.
    next_cursor: Option<String>,
}

/// Lists the channels that publish on other sites, with what became of the article there.
#[utoipa::path(get, path = "/articles/{id}/posts", tag = "channels",
    params(("id" = String, Path, description = "Id of the article")), responses(
    (status = 200, description = "The article at each channel", body = PostPage),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such article", body = ErrorBody)))]
pub async fn list(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(article): Path<String>,
) -> Result<Json<PostPage>, ApiError> {
    let all = web.services.channels.posts(&actor, id(&article, "article")?).await?;
    Ok(Json(PostPage { items: all.into_iter().map(PostBody::from).collect(), next_cursor: None }))
}

/// Returns the article at one channel.
#[utoipa::path(get, path = "/articles/{id}/posts/{channel_id}", tag = "channels",
    params(("id" = String, Path, description = "Id of the article"),
           ("channel_id" = String, Path, description = "Id of the channel")), responses(
    (status = 200, description = "The article there", body = PostBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such article, or no such channel that publishes", body = ErrorBody)))]
pub async fn find(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path((article, channel)): Path<(String, String)>,
) -> Result<Json<PostBody>, ApiError> {
    let (article, channel) = (id(&article, "article")?, id(&channel, "channel")?);
    Ok(Json(web.services.channels.post(&actor, article, channel).await?.into()))
}

/// Publishes the article also there: at once if it is public, else with it.
#[utoipa::path(put, path = "/articles/{id}/posts/{channel_id}", tag = "channels",
    params(("id" = String, Path, description = "Id of the article"),
           ("channel_id" = String, Path, description = "Id of the channel")), responses(
    (status = 200, description = "The article there", body = PostBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such article, or no such channel that publishes", body = ErrorBody),
    (status = 409, description = "The article is in the trash", body = ErrorBody),
    (status = 422, description = "Too many channels publish it", body = ErrorBody)))]
pub async fn put(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(path): Path<(String, String)>,
) -> Result<Json<PostBody>, ApiError> {
    choose(&web, &actor, path, true).await
}

/// Publishes the article no longer there. What is public there becomes a draft.
#[utoipa::path(delete, path = "/articles/{id}/posts/{channel_id}", tag = "channels",
    params(("id" = String, Path, description = "Id of the article"),
           ("channel_id" = String, Path, description = "Id of the channel")), responses(
    (status = 200, description = "The article there", body = PostBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such article, or no such channel that publishes", body = ErrorBody)))]
pub async fn remove(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(path): Path<(String, String)>,
) -> Result<Json<PostBody>, ApiError> {
    choose(&web, &actor, path, false).await
}

async fn choose(
    web: &Web,
    actor: &Actor,
    (article, channel): (String, String),
    is_chosen: bool,
) -> Result<Json<PostBody>, ApiError> {
    let (article, channel) = (id(&article, "article")?, id(&channel, "channel")?);
    Ok(Json(web.services.channels.choose_post(actor, article, channel, is_chosen).await?.into()))
}

/// Filter of the list of posts.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PostsQuery {
    /// Only posts at this channel.
    channel_id: Option<String>,
    /// Only posts in this state.
    state: Option<String>,
    /// `next_cursor` of the previous page.
    cursor: Option<String>,
    /// Number of items on the page, at most 200.
    #[serde(default, deserialize_with = "query_limit")]
    limit: Option<u64>,
}

/// A page of posts of all articles.
#[derive(Debug, Serialize, ToSchema)]
pub struct AllPostsPage {
    /// Newest first.
    items: Vec<PostBody>,
    /// Cursor of the next page; null: this is the last page.
    next_cursor: Option<String>,
}

/// Lists articles that were chosen for other sites, newest first.
#[utoipa::path(get, path = "/posts", tag = "channels", params(PostsQuery), responses(
    (status = 200, description = "A page of posts", body = AllPostsPage),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such channel", body = ErrorBody),
    (status = 422, description = "A filter is invalid", body = ErrorBody)))]
pub async fn all(
    State(web): State<Web>,
    AuthQuery(actor, query): AuthQuery<PostsQuery>,
) -> Result<Json<AllPostsPage>, ApiError> {
    let states: Vec<&str> = PostState::ALL.iter().map(|state| state.as_str()).collect();
    let query = PostQuery {
        channel: query.channel_id.map(|channel| id(&channel, "channel")).transpose()?,
        state: query.state.map(|state| word("state", &state, &states)).transpose()?,
        cursor: query.cursor,
        limit: Some(page_size(query.limit, input_limits::MAX_PAGE_ITEMS)),
    };
    let page = web.services.channels.all_posts(&actor, query).await?.map(PostBody::from);
    Ok(Json(AllPostsPage { items: page.items, next_cursor: page.next_cursor }))
}

/// What the client has seen of a post.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeenPost {
    /// `version` of the post that the caller saw; a different current one is a conflict.
    #[serde(deserialize_with = "required_integer")]
    seen_version: i32,
}

async fn change(
    web: &Web,
    actor: &Actor,
    (post, seen): (&str, &SeenPost),
    action: PostAction,
) -> Result<Json<PostBody>, ApiError> {
    let (post, seen) = (id(post, "post")?, Version(seen.seen_version));
    Ok(Json(web.services.channels.change_post(actor, post, action, seen).await?.into()))
}

/// Checks now: makes the draft of an article that is not public, or asks for the public page as a reader.
#[utoipa::path(post, path = "/posts/{id}/check", tag = "channels", request_body = SeenPost,
    params(("id" = String, Path, description = "Id of the post")), responses(
    (status = 200, description = "The post", body = PostBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such post", body = ErrorBody),
    (status = 409, description = "It was changed, or its state does not allow that", body = ErrorBody)))]
pub async fn check(
    State(web): State<Web>,
    Path(post): Path<String>,
    AuthJson(actor, body): AuthJson<SeenPost>,
) -> Result<Json<PostBody>, ApiError> {
    change(&web, &actor, (&post, &body), PostAction::Check).await
}

/// Sends the newest delivery of a post again that failed, is not confirmed or was cancelled.
#[utoipa::path(post, path = "/posts/{id}/retry", tag = "channels", request_body = SeenPost,
    params(("id" = String, Path, description = "Id of the post")), responses(
    (status = 200, description = "The post", body = PostBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such post", body = ErrorBody),
    (status = 409, description = "It was changed, or its state does not allow that", body = ErrorBody)))]
pub async fn retry(
    State(web): State<Web>,
    Path(post): Path<String>,
    AuthJson(actor, body): AuthJson<SeenPost>,
) -> Result<Json<PostBody>, ApiError> {
    change(&web, &actor, (&post, &body), PostAction::Retry).await
}

/// Replaces a post that was changed on the other site, with the text from here.
#[utoipa::path(post, path = "/posts/{id}/overwrite", tag = "channels", request_body = SeenPost,
    params(("id" = String, Path, description = "Id of the post")), responses(
    (status = 200, description = "The post", body = PostBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such post", body = ErrorBody),
    (status = 409, description = "It was changed, or its state does not allow that", body = ErrorBody)))]
pub async fn overwrite(
    State(web): State<Web>,
    Path(post): Path<String>,
    AuthJson(actor, body): AuthJson<SeenPost>,
) -> Result<Json<PostBody>, ApiError> {
    change(&web, &actor, (&post, &body), PostAction::Overwrite).await
}

/// Leaves a post that was changed on the other site as it is there, and publishes it there no longer.
#[utoipa::path(post, path = "/posts/{id}/leave", tag = "channels", request_body = SeenPost,
    params(("id" = String, Path, description = "Id of the post")), responses(
    (status = 200, description = "The post", body = PostBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such post", body = ErrorBody),
    (status = 409, description = "It was changed, or its state does not allow that", body = ErrorBody)))]
pub async fn leave(
    State(web): State<Web>,
    Path(post): Path<String>,
    AuthJson(actor, body): AuthJson<SeenPost>,
) -> Result<Json<PostBody>, ApiError> {
    change(&web, &actor, (&post, &body), PostAction::Leave).await
}
