//! Text from outside made safe for terminals and log files: one line, no control characters.

use std::{fmt::Write as _, io};
use tracing_subscriber::fmt::MakeWriter;

/// The same text with every control character written out (`\n`, `\u{1b}`): it can neither colour a terminal nor forge a line.
#[must_use]
pub fn plain(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unsafe(c) {
            let _ = write!(safe, "{}", c.escape_default());
        } else {
            safe.push(c);
        }
    }
    safe
}

/// Control characters, and the marks that turn the direction of writing.
fn is_unsafe(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Writes each log line to standard error through [`plain`].
#[derive(Debug, Clone, Copy, Default)]
pub struct PlainErr;

impl<'a> MakeWriter<'a> for PlainErr {
    type Writer = Self;
    fn make_writer(&'a self) -> Self {
        Self
    }
}

impl io::Write for PlainErr {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        // The subscriber hands over one whole line a call, with its end.
        let text = String::from_utf8_lossy(line);
        let mut safe = plain(text.strip_suffix('\n').unwrap_or(&text));
        safe.push('\n');
        io::stderr().lock().write_all(safe.as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn text_from_outside_cannot_colour_a_terminal_or_forge_a_line() {
        assert_eq!(plain("a\x1b[31mb\r\nc 中文\u{202e}"), "a\\u{1b}[31mb\\r\\nc 中文\\u{202e}");
    }
}
