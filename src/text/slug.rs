//! Names in addresses.

use domain::limit::SLUG_CHARS;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};
use unicode_segmentation::UnicodeSegmentation as _;

/// The name a title leads to: lower case, letters and digits of any script with single hyphens between them, at most
/// [`SLUG_CHARS`] characters. Accents of Latin letters are dropped; Chinese stays as it is. Empty if the title has no letter.
#[must_use]
pub fn of(title: &str) -> String {
    cut(&full(title), SLUG_CHARS).to_owned()
}

/// The same without the cut.
#[must_use]
pub fn full(title: &str) -> String {
    let letters: Vec<char> = plain(title).chars().flat_map(char::to_lowercase).collect();
    let mut slug = String::with_capacity(title.len());
    for (place, letter) in letters.iter().copied().enumerate() {
        let before = slug.chars().next_back().filter(|before| *before != '-');
        let is_kept = match letter {
            '\u{200c}' | '\u{200d}' => {
                before.zip(letters.get(place + 1)).is_some_and(|(before, after)| needs_joiner(before, *after))
            }
            _ if is_combining_mark(letter) => before.is_some() && !is_ornament(letter),
            _ => letter.is_alphanumeric(),
        };
        if is_kept {
            slug.push(letter);
        } else if before.is_some() && !is_silent(letter) {
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
    format!("{}{tail}", cut(slug, SLUG_CHARS - tail.len()))
}

/// The part of a slug that keeps room for a long number behind it.
#[must_use]
pub fn stem(slug: &str) -> &str {
    cut(slug, SLUG_CHARS - 11)
}

/// Whether a joiner between these two changes how the word is read: in Arabic script between letters, in the scripts of India
/// and its neighbours behind a mark.
fn needs_joiner(before: char, after: char) -> bool {
    let is_arabic = |letter| matches!(letter, '\u{0600}'..='\u{08ff}') && letter.is_alphanumeric();
    let is_indic = |letter| matches!(letter, '\u{0900}'..='\u{0dff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}');
    (is_arabic(before) && is_arabic(after))
        || (is_indic(before) && is_combining_mark(before) && is_indic(after))
}

/// Marks that choose the form of a sign or frame it; they are no part of a word.
fn is_ornament(mark: char) -> bool {
    matches!(mark, '\u{fe00}'..='\u{fe0f}' | '\u{20dd}'..='\u{20e4}' | '\u{e0100}'..='\u{e01ef}' | '\u{180b}'..='\u{180d}')
}

/// What parts no words.
fn is_silent(letter: char) -> bool {
    matches!(letter, '\'' | '’' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
        || is_combining_mark(letter)
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

/// The first `chars` characters at most, ending with a whole sign, as readers see it, and no hyphen.
fn cut(slug: &str, chars: usize) -> &str {
    let mut left = chars;
    let kept = slug.graphemes(true).take_while(|sign| {
        let count = sign.chars().count();
        let fits = count <= left;
        left = left.saturating_sub(count);
        fits
    });
    let bytes = kept.map(str::len).sum::<usize>();
    slug.get(..bytes).unwrap_or_default().trim_end_matches('-')
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
    fn a_long_one_is_cut_between_signs() {
        let slug = of(&"中".repeat(120));
        assert_eq!(slug.chars().count(), 100);
        assert_eq!(numbered(&slug, 12).chars().count(), 100);
        assert_eq!(numbered("a", 2), "a-2");
        for sign in ["क्षि", "ที่", "각", "e\u{301}\u{323}x"] {
            let (whole, slug) = (full(sign), of(&sign.repeat(150)));
            assert!(slug.chars().count() <= 100 && slug.chars().count() > 90, "{slug}");
            assert_eq!(whole.repeat(slug.chars().count() / whole.chars().count()), slug, "{sign}");
        }
    }

    #[test]
    fn joiners_stay_where_a_script_needs_them() {
        assert_eq!(of("می\u{200c}خواهم"), "می\u{200c}خواهم");
        assert_eq!(of("क्\u{200d}ष"), "क्\u{200d}ष");
        assert_eq!(of("ශ්\u{200d}රී ලංකා"), "ශ්\u{200d}රී-ලංකා");
        assert_eq!(of("a\u{200d}b \u{200c}c"), "ab-c");
    }

    #[test]
    fn signs_without_letters_have_no_name() {
        for title in ["🚀🎉", "❤\u{fe0f}", "👩\u{200d}🚀", "👍🏽", "🏳\u{fe0f}\u{200d}🌈", "\u{301}"]
        {
            assert_eq!(of(title), "", "{title:?}");
        }
        assert_eq!(of("1\u{fe0f}\u{20e3} first ❤\u{fe0f} love"), "1-first-love");
    }
}
