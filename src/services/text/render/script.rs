//! Scripts: characters written without spaces, punctuation that ends a URL, text direction,
//! language detection.

/// Whether a character is Han, kana or their punctuation, which need no spaces.
pub fn is_unspaced(letter: char) -> bool {
    is_kana(letter) || is_han(letter) || is_wide_mark(letter)
}

/// Whether a character is Han.
pub fn is_han(letter: char) -> bool {
    matches!(u32::from(letter),
        0x2E80..=0x2FDF | 0x3005..=0x3007 | 0x3021..=0x3029 | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF
        | 0x2_0000..=0x3_FFFF)
}

/// Whether a character is kana.
pub fn is_kana(letter: char) -> bool {
    matches!(u32::from(letter), 0x3040..=0x30FF | 0x31F0..=0x31FF | 0xFF66..=0xFF9F | 0x1_B000..=0x1_B16F)
}

/// Whether a character is Hangul.
pub fn is_hangul(letter: char) -> bool {
    matches!(u32::from(letter), 0x1100..=0x11FF | 0x3130..=0x318F | 0xAC00..=0xD7AF)
}

/// Whether a character is Chinese or Japanese punctuation, which ends a bare URL.
pub fn is_wide_mark(letter: char) -> bool {
    matches!(letter,
        '\u{3000}'..='\u{3004}' | '\u{3008}'..='\u{3020}' | '\u{3030}' | '“' | '”' | '‘' | '’' | '…'
        | '！'..='／' | '：'..='＠' | '［'..='｀' | '｛'..='･')
}

/// Whether a character is written from right to left.
pub fn is_right_to_left(letter: char) -> bool {
    matches!(u32::from(letter),
        0x0590..=0x08FF | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFE | 0x1_0800..=0x1_0FFF | 0x1_E800..=0x1_EFFF)
}

/// Whether the first letter of a text is written from right to left.
pub fn begins_right_to_left(text: impl Iterator<Item = char>) -> bool {
    text.into_iter().find(|letter| letter.is_alphabetic()).is_some_and(is_right_to_left)
}

/// Whether a language is written from right to left, by its tag: by the script in it, else by the language.
#[must_use]
pub fn is_right_to_left_language(tag: &str) -> bool {
    let tag = tag.to_ascii_lowercase();
    let mut parts = tag.split('-');
    let language = parts.next().unwrap_or_default();
    match parts.find(|part| part.len() == 4 && part.bytes().all(|byte| byte.is_ascii_alphabetic())) {
        Some(script) => ["arab", "hebr", "syrc", "thaa", "nkoo", "adlm", "rohg"].contains(&script),
        None => [
            "ar", "arc", "azb", "ckb", "dv", "fa", "glk", "he", "iw", "ji", "ks", "lrc", "mzn", "nqo", "pnb",
            "ps", "sd", "syr", "ug", "ur", "yi",
        ]
        .contains(&language),
    }
}

/// Detects the language of a text by its letters: `zh`, `ja`, `ko`; for Latin letters `de` if it has more words that only
/// German has than English ones, else `en`.
/// `None`: other letters, or none.
#[must_use]
pub fn language(text: &str) -> Option<&'static str> {
    let (mut han, mut kana, mut hangul, mut latin, mut other) = (0usize, 0usize, 0usize, 0usize, 0usize);
    for letter in text.chars().filter(|letter| letter.is_alphabetic()) {
        match letter {
            _ if is_kana(letter) => kana += 1,
            _ if is_han(letter) => han += 1,
            _ if is_hangul(letter) => hangul += 1,
            'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' => latin += 1,
            _ => other += 1,
        }
    }
    // A character of these scripts counts as about three letters.
    let wide = 3 * (han + kana + hangul);
    match wide + latin {
        sum if sum <= other => None,
        _ if wide < latin => Some(if is_german(text) { "de" } else { "en" }),
        _ if hangul > han + kana => Some("ko"),
        _ if kana * 10 > han => Some("ja"),
        _ => Some("zh"),
    }
}

/// Maximum number of words that are compared.
const MAX_WORDS: usize = 2_000;
/// Frequent words of German that English does not have, and the reverse.
const GERMAN: [&str; 22] = [
    "der", "das", "und", "ist", "nicht", "ein", "eine", "einen", "einer", "mit", "von", "für", "auf", "den",
    "dem", "im", "zu", "zum", "zur", "sich", "wird", "auch",
];
const ENGLISH: [&str; 16] = [
    "the", "and", "of", "to", "is", "that", "for", "it", "with", "as", "are", "this", "be", "or", "by",
    "from",
];

fn is_german(text: &str) -> bool {
    let words = text.split(|letter: char| !letter.is_alphabetic()).map(str::to_lowercase).take(MAX_WORDS);
    let (mut german, mut english) = (0usize, 0usize);
    for word in words {
        german += usize::from(GERMAN.contains(&word.as_str()));
        english += usize::from(ENGLISH.contains(&word.as_str()));
    }
    german > english
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_direction_of_a_language_is_known_by_its_tag() {
        for tag in ["ar", "AR-eg", "he", "fa", "ur-PK", "az-Arab", "pa-Arab-PK"] {
            assert!(is_right_to_left_language(tag), "{tag}");
        }
        for tag in ["", "en", "zh-Hans", "ar-Latn", "arn", "hi"] {
            assert!(!is_right_to_left_language(tag), "{tag}");
        }
    }

    #[test]
    fn the_language_is_detected_by_letters_and_frequent_words() {
        assert_eq!(language("2026 — !"), None);
        assert_eq!(language("Release notes of Presstime"), Some("en"));
        assert_eq!(language("Neues aus der Redaktion und dem Verlag"), Some("de"));
        assert_eq!(language("The Frankfurter Allgemeine and der Spiegel are newspapers"), Some("en"));
        assert_eq!(language("用 Rust 写的 Presstime 服务，今天发布"), Some("zh"));
        assert_eq!(language("今日はいい天気です"), Some("ja"));
        assert_eq!(language("오늘은 날씨가 좋다"), Some("ko"));
        assert_eq!(language("The word 中文 means Chinese, and that is all there is to it"), Some("en"));
    }
}
