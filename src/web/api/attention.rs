//! `/attention`: what needs a person.

use super::{super::Web, ApiError, sent::Bearer};
use axum::{Json, extract::State};
use domain::{
    Actor, Timestamp,
    attention::{Entry, Item},
    person::Language,
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// What needs a person.
#[derive(Debug, Serialize, ToSchema)]
pub struct AttentionBody {
    /// One entry for each cause, of messages one for each channel; the worst first.
    items: Vec<AttentionEntry>,
}

/// Everything that has one cause.
#[derive(Debug, Serialize, ToSchema)]
pub struct AttentionEntry {
    /// `task_failed`, `task_missed`, `task_overdue`, `text_older` (a task would have put an older text over a newer public one, and was
    /// held), `zone_data` (newer time-zone data moved a task), `delivery_failed`, `delivery_unconfirmed` (it may have arrived),
    /// `channel_failing` (messages are tried again),
    /// `channel_resting` (the receiver asked for a wait of more than an hour), `channel_off` (it answered 410) or `deliveries_held`
    /// (until an admin confirms). More words may be added.
    cause: &'static str,
    /// `error`, `warning` or `info`.
    severity: &'static str,
    /// What is wrong and what follows from it.
    message: String,
    /// How many things it is about. Messages that wait for one channel are counted up to 10,001.
    count: u64,
    /// Since when.
    #[schema(value_type = Option<String>, format = DateTime)]
    since: Option<Timestamp>,
    /// The newest of them, at most 50.
    items: Vec<AttentionItem>,
}

/// One of them.
#[derive(Debug, Serialize, ToSchema)]
pub struct AttentionItem {
    /// Identity; null: the engine.
    #[schema(value_type = Option<String>, format = Uuid)]
    id: Option<Uuid>,
    /// `task`, `delivery`, `channel` or `engine`.
    kind: String,
    /// What it is called.
    title: String,
    /// Its page at this desk.
    path: String,
}

impl From<Entry> for AttentionEntry {
    fn from(entry: Entry) -> Self {
        let Entry { cause, title, message, count, since, items, .. } = entry;
        Self {
            cause: cause.as_str(),
            severity: cause.severity().as_str(),
            message: format!("{title}: {message}"),
            count,
            since,
            items: items.into_iter().map(AttentionItem::from).collect(),
        }
    }
}

impl From<Item> for AttentionItem {
    fn from(item: Item) -> Self {
        let Item { id, kind, title, path } = item;
        Self { id, kind, title, path }
    }
}

/// Shows what needs a person: admins see all, others what is theirs.
#[utoipa::path(get, path = "/attention", tag = "about", responses(
    (status = 200, description = "What needs a person", body = AttentionBody)))]
pub(super) async fn list(
    State(web): State<Web>,
    Bearer(actor): Bearer,
) -> Result<Json<AttentionBody>, ApiError> {
    // Like every sentence of the API.
    let actor = Actor { language: Language::En, ..actor };
    let items = web.desk.attention.list(&actor, true).await?;
    Ok(Json(AttentionBody { items: items.into_iter().map(AttentionEntry::from).collect() }))
}
