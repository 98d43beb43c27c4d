//! Texts of Today.

pub mod quick;

use crate::tasks::TaskTexts;
use domain::Kind;

sets!(dashboard: DashboardTexts);

impl DashboardTexts {
    /// What a task does, in the words of people, before its title.
    #[must_use]
    pub fn what(self, kind: Kind) -> String {
        let what = match kind {
            Kind::ArticlePublish => self.publish(),
            Kind::ArticleUnpublish => self.unpublish(),
            Kind::Other("release.publish") => self.publish_release(),
            Kind::Other("release.revert") => self.revert_release(),
            Kind::Other("meeting.start") => self.meeting(),
            Kind::Other("meeting.decide" | "review.decide") => self.decision(),
            Kind::Other("message.send") => self.message(),
            Kind::Other("rule.fire") => self.rule(),
            // Its title is the word for it.
            Kind::Other("reminder.send" | "reminder.bell") => "",
            Kind::Other(_) => return self.other(TaskTexts(self.0).kind(kind)),
        };
        what.to_owned()
    }
}
