//! Texts of articles that channels publish on other sites.

use domain::post::{Post, PostAction, PostState, changed};

sets!(deliveries: PostTexts);

impl PostTexts {
    /// What became of an article at a site, as a sentence.
    #[must_use]
    pub fn state(self, state: PostState) -> &'static str {
        match state {
            PostState::Off => self.off(),
            PostState::Planned => self.planned(),
            PostState::Preparing => self.preparing(),
            PostState::Ready => self.ready(),
            PostState::Publishing => self.publishing(),
            PostState::Published => self.published(),
            PostState::Live => self.live(),
            PostState::Withdrawing => self.withdrawing(),
            PostState::Withdrawn => self.withdrawn(),
            PostState::Failed => self.failed(),
            PostState::Unconfirmed => self.unconfirmed(),
            PostState::ChangedThere => self.changed_there(),
            PostState::Cancelled => self.cancelled(),
        }
    }

    /// What became of a post, with what was done with it on the site.
    #[must_use]
    pub fn sentence(self, post: &Post) -> &'static str {
        match post.changed_there.as_deref().filter(|_| post.state == PostState::ChangedThere) {
            Some(changed::EDITED) => self.edited(),
            Some(changed::TRASHED) => self.trashed(),
            Some(changed::DELETED) => self.deleted(),
            Some(changed::PUBLISHED) => self.published_there(),
            _ => self.state(post.state),
        }
    }

    /// Label of an action.
    #[must_use]
    pub fn action(self, action: PostAction) -> &'static str {
        match action {
            PostAction::Check => self.check(),
            PostAction::Retry => self.retry(),
            PostAction::Overwrite => self.overwrite(),
            PostAction::Leave => self.leave(),
        }
    }
}
