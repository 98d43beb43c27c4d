//! Calls of statements that a connection to PostgreSQL knows by name, as text: several of them, a begin and a commit go in one
//! message, and each message saved is a round trip. What is bound goes alone.

use std::fmt::{Display, Write};

/// `execute NAME(…)` in the making. Its texts may be anybody's: they are written so that no setting of the server reads them
/// otherwise (`E'…'`).
#[derive(Debug)]
pub(crate) struct Call(String);

impl Call {
    /// Of the prepared statement of this name, whose parameters come next, in their order.
    pub fn of(statement: &str) -> Self {
        Self(format!("execute {statement}("))
    }

    /// A number.
    pub fn number(self, number: i64) -> Self {
        self.next(format_args!("{number}"))
    }

    /// A text, or what is read as one: an identity.
    pub fn text(mut self, text: &str) -> Self {
        self.open();
        for letter in text.chars() {
            self.letter(letter);
        }
        self.close()
    }

    /// Bytes.
    pub fn bytes(mut self, bytes: &[u8]) -> Self {
        self.open();
        self.0.push_str(r"\\x");
        for byte in bytes {
            // Writing into a string cannot fail.
            _ = write!(self.0, "{byte:02x}");
        }
        self.close()
    }

    /// An array of numbers or identities.
    pub fn plain<T: Display>(mut self, items: impl Iterator<Item = Option<T>>) -> Self {
        self.open();
        self.0.push('{');
        for (place, item) in items.enumerate() {
            self.comma(place);
            // Writing into a string cannot fail.
            _ = match item {
                Some(item) => write!(self.0, "{item}"),
                None => write!(self.0, "NULL"),
            };
        }
        self.0.push('}');
        self.close()
    }

    /// An array of texts.
    pub fn texts<'a>(mut self, items: impl Iterator<Item = Option<&'a str>>) -> Self {
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
                    self.letter('\\');
                }
                self.letter(letter);
            }
            self.0.push('"');
        }
        self.0.push('}');
        self.close()
    }

    /// The words to send.
    pub fn sql(self) -> String {
        self.0 + ")"
    }

    fn letter(&mut self, letter: char) {
        match letter {
            '\'' => self.0.push_str("''"),
            '\\' => self.0.push_str("\\\\"),
            // The message would end here; the server knows no such letter in a text either.
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
    use super::Call;

    #[test]
    fn whatever_a_text_says_it_stays_a_text() {
        let call = Call::of("it").number(-7).text("O'Brien \\").texts([Some("a\",b\\'"), None].into_iter());
        assert_eq!(call.sql(), r#"execute it(-7, E'O''Brien \\', E'{"a\\",b\\\\''",NULL}')"#);
        assert_eq!(
            Call::of("it").plain([Some(1), None, Some(3)].into_iter()).sql(),
            "execute it(E'{1,NULL,3}')"
        );
        assert_eq!(Call::of("it").bytes(&[0, 0xAB]).bytes(&[]).sql(), r"execute it(E'\\x00ab', E'\\x')");
        assert_eq!(Call::of("it").plain(std::iter::empty::<Option<i64>>()).sql(), "execute it(E'{}')");
    }
}
