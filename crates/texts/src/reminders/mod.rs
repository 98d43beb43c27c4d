//! Texts of reminders and notifications.

pub mod choices;
pub mod push;

use crate::number::counted;
use domain::reminders::{Anchor, ReminderAbout, ReminderState, Subject};

sets!(reminders: ReminderTexts, AboutTexts);

impl AboutTexts {
    /// When a reminder is sent, counted from what it is about.
    #[must_use]
    pub fn distance(self, about: &ReminderAbout, span: String) -> String {
        let title = &about.title;
        match (about.subject, about.anchor, about.offset_minutes.signum()) {
            (Subject::Article, _, -1) => self.before_publication(span, title),
            (Subject::Article, _, 0) => self.at_publication(title),
            (Subject::Article, ..) => self.after_publication(span, title),
            (Subject::Meeting, Anchor::Start, -1) => self.before_start(span, title),
            (Subject::Meeting, Anchor::Start, 0) => self.at_start(title),
            (Subject::Meeting, Anchor::Start, _) => self.after_start(span, title),
            (Subject::Meeting, Anchor::End, -1) => self.before_end(span, title),
            (Subject::Meeting, Anchor::End, 0) => self.at_end(title),
            (Subject::Meeting, Anchor::End, _) => self.after_end(span, title),
        }
    }
}

impl ReminderTexts {
    /// State of a reminder.
    #[must_use]
    pub fn state(self, state: ReminderState) -> &'static str {
        match state {
            ReminderState::Scheduled => self.scheduled(),
            ReminderState::Sent => self.sent(),
            ReminderState::Done => self.done_title(),
            ReminderState::Cancelled => self.cancelled(),
            ReminderState::Skipped => self.skipped(),
            ReminderState::Failed => self.failed(),
        }
    }

    /// How long before what a reminder is sent.
    #[must_use]
    pub fn before(self, anchor: Anchor, span: String) -> String {
        match anchor {
            Anchor::Start => self.before_start(span),
            Anchor::End => self.before_end(span),
        }
    }

    /// Number of unread notifications.
    #[must_use]
    pub fn unread_of(self, count: u64) -> String {
        self.unread_count(counted(count))
    }
}
