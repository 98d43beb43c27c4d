//! `/restore`: after a backup was restored, messages wait for an admin's word.

use super::{super::Web, ApiError, sent::Bearer};
use axum::{Json, extract::State};
use serde::Serialize;
use utoipa::ToSchema;

/// How it stands now.
#[derive(Debug, Serialize, ToSchema)]
pub struct Confirmed {
    /// Whether messages had been held until now.
    was_held: bool,
}

/// Lets messages go out that are held since a backup was restored or a copy was started. Admins.
#[utoipa::path(post, path = "/restore/confirm", tag = "about", responses(
    (status = 200, description = "Nothing is held any more", body = Confirmed)))]
pub(super) async fn confirm(
    State(web): State<Web>,
    Bearer(actor): Bearer,
) -> Result<Json<Confirmed>, ApiError> {
    Ok(Json(Confirmed { was_held: web.desk.engine.confirm_restore(&actor).await? }))
}
