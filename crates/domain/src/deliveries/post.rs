//! Posts: articles that channels publish on other sites.

use crate::{
    ArticleId, ChannelId, DeliveryId, PostId, Timestamp, Version,
    state::{ParseEnumError, string_enum},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Maximum number of channels that publish one article.
pub const MAX_POSTS_OF_ARTICLE: usize = 20;

string_enum! {
    /// What a delivery does with a post.
    PostPurpose {
        /// Makes it public on the other site, or replaces its text there.
        Publish = "publish",
        /// Turns it into a draft on the other site.
        Withdraw = "withdraw",
        /// Makes or updates a draft on the other site, before the article is public.
        Prepare = "prepare",
        /// Asks for its public page as a reader.
        Look = "look",
    }
}

impl PostPurpose {
    /// Whether a delivery with it only looks ahead or afterwards: it changes nothing that readers see.
    #[must_use]
    pub const fn is_check(self) -> bool {
        matches!(self, Self::Prepare | Self::Look)
    }
}

string_enum! {
    /// State of an article at a channel that publishes posts.
    PostState {
        /// It is not chosen for that site.
        Off = "off",
        /// It is published there once it is published here.
        Planned = "planned",
        /// A draft is being made there.
        Preparing = "preparing",
        /// A draft with the text is there.
        Ready = "ready",
        /// It is being published there.
        Publishing = "publishing",
        /// The site says that it is public there.
        Published = "published",
        /// A reader's request saw it there.
        Live = "live",
        /// It is being withdrawn there.
        Withdrawing = "withdrawing",
        /// It was public there and is a draft now.
        Withdrawn = "withdrawn",
        /// The site refused it.
        Failed = "failed",
        /// It is not known what became of it there.
        Unconfirmed = "unconfirmed",
        /// It was edited, published, moved to the trash or deleted there, and is not overwritten.
        ChangedThere = "changed_there",
        /// A user cancelled its publication there.
        Cancelled = "cancelled",
    }
}

impl PostState {
    /// Whether readers of the other site see it.
    #[must_use]
    pub const fn is_public(self) -> bool {
        matches!(self, Self::Published | Self::Live)
    }

    /// Returns the state that most needs a user; `None`: there are none.
    #[must_use]
    pub fn worst(states: impl IntoIterator<Item = Self>) -> Option<Self> {
        states.into_iter().max_by_key(|state| state.severity())
    }

    const fn severity(self) -> u8 {
        match self {
            Self::Off => 0,
            Self::Live => 1,
            Self::Published => 2,
            Self::Withdrawn => 3,
            Self::Ready => 4,
            Self::Planned => 5,
            Self::Preparing => 6,
            Self::Publishing => 7,
            Self::Withdrawing => 8,
            Self::Cancelled => 9,
            Self::Unconfirmed => 10,
            Self::Failed => 11,
            Self::ChangedThere => 12,
        }
    }

    /// Whether a user must do something.
    #[must_use]
    pub const fn needs_user(self) -> bool {
        matches!(self, Self::Failed | Self::Unconfirmed | Self::ChangedThere)
    }
}

string_enum! {
    /// What a user does with a post.
    PostAction {
        /// Makes the draft again, or asks for the public page.
        Check = "check",
        /// Sends its newest delivery again, which failed or is not confirmed.
        Retry = "retry",
        /// Replaces what was changed on the other site.
        Overwrite = "overwrite",
        /// Leaves it as it is on the other site, and publishes it there no longer.
        Leave = "leave",
    }
}

/// Time before its publication from which on a draft is no longer made: it must not delay the publication.
/// Milliseconds.
pub const LAST_PREPARE_MS: i64 = 35_000;
/// Times before a publication at which its draft is checked again, milliseconds, the longest first.
pub const CHECKS_BEFORE_MS: [i64; 4] = [86_400_000, 3_600_000, 900_000, 60_000];
/// Delays between requests for a page that a reader does not see yet: ten minutes in all.
pub const LOOK_SCHEDULE: &str = "5s, 10s, 15s, 30s, 1m, 1m, 2m, 2m, 3m";

/// Why a post on the other site is not overwritten.
pub mod changed {
    /// Its text was changed.
    pub const EDITED: &str = "edited";
    /// It is in the trash.
    pub const TRASHED: &str = "trashed";
    /// It was deleted.
    pub const DELETED: &str = "deleted";
    /// It was published, or planned, before its moment.
    pub const PUBLISHED: &str = "published";
}

/// An article at a channel that publishes posts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Post {
    /// Its id; `None`: the article was never chosen for the channel.
    pub id: Option<PostId>,
    /// Grows with each change of it; 0 without an id.
    pub version: Version,
    /// The article.
    pub article: ArticleId,
    /// The channel.
    pub channel: ChannelId,
    /// Name of the channel.
    pub name: String,
    /// Whether it is published there with the article.
    pub is_chosen: bool,
    /// What became of it.
    pub state: PostState,
    /// Address on the other site; `None`: the site has not named it.
    pub url: Option<String>,
    /// Since when it is public there; `None`: it is not, as far as is known.
    pub published_at: Option<Timestamp>,
    /// Its newest delivery; `None`: nothing was sent.
    pub delivery: Option<DeliveryId>,
    /// Why its last attempt failed; `None`: it did not.
    pub problem: Option<String>,
    /// When the site was last asked with success; `None`: never.
    pub checked_at: Option<Timestamp>,
    /// When a reader's request saw its present text; `None`: none did.
    pub seen_at: Option<Timestamp>,
    /// What the site took out of the text: names of HTML elements.
    pub removed: Vec<String>,
    /// What was done with it on the site, see [`changed`]; `None`: nothing that is in the way.
    pub changed_there: Option<String>,
}

