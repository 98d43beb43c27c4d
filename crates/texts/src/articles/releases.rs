//! Texts of releases.

use domain::releases::{ItemState, ReleaseAction, ReleaseState};

sets!(articles: ReleaseTexts);

impl ReleaseTexts {
    /// State of a release.
    #[must_use]
    pub fn state_of(self, state: ReleaseState) -> &'static str {
        match state {
            ReleaseState::Draft => self.draft(),
            ReleaseState::Scheduled => self.scheduled(),
            ReleaseState::Failed => self.failed(),
            ReleaseState::Published => self.published(),
            ReleaseState::Reverted => self.reverted(),
        }
    }

    /// What a release does with an article.
    #[must_use]
    pub fn action_of(self, action: ReleaseAction) -> &'static str {
        match action {
            ReleaseAction::Publish => self.publish(),
            ReleaseAction::Unpublish => self.unpublish(),
        }
    }

    /// Whether an article is ready.
    #[must_use]
    pub fn ready_of(self, state: ItemState) -> &'static str {
        match state {
            ItemState::Ready => self.ready(),
            ItemState::Blocked => self.blocked(),
            ItemState::Done => self.done(),
        }
    }
}
