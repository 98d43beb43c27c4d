//! Changes along the posting slots.

use domain::LocalizedTime;
use serde::{Deserialize, Serialize};

/// The publications after a gap move one slot earlier.
pub const CLOSE_GAP: &str = "close_gap";
/// The publications from a slot on move one slot later.
pub const MAKE_ROOM: &str = "make_room";
/// The same, and an article takes the slot.
pub const INSERT: &str = "insert";

/// A change along the posting slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlotChange {
    /// See [`CLOSE_GAP`].
    CloseGap,
    /// See [`MAKE_ROOM`].
    MakeRoom,
    /// See [`INSERT`].
    Insert,
}

impl SlotChange {
    /// The change with this word.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        match word {
            CLOSE_GAP => Some(Self::CloseGap),
            MAKE_ROOM => Some(Self::MakeRoom),
            INSERT => Some(Self::Insert),
            _ => None,
        }
    }
}

/// The slot that a change is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SlotPreview {
    /// When it is.
    pub at: LocalizedTime,
    /// Title of the article that takes it.
    pub article: Option<String>,
}