impl Post {
    /// Whether its text on the other site is another one than was sent there.
    #[must_use]
    pub fn is_edited_there(&self) -> bool {
        self.state == PostState::ChangedThere && self.changed_there.as_deref() == Some(changed::EDITED)
    }
}

/// Query of the list of posts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PostQuery {
    /// Only at this channel.
    pub channel: Option<ChannelId>,
    /// Only in this state.
    pub state: Option<PostState>,
    /// Opaque position where the page starts; `None`: the first page.
    pub cursor: Option<String>,
    /// Maximum number of items, see [`crate::input_limits::MAX_PAGE_ITEMS`].
    pub limit: Option<u32>,
}

/// What is known of a post on the other site before an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownPost {
    /// The post.
    pub id: PostId,
    /// Its id there; `None`: the site has returned none, or it was deleted there.
    pub remote_id: Option<String>,
    /// Hash of its text there.
    pub content_hash: Option<String>,
    /// Its address there; `None`: the site has named none.
    pub url: Option<String>,
}

/// What an attempt learned about a post on the other site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostReport {
    /// The post.
    pub post: PostId,
    /// Its id there; `None`: it is not there.
    pub remote_id: Option<String>,
    /// Its address there; `None`: the site did not name it.
    pub url: Option<String>,
    /// Hash of its text there; `None`: it is not there.
    pub content_hash: Option<String>,
    /// Whether it is public there.
    pub is_public: bool,
    /// Whether a reader's request saw it; `None`: none was made.
    pub live: Option<bool>,
    /// What the site took out of the text: names of HTML elements.
    pub removed: Vec<String>,
    /// What was done with it on the site, so that it is not overwritten, see [`changed`]; `None`: nothing. The hash
    /// is that of the text before.
    pub changed_there: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_state_is_one_that_needs_a_user() {
        let worst = PostState::worst(PostState::ALL.iter().copied());
        assert_eq!(worst, Some(PostState::ChangedThere));
        assert_eq!(
            PostState::worst([PostState::Live, PostState::Failed, PostState::Ready]),
            Some(PostState::Failed)
        );
        assert_eq!(PostState::worst([]), None);
    }
}
