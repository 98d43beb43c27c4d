//! Posts: articles that channels publish on other sites.

use crate::{
    ArticleId, ChannelId, DeliveryId, PostId, Timestamp,
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
    }
}

string_enum! {
    /// State of an article at a channel that publishes posts.
    PostState {
        /// It is not chosen for that site.
        Off = "off",
        /// It is published there once it is published here.
        Planned = "planned",
        /// It is being published there.
        Publishing = "publishing",
        /// It is public there.
        Published = "published",
        /// It is being withdrawn there.
        Withdrawing = "withdrawing",
        /// It was public there and is a draft now.
        Withdrawn = "withdrawn",
        /// The site refused it.
        Failed = "failed",
        /// It is not known what became of it there.
        Unconfirmed = "unconfirmed",
    }
}

/// An article at a channel that publishes posts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Post {
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
}
