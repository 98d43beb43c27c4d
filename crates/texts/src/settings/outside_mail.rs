//! Texts of the page about mail to persons outside the desk.

use domain::mail_limits::HeldReason;

sets!(settings: OutsideMailTexts);

impl OutsideMailTexts {
    /// Why a mail is not sent now.
    #[must_use]
    pub fn reason(self, reason: HeldReason) -> &'static str {
        match reason {
            HeldReason::Account => self.of_account(),
            HeldReason::Address => self.of_address(),
            HeldReason::Desk => self.of_desk(),
            HeldReason::Blocked => self.of_blocked(),
        }
    }
}
