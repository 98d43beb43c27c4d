//! Makes external text safe for terminals and log files: one line, no control characters.

use std::{fmt::Write as _, io};
use tracing_subscriber::fmt::MakeWriter;

/// Escapes every control character (`\n`, `\u{1b}`), so that the text can neither colour a terminal
/// nor forge a log line.
#[must_use]
pub fn sanitize(text: &str) -> String {
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

/// Whether it is a control character, a line separator or a bidirectional control.
fn is_unsafe(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Writes each log line to standard error through [`sanitize`].
#[derive(Debug, Clone, Copy, Default)]
pub struct SanitizedStderr;

impl<'a> MakeWriter<'a> for SanitizedStderr {
    type Writer = Self;
    fn make_writer(&'a self) -> Self {
        Self
    }
}

impl io::Write for SanitizedStderr {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        // The subscriber writes one whole line per call, with its line end.
        let text = String::from_utf8_lossy(line);
        let mut safe = sanitize(text.strip_suffix('\n').unwrap_or(&text));
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
    use super::sanitize;

    #[test]
    fn text_from_outside_cannot_colour_a_terminal_or_forge_a_line() {
        assert_eq!(sanitize("a\x1b[31mb\r\nc 中文\u{202e}"), "a\\u{1b}[31mb\\r\\nc 中文\\u{202e}");
    }
}
