//! The notifications of the user.

use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use crate::server_fns::{result_url::with_done, ssr};
use domain::reminders::NotificationList;
#[cfg(feature = "ssr")]
use domain::{
    Actor, ArticleId, DomainError, MeetingId, ReminderId, Services, TaskId, Version,
    error::ValidationError,
    input_limits::DEFAULT_PAGE_ITEMS,
    meetings::MeetingChange,
    reminders::{NotificationUndo, ReminderChange, UndoneThing},
    task::Change,
};
use leptos::prelude::*;
use uuid::Uuid;

/// The newest notifications of the user.
#[server(name = ListNotifications, prefix = "/fn", endpoint = "notifications", output = JsonOutput)]
pub async fn list_notifications() -> Result<NotificationList, Refused> {
    ssr::respond(
        async { ssr::services()?.notifications.list(&ssr::actor()?, DEFAULT_PAGE_ITEMS).await }.await,
    )
}

/// Number of unread notifications.
#[server(name = UnreadNotifications, prefix = "/fn", endpoint = "unread", output = JsonOutput)]
pub async fn unread_notifications() -> Result<u64, Refused> {
    ssr::respond(async { ssr::services()?.notifications.unread(&ssr::actor()?).await }.await)
}

/// Marks all notifications as read.
#[server(name = MarkAllRead, prefix = "/fn", endpoint = "mark_all_read", output = JsonOutput)]
pub async fn mark_all_read(from: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.notifications.mark_all_read(&ssr::actor()?).await?;
            ssr::redirect_back(&from);
            Ok(())
        }
        .await,
    )
}

/// Reverts the change that a notification notifies of.
#[server(name = UndoNotified, prefix = "/fn", endpoint = "undo_notified", output = JsonOutput)]
pub async fn undo_notified(thing: String, id: Uuid, seen: i32, from: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let thing = thing.parse().map_err(|_| DomainError::invalid("thing", ValidationError::Unknown))?;
            let undo = NotificationUndo { thing, id, version: Version(seen) };
            undo_change(&services, &actor, undo).await?;
            ssr::redirect_back(&with_done(&from, "undo"));
            Ok(())
        }
        .await,
    )
}

#[cfg(feature = "ssr")]
async fn undo_change(services: &Services, actor: &Actor, undo: NotificationUndo) -> Result<(), DomainError> {
    let NotificationUndo { thing, id, version } = undo;
    match thing {
        UndoneThing::Article => services.articles.undelete(actor, ArticleId(id)).await.map(drop),
        UndoneThing::Meeting => {
            services.meetings.change(actor, MeetingId(id), MeetingChange::Undo, version).await.map(drop)
        }
        UndoneThing::Reminder => services
            .reminders
            .change(actor, ReminderId(id), ReminderChange::Undo, Some(version))
            .await
            .map(drop),
        UndoneThing::Task => services.tasks.change(actor, TaskId(id), Change::Undo, version).await.map(drop),
    }
}
