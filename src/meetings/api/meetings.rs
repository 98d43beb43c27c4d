//! `/meetings`.

use super::{
    action_body::{MeetingActionBody, waits},
    body::{MeetingBody, MeetingEditBody, MeetingItem, NewMeetingBody},
    required, room_id,
    series::{MeetingResultBody, reach, series_edit},
};
use crate::http::{
    Web,
    api::{
        ApiError, ErrorBody,
        extract::{Auth, AuthJson, AuthQuery, id, instant, page_size, word},
        numbers::query_limit,
    },
};
use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use domain::{
    Actor, MeetingId, Version, input_limits,
    meetings::{MeetingChange, MeetingQuery, MeetingScope, MeetingState, NewMeetingSeries, SeriesChange},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

pub(super) type MeetingResponse = Result<Json<MeetingBody>, ApiError>;
type ResultResponse = Result<Json<MeetingResultBody>, ApiError>;

/// A page of meetings.
#[derive(Debug, Serialize, ToSchema)]
pub struct MeetingPage {
    /// Ordered by start.
    items: Vec<MeetingItem>,
    /// Cursor of the next page; null: this is the last page.
    next_cursor: Option<String>,
}

/// Books a meeting: confirmed, or requested if its room requires an approval. With `series`, books
/// its next 60 occurrences at once, and the others when their time comes closer. With `if_taken`
/// `wait`, a meeting whose room is taken waits: a room that becomes free is offered to the
/// meeting that waits longest, for 30 minutes.
#[utoipa::path(post, path = "/meetings", tag = "meetings", request_body = NewMeetingBody, responses(
    (status = 201, description = "The meeting; of a series, the first one", body = MeetingResultBody),
    (status = 403, description = "The room may be booked by other roles only", body = ErrorBody),
    (status = 409, description = "The room is taken; `conflicts` lists the bookings in the way, and `occurrences` those of the series that are not possible", body = ErrorBody),
    (status = 422, description = "A field is invalid; `choices` if a local time occurs twice or does not exist", body = ErrorBody),
    (status = 429, description = "An address outside the desk would get more mails within an hour than it may", body = ErrorBody)))]
pub async fn create(
    State(web): State<Web>,
    AuthJson(actor, mut new): AuthJson<NewMeetingBody>,
) -> Result<(StatusCode, Json<MeetingResultBody>), ApiError> {
    let meetings = &web.services.meetings;
    let waits = waits(&new)?;
    let booked = match new.take_series()? {
        None if waits => meetings.book_or_wait(&actor, new.try_into()?).await?.into(),
        Some((rule, on_conflict)) => {
            let new = NewMeetingSeries { meeting: new.try_into()?, rule, on_conflict };
            meetings.book_series(&actor, new).await?.into()
        }
        None => meetings.book(&actor, new.try_into()?).await?.into(),
    };
    Ok((StatusCode::CREATED, Json(booked)))
}

/// Filter of the list of meetings.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct MeetingsQuery {
    /// Only meetings that end after this instant, RFC 3339.
    from: Option<String>,
    /// Only meetings that start before this instant, RFC 3339.
    to: Option<String>,
    /// Only meetings in this room.
    room_id: Option<String>,
    /// Only meetings in this state.
    state: Option<String>,
    /// `all` (if absent), `mine` (that the caller organizes or attends) or `to_approve`.
    scope: Option<String>,
    /// Only meetings whose title contains this text; at most 200 characters.
    q: Option<String>,
    /// `next_cursor` of the previous page.
    cursor: Option<String>,
    /// Number of items on the page, at most 200.
    #[serde(default, deserialize_with = "query_limit")]
    limit: Option<u64>,
}

/// Lists meetings by start.
#[utoipa::path(get, path = "/meetings", tag = "meetings", params(MeetingsQuery), responses(
    (status = 200, description = "A page of meetings", body = MeetingPage),
    (status = 422, description = "A filter is invalid", body = ErrorBody)))]
pub async fn list(
    State(web): State<Web>,
    AuthQuery(actor, query): AuthQuery<MeetingsQuery>,
) -> Result<Json<MeetingPage>, ApiError> {
    let query = MeetingQuery {
        scope: query.scope.map(|scope| word("scope", &scope, MeetingScope::NAMES)).transpose()?,
        from: query.from.map(|from| instant("from", &from)).transpose()?,
        to: query.to.map(|to| instant("to", &to)).transpose()?,
        room_id: query.room_id.as_deref().map(room_id).transpose()?,
        state: query.state.map(|state| word("state", &state, MeetingState::NAMES)).transpose()?,
        q: query.q,
        cursor: query.cursor,
        limit: Some(page_size(query.limit, input_limits::MAX_PAGE_ITEMS)),
        ..MeetingQuery::default()
    };
    let page = web.services.meetings.list(&actor, query).await?.map(MeetingItem::from);
    Ok(Json(MeetingPage { items: page.items, next_cursor: page.next_cursor }))
}

