//! Lines of iCalendar text: at most 75 octets, then folded, ended by CR LF.

/// Maximum length of a line in octets, without its end.
const MAX_OCTETS: usize = 75;

/// Text that is being written.
#[derive(Default)]
pub struct Lines(String);

impl Lines {
    /// Adds a line whose value needs no escaping. Control characters are left out.
    pub fn raw(&mut self, name: &str, value: &str) {
        let mut octets = 0;
        let whole = name.chars().chain([':']).chain(value.chars());
        for letter in whole.filter(|letter| !letter.is_control()) {
            if octets + letter.len_utf8() > MAX_OCTETS {
                self.0.push_str("\r\n ");
                octets = 1;
            }
            self.0.push(letter);
            octets += letter.len_utf8();
        }
        self.0.push_str("\r\n");
    }

    /// Adds a line of text, escaped. Nothing is written if the text is empty.
    pub fn text(&mut self, name: &str, text: &str) {
        if !text.is_empty() {
            self.raw(name, &escaped(text));
        }
    }

    /// Returns the text.
    pub fn finish(self) -> String {
        self.0
    }
}

fn escaped(text: &str) -> String {
    let mut all = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        match letter {
            '\\' | ';' | ',' => all.extend(['\\', letter]),
            '\n' => all.push_str("\\n"),
            _ => all.push(letter),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_folded_between_characters() {
        let long = "\u{6708}".repeat(60);
        let mut lines = Lines::default();
        lines.text("SUMMARY", &long);
        let text = lines.finish();
        assert!(text.split("\r\n").all(|line| line.len() <= MAX_OCTETS), "{text}");
        assert_eq!(text.replace("\r\n ", ""), format!("SUMMARY:{long}\r\n"));
    }

    #[test]
    fn a_text_cannot_add_lines() {
        let mut lines = Lines::default();
        lines.text("SUMMARY", "a\r\nATTENDEE:mailto:x@example.org");
        lines.raw("URL", "https://example.org/\r\nX:y");
        let expected = "SUMMARY:a\\nATTENDEE:mailto:x@example.org\r\nURL:https://example.org/X:y\r\n";
        assert_eq!(lines.finish(), expected);
    }
}
