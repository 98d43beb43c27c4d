//! Reads a moment as people write it, in English, Chinese and German: `tue 9am`, `in 2 hours`,
//! `jun 9 9:00 berlin`, `明天上午九点`, `两小时后`, `morgen 9 Uhr`.
//!
//! [`parse`] reads the words; [`Phrase::readings`] applies the rules of a zone. A text with a word
//! that is not known is refused, and a text with several meanings has several readings: nothing is
//! guessed.

mod amount;
mod clock;
mod german;
mod holidays;
mod meaning;
mod phrase;
mod places;
mod readings;
#[cfg(test)]
mod tests;
mod tokens;
mod words;
mod zone_window;

pub use meaning::{TypedWords, WordsMeaning, WordsReading};
pub use phrase::Phrase;
pub use readings::{Context, Question, Reading, Readings};
pub use zone_window::{WINDOW_MS, ZoneWindow};

use crate::{DomainError, error::ValidationError, text::find_forbidden_char};

/// Why a typed time is refused.
pub mod problem {
    pub use crate::error::problem::when::WhenProblem;
}

/// Maximum length of a typed time, in bytes.
pub const MAX_BYTES: usize = 200;

/// Returns a typed time of day, as `9am`, `9:30 pm` or `晚上8点`, as `HH:MM`, with seconds if it has them. What is no
/// time of day stays as it is.
#[must_use]
pub fn clock_text(typed: &str) -> String {
    let typed = typed.trim();
    // A number alone is a time only after `at`.
    let phrase = parse(typed).or_else(|_| parse(&format!("at {typed}")));
    match phrase.ok().and_then(|phrase| phrase.time_of_day()) {
        Some(time) if time.second() == 0 => format!("{:02}:{:02}", time.hour(), time.minute()),
        Some(time) => format!("{:02}:{:02}:{:02}", time.hour(), time.minute(), time.second()),
        None => typed.to_owned(),
    }
}

/// Reads a text; `Invalid` for the field `text` names what is not understood.
pub fn parse(text: &str) -> Result<Phrase, DomainError> {
    let problem = if text.len() > MAX_BYTES {
        ValidationError::TooLarge { max: u32::try_from(MAX_BYTES).unwrap_or_default() }
    } else if text.trim().is_empty() {
        ValidationError::Empty
    } else if find_forbidden_char(&text.replace('\t', " ")).is_some() {
        ValidationError::BadCharacters
    } else {
        match phrase::parse(text.trim()) {
            Ok(phrase) => return Ok(phrase),
            Err(why) => ValidationError::When { why },
        }
    };
    Err(DomainError::invalid("text", problem))
}
