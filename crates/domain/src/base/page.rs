//! Cursor pagination.

use serde::{Deserialize, Serialize};

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Page<T> {
    /// The items, in the order of the list.
    pub items: Vec<T>,
    /// Cursor of the next page; `None`: this is the last one. Opaque to callers.
    pub next_cursor: Option<String>,
    /// Cursor of the previous page; `None`: this is the first one, or the list has no way back.
    #[serde(default)]
    pub previous_cursor: Option<String>,
}

/// Where a page was requested to start, and in which direction its rows were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageStart<P> {
    /// The place beyond which the rows were read; `None`: the first page.
    pub place: Option<P>,
    /// Whether the rows were read against the order of the list.
    pub is_backward: bool,
}

impl<P> PageStart<P> {
    /// The start of the first page.
    #[must_use]
    pub const fn first() -> Self {
        Self { place: None, is_backward: false }
    }
}

impl<T> Page<T> {
    /// Returns a page without items and without a next page.
    #[must_use]
    pub const fn empty() -> Self {
        Self { items: Vec::new(), next_cursor: None, previous_cursor: None }
    }

    /// Makes a page of the rows that were read from `start` on: at most `limit`, and one more if
    /// there are more. `place` returns the place of a row, `cursor` the cursor from a place on;
    /// its second argument is whether it leads backward.
    pub fn of_rows<P>(
        mut rows: Vec<T>,
        limit: usize,
        start: PageStart<P>,
        place: impl Fn(&T) -> P,
        cursor: impl Fn(P, bool) -> String,
    ) -> Self {
        let has_more = rows.len() > limit;
        rows.truncate(limit);
        let has_start = start.place.is_some();
        if start.is_backward {
            rows.reverse();
        }
        let (has_previous, has_next) = match start.is_backward {
            true => (has_more, true),
            false => (has_start, has_more),
        };
        let first = rows.first().map(&place).or(start.place);
        let previous_cursor = first.filter(|_| has_previous).map(|place| cursor(place, true));
        let next_cursor = rows.last().filter(|_| has_next).map(|last| cursor(place(last), false));
        Self { items: rows, next_cursor, previous_cursor }
    }

    /// Applies a function to every item.
    pub fn map<U>(self, turn: impl FnMut(T) -> U) -> Page<U> {
        Page {
            items: self.items.into_iter().map(turn).collect(),
            next_cursor: self.next_cursor,
            previous_cursor: self.previous_cursor,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Page, PageStart};

    fn page(rows: &[i32], start: PageStart<i32>) -> Page<i32> {
        let cursor = |place, is_backward| format!("{}{place}", if is_backward { "<" } else { ">" });
        Page::of_rows(rows.to_vec(), 2, start, |row| *row, cursor)
    }

    #[test]
    fn a_page_links_to_its_neighbours() {
        let cursors = |page: Page<i32>| (page.items, page.previous_cursor, page.next_cursor);
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(cursors(page(&[1, 2], PageStart::first())), (vec![1, 2], None, None));
        assert_eq!(cursors(page(&[1, 2, 3], PageStart::first())), (vec![1, 2], None, text(">2")));
        let forward = PageStart { place: Some(2), is_backward: false };
        assert_eq!(cursors(page(&[3, 4, 5], forward)), (vec![3, 4], text("<3"), text(">4")));
        assert_eq!(cursors(page(&[], forward)), (vec![], text("<2"), None));
        let backward = PageStart { place: Some(5), is_backward: true };
        assert_eq!(cursors(page(&[4, 3, 2], backward)), (vec![3, 4], text("<3"), text(">4")));
    }
}
