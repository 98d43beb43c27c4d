//! Calls of named prepared statements of PostgreSQL, as text. Several calls, a begin and a commit
//! fit in one message, and each message saved is a round trip. Bound parameters would need a
//! message of their own.

use std::fmt::{Display, Write};

/// Builder of `execute NAME(…)`. Texts may come from users: they are written as `E'…'`, which no
/// server setting interprets otherwise.
#[derive(Debug)]
pub(crate) struct PreparedCall(String);

impl PreparedCall {
    /// Starts a call of this prepared statement. Add its parameters in order.
    pub fn new(statement: &str) -> Self {
        Self(format!("execute {statement}("))
    }

    /// Adds a number.
    pub fn number(self, number: i64) -> Self {
        self.next(format_args!("{number}"))
    }

    /// Adds a text, or a value that is read as text, such as an id.
    pub fn text(mut self, text: &str) -> Self {
        self.open();
        for letter in text.chars() {
            self.push_char(letter);
        }
        self.close()
    }

    /// Adds bytes.
    pub fn bytes(mut self, bytes: &[u8]) -> Self {
        self.open();
        self.0.push_str(r"\\x");
        for byte in bytes {
            // Writing to a string cannot fail.
            _ = write!(self.0, "{byte:02x}");
        }
        self.close()
    }

    /// Adds an array of numbers or ids.
    pub fn array<T: Display>(mut self, items: impl Iterator<Item = Option<T>>) -> Self {
        self.open();
        self.0.push('{');
        for (place, item) in items.enumerate() {
            self.comma(place);
            // Writing to a string cannot fail.
            _ = match item {
                Some(item) => write!(self.0, "{item}"),
                None => write!(self.0, "NULL"),
            };
        }
        self.0.push('}');
        self.close()
    }

    /// Adds an array of texts.
    pub fn text_array<'a>(mut self, items: impl Iterator<Item = Option<&'a str>>) -> Self {
        self.open();
        self.0.push('{');
        for (place, item) in items.enumerate() {
            self.comma(place);
            let Some(text) = item else {
                self.0.push_str("NULL");
                continue;
            };
            self.0.push('"');
            for letter in text.chars() {
                if matches!(letter, '"' | '\\') {
                    self.push_char('\\');
                }
                self.push_char(letter);
            }
            self.0.push('"');
        }
        self.0.push('}');
        self.close()
    }

    /// Returns the SQL.
    pub fn sql(self) -> String {
        self.0 + ")"
    }

    fn push_char(&mut self, letter: char) {
        match letter {
            '\'' => self.0.push_str("''"),
            '\\' => self.0.push_str("\\\\"),
            // NUL would end the message; the server does not accept it in a text either.
            '\0' => self.0.push('\u{FFFD}'),
            _ => self.0.push(letter),
        }
    }

    fn comma(&mut self, place: usize) {
        if place > 0 {
            self.0.push(',');
        }
    }

    fn next(mut self, value: impl Display) -> Self {
        self.separate();
        _ = write!(self.0, "{value}");
        self
    }

    fn open(&mut self) {
        self.separate();
        self.0.push_str("E'");
    }

    fn close(mut self) -> Self {
        self.0.push('\'');
        self
    }

    fn separate(&mut self) {
        if !self.0.ends_with('(') {
            self.0.push_str(", ");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PreparedCall;

    #[test]
    fn a_text_cannot_end_its_literal() {
        let call = PreparedCall::new("it")
            .number(-7)
            .text("O'Brien \\")
            .text_array([Some("a\",b\\'"), None].into_iter());
        assert_eq!(call.sql(), r#"execute it(-7, E'O''Brien \\', E'{"a\\",b\\\\''",NULL}')"#);
        assert_eq!(
            PreparedCall::new("it").array([Some(1), None, Some(3)].into_iter()).sql(),
            "execute it(E'{1,NULL,3}')"
        );
        assert_eq!(
            PreparedCall::new("it").bytes(&[0, 0xAB]).bytes(&[]).sql(),
            r"execute it(E'\\x00ab', E'\\x')"
        );
        assert_eq!(
            PreparedCall::new("it").array(std::iter::empty::<Option<i64>>()).sql(),
            "execute it(E'{}')"
        );
    }
}
