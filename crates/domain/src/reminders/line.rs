//! A reminder in one line: its text, and its time in words.

use crate::{
    base::when::{self, MAX_BYTES},
    series::RepeatWords,
};

/// What stands between a text and its time.
const SEPARATORS: [char; 9] = [',', ';', ':', '-', '–', '，', '；', '：', '、'];

/// Text and time of a line such as `call the printer every monday 9am`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReminderLine {
    /// What the reminder says; empty: the line is only a time.
    pub text: String,
    /// When it is sent, in words.
    pub when: String,
}

impl ReminderLine {
    /// Splits a line. The time is its longest end that says one, else its longest beginning. `None`: it has
    /// no time.
    #[must_use]
    pub fn split(line: &str) -> Option<Self> {
        let line = line.trim();
        let places = boundaries(line);
        let parts = |place: &usize| line.split_at_checked(*place);
        // Only what stands between them is left out: a text may begin with a sign, such as `-5 degrees`.
        let at_end =
            places.iter().filter_map(parts).map(|(text, when)| (text.trim_end_matches(is_between), when));
        let at_begin = places.iter().rev().filter_map(parts);
        let at_begin = at_begin.map(|(when, text)| (text.trim_start_matches(is_between), when));
        at_end.chain(at_begin).find(|(_, when)| is_time(when)).map(|(text, when)| Self {
            text: text.to_owned(),
            when: when.trim_matches(is_between).to_owned(),
        })
    }
}

fn is_between(letter: char) -> bool {
    letter.is_whitespace() || SEPARATORS.contains(&letter)
}

/// The places where a word begins, in bytes. Chinese has no blanks: each character may begin one.
fn boundaries(line: &str) -> Vec<usize> {
    let mut places = vec![0];
    let letters: Vec<(usize, char)> = line.char_indices().collect();
    for pair in letters.windows(2) {
        if let [(_, before), (place, after)] = *pair {
            let is_new_word = before.is_whitespace() && !after.is_whitespace();
            if is_new_word || is_han(before) || is_han(after) {
                places.push(place);
            }
        }
    }
    places
}

/// Whether the letter is Chinese, or a full-width sign.
fn is_han(letter: char) -> bool {
    matches!(letter, '\u{3000}'..='\u{9FFF}' | '\u{FF01}'..='\u{FF5E}')
}

/// Whether words say a time, or one that repeats.
fn is_time(words: &str) -> bool {
    let words = words.trim_matches(is_between);
    if words.is_empty() || words.len() > MAX_BYTES {
        return false;
    }
    match RepeatWords::read(words) {
        Ok(Some(repeated)) => repeated.first.is_empty() || when::parse(&repeated.first).is_ok(),
        Ok(None) => when::parse(words).is_ok(),
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(line: &str) -> Option<(String, String)> {
        ReminderLine::split(line).map(|line| (line.text, line.when))
    }

    fn parts(text: &str, when: &str) -> Option<(String, String)> {
        Some((text.to_owned(), when.to_owned()))
    }

    #[test]
    fn the_time_stands_at_the_end_or_at_the_beginning() {
        assert_eq!(split("call the printer every monday 9am"), parts("call the printer", "every monday 9am"));
        assert_eq!(split("Buy 3 stamps, tomorrow 18:00"), parts("Buy 3 stamps", "tomorrow 18:00"));
        assert_eq!(split("tomorrow 9am call Every Body"), parts("call Every Body", "tomorrow 9am"));
        assert_eq!(split("ask Anna in 2 hours"), parts("ask Anna", "in 2 hours"));
        assert_eq!(
            split("-5 degrees: check it, tomorrow 9am"),
            parts("-5 degrees: check it", "tomorrow 9am")
        );
        assert_eq!(split("tomorrow 9am: draw a dash -"), parts("draw a dash -", "tomorrow 9am"));
    }

    #[test]
    fn german_words_are_a_time_and_leave_english_lines_alone() {
        assert_eq!(split("Drucker anrufen morgen 9 Uhr"), parts("Drucker anrufen", "morgen 9 Uhr"));
        assert_eq!(split("Anna fragen am 3. Mai um 8"), parts("Anna fragen", "am 3. Mai um 8"));
        assert_eq!(split("jeden Montag um 9: Bericht"), parts("Bericht", "jeden Montag um 9"));
        assert_eq!(split("Alle einladen morgen 9 Uhr"), parts("Alle einladen", "morgen 9 Uhr"));
        for (line, text) in [("what to do 9:00", "what to do"), ("who am I, I am 9:00", "who am I, I am")] {
            assert_eq!(split(line), parts(text, "9:00"));
        }
        assert_eq!(split("price tag in 2 hours"), parts("price tag", "in 2 hours"));
    }

    #[test]
    fn chinese_needs_no_blanks() {
        assert_eq!(split("给印刷厂打电话每周一9点"), parts("给印刷厂打电话", "每周一9点"));
        assert_eq!(split("明天9点给印刷厂打电话"), parts("给印刷厂打电话", "明天9点"));
    }

    #[test]
    fn a_line_without_a_time_is_not_split() {
        assert_eq!(split("call the printer"), None);
        assert_eq!(split(""), None);
        assert_eq!(split("tomorrow 9am"), parts("", "tomorrow 9am"));
    }
}
