//! Notifications: messages to an account inside the desk.

use crate::{LocalizedTime, NotificationId};
use serde::{Deserialize, Serialize};

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
}

/// The newest notifications of an account.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotificationList {
    /// Newest first.
    pub items: Vec<Notification>,
    /// Number of unread ones, also of those that are not in the list.
    pub unread: u64,
}
