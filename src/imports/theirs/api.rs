//! The text that another site has of an article: what it is now, and taking it. For admins.

use crate::{
    articles::api::ArticleDetail,
    http::{
        Web,
        api::{
            ApiError, ErrorBody,
            extract::{Auth, AuthJson, id},
            numbers::required_integer,
        },
    },
};
use axum::{
    Json,
    extract::{Path, State},
};
use domain::{Version, imports::TextThere};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The text that another site has of an article now.
#[derive(Debug, Serialize, ToSchema)]
pub struct TextThereBody {
    /// `version` of the post.
    version: i32,
    /// Title there.
    title: String,
    /// Text there as Markdown, without what is not for everyone.
    body: String,
    /// Hash of title and text there, for `take-theirs`.
    hash: String,
    /// Names of what is not in `body`.
    left_out: Vec<String>,
    /// Whether it can be taken: it was edited there, and is for everyone.
    can_take: bool,
}

impl From<TextThere> for TextThereBody {
    fn from(text: TextThere) -> Self {
        let TextThere { post, title, body, hash, left_out, can_take, .. } = text;
        Self { version: post.version.0, title, body, hash, left_out, can_take }
    }
}

/// Asks the other site for the text that it has of the article now.
#[utoipa::path(get, path = "/articles/{id}/posts/{channel_id}/text", tag = "channels",
    params(("id" = String, Path, description = "Id of the article"),
           ("channel_id" = String, Path, description = "Id of the channel")), responses(
    (status = 200, description = "The text there", body = TextThereBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such article, or it was never chosen for such a channel", body = ErrorBody),
    (status = 409, description = "The site does not return the text, or it cannot be converted", body = ErrorBody)))]
pub async fn find(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path((article, channel)): Path<(String, String)>,
) -> Result<Json<TextThereBody>, ApiError> {
    let (article, channel) = (id(&article, "article")?, id(&channel, "channel")?);
    Ok(Json(web.services.imports.text_there(&actor, article, channel).await?.into()))
}

/// What the client has seen of a post and of the text there.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeenText {
    /// `version` of the post that the caller saw; a different current one is a conflict.
    #[serde(deserialize_with = "required_integer")]
    seen_version: i32,
    /// `hash` of the text there that the caller saw; a different current one is a conflict.
    seen_hash: String,
}

/// Makes the text of a post that was edited on the other site a new revision of its article. The post is not changed there
/// any more.
#[utoipa::path(post, path = "/posts/{id}/take-theirs", tag = "channels", request_body = SeenText,
    params(("id" = String, Path, description = "Id of the post")), responses(
    (status = 200, description = "The article with the text", body = ArticleDetail),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such post", body = ErrorBody),
    (status = 409, description = "The post or the text there was changed, its state does not allow that, the article is in \
     the trash, or the site does not return a text that can be taken", body = ErrorBody)))]
pub async fn take(
    State(web): State<Web>,
    Path(post): Path<String>,
    AuthJson(actor, body): AuthJson<SeenText>,
) -> Result<Json<ArticleDetail>, ApiError> {
    let seen = (Version(body.seen_version), body.seen_hash.as_str());
    Ok(Json(web.services.imports.take_theirs(&actor, id(&post, "post")?, seen).await?.into()))
}