/// Returns a meeting.
#[utoipa::path(get, path = "/meetings/{id}", tag = "meetings",
    params(("id" = String, Path, description = "Id of the meeting")), responses(
    (status = 200, description = "The meeting", body = MeetingBody),
    (status = 404, description = "No such meeting", body = ErrorBody)))]
pub async fn find(State(web): State<Web>, Auth(actor): Auth, Path(meeting): Path<String>) -> MeetingResponse {
    Ok(Json(web.services.meetings.find(&actor, id(&meeting, "meeting")?).await?.into()))
}

/// Changes text, attendees, time or room of a meeting; with `reach`, also of others of its series.
#[utoipa::path(patch, path = "/meetings/{id}", tag = "meetings", request_body = MeetingEditBody,
    params(("id" = String, Path, description = "Id of the meeting")), responses(
    (status = 200, description = "The meeting", body = MeetingResultBody),
    (status = 403, description = "It is organized by another account", body = ErrorBody),
    (status = 404, description = "No such meeting", body = ErrorBody),
    (status = 409, description = "Changed in the meantime, over, or the room is taken; then `conflicts` lists the bookings in the way", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody),
    (status = 429, description = "An address outside the desk would get more mails within an hour than it may", body = ErrorBody)))]
pub async fn edit(
    State(web): State<Web>,
    Path(meeting): Path<String>,
    AuthJson(actor, edit): AuthJson<MeetingEditBody>,
) -> ResultResponse {
    let id: MeetingId = id(&meeting, "meeting")?;
    let meetings = &web.services.meetings;
    let current = match edit.needs_current() {
        true => Some(meetings.find(&actor, id).await?.row),
        false => None,
    };
    let seen = Version(edit.seen_version);
    let reach = reach(edit.reach.as_deref(), edit.moved.as_deref())?;
    let edit = edit.into_edit(current.as_ref())?;
    Ok(Json(match reach {
        Some(reach) => {
            let edit = series_edit(reach, SeriesChange::Edit(Box::new(edit)));
            meetings.edit_series(&actor, id, edit, seen).await?.into()
        }
        None => meetings.edit(&actor, id, edit, seen).await?.into(),
    }))
}

pub(super) async fn change(
    web: &Web,
    actor: &Actor,
    meeting: &str,
    change: MeetingChange,
    seen: i32,
) -> MeetingResponse {
    let id = id(meeting, "meeting")?;
    Ok(Json(web.services.meetings.change(actor, id, change, Version(seen)).await?.into()))
}

/// Approves a request. Reviewers (not their own requests) and admins.
#[utoipa::path(post, path = "/meetings/{id}/approve", tag = "meetings", request_body = MeetingActionBody,
    params(("id" = String, Path, description = "Id of the meeting")), responses(
    (status = 200, description = "The meeting", body = MeetingBody),
    (status = 404, description = "No such meeting", body = ErrorBody),
    (status = 409, description = "Changed in the meantime, not a request, or the room is taken", body = ErrorBody)))]
pub async fn approve(
    State(web): State<Web>,
    Path(meeting): Path<String>,
    AuthJson(actor, body): AuthJson<MeetingActionBody>,
) -> MeetingResponse {
    let wanted = MeetingChange::Approve;
    change(&web, &actor, &meeting, wanted, body.seen_version).await
}

/// Rejects a request. Reviewers (not their own requests) and admins.
#[utoipa::path(post, path = "/meetings/{id}/reject", tag = "meetings", request_body = MeetingActionBody,
    params(("id" = String, Path, description = "Id of the meeting")), responses(
    (status = 200, description = "The meeting", body = MeetingBody),
    (status = 404, description = "No such meeting", body = ErrorBody),
    (status = 409, description = "Changed in the meantime, or its state does not allow it", body = ErrorBody)))]
pub async fn reject(
    State(web): State<Web>,
    Path(meeting): Path<String>,
    AuthJson(actor, body): AuthJson<MeetingActionBody>,
) -> MeetingResponse {
    let wanted = MeetingChange::Reject { reason: body.reason.unwrap_or_default() };
    change(&web, &actor, &meeting, wanted, body.seen_version).await
}

