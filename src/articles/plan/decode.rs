//! The text of a file that a spreadsheet or an editor has saved.

use domain::{account::Language, articles::plan::TableEncoding};
use encoding_rs::{BIG5, EUC_KR, GB18030, SHIFT_JIS, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252};
use std::collections::HashSet;

/// Maximum number of words that show how a text was read.
const MAX_SAMPLES: usize = 12;
/// Maximum length of such a word, in characters.
const MAX_SAMPLE_CHARS: usize = 24;

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

/// Returns the text of a file in another encoding. `None`: it is not in that one, or is no text.
pub fn decode_as(bytes: &[u8], encoding: TableEncoding) -> Option<String> {
    let encoding = match encoding {
        TableEncoding::Windows1252 => WINDOWS_1252,
        TableEncoding::Windows1250 => WINDOWS_1250,
        TableEncoding::Windows1251 => WINDOWS_1251,
        TableEncoding::Gb18030 => GB18030,
        TableEncoding::Big5 => BIG5,
        TableEncoding::ShiftJis => SHIFT_JIS,
        TableEncoding::EucKr => EUC_KR,
    };
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
    let is_text = |letter: char| !letter.is_control() || matches!(letter, '\n' | '\r' | '\t');
    text.chars().all(is_text).then(|| text.into_owned())
}

/// Returns the text of a file that is not Unicode, in the encoding in which spreadsheets save where a
/// language is spoken. It is a guess that a user must confirm. `None`: it is no text.
pub fn guess(bytes: &[u8], language: Language) -> Option<(TableEncoding, String)> {
    let western = TableEncoding::Windows1252;
    let first = if language == Language::Zh { TableEncoding::Gb18030 } else { western };
    [first, western].into_iter().find_map(|encoding| Some((encoding, decode_as(bytes, encoding)?)))
}

/// Returns the first words of a text with letters that depend on its encoding, each once.
pub fn samples(text: &str) -> String {
    let mut seen = HashSet::new();
    let words = text.split(|letter: char| letter.is_whitespace() || matches!(letter, ',' | ';' | '"'));
    let words = words.filter(|word| !word.is_ascii() && seen.insert(*word)).take(MAX_SAMPLES);
    let short = words.map(|word| word.chars().take(MAX_SAMPLE_CHARS).collect::<String>());
    short.collect::<Vec<_>>().join(" · ")
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
    fn tables_of_spreadsheets_are_guessed_by_language_and_read_as_asked() {
        let western = b"title\r\nCaf\xe9 \x84M\xfcller\x93,\x80 5\r\n";
        let (encoding, text) = guess(western, Language::En).unwrap();
        assert_eq!((encoding, text.as_str()), (TableEncoding::Windows1252, "title\r\nCafé „Müller“,€ 5\r\n"));
        assert_eq!(samples(&text), "Café · „Müller“ · €");
        let chinese = b"\xb1\xea\xcc\xe2\n\xd6\xd0\xce\xc4\n";
        let read = guess(chinese, Language::Zh);
        assert_eq!(read, Some((TableEncoding::Gb18030, "标题\n中文\n".to_owned())));
        for (encoding, bytes, text) in [
            (TableEncoding::Windows1250, &b"\xa3\xf3d\x9f"[..], "Łódź"),
            (TableEncoding::Windows1251, &b"\xcc\xe8\xf0"[..], "Мир"),
            (TableEncoding::Big5, &b"\xa4\xa4\xa4\xe5"[..], "中文"),
            (TableEncoding::ShiftJis, &b"\x93\xfa\x96\x7b"[..], "日本"),
            (TableEncoding::EucKr, &b"\xc7\xd1\xb1\xdb"[..], "한글"),
        ] {
            assert_eq!(decode_as(bytes, encoding).as_deref(), Some(text), "{encoding}");
        }
        for binary in [&b"PK\x03\x04\x14\x00"[..], b"\xd0\xcf\x11\xe0", b"caf\xe9\x00"] {
            assert_eq!(guess(binary, Language::En), None, "{binary:?}");
        }
    }

    #[test]
    fn other_bytes_are_no_text() {
        for bytes in [&b"caf\xe9"[..], b"\xff\xfea", b"\xff\xfe\x00\xd8", b"\xd0\xcf\x11\xe0"] {
            assert_eq!(decode(bytes), None, "{bytes:?}");
        }
    }
}
