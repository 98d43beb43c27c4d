//! The text of a file that a spreadsheet or an editor has saved.

/// Returns the text: UTF-8 or UTF-16, with or without a byte order mark. `None`: it is neither.
pub fn decode(bytes: &[u8]) -> Option<String> {
    let mut text = match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes)?,
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes)?,
        // Without a mark: a letter of ASCII has one byte that is 0.
        [1..=0x7f, 0, ..] => utf16(bytes, u16::from_le_bytes)?,
        [0, 1..=0x7f, ..] => utf16(bytes, u16::from_be_bytes)?,
        _ => std::str::from_utf8(bytes).ok()?.to_owned(),
    };
    if text.starts_with('\u{feff}') {
        text.remove(0);
    }
    Some(text)
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    char::decode_utf16(pairs.iter().map(|pair| unit(*pair))).collect::<Result<String, _>>().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn text_is_read_in_utf_8_and_utf_16_with_and_without_a_mark() {
        let text = "title,中 😀\r\n";
        let marked = format!("\u{feff}{text}");
        for bytes in [
            text.as_bytes().to_vec(),
            marked.as_bytes().to_vec(),
            units(text, u16::to_le_bytes),
            units(text, u16::to_be_bytes),
            units(&marked, u16::to_le_bytes),
            units(&marked, u16::to_be_bytes),
        ] {
            assert_eq!(decode(&bytes).as_deref(), Some(text), "{bytes:?}");
        }
        assert_eq!(decode(b"").as_deref(), Some(""));
    }

    #[test]
    fn other_bytes_are_no_text() {
        for bytes in [&b"caf\xe9"[..], b"\xff\xfea", b"\xff\xfe\x00\xd8", b"\xd0\xcf\x11\xe0"] {
            assert_eq!(decode(bytes), None, "{bytes:?}");
        }
    }
}
