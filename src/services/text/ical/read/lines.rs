//! The lines of a calendar file: folds are undone, also those inside a letter.

use super::{MAX_LINE_BYTES, ReadProblem};
use domain::text::slice_text;
use std::borrow::Cow;

/// The lines of a text whose folds are undone, each with the number of its first line.
pub struct Unfolded<'t> {
    lines: std::iter::Peekable<std::iter::Enumerate<std::str::Split<'t, char>>>,
}

impl<'t> Unfolded<'t> {
    /// Returns the lines of a text.
    pub fn new(text: &'t str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self { lines: text.split('\n').enumerate().peekable() }
    }
}

impl Iterator for Unfolded<'_> {
    type Item = Result<(usize, String), ReadProblem>;

    fn next(&mut self) -> Option<Self::Item> {
        let (place, first) = self.lines.next()?;
        let mut line = first.strip_suffix('\r').unwrap_or(first).to_owned();
        while let Some((_, more)) = self.lines.next_if(|(_, line)| line.starts_with([' ', '\t'])) {
            let more = more.strip_suffix('\r').unwrap_or(more);
            line.push_str(slice_text(more, 1..));
            if line.len() > MAX_LINE_BYTES {
                break;
            }
        }
        Some(if line.len() > MAX_LINE_BYTES {
            Err(ReadProblem::LongLine(place + 1))
        } else {
            Ok((place + 1, line))
        })
    }
}

/// Returns the text of a file; `None`: it is not UTF-8. Lines are folded after 75 bytes (RFC 5545, 3.1),
/// so a fold may be inside a letter. Such folds are moved behind the letter: line numbers stay the same.
#[must_use]
pub fn text_of(bytes: Vec<u8>) -> Option<String> {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return Some(text),
        Err(error) => error.into_bytes(),
    };
    let mut whole = Vec::with_capacity(bytes.len());
    let mut rest = &bytes[..];
    while let Some((first, after)) = rest.split_first() {
        whole.push(*first);
        rest = after;
        let mut folds = Vec::new();
        for _ in 0..continuation_bytes(*first) {
            let (fold, after) = rest.split_at(fold_length(rest));
            let Some((byte, after)) = after.split_first().filter(|(byte, _)| **byte & 0xC0 == 0x80) else {
                break;
            };
            folds.extend_from_slice(fold);
            whole.push(*byte);
            rest = after;
        }
        whole.append(&mut folds);
    }
    String::from_utf8(whole).ok()
}

/// Number of bytes that follow the first one of a letter.
fn continuation_bytes(first: u8) -> usize {
    match first {
        0xC0..=0xDF => 1,
        0xE0..=0xEF => 2,
        0xF0..=0xF7 => 3,
        _ => 0,
    }
}

/// Length of the folds at the beginning, in bytes.
fn fold_length(bytes: &[u8]) -> usize {
    let mut length = 0;
    loop {
        length += match &bytes[length..] {
            [b'\r', b'\n', b' ' | b'\t', ..] => 3,
            [b'\n', b' ' | b'\t', ..] => 2,
            _ => return length,
        };
    }
}

/// Undoes the escapes of a text value.
#[must_use]
pub fn unescaped(value: &str) -> Cow<'_, str> {
    if !value.contains('\\') {
        return Cow::Borrowed(value);
    }
    let mut text = String::with_capacity(value.len());
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        match (letter, letter == '\\') {
            (_, true) => match letters.next() {
                Some('n' | 'N') => text.push('\n'),
                Some(other) => text.push(other),
                None => {}
            },
            (letter, false) => text.push(letter),
        }
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_at_any_byte_of_a_text_are_undone() {
        let text = "SUMMARY:会议室 🎉 é预订\nX:end";
        for at in 1..text.len() {
            for fold in ["\r\n ", "\n\t", "\r\n \r\n "] {
                let mut bytes = text.as_bytes()[..at].to_vec();
                bytes.extend_from_slice(fold.as_bytes());
                bytes.extend_from_slice(&text.as_bytes()[at..]);
                let Some(read) = text_of(bytes) else { panic!("{at} {fold:?}") };
                let lines: Vec<String> = Unfolded::new(&read).map(|line| line.unwrap().1).collect();
                assert_eq!(lines.concat(), text.replace('\n', ""), "{at} {fold:?}");
                assert_eq!(read.matches('\n').count(), 1 + fold.matches('\n').count(), "numbers of lines");
            }
        }
    }

    #[test]
    fn other_encodings_are_refused() {
        assert_eq!(text_of(b"SUMMARY:Caf\xE9".to_vec()), None);
        assert_eq!(text_of(b"SUMMARY:\xE4\xBC\r\nX:\x9A".to_vec()), None, "a new line is no fold");
        assert_eq!(text_of(vec![0xFF, 0xFE, b'B', 0]), None);
    }
}
