//! Notifications: messages to an account inside the desk.

use crate::{
    LocalizedTime, NotificationId, Version,
    state::{ParseEnumError, string_enum},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use uuid::Uuid;

string_enum! {
    /// What is reverted.
    UndoneThing {
        /// An article leaves the trash.
        Article = "article",
        /// The last change of a meeting.
        Meeting = "meeting",
        /// The last change of a reminder.
        Reminder = "reminder",
        /// The last change of a task.
        Task = "task",
    }
}

/// How to revert the change that a notification notifies of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotificationUndo {
    /// What was changed.
    pub thing: UndoneThing,
    /// Its id.
    pub id: Uuid,
    /// Its version after the change; of an article, its revision.
    pub version: Version,
}

/// A notification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notification {
    /// Id.
    pub id: NotificationId,
    /// What it says.
    pub text: String,
    /// Path of the page it is about.
    pub link: String,
    /// When it was created.
    pub created: LocalizedTime,
    /// Whether the account has marked it as read.
    pub is_read: bool,
    /// How its change is reverted; `None`: it cannot be, or no longer.
    pub undo: Option<NotificationUndo>,
}

/// The newest notifications of an account.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotificationList {
    /// Newest first.
    pub items: Vec<Notification>,
    /// Number of unread ones, also of those that are not in the list.
    pub unread: u64,
}
