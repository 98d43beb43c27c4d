//! Texts of the page of a meeting: its paragraph, and its history.

use crate::reason;
use domain::task::reason as code;

sets!(meetings: MeetingSentenceTexts);

impl MeetingSentenceTexts {
    /// Returns the reason as a user wrote it, or the words for a code.
    #[must_use]
    pub fn reason(self, reason: &str) -> String {
        match reason {
            "room_taken" => self.room_was_taken().to_owned(),
            "not_free" => self.not_free().to_owned(),
            "not_accepted" => self.not_accepted().to_owned(),
            code::OWNER_DISABLED => reason::sentence(self.0, reason),
            other => other.to_owned(),
        }
    }
}

sets!(meetings: MeetingVerbTexts);
