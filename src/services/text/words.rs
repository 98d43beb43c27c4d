//! Counts words, and the minutes that reading them takes.

/// Words read in a minute, in scripts with and without spaces.
const WORDS_PER_MINUTE: u32 = 220;
const CHARACTERS_PER_MINUTE: u32 = 400;

/// Returns the minutes that reading takes, rounded up. `language` is the tag of a language.
#[must_use]
pub fn reading_minutes(words: u32, language: &str) -> u32 {
    let is_unspaced = ["zh", "ja", "ko"].iter().any(|one| language.starts_with(one));
    words.div_ceil(if is_unspaced { CHARACTERS_PER_MINUTE } else { WORDS_PER_MINUTE })
}

/// Returns the number of words: runs of letters and digits between white space. Chinese, Japanese
/// and Korean count by character.
#[must_use]
pub fn count(text: &str) -> u32 {
    let mut words = 0u32;
    let mut is_inside = false;
    for letter in text.chars() {
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

#[cfg(test)]
mod tests {
    use super::{count, reading_minutes};

    #[test]
    fn reading_takes_whole_minutes_at_the_speed_of_the_language() {
        assert_eq!([0, 1, 220, 221].map(|words| reading_minutes(words, "en")), [0, 1, 1, 2]);
        assert_eq!([0, 400, 401].map(|words| reading_minutes(words, "zh-Hans")), [0, 1, 2]);
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
    }
}
