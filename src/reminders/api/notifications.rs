//! `/notifications`.

use crate::http::{
    Web,
    api::{
        ApiError,
        extract::{Auth, AuthQuery, page_size},
        numbers::query_limit,
    },
};
use axum::{Json, extract::State};
use domain::{Timestamp, input_limits, reminders::NotificationList};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// The newest notifications of the caller.
#[derive(Debug, Serialize, ToSchema)]
pub struct NotificationsBody {
    /// Newest first.
    items: Vec<NotificationBody>,
    /// Number of unread ones, up to 1,000.
    unread: u64,
}

/// A notification.
#[derive(Debug, Serialize, ToSchema)]
pub struct NotificationBody {
    /// Id of the notification.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// What it says.
    text: String,
    /// Path of the page it is about.
    link: String,
    /// When it was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Whether it was marked as read.
    is_read: bool,
    /// How its change is reverted; null: it notifies of no change, or it cannot be reverted any more.
    undo: Option<NotificationUndoBody>,
}

/// How the change that a notification notifies of is reverted.
#[derive(Debug, Serialize, ToSchema)]
pub struct NotificationUndoBody {
    /// `article` (restore it from the trash), `meeting`, `reminder` or `task` (undo its last change).
    thing: &'static str,
    /// Id of that.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// Its version after the change: the field `seen_version` of the request.
    version: i32,
}

impl From<NotificationList> for NotificationsBody {
    fn from(list: NotificationList) -> Self {
        let item = |one: domain::reminders::Notification| NotificationBody {
            id: one.id.0,
            text: one.text,
            link: one.link,
            created_at: one.created.at,
            is_read: one.is_read,
            undo: one.undo.map(|undo| NotificationUndoBody {
                thing: undo.thing.as_str(),
                id: undo.id,
                version: undo.version.0,
            }),
        };
        Self { items: list.items.into_iter().map(item).collect(), unread: list.unread }
    }
}

/// Number of notifications.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct NotificationsQuery {
    /// Number of items, at most 200.
    #[serde(default, deserialize_with = "query_limit")]
    limit: Option<u64>,
}

/// Lists the newest notifications of the caller. They are kept for 90 days.
#[utoipa::path(get, path = "/notifications", tag = "reminders", params(NotificationsQuery), responses(
    (status = 200, description = "The notifications", body = NotificationsBody)))]
pub async fn list(
    State(web): State<Web>,
    AuthQuery(actor, query): AuthQuery<NotificationsQuery>,
) -> Result<Json<NotificationsBody>, ApiError> {
    let limit = page_size(query.limit, input_limits::MAX_PAGE_ITEMS);
    Ok(Json(web.services.notifications.list(&actor, limit).await?.into()))
}

/// Marks all notifications of the caller as read.
#[utoipa::path(post, path = "/notifications/read", tag = "reminders", responses(
    (status = 200, description = "The notifications", body = NotificationsBody)))]
pub async fn mark_all_read(
    State(web): State<Web>,
    Auth(actor): Auth,
) -> Result<Json<NotificationsBody>, ApiError> {
    Ok(Json(web.services.notifications.mark_all_read(&actor).await?.into()))
}
