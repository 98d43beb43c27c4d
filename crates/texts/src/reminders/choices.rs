//! Texts of the choices of notifications.

use domain::reminders::{MailTime, NotificationEvent};

sets!(reminders: ChoiceTexts);

impl ChoiceTexts {
    /// What happened.
    pub fn event_name(self, event: NotificationEvent) -> &'static str {
        match event {
            NotificationEvent::WentOut => self.went_out(),
            NotificationEvent::Failed => self.failed(),
            NotificationEvent::Missed => self.missed(),
            NotificationEvent::Approval => self.approval(),
            NotificationEvent::Decided => self.decided(),
            NotificationEvent::Changed => self.changed(),
            NotificationEvent::ExpiresSoon => self.expires_soon(),
            NotificationEvent::Access => self.access(),
        }
    }

    /// When it is mailed.
    pub fn mail_time(self, time: MailTime) -> &'static str {
        match time {
            MailTime::Off => self.off(),
            MailTime::Now => self.now(),
            MailTime::Daily => self.daily(),
        }
    }
}
