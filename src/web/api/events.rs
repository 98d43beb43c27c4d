//! `/events`: the log.

use super::{
    super::Web,
    ApiError,
    sent::{Asked, page_size},
    shapes::EventBody,
};
use axum::{Json, extract::State};
use domain::limit;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// From where in the log.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EventsAsked {
    /// `seq` of the last event that is known; 0: from the beginning.
    #[serde(default)]
    after: i64,
    /// `next_cursor` of the page before; the same as `after`.
    cursor: Option<i64>,
    /// Items on the page, at most 1,000.
    limit: Option<u64>,
}

/// A page of the log.
#[derive(Debug, Serialize, ToSchema)]
pub struct EventPage {
    /// In the order they happened.
    items: Vec<EventBody>,
    /// Where the next page starts; null: this is the end for now.
    next_cursor: Option<String>,
}

/// Reads the log, oldest first. What is about channels, settings, the engine and the accounts of others is for admins.
#[utoipa::path(get, path = "/events", tag = "about", params(EventsAsked), responses(
    (status = 200, description = "A page of the log", body = EventPage)))]
pub(super) async fn list(
    State(web): State<Web>,
    Asked(actor, asked): Asked<EventsAsked>,
) -> Result<Json<EventPage>, ApiError> {
    let after = asked.cursor.unwrap_or(asked.after);
    let limit = page_size(asked.limit, limit::PAGE_EVENTS);
    let page = web.desk.tasks.events(&actor, after, limit).await?.map(EventBody::from);
    Ok(Json(EventPage { items: page.items, next_cursor: page.next_cursor }))
}
