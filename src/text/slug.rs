//! Names in addresses.

use domain::limit::SLUG_BYTES;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// The name a title leads to: lower case, letters and digits of any script with single hyphens between them, at most
/// [`SLUG_BYTES`] bytes. Accents of Latin letters are dropped; Chinese stays as it is. Empty if the title has no letter.
#[must_use]
pub fn of(title: &str) -> String {
    cut(&full(title), SLUG_BYTES).to_owned()
}

/// The same without the cut.
#[must_use]
pub fn full(title: &str) -> String {
    let mut slug = String::with_capacity(title.len());
    for letter in plain(title).chars().flat_map(char::to_lowercase) {
        if letter.is_alphanumeric() || is_combining_mark(letter) {
            slug.push(letter);
        } else if !matches!(letter, '\'' | '’') && !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.truncate(slug.trim_end_matches('-').len());
    slug.nfc().collect()
}

/// A slug with a number behind it, still within the limit.
#[must_use]
pub fn numbered(slug: &str, number: u32) -> String {
    let tail = format!("-{number}");
    format!("{}{tail}", cut(slug, SLUG_BYTES - tail.len()))
}

/// The part of a slug that keeps room for a long number behind it.
#[must_use]
pub fn stem(slug: &str) -> &str {
    cut(slug, SLUG_BYTES - 11)
}

/// Without the accents of Latin letters; other scripts keep their marks.
fn plain(title: &str) -> String {
    let mut plain = String::with_capacity(title.len());
    let mut is_after_ascii = false;
    for letter in title.nfd() {
        if is_combining_mark(letter) && is_after_ascii {
            continue;
        }
        is_after_ascii = letter.is_ascii();
        match letter {
            'ß' | 'ẞ' => plain.push_str("ss"),
            'æ' | 'Æ' => plain.push_str("ae"),
            'œ' | 'Œ' => plain.push_str("oe"),
            'ø' | 'Ø' => plain.push('o'),
            'ł' | 'Ł' => plain.push('l'),
            'đ' | 'Đ' => plain.push('d'),
            _ => plain.push(letter),
        }
    }
    plain.nfc().collect()
}

/// The first `bytes` bytes at most, ending with a whole character and no hyphen.
fn cut(slug: &str, bytes: usize) -> &str {
    slug[..slug.floor_char_boundary(bytes)].trim_end_matches('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_becomes_lower_kebab() {
        assert_eq!(of("  What's New in v2.0?  "), "whats-new-in-v2-0");
        assert_eq!(of("Crème brûlée — STRAẞE"), "creme-brulee-strasse");
        assert_eq!(of("¿¡…!?"), "");
    }

    #[test]
    fn chinese_keeps_its_characters() {
        assert_eq!(of("你好，世界 2026"), "你好-世界-2026");
        assert_eq!(of("プレス タイム"), "プレス-タイム");
    }

    #[test]
    fn a_long_one_is_cut_between_characters() {
        let slug = of(&"中".repeat(100));
        assert_eq!(slug.len(), 120);
        assert_eq!(numbered(&slug, 12).len(), 117 + 3);
        assert_eq!(numbered("a", 2), "a-2");
    }
}
