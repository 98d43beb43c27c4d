//! Texts: parts by byte offsets, and characters that are not allowed in names and titles: invisible
//! ones, and those that reorder the surrounding text.

use std::ops::{Bound, RangeBounds};

/// Returns the part of a text between two byte offsets: the only function that cuts a text by computed
/// offsets (lint `string_slice`).
///
/// Never panics: an offset beyond the end is the end, an offset inside a character is its beginning, and
/// a beginning after the end makes the part empty.
#[must_use]
pub fn slice_text(text: &str, range: impl RangeBounds<usize>) -> &str {
    let begin = match range.start_bound() {
        Bound::Included(at) => *at,
        Bound::Excluded(at) => at.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(at) => at.saturating_add(1),
        Bound::Excluded(at) => *at,
        Bound::Unbounded => text.len(),
    };
    let (begin, end) = (text.floor_char_boundary(begin), text.floor_char_boundary(end));
    text.get(begin..end).unwrap_or_default()
}

/// Returns the first character that is not allowed in a name or a title; `None`: all are allowed.
///
/// Not allowed are control characters, bidirectional controls, zero-width and other format
/// characters, line separators, blank fillers and noncharacters. Joiners are allowed between
/// letters of scripts that use them, and within emoji. Variation selectors are allowed after
/// characters that have variants.
#[must_use]
pub fn find_forbidden_char(text: &str) -> Option<char> {
    let chars: Vec<char> = text.chars().collect();
    (0..chars.len()).find(|place| is_forbidden(&chars, *place)).map(|place| chars[place])
}

/// Returns a text of a stranger without the characters that are not allowed in a name or a title.
#[must_use]
pub fn without_forbidden_chars(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    (0..chars.len()).filter(|place| !is_forbidden(&chars, *place)).map(|place| chars[place]).collect()
}

fn is_forbidden(chars: &[char], place: usize) -> bool {
    match chars[place] {
        '\u{200C}' | '\u{200D}' => !joins(chars, place),
        '\u{E0020}'..='\u{E007F}' => !is_in_flag(&chars[..place]),
        letter if is_selector(letter) => {
            !place.checked_sub(1).is_some_and(|before| has_variant(letter, chars[before]))
        }
        letter => letter.is_control() || is_hidden(letter) || is_noncharacter(letter),
    }
}

/// Whether the joiner at `place` is required by its script or by an emoji.
fn joins(chars: &[char], place: usize) -> bool {
    let after = chars.get(place + 1).copied();
    let mut before = chars[..place].iter().rev().copied();
    let Some(last) = before.next() else { return false };
    if is_joined_script(last) {
        // Indic scripts also end words with a joiner.
        return is_indic(last) || after.is_some_and(is_joined_script);
    }
    let emoji = if last == '\u{FE0F}' { before.next() } else { Some(last) };
    chars[place] == '\u{200D}' && emoji.is_some_and(is_emoji) && after.is_some_and(is_emoji)
}

/// Whether `before` ends with the black flag followed only by tags: the flags of England, Scotland,
/// Wales.
fn is_in_flag(before: &[char]) -> bool {
    let flag = before.iter().rev().find(|letter| !matches!(letter, '\u{E0020}'..='\u{E007E}'));
    flag == Some(&'\u{1F3F4}')
}

