//! Folds the spellings of a word: width and case never matter, diacritics only affect the rank.

use std::borrow::Cow;
use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

/// Folds width and case (NFKC, full case folding); keeps diacritics.
pub(crate) fn fold_case(word: &str) -> Cow<'_, str> {
    if word.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_lowercase()) {
        return Cow::Borrowed(word);
    }
    if word.is_ascii() {
        return Cow::Owned(word.to_ascii_lowercase());
    }
    Cow::Owned(word.nfkc().flat_map(folded).nfkc().collect())
}

/// Full case folding: `ẞ`, `ß` and `SS` are `ss`, and both small sigmas are one.
fn folded(letter: char) -> impl Iterator<Item = char> {
    letter.to_lowercase().flat_map(char::to_uppercase).flat_map(char::to_lowercase)
}

/// Removes the diacritics of alphabets in which people omit them: `uber` for `über`. Keeps vowel
/// signs of Indic scripts, voicing marks of kana and the breve of `й`: they make other words.
pub(super) fn strip_diacritics(exact: &str) -> Cow<'_, str> {
    if exact.is_ascii() {
        return Cow::Borrowed(exact);
    }
    let mut plain = String::with_capacity(exact.len());
    let mut base = ' ';
    for letter in exact.nfd() {
        if is_combining_mark(letter) {
            let is_part = (base, letter) == ('и', '\u{306}') || !drops_marks(base);
            if is_part {
                plain.push(letter);
            }
            continue;
        }
        base = letter;
        match undecomposable(letter) {
            Some(letters) => plain.push_str(letters),
            None => plain.push(letter),
        }
    }
    Cow::Owned(plain.nfc().collect())
}

/// Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic and their neighbours.
fn drops_marks(base: char) -> bool {
    matches!(u32::from(base), 0..=0x8FF | 0x1C80..=0x1C8F | 0x1D00..=0x1FFF | 0x2C60..=0x2C7F | 0xA640..=0xA69F | 0xA720..=0xA7FF)
}

/// Letters that Unicode does not decompose, as people without them on their keyboard type them.
fn undecomposable(letter: char) -> Option<&'static str> {
    Some(match letter {
        'ø' => "o",
        'đ' | 'ð' => "d",
        'ł' => "l",
        'ħ' => "h",
        'ŧ' => "t",
        'ı' => "i",
        'æ' => "ae",
        'œ' => "oe",
        'þ' => "th",
        // Tatweel only makes a word longer on the page.
        '\u{640}' => "",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{fold_case, strip_diacritics};

    #[test]
    fn case_and_width_never_matter() {
        for (one, other) in [
            ("ÜBER", "über"),
            ("u\u{308}ber", "über"),
            ("ÉCOLE", "école"),
            ("STRASSE", "straße"),
            ("STRAẞE", "straße"),
            ("ΌΔΟΣ", "όδος"),
            ("МОСКВА", "москва"),
            ("Ｒｕｓｔ２", "rust2"),
            ("ｶﾞｲﾄﾞ", "ガイド"),
            ("ﬁn", "FIN"),
            ("ԵՐԵՎԱՆ", "երեվան"),
            ("ᲗᲑᲘᲚᲘᲡᲘ", "თბილისი"),
        ] {
            assert_eq!(fold_case(one), fold_case(other));
        }
        assert_ne!(fold_case("über"), fold_case("uber"));
    }

    #[test]
    fn diacritics_are_removed_where_people_omit_them() {
        for (full, plain) in [
            ("über", "uber"),
            ("école", "ecole"),
            ("Ελλάδα", "ελλαδα"),
            ("ёлка", "елка"),
            ("Łódź", "lodz"),
            ("İstanbul", "istanbul"),
            ("smørrebrød", "smorrebrod"),
            ("שָׁלוֹם", "שלום"),
            ("مُحَمَّد", "محمد"),
        ] {
            assert_eq!(strip_diacritics(&fold_case(full)), plain);
        }
        for same in ["мой", "がくせい", "हिन्दी", "ไทย", "한국"] {
            assert_eq!(strip_diacritics(&fold_case(same)), fold_case(same));
        }
    }
}
