//! Counts words, and the minutes that reading them takes. The only place that knows what a word is.

use unicode_normalization::char::is_combining_mark;

/// Words read in a minute, in scripts with spaces.
const WORDS_PER_MINUTE: u32 = 220;
/// Characters read in a minute. Aloud, people read 255 Chinese and 357 Japanese characters (IReST,
/// <https://doi.org/10.1167/iovs.11-8284>); silent reading is 1.3 times as fast: 238 English words instead
/// of 183 (Brysbaert 2019, <https://doi.org/10.1016/j.jml.2019.104047>).
const CHINESE_PER_MINUTE: u32 = 330;
const JAPANESE_PER_MINUTE: u32 = 460;
/// Syllables of Hangul read in a minute.
const KOREAN_PER_MINUTE: u32 = 400;
/// Estimated letters of a Thai, Lao, Burmese or Khmer word, without marks: they have no spaces between them.
const LETTERS_PER_WORD: u32 = 4;

/// Returns the minutes that reading takes, rounded up. `language` is the tag of a language.
#[must_use]
pub fn reading_minutes(words: u32, language: &str) -> u32 {
    let speed = match language.split('-').next().unwrap_or_default().to_ascii_lowercase().as_str() {
        "zh" => CHINESE_PER_MINUTE,
        "ja" => JAPANESE_PER_MINUTE,
        "ko" => KOREAN_PER_MINUTE,
        _ => WORDS_PER_MINUTE,
    };
    words.div_ceil(speed)
}

/// Returns the number of words: runs of letters and digits between white space. Chinese, Japanese
/// and Korean count by character; Thai, Lao, Burmese and Khmer are estimated by their letters.
#[must_use]
pub fn count(text: &str) -> u32 {
    let (mut words, mut letters) = (0u32, 0u32);
    let mut is_inside = false;
    for letter in text.chars().chain(['\n']) {
        if is_south_east_asian(letter) {
            letters = letters.saturating_add(u32::from(!is_combining_mark(letter)));
            is_inside = false;
            continue;
        }
        if letter == '\u{200b}' && letters > 0 {
            continue;
        }
        words = words.saturating_add(letters.div_ceil(LETTERS_PER_WORD));
        letters = 0;
        if is_east_asian(letter) {
            words = words.saturating_add(1);
            is_inside = false;
        } else if letter.is_whitespace() {
            is_inside = false;
        } else if letter.is_alphanumeric() && !is_inside {
            words = words.saturating_add(1);
            is_inside = true;
        }
    }
    words
}

/// Whether a character counts as a word.
fn is_east_asian(letter: char) -> bool {
    matches!(u32::from(letter),
        0x3041..=0x3096 | 0x309D..=0x309F | 0x30A1..=0x30FA | 0x30FC..=0x30FF | 0x3105..=0x312F
        | 0x3005..=0x3007 | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF
        | 0x1100..=0x11FF | 0x3131..=0x318E | 0xAC00..=0xD7A3
        | 0x2_0000..=0x3_FFFF)
}

/// Whether it is a letter or mark of a script without spaces that writes sounds.
fn is_south_east_asian(letter: char) -> bool {
    matches!(u32::from(letter),
        0xE01..=0xE3A | 0xE40..=0xE4E | 0xE81..=0xECE | 0x1000..=0x103F | 0x1050..=0x108F | 0x1780..=0x17D3)
}

#[cfg(test)]
mod tests {
    use super::{count, reading_minutes};

    #[test]
    fn reading_takes_whole_minutes_at_the_speed_of_the_language() {
        assert_eq!([0, 1, 220, 221].map(|words| reading_minutes(words, "en")), [0, 1, 1, 2]);
        assert_eq!([0, 330, 331].map(|words| reading_minutes(words, "zh-Hans")), [0, 1, 2]);
        assert_eq!([460, 461].map(|words| reading_minutes(words, "JA")), [1, 2]);
        assert_eq!([400, 401].map(|words| reading_minutes(words, "ko")), [1, 2]);
        assert_eq!(["ar", "hi", "th", "kok"].map(|language| reading_minutes(220, language)), [1; 4]);
    }

    #[test]
    fn words_are_counted_and_punctuation_is_not() {
        assert_eq!(count(""), 0);
        assert_eq!(count("# A **bold**, well-known don't — [link](https://a.b/c)\n\n- - -"), 5);
    }

    #[test]
    fn chinese_counts_by_character_beside_latin_words() {
        assert_eq!(count("今天天气很好。"), 6);
        assert_eq!(count("用Rust写的 presstime 服务"), 7);
        assert_eq!((count("これはペンです。"), count("한국어 뉴스")), (7, 5));
    }

    #[test]
    fn words_are_counted_in_every_script() {
        assert_eq!((count("مرحبا بالعالم"), count("यह हिन्दी है।")), (2, 3));
        assert_eq!((count("ภาษาไทย"), count("ฉันกินข้าว วันนี้"), count("ไทย 2026 news")), (2, 3, 3));
        let page = "ที่นี่มีข่าว".repeat(500);
        assert!((700..1_600).contains(&count(&page)), "{}", count(&page));
    }
}
