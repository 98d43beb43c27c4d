//! Lists by cursor.

use serde::{Deserialize, Serialize};

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Page<T> {
    /// The items, in the order the list promises.
    pub items: Vec<T>,
    /// Where the next page starts; `None`: this is the last one. Opaque to callers.
    pub next_cursor: Option<String>,
}

impl<T> Page<T> {
    /// A page with nothing on it and nothing after it.
    #[must_use]
    pub const fn empty() -> Self {
        Self { items: Vec::new(), next_cursor: None }
    }

    /// The same page with every item turned into something else.
    pub fn map<U>(self, turn: impl FnMut(T) -> U) -> Page<U> {
        Page { items: self.items.into_iter().map(turn).collect(), next_cursor: self.next_cursor }
    }
}
