//! The rows of a list, with the form that the URL opens below one of them.

use super::address::ListAddress;
use leptos::prelude::*;
use std::iter;

/// A row, or the form below it.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry<R, F> {
    /// A row.
    Row(R),
    /// A form: the id that the URL names, and the value with which it was opened.
    Form(String, F),
}

/// Key of an entry. An entry with an equal key keeps its element, focus and input.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum EntryKey<K> {
    /// Key of a row.
    Row(K),
    /// The id that the URL names.
    Form(String),
}

impl<R, F> Entry<R, F> {
    /// Returns the key, by that of the rows.
    pub fn key<K>(&self, of_row: impl Fn(&R) -> K) -> EntryKey<K> {
        match self {
            Self::Row(row) => EntryKey::Row(of_row(row)),
            Self::Form(id, _) => EntryKey::Form(id.clone()),
        }
    }
}

/// Returns the rows with the open form. It stays as it was opened, with what was typed, until the URL
/// no longer names it, even if its row changes or leaves the list.
pub fn entries<R, F, I>(
    rows: impl Fn() -> Vec<R> + Send + Sync + 'static,
    (address, name): (Memo<ListAddress>, &'static str),
    id_of: fn(&R) -> I,
    form_of: fn(&R) -> Option<(String, F)>,
) -> Memo<Vec<Entry<R, F>>>
where
    R: Clone + PartialEq + Send + Sync + 'static,
    F: Clone + PartialEq + Send + Sync + 'static,
    I: PartialEq + 'static,
{
    Memo::new(move |last: Option<&Vec<Entry<R, F>>>| {
        let open = address.with(|address| address.get(name));
        match open.as_deref().and_then(|open| held(last?, open)) {
            Some(held) => around(rows(), held, id_of),
            None => with_form(rows(), open.as_deref(), form_of),
        }
    })
}

/// An open form, its row, and the number of rows above.
type Held<R, F> = (usize, R, Entry<R, F>);

/// Returns the form with this id, if it is open.
fn held<R: Clone, F: Clone>(last: &[Entry<R, F>], open: &str) -> Option<Held<R, F>> {
    let pair = |pair: &[Entry<R, F>]| match pair {
        [Entry::Row(row), Entry::Form(id, form)] if id == open => {
            Some((row.clone(), Entry::Form(id.clone(), form.clone())))
        }
        _ => None,
    };
    last.windows(2).enumerate().find_map(|(place, two)| pair(two).map(|(row, form)| (place, row, form)))
}

/// Puts the form and its row where they were, so that the element with the focus does not move. A row
/// that has left the list stays as it was.
fn around<R, F, I: PartialEq>(
    mut rows: Vec<R>,
    (place, row, form): Held<R, F>,
    id_of: fn(&R) -> I,
) -> Vec<Entry<R, F>> {
    let row = match rows.iter().position(|other| id_of(other) == id_of(&row)) {
        Some(place) => rows.remove(place),
        None => row,
    };
    let below = rows.split_off(place.min(rows.len()));
    let above = rows.into_iter().chain(iter::once(row)).map(Entry::Row);
    above.chain(iter::once(form)).chain(below.into_iter().map(Entry::Row)).collect()
}

/// Returns the rows, and the form that the URL names below its row.
fn with_form<R, F>(
    rows: Vec<R>,
    open: Option<&str>,
    form_of: fn(&R) -> Option<(String, F)>,
) -> Vec<Entry<R, F>> {
    let with_own = |row: R| {
        let form = open.and_then(|open| form_of(&row).filter(|(id, _)| id == open));
        iter::once(Entry::Row(row)).chain(form.map(|(id, form)| Entry::Form(id, form)))
    };
    rows.into_iter().flat_map(with_own).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Id and version; an odd version has no form.
    type Row = (u32, u32);

    fn id_of(row: &Row) -> u32 {
        row.0
    }

    fn form_of(row: &Row) -> Option<(String, u32)> {
        row.1.is_multiple_of(2).then(|| (row.0.to_string(), row.1))
    }

    /// The entries after the form of row 2 was opened.
    fn later(rows: Vec<Row>) -> Vec<Entry<Row, u32>> {
        let opened = with_form(vec![(1, 0), (2, 0), (3, 0)], Some("2"), form_of);
        around(rows, held(&opened, "2").unwrap(), id_of)
    }

    #[test]
    fn the_form_that_the_url_names_is_below_its_row() {
        let rows = vec![(1, 0), (2, 0)];
        let [first, second] = [(1, 0), (2, 0)].map(Entry::<Row, u32>::Row);
        let form = Entry::Form("1".to_owned(), 0);
        assert_eq!(with_form(rows.clone(), Some("1"), form_of), [first.clone(), form, second.clone()]);
        assert_eq!(with_form(rows, None, form_of), [first, second]);
        assert_eq!(with_form(vec![(1, 1)], Some("1"), form_of), [Entry::Row((1, 1))]);
        assert!(held(&with_form(vec![(1, 0)], Some("1"), form_of), "2").is_none());
    }

    #[test]
    fn an_open_form_stays_at_its_place_with_its_first_value() {
        let form = Entry::Form("2".to_owned(), 0);
        let entries = |above: Row, row: Row, below: &[Row]| {
            let below = below.iter().copied().map(Entry::Row);
            [Entry::Row(above), Entry::Row(row), form.clone()].into_iter().chain(below).collect::<Vec<_>>()
        };
        // Changed, without a form of its own any more, and later in the order.
        assert_eq!(later(vec![(1, 0), (2, 4), (3, 0)]), entries((1, 0), (2, 4), &[(3, 0)]));
        assert_eq!(later(vec![(1, 0), (2, 1), (3, 0)]), entries((1, 0), (2, 1), &[(3, 0)]));
        assert_eq!(later(vec![(1, 0), (3, 0), (2, 4)]), entries((1, 0), (2, 4), &[(3, 0)]));
        // Gone.
        assert_eq!(later(vec![(1, 0), (3, 0)]), entries((1, 0), (2, 0), &[(3, 0)]));
        assert_eq!(later(Vec::new()), [Entry::Row((2, 0)), form.clone()]);
    }
}
