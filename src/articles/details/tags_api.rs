//! `/tags`.

use crate::http::{
    Web,
    api::{
        ApiError, ErrorBody,
        extract::{Auth, AuthJson},
    },
};
use axum::{Json, extract::State};
use domain::articles::details::{Tag, TagEdit};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A tag.
#[derive(Debug, Serialize, ToSchema)]
pub struct TagBody {
    /// Its name in NFKC, case folded; the last part of the address of its page.
    key: String,
    /// Its name.
    name: String,
    /// Number of articles whose current text has it.
    articles: u64,
}

impl From<Tag> for TagBody {
    fn from(Tag { key, name, articles }: Tag) -> Self {
        Self { key, name, articles }
    }
}

/// The tags of the desk.
#[derive(Debug, Serialize, ToSchema)]
pub struct TagsBody {
    /// By name, at most 1,000.
    items: Vec<TagBody>,
}

/// A new name of a tag.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TagEditBody {
    /// Its present name, in any case and width.
    from: String,
    /// Its new name: 1 to 60 characters, without commas, slashes and line ends.
    to: String,
    /// Whether it becomes part of another tag that has this name. False: that is a conflict.
    #[serde(default)]
    merge: bool,
}

/// Returns the tags that a text has.
#[utoipa::path(get, path = "/tags", tag = "articles", responses(
    (status = 200, description = "The tags", body = TagsBody)))]
pub async fn list(State(web): State<Web>, Auth(actor): Auth) -> Result<Json<TagsBody>, ApiError> {
    let tags = web.services.articles.tags(&actor).await?;
    Ok(Json(TagsBody { items: tags.into_iter().map(TagBody::from).collect() }))
}

/// Renames a tag in all texts, or merges it into another one. Admins only.
#[utoipa::path(post, path = "/tags/rename", tag = "articles", request_body = TagEditBody, responses(
    (status = 200, description = "The tag", body = TagBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No text has this tag", body = ErrorBody),
    (status = 409, description = "Another tag has this name", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn rename(
    State(web): State<Web>,
    AuthJson(actor, edit): AuthJson<TagEditBody>,
) -> Result<Json<TagBody>, ApiError> {
    let edit = TagEdit { from: edit.from, to: edit.to, is_merge: edit.merge };
    Ok(Json(web.services.articles.rename_tag(&actor, edit).await?.into()))
}
