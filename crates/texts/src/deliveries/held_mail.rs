//! Texts about mails that a limit holds.

use domain::mail_limits::HeldReason;

sets!(deliveries: HeldMailTexts);

impl HeldMailTexts {
    /// What holds mails; `None`: no limit does.
    #[must_use]
    pub fn why(self, reason: HeldReason) -> Option<&'static str> {
        match reason {
            HeldReason::Account => Some(self.account()),
            HeldReason::Address => Some(self.address()),
            HeldReason::Desk => Some(self.desk()),
            HeldReason::Blocked => None,
        }
    }
}
