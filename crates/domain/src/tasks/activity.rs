//! The activity of a desk: who did what, newest first.

use crate::{AccountId, Kind, LocalizedTime, event::Event};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Which events.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActivityQuery {
    /// Only what this account did; `None`: every account.
    pub person: Option<AccountId>,
    /// Only what happened to this item and to its tasks: an article, a meeting, a channel or anything else
    /// that has an id.
    pub item: Option<Uuid>,
    /// Whether also what the engine did.
    pub with_engine: bool,
    /// Opaque position where the page starts; `None`: the first page.
    pub cursor: Option<String>,
    /// Maximum number of entries, see [`crate::input_limits::MAX_PAGE_ITEMS`].
    pub limit: Option<u32>,
}

/// An event, and what it is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ActivityEntry {
    /// What happened, when, and who did it.
    pub event: Event,
    /// What it is about: of a task, the article, meeting or other item that the task is for.
    pub subject: ActivitySubject,
    /// Kind of the task; `None`: the event is not about a task.
    pub kind: Option<Kind>,
    /// When the meeting starts, of an event that says so.
    pub starts: Option<LocalizedTime>,
}

/// What an event is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActivitySubject {
    /// What it is: `article`, `meeting`, `channel`, …
    pub kind: String,
    /// Its id.
    pub id: Uuid,
    /// Its title or name; empty: it has none, or it no longer exists.
    pub title: String,
}
