//! Slugs: the names of articles in URLs.

use domain::input_limits::MAX_SLUG_CHARS;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};
use unicode_segmentation::UnicodeSegmentation as _;

/// Derives a slug from a title: lower case, letters and digits of any script with single hyphens
/// between them, at most [`MAX_SLUG_CHARS`] characters. Accents of Latin letters are dropped;
/// Chinese is kept. Empty if the title has no letter or digit.
#[must_use]
pub fn from_title(title: &str) -> String {
    cut(&untruncated(title), MAX_SLUG_CHARS).to_owned()
}

/// Derives a slug without limiting its length.
#[must_use]
pub fn untruncated(title: &str) -> String {
    let letters: Vec<char> = without_accents(title).chars().flat_map(char::to_lowercase).collect();
    let mut slug = String::with_capacity(title.len());
    for (place, letter) in letters.iter().copied().enumerate() {
        let before = slug.chars().next_back().filter(|before| *before != '-');
        let is_kept = match letter {
            '\u{200c}' | '\u{200d}' => {
                before.zip(letters.get(place + 1)).is_some_and(|(before, after)| needs_joiner(before, *after))
            }
            _ if is_combining_mark(letter) => before.is_some() && !is_variation(letter),
            _ => letter.is_alphanumeric(),
        };
        if is_kept {
            slug.push(letter);
        } else if before.is_some() && !is_ignored(letter) {
            slug.push('-');
        }
    }
    slug.truncate(slug.trim_end_matches('-').len());
    slug.nfc().collect()
}

/// Appends a number to a slug, within the maximum length.
#[must_use]
pub fn with_number(slug: &str, number: u32) -> String {
    let tail = format!("-{number}");
    format!("{}{tail}", cut(slug, MAX_SLUG_CHARS - tail.len()))
}

/// Truncates a slug so that a long number can be appended.
#[must_use]
pub fn truncated(slug: &str) -> &str {
    cut(slug, MAX_SLUG_CHARS - 11)
}

/// Whether a joiner between these characters changes the word: in Arabic script between letters, in
/// Indic scripts after a mark.
fn needs_joiner(before: char, after: char) -> bool {
    let is_arabic = |letter| matches!(letter, '\u{0600}'..='\u{08ff}') && letter.is_alphanumeric();
    let is_indic = |letter| matches!(letter, '\u{0900}'..='\u{0dff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}');
    (is_arabic(before) && is_arabic(after))
        || (is_indic(before) && is_combining_mark(before) && is_indic(after))
}

/// Whether it is a variation selector or an enclosing mark, which is not part of a word.
fn is_variation(mark: char) -> bool {
    matches!(mark, '\u{fe00}'..='\u{fe0f}' | '\u{20dd}'..='\u{20e4}' | '\u{e0100}'..='\u{e01ef}' | '\u{180b}'..='\u{180d}')
}

/// Whether it does not separate words.
fn is_ignored(letter: char) -> bool {
    matches!(letter, '\'' | '’' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
        || is_combining_mark(letter)
}

/// Removes the accents of Latin letters; other scripts keep their marks.
fn without_accents(title: &str) -> String {
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

/// Cuts a slug to at most `chars` characters, at a grapheme boundary and without a trailing hyphen.
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
        assert_eq!(from_title("  What's New in v2.0?  "), "whats-new-in-v2-0");
        assert_eq!(from_title("Crème brûlée — STRAẞE"), "creme-brulee-strasse");
        assert_eq!(from_title("¿¡…!?"), "");
    }

    #[test]
    fn chinese_keeps_its_characters() {
        assert_eq!(from_title("你好，世界 2026"), "你好-世界-2026");
        assert_eq!(from_title("プレス タイム"), "プレス-タイム");
    }

    #[test]
    fn words_of_every_script_stay_whole() {
        for (title, slug) in [
            ("ภาษาไทย วันนี้", "ภาษาไทย-วันนี้"),
            ("हिन्दी समाचार", "हिन्दी-समाचार"),
            ("한국어 뉴스!", "한국어-뉴스"),
            ("أخبار، اليوم", "أخبار-اليوم"),
            ("ガイドブック", "ガイドブック"),
        ] {
            assert_eq!(from_title(title), slug);
        }
    }

    #[test]
    fn a_long_slug_is_cut_between_graphemes() {
        let slug = from_title(&"中".repeat(120));
        assert_eq!(slug.chars().count(), 100);
        assert_eq!(with_number(&slug, 12).chars().count(), 100);
        assert_eq!(with_number("a", 2), "a-2");
        for sign in ["क्षि", "ที่", "각", "e\u{301}\u{323}x"] {
            let (whole, slug) = (untruncated(sign), from_title(&sign.repeat(150)));
            assert!(slug.chars().count() <= 100 && slug.chars().count() > 90, "{slug}");
            assert_eq!(whole.repeat(slug.chars().count() / whole.chars().count()), slug, "{sign}");
        }
    }

    #[test]
    fn joiners_stay_where_a_script_needs_them() {
        assert_eq!(from_title("می\u{200c}خواهم"), "می\u{200c}خواهم");
        assert_eq!(from_title("क्\u{200d}ष"), "क्\u{200d}ष");
        assert_eq!(from_title("ශ්\u{200d}රී ලංකා"), "ශ්\u{200d}රී-ලංකා");
        assert_eq!(from_title("a\u{200d}b \u{200c}c"), "ab-c");
    }

    #[test]
    fn titles_without_letters_have_no_slug() {
        for title in ["🚀🎉", "❤\u{fe0f}", "👩\u{200d}🚀", "👍🏽", "🏳\u{fe0f}\u{200d}🌈", "\u{301}"]
        {
            assert_eq!(from_title(title), "", "{title:?}");
        }
        assert_eq!(from_title("1\u{fe0f}\u{20e3} first ❤\u{fe0f} love"), "1-first-love");
    }
}
