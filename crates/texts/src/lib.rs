//! All texts of the product: pages, mails, errors, the public site. What they say stands in `texts/LANGUAGE/FEATURE.toml`;
//! `build/` turns it into typed functions and refuses a language that lacks one. Here is what takes code: which text is
//! meant, times, numbers, plural forms. A page gets its texts with `…Texts::here()`; everything else names the language.

/// Includes the types of sets of texts: `sets!(articles: DetailTexts);` is the set `[DetailTexts]` in
/// `texts/LANGUAGE/articles.toml`. `build/` checks and compiles these files.
macro_rules! sets {
    ($feature:ident: $($set:ident),+) => {
        $(include!(concat!(env!("OUT_DIR"), "/", stringify!($feature), "/", stringify!($set), ".rs"));)+
    };
}

pub mod accounts;
pub mod articles;
pub mod attention;
pub mod calendar;
pub mod dashboard;
pub mod deliveries;
pub mod engine;
pub mod event_verb;
pub mod help;
pub mod lateness;
pub mod layout;
pub mod lists;
pub mod mail;
pub mod meeting_import;
pub mod meetings;
pub mod messages;
pub mod number;
pub mod picker;
pub mod presence;
pub mod problem;
pub mod punctuation;
pub mod reason;
pub mod refusal;
pub mod reminders;
pub mod review;
pub mod rules;
pub mod settings;
pub mod tasks;
pub mod time;

pub use domain::account::Language;

use domain::Timestamp;
use std::sync::OnceLock;

/// Who reads a page. The frontend knows; this crate only asks.
pub trait Reader: Sync {
    /// Language of the page.
    fn language(&self) -> Language;
    /// Time zone of the reader.
    fn zone(&self) -> String;
    /// The time that the page shows as now.
    fn now(&self) -> Timestamp;
}

static READER: OnceLock<&'static dyn Reader> = OnceLock::new();

/// Sets who is asked for the reader of a page. Only the first call counts.
pub fn set_reader(reader: &'static dyn Reader) {
    _ = READER.set(reader);
}

/// Language of this page.
#[must_use]
pub fn language() -> Language {
    READER.get().map_or(Language::En, |reader| reader.language())
}

/// Time zone of the reader of this page, and the time that it shows as now.
fn zone_and_now() -> (String, Timestamp) {
    let unknown = || ("UTC".to_owned(), Timestamp::from_millis(0));
    READER.get().map_or_else(unknown, |reader| (reader.zone(), reader.now()))
}

/// Separator between two sentences of this page.
#[must_use]
pub fn gap() -> &'static str {
    punctuation::gap(language())
}

/// Joins two sentences. An empty text node would be rendered as a blank, so a view needs one string.
#[must_use]
pub fn sentences(first: &str, second: &str) -> String {
    format!("{first}{}{second}", gap())
}

/// Colon between a name and its value on this page.
#[must_use]
pub fn colon() -> &'static str {
    punctuation::colon(language())
}

/// The parts of a text before and after the place of an element, such as `{when}`.
#[must_use]
pub fn around(text: &'static str, place: &str) -> (&'static str, &'static str) {
    text.split_once(place).unwrap_or((text, ""))
}
