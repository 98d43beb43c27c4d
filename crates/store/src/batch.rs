//! Many rows in one parameter for SQLite: a JSON array of arrays, read with `json_each` and `unhex(value ->> n)`.
//! PostgreSQL takes columns and `unnest`.

use crate::StoreError;
use serde::de::DeserializeOwned;
use std::fmt::{Display, Write};
use uuid::Uuid;

/// The other way: rows that SQLite packed into one JSON text with `json_group_array(json_array(…))`.
pub(crate) fn unpack<T: DeserializeOwned>(packed: &str) -> Result<Vec<T>, StoreError> {
    serde_json::from_str(packed).map_err(|error| StoreError::Corrupt(format!("packed rows: {error}")))
}

/// A JSON text of rows in the making.
#[derive(Debug, Default)]
pub(crate) struct Json(String);

impl Json {
    /// One row for each of `items`, its cells in the order `write` adds them.
    pub fn rows<T>(items: &[T], write: impl for<'a> Fn(&T, &'a mut Self) -> &'a mut Self) -> String {
        let mut text = Self(String::with_capacity(2 + items.len() * 64));
        text.0.push('[');
        for item in items {
            text.open();
            write(item, &mut text);
            text.0.push(']');
        }
        text.0.push(']');
        text.0
    }

    /// A flat array of plain words: letters, digits, dots.
    pub fn words<'a>(words: impl Iterator<Item = &'a str>) -> String {
        let words: Vec<String> = words.map(|word| format!("\"{word}\"")).collect();
        format!("[{}]", words.join(","))
    }

    /// A flat array of identities.
    pub fn uuids(ids: impl Iterator<Item = Uuid>) -> String {
        let ids: Vec<String> = ids.map(|id| format!("\"{}\"", id.simple())).collect();
        format!("[{}]", ids.join(","))
    }

    /// A cell for `unhex`.
    pub fn uuid(&mut self, id: Uuid) -> &mut Self {
        self.cell(format_args!("\"{}\"", id.simple()))
    }

    /// The same, or null.
    pub fn maybe_uuid(&mut self, id: Option<Uuid>) -> &mut Self {
        match id {
            Some(id) => self.uuid(id),
            None => self.cell("null"),
        }
    }

    /// Any text.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.cell(serde_json::Value::from(text))
    }

    /// The same, or null.
    pub fn maybe_text(&mut self, text: Option<&str>) -> &mut Self {
        match text {
            Some(text) => self.text(text),
            None => self.cell("null"),
        }
    }

    /// A number.
    pub fn number(&mut self, number: impl Into<i64>) -> &mut Self {
        self.cell(number.into())
    }

    /// A number, or null.
    pub fn maybe_number(&mut self, number: Option<i64>) -> &mut Self {
        match number {
            Some(number) => self.number(number),
            None => self.cell("null"),
        }
    }

    fn open(&mut self) {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        self.0.push('[');
    }

    fn cell(&mut self, cell: impl Display) -> &mut Self {
        if !self.0.ends_with('[') {
            self.0.push(',');
        }
        // Writing into a string cannot fail.
        let _ = write!(self.0, "{cell}");
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_arrays_of_cells() {
        let text = Json::rows(&[1, 2], |n, row| row.number(*n).maybe_number(None));
        assert_eq!(text, "[[1,null],[2,null]]");
        assert_eq!(Json::words(["a", "b"].into_iter()), r#"["a","b"]"#);
        let text =
            Json::rows(&["a \"word\"\n"], |text, row| row.text(text).maybe_text(None).maybe_uuid(None));
        assert_eq!(text, r#"[["a \"word\"\n",null,null]]"#);
        assert_eq!(
            Json::rows(&[Uuid::nil()], |id, row| row.uuid(*id)),
            r#"[["00000000000000000000000000000000"]]"#
        );
    }
}
