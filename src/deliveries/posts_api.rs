//! `/articles/{id}/posts`: the other sites on which channels publish an article. For admins.

use crate::http::{
    Web,
    api::{
        ApiError, ErrorBody,
        extract::{Auth, id},
    },
};
use axum::{
    Json,
    extract::{Path, State},
};
use domain::{
    Actor, Timestamp,
    post::{Post, PostState},
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// An article at a channel that publishes on another site.
#[derive(Debug, Serialize, ToSchema)]
pub struct PostBody {
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
    /// `off`, `planned`, `publishing`, `published`, `withdrawing`, `withdrawn`, `failed` or `unconfirmed`.
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
}

impl From<Post> for PostBody {
    fn from(post: Post) -> Self {
        Self {
            article_id: post.article.0,
            channel_id: post.channel.0,
            channel: post.name,
            is_chosen: post.is_chosen,
            state: PostState::as_str(post.state),
            url: post.url,
            published_at: post.published_at,
            delivery_id: post.delivery.map(|delivery| delivery.0),
            problem: post.problem,
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
