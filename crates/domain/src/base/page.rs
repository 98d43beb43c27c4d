//! Cursor pagination.

use serde::{Deserialize, Serialize};

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Page<T> {
    /// The items, in the order of the list.
    pub items: Vec<T>,
    /// Cursor of the next page; `None`: this is the last one. Opaque to callers.
    pub next_cursor: Option<String>,
}

impl<T> Page<T> {
    /// Returns a page without items and without a next page.
    #[must_use]
    pub const fn empty() -> Self {
        Self { items: Vec::new(), next_cursor: None }
    }

    /// Applies a function to every item.
    pub fn map<U>(self, turn: impl FnMut(T) -> U) -> Page<U> {
        Page { items: self.items.into_iter().map(turn).collect(), next_cursor: self.next_cursor }
    }
}
