//! Text for XML: allowed characters, and the escaped length.

/// Removes the characters that XML 1.0 forbids.
#[must_use]
pub fn clean(text: &str) -> String {
    text.chars().filter(|letter| is_allowed(*letter)).collect()
}

/// Whether a character matches `Char` of XML 1.0 and is not discouraged there.
fn is_allowed(letter: char) -> bool {
    matches!(letter, '\t' | '\n' | ' '..='\u{7e}' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
        && !matches!(letter, '\u{fdd0}'..='\u{fdef}')
        && u32::from(letter) & 0xfffe != 0xfffe
}

/// Returns an upper bound of the length as text of an XML element or as a JSON string, bytes.
#[must_use]
pub fn escaped_len(text: &str) -> usize {
    let more = |byte: u8| match byte {
        b'<' | b'>' => 3,
        b'&' => 4,
        b'"' | b'\'' => 5,
        b'\n' | b'\t' | b'\\' => 1,
        _ => 0,
    };
    text.len() + text.bytes().map(more).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forbidden_characters_are_removed() {
        assert_eq!(clean("a\0\u{1b}\u{85}\u{fffe}\u{ffff}\u{1fffe}\tb\n字\u{1f600}"), "a\tb\n字\u{1f600}");
    }
}
