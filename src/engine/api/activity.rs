//! `/activity`: who did what, newest first.

use crate::http::{
    Web,
    api::{
        ApiError, ErrorBody,
        dto::EventBody,
        extract::{AuthQuery, id, page_size},
        numbers::query_limit,
    },
};
use axum::{Json, extract::State};
use domain::{
    AccountId, DomainError,
    activity::{ActivityEntry, ActivityQuery},
    error::ValidationError,
    input_limits,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// Filter of the activity.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ActivityFilter {
    /// Id of an account: only what it did.
    person: Option<String>,
    /// Id of an article, a meeting or another item: only what happened to it and to its tasks.
    item: Option<String>,
    /// Whether also what the engine did.
    #[serde(default)]
    engine: bool,
    /// `next_cursor` of the previous page.
    cursor: Option<String>,
    /// Maximum number of items on the page, at most 200. It may have fewer and not be the last if nearly all
    /// events are left out.
    #[serde(default, deserialize_with = "query_limit")]
    limit: Option<u64>,
}

/// A page of the activity.
#[derive(Debug, Serialize, ToSchema)]
pub struct ActivityPage {
    /// Newest first.
    items: Vec<ActivityBody>,
    /// Cursor of the next page; null: this is the last page.
    next_cursor: Option<String>,
}

/// An event, and what it is about.
#[derive(Debug, Serialize, ToSchema)]
pub struct ActivityBody {
    /// What happened.
    event: EventBody,
    /// What it is about: of a task, what the task is for.
    subject: SubjectBody,
}

/// What an event is about.
#[derive(Debug, Serialize, ToSchema)]
pub struct SubjectBody {
    /// `article`, `meeting`, `channel`, …
    kind: String,
    /// Its id.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// Title or name; empty: it has none, or it no longer exists.
    title: String,
}

impl From<ActivityEntry> for ActivityBody {
    fn from(ActivityEntry { event, subject, .. }: ActivityEntry) -> Self {
        let subject = SubjectBody { kind: subject.kind, id: subject.id, title: subject.title };
        Self { event: event.into(), subject }
    }
}

fn item(text: &str) -> Result<Uuid, DomainError> {
    let why = || ValidationError::Unreadable { why: "must be an id".to_owned() };
    text.parse().map_err(|_| DomainError::invalid("item", why()))
}

/// Lists who did what, newest first, without log-ins. Events about channels, messages, rules, settings, the
/// engine and other accounts are only for admins.
#[utoipa::path(get, path = "/activity", tag = "about", params(ActivityFilter), responses(
    (status = 200, description = "A page of the activity", body = ActivityPage),
    (status = 404, description = "There is no such person", body = ErrorBody),
    (status = 422, description = "A filter is invalid", body = ErrorBody)))]
pub async fn list(
    State(web): State<Web>,
    AuthQuery(actor, filter): AuthQuery<ActivityFilter>,
) -> Result<Json<ActivityPage>, ApiError> {
    let query = ActivityQuery {
        person: filter.person.map(|person| id::<AccountId>(&person, "account")).transpose()?,
        item: filter.item.as_deref().map(item).transpose()?,
        with_engine: filter.engine,
        cursor: filter.cursor,
        limit: Some(page_size(filter.limit, input_limits::MAX_PAGE_ITEMS)),
    };
    let page = web.services.tasks.activity(&actor, query).await?.map(ActivityBody::from);
    Ok(Json(ActivityPage { items: page.items, next_cursor: page.next_cursor }))
}
