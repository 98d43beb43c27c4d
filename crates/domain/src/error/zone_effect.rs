//! What another time zone of the desk means for scheduled items.

use crate::LocalizedTime;
use serde::{Deserialize, Serialize};

/// Maximum number of items that [`ZoneEffect`] names.
pub const MAX_NAMED_ITEMS: usize = 5;

/// What another time zone of the desk means for scheduled items that are planned in the current one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZoneEffect {
    /// IANA name of the current zone.
    pub from: String,
    /// IANA name of the new one.
    pub to: String,
    /// Number of items that are planned in the current zone.
    pub count: u64,
    /// Number of those that can keep their wall-clock time: the others lie in the past then.
    pub movable: u64,
    /// Number of items whose wall-clock time in the new zone has passed. They keep their instant.
    pub past: u64,
    /// Titles of the first of these, by time; at most [`MAX_NAMED_ITEMS`].
    pub past_titles: Vec<String>,
    /// Number of items whose wall-clock time the new zone skips. They move to the end of the gap.
    pub skipped: u64,
    /// Number of items whose wall-clock time happens twice in the new zone. The first one is taken.
    pub doubled: u64,
    /// The first item that can keep its wall-clock time; `None`: there is none.
    pub example: Option<ZoneExample>,
}

/// An item, before and after it moved. The viewer of both times is in the current zone, the site in the
/// new one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZoneExample {
    /// Its title.
    pub title: String,
    /// When it is due.
    pub due: LocalizedTime,
    /// When it is due if it keeps its wall-clock time.
    pub moved: LocalizedTime,
}
