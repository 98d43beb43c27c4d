//! `/events`: the event log.

use crate::http::{
    Web,
    api::{
        ApiError,
        dto::EventBody,
        extract::{AuthQuery, page_size},
        numbers::query_limit,
    },
};
use axum::{Json, extract::State};
use domain::input_limits;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Position in the event log.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EventsQuery {
    /// `seq` of the last known event; 0: from the beginning.
    #[serde(default)]
    after: i64,
    /// `next_cursor` of the previous page; overrides `after`.
    cursor: Option<i64>,
    /// Number of items on the page, at most 1,000.
    #[serde(default, deserialize_with = "query_limit")]
    limit: Option<u64>,
}

/// A page of the event log.
#[derive(Debug, Serialize, ToSchema)]
pub struct EventPage {
    /// Oldest first.
    items: Vec<EventBody>,
    /// Cursor of the next page; null: there are no newer events yet.
    next_cursor: Option<String>,
}

/// Reads the event log, oldest first. Events about channels, settings, the engine and other
/// accounts are only for admins.
#[utoipa::path(get, path = "/events", tag = "about", params(EventsQuery), responses(
    (status = 200, description = "A page of the event log", body = EventPage)))]
pub async fn list(
    State(web): State<Web>,
    AuthQuery(actor, query): AuthQuery<EventsQuery>,
) -> Result<Json<EventPage>, ApiError> {
    let after = query.cursor.unwrap_or(query.after);
    let limit = page_size(query.limit, input_limits::MAX_PAGE_EVENTS);
    let page = web.services.tasks.events(&actor, after, limit).await?.map(EventBody::from);
    Ok(Json(EventPage { items: page.items, next_cursor: page.next_cursor }))
}
