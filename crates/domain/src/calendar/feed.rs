//! Feeds: a calendar that programs read by a secret address.

use crate::{
    RoomId, Timestamp,
    state::{ParseEnumError, string_enum},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use uuid::Uuid;

/// Maximum number of feeds of an account.
pub const MAX_FEEDS: usize = 20;
/// Maximum number of meetings, and of articles, in a feed.
pub const MAX_FEED_EVENTS: usize = 1_000;

string_enum! {
    /// What a feed contains.
    FeedKind {
        /// Meetings that its owner organizes or attends, and the owner's scheduled articles.
        Person = "person",
        /// Meetings in one room.
        Room = "room",
        /// All meetings and scheduled articles.
        Desk = "desk",
    }
}

/// A feed, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Feed {
    /// Id.
    pub id: Uuid,
    /// What it contains.
    pub kind: FeedKind,
    /// Its room.
    pub room_id: Option<RoomId>,
    /// Name of the room; empty: it is not the feed of a room.
    pub room: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// When a program last read it, to the hour; `None`: never.
    pub read_at: Option<Timestamp>,
}

/// Input for a new feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewFeed {
    /// What it contains.
    pub kind: FeedKind,
    /// Its room, for [`FeedKind::Room`].
    pub room_id: Option<RoomId>,
}

/// A new feed with its secret, which is shown once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreatedFeed {
    /// The feed.
    pub feed: Feed,
    /// Its secret.
    pub secret: String,
}

impl CreatedFeed {
    /// Path of the feed.
    #[must_use]
    pub fn path(&self) -> String {
        format!("/feeds/{}.ics", self.secret)
    }
}