fn is_selector(letter: char) -> bool {
    matches!(letter, '\u{180B}'..='\u{180D}' | '\u{180F}' | '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

/// Whether `selector` selects a variant of `letter`: emoji or text, an ideograph, a Mongolian
/// letter.
fn has_variant(selector: char, letter: char) -> bool {
    match selector {
        '\u{FE0E}' | '\u{FE0F}' => is_emoji(letter) || letter.is_ascii_digit() || matches!(letter, '#' | '*'),
        '\u{180B}'..='\u{180F}' => matches!(letter, '\u{1820}'..='\u{18AA}'),
        _ => matches!(letter, '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFD}'),
    }
}

fn is_emoji(letter: char) -> bool {
    matches!(letter,
        '\u{A9}' | '\u{AE}' | '\u{203C}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2190}'..='\u{21FF}'
        | '\u{2300}'..='\u{23FF}' | '\u{24C2}' | '\u{25A0}'..='\u{27BF}' | '\u{2900}'..='\u{297F}'
        | '\u{2B00}'..='\u{2BFF}' | '\u{3030}' | '\u{303D}' | '\u{3297}' | '\u{3299}' | '\u{1F000}'..='\u{1FAFF}')
}

/// Whether it is a letter of Arabic, Syriac, N'Ko, Mandaic, Mongolian or an Indic script.
fn is_joined_script(letter: char) -> bool {
    let is_cursive = matches!(letter,
        '\u{0620}'..='\u{065F}' | '\u{066E}'..='\u{06D3}' | '\u{06D5}'..='\u{06DC}' | '\u{06E1}'..='\u{06FF}'
        | '\u{0710}'..='\u{07FF}' | '\u{0840}'..='\u{088F}' | '\u{08A0}'..='\u{08E1}' | '\u{08E3}'..='\u{08FF}'
        | '\u{1820}'..='\u{18AA}' | '\u{FB50}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}');
    is_cursive || is_indic(letter)
}

fn is_indic(letter: char) -> bool {
    matches!(letter,
        '\u{0900}'..='\u{0DFF}' | '\u{0F00}'..='\u{109F}' | '\u{1700}'..='\u{17B3}' | '\u{17B6}'..='\u{17FF}'
        | '\u{1900}'..='\u{1CFF}' | '\u{A800}'..='\u{A8FF}' | '\u{A930}'..='\u{AADF}' | '\u{ABC0}'..='\u{ABFF}'
        | '\u{11000}'..='\u{110BC}' | '\u{110BE}'..='\u{110CC}' | '\u{110CE}'..='\u{11FFF}')
}

/// Whether it is a format character (Unicode's Cf), a line separator, or a letter that renders as
/// nothing.
fn is_hidden(letter: char) -> bool {
    matches!(letter,
        '\u{AD}' | '\u{034F}' | '\u{0600}'..='\u{0605}' | '\u{061C}' | '\u{06DD}' | '\u{070F}' | '\u{0890}'..='\u{0891}'
        | '\u{08E2}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}' | '\u{180E}' | '\u{200B}'..='\u{200F}'
        | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{2800}' | '\u{3164}' | '\u{FEFF}' | '\u{FFA0}'
        | '\u{FFF0}'..='\u{FFFB}' | '\u{110BD}' | '\u{110CD}' | '\u{13430}'..='\u{1343F}' | '\u{1BCA0}'..='\u{1BCA3}'
        | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E00FF}' | '\u{E01F0}'..='\u{E0FFF}')
}

fn is_noncharacter(letter: char) -> bool {
    matches!(letter, '\u{FDD0}'..='\u{FDEF}') || u32::from(letter) & 0xFFFE == 0xFFFE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_text_never_panics() {
        let text = "aé公🎉";
        assert_eq!(
            (slice_text(text, ..1), slice_text(text, 1..3), slice_text(text, 1..=2), slice_text(text, 3..)),
            ("a", "é", "é", "公🎉")
        );
        assert_eq!(
            (slice_text(text, ..2), slice_text(text, 2..), slice_text(text, 7..9)),
            ("a", "é公🎉", ""),
            "inside a character"
        );
        let reversed = std::ops::Range { start: 3, end: 1 };
        assert_eq!(
            (slice_text(text, reversed), slice_text(text, 99..), slice_text(text, ..usize::MAX)),
            ("", "", text)
        );
    }

    #[test]
    fn what_hides_or_reorders_is_found() {
        for hidden in [
            '\0',
            '\u{7}',
            '\n',
            '\u{7F}',
            '\u{85}',
            '\u{AD}',
            '\u{34F}',
            '\u{61C}',
            '\u{115F}',
            '\u{180E}',
            '\u{200B}',
            '\u{200C}',
            '\u{200D}',
            '\u{200E}',
            '\u{200F}',
            '\u{2028}',
            '\u{202A}',
            '\u{202E}',
            '\u{2060}',
            '\u{2066}',
            '\u{2069}',
            '\u{2800}',
            '\u{3164}',
            '\u{FE0F}',
            '\u{FEFF}',
            '\u{FFA0}',
            '\u{FFF9}',
            '\u{FFFE}',
            '\u{FDD0}',
            '\u{1D173}',
            '\u{E0001}',
            '\u{E0041}',
            '\u{E0100}',
            '\u{1FFFE}',
            '\u{10FFFF}',
        ] {
            for text in [format!("Ada{hidden}Admin"), format!("{hidden}Ada"), format!("Ada{hidden}")] {
                assert_eq!(find_forbidden_char(&text), Some(hidden), "{}", text.escape_unicode());
            }
        }
        assert_eq!(find_forbidden_char("\u{639}\u{200C}"), Some('\u{200C}'), "nothing follows");
        assert_eq!(find_forbidden_char("\u{639}\u{200D}\u{200D}\u{639}"), Some('\u{200D}'), "doubled");
        assert_eq!(find_forbidden_char("\u{639}\u{202E}\u{639}"), Some('\u{202E}'), "no script needs it");
    }

    #[test]
    fn what_people_write_is_left_alone() {
        for fine in [
            "",
            "Ada Lovelace",
            "José Ñandú-Müller, d’Été",
            "报社：第 1 期",
            "علی\u{200C}رضا",
            "ක්\u{200D}ෂ",
            "ന\u{D4D}\u{200D}",
            "葛\u{E0100}城",
            "👩\u{200D}🚀 ❤\u{FE0F}\u{200D}🔥 👩🏽\u{200D}⚕\u{FE0F} 1\u{FE0F}\u{20E3}",
            "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
            "a\u{A0}b\u{3000}c",
        ] {
            assert_eq!(find_forbidden_char(fine), None, "{}", fine.escape_unicode());
        }
    }
}
