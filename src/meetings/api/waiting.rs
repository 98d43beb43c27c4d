//! The answer to the offer of a room.

use super::{
    action_body::MeetingActionBody,
    meetings::{MeetingResponse, change},
};
use crate::http::{
    Web,
    api::{ErrorBody, extract::AuthJson},
};
use axum::extract::{Path, State};
use domain::meetings::MeetingChange;

/// Accepts the offer of a room: the meeting is confirmed, or requested if its room requires an approval.
#[utoipa::path(post, path = "/meetings/{id}/accept", tag = "meetings", request_body = MeetingActionBody,
    params(("id" = String, Path, description = "Id of the meeting")), responses(
    (status = 200, description = "The meeting", body = super::body::MeetingBody),
    (status = 404, description = "No such meeting", body = ErrorBody),
    (status = 409, description = "Changed in the meantime, or its state does not allow it", body = ErrorBody),
    (status = 429, description = "An address outside the desk would get more mails within an hour than it may", body = ErrorBody)))]
pub async fn accept(
    State(web): State<Web>,
    Path(meeting): Path<String>,
    AuthJson(actor, body): AuthJson<MeetingActionBody>,
) -> MeetingResponse {
    change(&web, &actor, &meeting, MeetingChange::Accept, body.seen_version).await
}

/// Declines the offer of a room: it is offered to the next who wait.
#[utoipa::path(post, path = "/meetings/{id}/decline", tag = "meetings", request_body = MeetingActionBody,
    params(("id" = String, Path, description = "Id of the meeting")), responses(
    (status = 200, description = "The meeting", body = super::body::MeetingBody),
    (status = 404, description = "No such meeting", body = ErrorBody),
    (status = 409, description = "Changed in the meantime, or its state does not allow it", body = ErrorBody)))]
pub async fn decline(
    State(web): State<Web>,
    Path(meeting): Path<String>,
    AuthJson(actor, body): AuthJson<MeetingActionBody>,
) -> MeetingResponse {
    change(&web, &actor, &meeting, MeetingChange::Decline, body.seen_version).await
}
