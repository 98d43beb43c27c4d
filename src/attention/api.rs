//! `/attention`: causes that need a decision.

use crate::http::{
    Web,
    api::{ApiError, extract::Auth},
};
use axum::{Json, extract::State};
use domain::{
    Actor, Timestamp,
    account::Language,
    attention::{AttentionEntry, Item},
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// Causes that need a decision.
#[derive(Debug, Serialize, ToSchema)]
pub struct AttentionBody {
    /// One entry for each cause, for deliveries one for each channel; most severe first.
    items: Vec<AttentionCause>,
}

/// All items with the same cause.
#[derive(Debug, Serialize, ToSchema)]
pub struct AttentionCause {
    /// `task_failed`, `task_missed`, `task_overdue`, `text_older` (the task would have replaced a
    /// newer public text by an older one, and was stopped), `task_held` (the review holds the text),
    /// `zone_data` (newer time-zone data moved
    /// a task), `delivery_failed`, `delivery_unconfirmed` (it may have arrived), `channel_failing`
    /// (deliveries are retried), `channel_delayed` (the receiver asked for a delay of more than an
    /// hour), `channel_off` (the receiver answered 410), `deliveries_held` (until an admin
    /// confirms), `backups_failing` (no backup is written, or the last one cannot be restored),
    /// `meeting_expiring` (its deadline decides within an hour), `meeting_held` (an admin decides) or
    /// `meeting_released` (no user checked in). Values may be added.
    cause: &'static str,
    /// `error`, `warning` or `info`.
    severity: &'static str,
    /// The problem and its consequence.
    message: String,
    /// Number of items. Deliveries that wait for one channel are counted up to 10,001. 0: all messages
    /// of the channel have entries of their own.
    count: u64,
    /// When it began.
    #[schema(value_type = Option<String>, format = DateTime)]
    since: Option<Timestamp>,
    /// The newest items, at most 50.
    items: Vec<AttentionItem>,
}

/// An item that needs attention.
#[derive(Debug, Serialize, ToSchema)]
pub struct AttentionItem {
    /// Id; null: the engine.
    #[schema(value_type = Option<String>, format = Uuid)]
    id: Option<Uuid>,
    /// `task`, `delivery`, `channel`, `meeting` or `engine`.
    kind: String,
    /// Display name.
    title: String,
    /// Path of its page.
    path: String,
}

impl From<AttentionEntry> for AttentionCause {
    fn from(entry: AttentionEntry) -> Self {
        let AttentionEntry { cause, title, message, count, since, items, .. } = entry;
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

/// Lists what needs a decision: all of it for admins, their own for creators.
#[utoipa::path(get, path = "/attention", tag = "about", responses(
    (status = 200, description = "Causes that need a decision", body = AttentionBody)))]
pub async fn list(State(web): State<Web>, Auth(actor): Auth) -> Result<Json<AttentionBody>, ApiError> {
    // All texts of the API are in English.
    let actor = Actor { language: Language::En, ..actor };
    let items = web.services.attention.list(&actor, true).await?;
    Ok(Json(AttentionBody { items: items.into_iter().map(AttentionCause::from).collect() }))
}
