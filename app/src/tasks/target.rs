//! What a task acts on: its title, and the page that links lead to.

use domain::task::TaskRow;
use texts::{
    Language, meetings::MeetingTexts, messages::MessageTexts, reminders::ReminderTexts, review::ReviewTexts,
    tasks::TaskTexts,
};

/// Title of a task as it is shown.
#[must_use]
pub fn title_of(language: Language, row: &TaskRow) -> String {
    shown_title(language, row.kind.as_str(), &row.title)
}

/// Title of a task of a kind as it is shown. A reminder has the word for it: its text is private, and
/// the stored title is English.
#[must_use]
pub fn shown_title(language: Language, kind: &str, title: &str) -> String {
    if kind.starts_with("reminder.") {
        return ReminderTexts(language).reminder().to_owned();
    }
    title.to_owned()
}

/// Page of the target of a task.
#[must_use]
pub fn target_page(row: &TaskRow) -> String {
    let folder = match row.kind.as_str() {
        "message.send" => "messages",
        // A page of a rule is found by its waits too.
        "rule.fire" | "rule.update_waits" => "rules",
        kind if kind.starts_with("release.") => "releases",
        kind if kind.starts_with("signal.") => return "/rules".to_owned(),
        kind if kind.starts_with("reminder.") => return "/reminders".to_owned(),
        kind if kind.starts_with("review.") => "review",
        // A series has no page of its own; its meetings have.
        kind if kind.starts_with("series.") => return "/meetings".to_owned(),
        _ if is_of_meeting(row) => "meetings",
        _ => "articles",
    };
    format!("/{folder}/{}", row.target_id)
}

/// Label of the link to the page of the target.
#[must_use]
pub fn open_label(row: &TaskRow) -> &'static str {
    match row.kind.as_str() {
        "message.send" => MessageTexts::here().open(),
        "rule.fire" | "rule.update_waits" => TaskTexts::here().open_rule(),
        "release.publish" | "release.revert" => TaskTexts::here().open_release(),
        "signal.send" | "signal.refuse" => TaskTexts::here().open_rules(),
        "reminder.send" | "reminder.bell" => ReminderTexts::here().open_all(),
        kind if kind.starts_with("review.") => ReviewTexts::here().open_review(),
        _ if is_of_meeting(row) => MeetingTexts::here().open(),
        _ => TaskTexts::here().open_article(),
    }
}

/// Whether the target of a task is a meeting or a series of meetings.
#[must_use]
pub fn is_of_meeting(row: &TaskRow) -> bool {
    ["meeting.", "series."].iter().any(|kind| row.kind.as_str().starts_with(kind))
}

#[cfg(test)]
mod tests {
    use super::{Language, shown_title};

    #[test]
    fn a_reminder_has_a_title_in_the_language_of_the_user() {
        let [en, zh] = [Language::En, Language::Zh].map(|language| {
            ["reminder.send", "article.publish"].map(|kind| shown_title(language, kind, "Reminder"))
        });
        assert_eq!((en, zh), (["Reminder"; 2].map(str::to_owned), ["提醒", "Reminder"].map(str::to_owned)));
    }
}
