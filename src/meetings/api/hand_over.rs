//! A meeting or a series gets another organizer.

use super::{body::MeetingBody, meetings::MeetingResponse};
use crate::http::{
    Web,
    api::{
        ErrorBody,
        extract::{AuthJson, id},
        numbers::required_integer,
    },
};
use axum::{
    Json,
    extract::{Path, State},
};
use domain::Version;
use serde::Deserialize;
use utoipa::ToSchema;

/// The new organizer.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HandOverBody {
    /// `version` of the meeting that the caller saw; a different current one is a conflict.
    #[serde(deserialize_with = "required_integer")]
    seen_version: i32,
    /// Id or name of the account, or `me`.
    organizer: String,
}

/// Makes another account the organizer of a meeting; of one that repeats, of all of its series that have not
/// ended.
#[utoipa::path(post, path = "/meetings/{id}/hand-over", tag = "meetings", request_body = HandOverBody,
    params(("id" = String, Path, description = "Id of the meeting")), responses(
    (status = 200, description = "The meeting", body = MeetingBody),
    (status = 403, description = "Of another account, or the new organizer may not book one of the rooms", body = ErrorBody),
    (status = 404, description = "No such meeting", body = ErrorBody),
    (status = 409, description = "Changed in the meantime, or over", body = ErrorBody),
    (status = 422, description = "There is no such account", body = ErrorBody)))]
pub async fn hand_over(
    State(web): State<Web>,
    Path(meeting): Path<String>,
    AuthJson(actor, body): AuthJson<HandOverBody>,
) -> MeetingResponse {
    let (id, seen) = (id(&meeting, "meeting")?, Version(body.seen_version));
    Ok(Json(web.services.meetings.hand_over(&actor, id, &body.organizer, seen).await?.into()))
}
