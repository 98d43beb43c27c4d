//! `/saved-views`: filters of a list under a name. They belong to the caller.

use crate::http::{
    Web,
    api::{
        ApiError, ErrorBody,
        extract::{AuthJson, AuthQuery, id, word},
        numbers::required_integer,
    },
};
use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use domain::{
    SavedViewId, Version,
    accounts::saved_view::{NewSavedView, SavedView, ViewedList},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// What [`id`] calls a saved view in an error.
const VIEW: &str = "view";

/// A saved view.
#[derive(Debug, Serialize, ToSchema)]
pub struct SavedViewBody {
    /// Id of the view.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// `articles`, `tasks`, `meetings`, `reminders` or `messages`.
    list: &'static str,
    /// Name; no two views of a list have the same one.
    name: String,
    /// The filters: the query of the list's address, without `?`.
    query: String,
    /// Incremented by every change; send it back as `seen_version`.
    version: i32,
}

impl From<SavedView> for SavedViewBody {
    fn from(view: SavedView) -> Self {
        Self {
            id: view.id.0,
            list: view.list.as_str(),
            name: view.name,
            query: view.query,
            version: view.version.0,
        }
    }
}

/// Saved views.
#[derive(Debug, Serialize, ToSchema)]
pub struct SavedViewsBody {
    /// By name, at most 20.
    items: Vec<SavedViewBody>,
}

/// Which views.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// `articles`, `tasks`, `meetings`, `reminders` or `messages`.
    list: String,
}

/// A view to save.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewSavedViewBody {
    /// `articles`, `tasks`, `meetings`, `reminders` or `messages`.
    list: String,
    /// Name, at most 60 characters.
    name: String,
    /// The query of the list's address, e.g. `state=failed&q=tide`: at most 2,000 bytes.
    query: String,
}

/// A new name.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SavedViewEditBody {
    /// Name, at most 60 characters.
    name: String,
    /// `version` that the caller saw.
    #[serde(deserialize_with = "required_integer")]
    seen_version: i32,
}

/// Parameters of a deletion.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct DeleteQuery {
    /// `version` that the caller saw.
    seen_version: i32,
}

fn list_of(text: &str) -> Result<ViewedList, ApiError> {
    Ok(word("list", text, ViewedList::NAMES)?)
}

/// Lists the caller's views of a list.
#[utoipa::path(get, path = "/saved-views", tag = "accounts", params(ListQuery), responses(
    (status = 200, description = "The views", body = SavedViewsBody)))]
pub async fn list(
    State(web): State<Web>,
    AuthQuery(actor, query): AuthQuery<ListQuery>,
) -> Result<Json<SavedViewsBody>, ApiError> {
    let views = web.services.views.list(&actor, list_of(&query.list)?).await?;
    Ok(Json(SavedViewsBody { items: views.into_iter().map(SavedViewBody::from).collect() }))
}

/// Saves a view. A view of the list with the same name gets the filters.
#[utoipa::path(post, path = "/saved-views", tag = "accounts", request_body = NewSavedViewBody, responses(
    (status = 201, description = "The view", body = SavedViewBody),
    (status = 422, description = "A field is invalid, or there are 20 views of the list already", body = ErrorBody)))]
pub async fn save(
    State(web): State<Web>,
    AuthJson(actor, body): AuthJson<NewSavedViewBody>,
) -> Result<(StatusCode, Json<SavedViewBody>), ApiError> {
    let new = NewSavedView { list: list_of(&body.list)?, name: body.name, query: body.query };
    let view = web.services.views.save(&actor, new).await?;
    Ok((StatusCode::CREATED, Json(view.into())))
}

/// Renames a view.
#[utoipa::path(patch, path = "/saved-views/{id}", tag = "accounts", request_body = SavedViewEditBody,
    params(("id" = String, Path, description = "Id of the view")), responses(
    (status = 200, description = "The view", body = SavedViewBody),
    (status = 404, description = "The caller has no such view", body = ErrorBody),
    (status = 409, description = "It was changed in the meantime, or another view has this name", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn rename(
    State(web): State<Web>,
    Path(view): Path<String>,
    AuthJson(actor, body): AuthJson<SavedViewEditBody>,
) -> Result<Json<SavedViewBody>, ApiError> {
    let view = id::<SavedViewId>(&view, VIEW)?;
    let seen = Version(body.seen_version);
    Ok(Json(web.services.views.rename(&actor, view, body.name, seen).await?.into()))
}

/// Deletes a view. The list and its items stay as they are.
#[utoipa::path(delete, path = "/saved-views/{id}", tag = "accounts",
    params(("id" = String, Path, description = "Id of the view"), DeleteQuery), responses(
    (status = 204, description = "Deleted"),
    (status = 404, description = "The caller has no such view", body = ErrorBody),
    (status = 409, description = "It was changed in the meantime", body = ErrorBody)))]
pub async fn delete(
    State(web): State<Web>,
    Path(view): Path<String>,
    AuthQuery(actor, query): AuthQuery<DeleteQuery>,
) -> Result<StatusCode, ApiError> {
    let view = id::<SavedViewId>(&view, VIEW)?;
    web.services.views.delete(&actor, view, Version(query.seen_version)).await?;
    Ok(StatusCode::NO_CONTENT)
}
