//! What a reminder says.

use crate::{reminders::notifications, zone::Zone};
use domain::{
    Timestamp,
    reminders::{Anchor, BELL_TEXT},
};
use store::due_reminder::DueReminder;
use texts::{
    Language,
    mail::reminder::ReminderWords,
    time::{place, placed_text},
};

/// Returns the text of a reminder; that of a meeting says when and where it is, in its own zone.
/// `site_zone`: that of articles.
pub fn text(row: &DueReminder, at: Timestamp, site_zone: &str) -> String {
    if let Some((title, published)) = row.article_title.as_deref().zip(row.published_at) {
        let (language, published) = (language(row), Timestamp::from_millis(published));
        let (words, moment) =
            (ReminderWords(language), notifications::moment(language, published, site_zone));
        let line =
            if published > at { words.publishes(title, &moment) } else { words.published(title, &moment) };
        return format!("{}\n{line}", row.text);
    }
    let Some((title, anchor)) = row.title.as_deref().zip(anchor(row)) else { return row.text.clone() };
    let language = language(row);
    let words = ReminderWords(language);
    let at = if anchor == Anchor::End { row.ends_at } else { row.starts_at };
    let at = Timestamp::from_millis(at.unwrap_or_default());
    let zone = Zone::stored(row.time_zone.as_deref().unwrap_or("UTC"));
    let wall = zone.wall_clock_time(at);
    let moment = placed_text(language, wall, None, &place(language, zone.name()));
    let first = match anchor {
        Anchor::End => words.ends(title, &moment),
        Anchor::Start => words.starts(title, &moment),
    };
    let room = row.room.as_deref().map(|room| words.room(room));
    let own = Some(row.text.clone()).filter(|text| !text.is_empty() && !is_bell(row));
    [Some(first), room, row.link.clone(), own].into_iter().flatten().collect::<Vec<_>>().join("\n")
}

/// Whether the people of its meeting get it in the desk, see [`domain::reminders::Recipient::Bell`].
pub fn is_bell(row: &DueReminder) -> bool {
    row.recipient_kind == "attendees" && row.text == BELL_TEXT
}

/// The language of its creator.
fn language(row: &DueReminder) -> Language {
    row.owner_language.as_deref().and_then(|word| word.parse().ok()).unwrap_or(Language::En)
}

/// Whether the reminder counts from the start or end of its meeting, or from the
/// publication of its article; `None`: it is about nothing.
pub fn anchor(row: &DueReminder) -> Option<Anchor> {
    row.anchor.as_deref().and_then(|word| word.parse().ok())
}