/// Cancels a meeting and frees its room; with `reach`, also others of its series.
#[utoipa::path(post, path = "/meetings/{id}/cancel", tag = "meetings", request_body = MeetingActionBody,
    params(("id" = String, Path, description = "Id of the meeting")), responses(
    (status = 200, description = "The meeting", body = MeetingResultBody),
    (status = 404, description = "No such meeting", body = ErrorBody),
    (status = 409, description = "Changed in the meantime, or its state does not allow it", body = ErrorBody)))]
pub async fn cancel(
    State(web): State<Web>,
    Path(meeting): Path<String>,
    AuthJson(actor, body): AuthJson<MeetingActionBody>,
) -> ResultResponse {
    let (id, seen) = (id(&meeting, "meeting")?, Version(body.seen_version));
    let meetings = &web.services.meetings;
    let reach = reach(body.reach.as_deref(), body.moved.as_deref())?;
    let reason = body.reason.unwrap_or_default();
    Ok(Json(match reach {
        Some(reach) => {
            let edit = series_edit(reach, SeriesChange::Cancel { reason });
            meetings.edit_series(&actor, id, edit, seen).await?.into()
        }
        None => meetings.change(&actor, id, MeetingChange::Cancel { reason }, seen).await?.into(),
    }))
}

/// Checks in, so that the room is not released: from 15 minutes before the start. Every account may.
#[utoipa::path(post, path = "/meetings/{id}/check-in", tag = "meetings", request_body = MeetingActionBody,
    params(("id" = String, Path, description = "Id of the meeting")), responses(
    (status = 200, description = "The meeting", body = MeetingBody),
    (status = 404, description = "No such meeting", body = ErrorBody),
    (status = 409, description = "Changed in the meantime, too early, or its state does not allow it", body = ErrorBody)))]
pub async fn check_in(
    State(web): State<Web>,
    Path(meeting): Path<String>,
    AuthJson(actor, body): AuthJson<MeetingActionBody>,
) -> MeetingResponse {
    let wanted = MeetingChange::CheckIn;
    change(&web, &actor, &meeting, wanted, body.seen_version).await
}

/// Ends a meeting that is in progress.
#[utoipa::path(post, path = "/meetings/{id}/end", tag = "meetings", request_body = MeetingActionBody,
    params(("id" = String, Path, description = "Id of the meeting")), responses(
    (status = 200, description = "The meeting", body = MeetingBody),
    (status = 404, description = "No such meeting", body = ErrorBody),
    (status = 409, description = "Changed in the meantime, or its state does not allow it", body = ErrorBody)))]
pub async fn end(
    State(web): State<Web>,
    Path(meeting): Path<String>,
    AuthJson(actor, body): AuthJson<MeetingActionBody>,
) -> MeetingResponse {
    let wanted = MeetingChange::End;
    change(&web, &actor, &meeting, wanted, body.seen_version).await
}

/// Ends a meeting `minutes` later, if its room is free.
#[utoipa::path(post, path = "/meetings/{id}/extend", tag = "meetings", request_body = MeetingActionBody,
    params(("id" = String, Path, description = "Id of the meeting")), responses(
    (status = 200, description = "The meeting", body = MeetingBody),
    (status = 404, description = "No such meeting", body = ErrorBody),
    (status = 409, description = "Changed in the meantime, over, or the room is taken", body = ErrorBody),
    (status = 429, description = "An address outside the desk would get more mails within an hour than it may", body = ErrorBody)))]
pub async fn extend(
    State(web): State<Web>,
    Path(meeting): Path<String>,
    AuthJson(actor, body): AuthJson<MeetingActionBody>,
) -> MeetingResponse {
    let wanted = MeetingChange::Extend { minutes: body.minutes.ok_or_else(|| required("minutes"))? };
    change(&web, &actor, &meeting, wanted, body.seen_version).await
}

/// Undoes the last change of a meeting.
#[utoipa::path(post, path = "/meetings/{id}/undo", tag = "meetings", request_body = MeetingActionBody,
    params(("id" = String, Path, description = "Id of the meeting")), responses(
    (status = 200, description = "The meeting", body = MeetingBody),
    (status = 404, description = "No such meeting", body = ErrorBody),
    (status = 409, description = "Too late, changed in the meantime, or the room is taken", body = ErrorBody),
    (status = 429, description = "An address outside the desk would get more mails within an hour than it may", body = ErrorBody)))]
pub async fn undo(
    State(web): State<Web>,
    Path(meeting): Path<String>,
    AuthJson(actor, body): AuthJson<MeetingActionBody>,
) -> MeetingResponse {
    let wanted = MeetingChange::Undo;
    change(&web, &actor, &meeting, wanted, body.seen_version).await
}
