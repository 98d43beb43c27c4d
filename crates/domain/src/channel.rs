//! Channels: configured ways out. A message to the outside is a [`crate::delivery`].

use crate::{
    ChannelId, Timestamp,
    ladder::Ladder,
    state::{UnknownWord, words},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

words! {
    /// How a channel reaches the outside.
    Way {
        /// A signed HTTP POST to an address.
        Webhook = "webhook",
    }
}

words! {
    /// Whether a channel sends.
    ChannelState {
        /// It sends.
        Active = "active",
        /// An admin has paused it: its deliveries wait.
        Paused = "paused",
        /// The other side said for good that it is gone: its deliveries are held and no new ones are written.
        Off = "off",
    }
}

words! {
    /// What a message tells.
    Happening {
        /// An article became public.
        ArticlePublished = "article.published",
        /// A public article got another text.
        ArticleUpdated = "article.updated",
        /// An article left the site.
        ArticleUnpublished = "article.unpublished",
        /// An admin tries the channel.
        Test = "test",
    }
}

impl Happening {
    /// What a channel can be asked to tell.
    pub const CHOICES: [Self; 3] = [Self::ArticlePublished, Self::ArticleUpdated, Self::ArticleUnpublished];
}

words! {
    /// What to do when the answer to a message was lost: it may have arrived or not.
    Doubt {
        /// Send it again, with the same id.
        Retry = "retry",
        /// Ask a person.
        Hold = "hold",
    }
}

/// A channel as admins see it. Its secret is never shown again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Channel {
    /// Identity.
    pub id: ChannelId,
    /// How it reaches the outside.
    pub way: Way,
    /// What an admin may change about it.
    pub settings: ChannelEdit,
    /// Whether it sends.
    pub state: ChannelState,
    /// Until when messages carry a second signature, made with the secret before this one.
    pub rotating_until: Option<Timestamp>,
    /// How it has been doing.
    pub health: Health,
    /// When it was made.
    pub created_at: Timestamp,
}

/// What an admin decides about a channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelEdit {
    /// What it is called.
    pub name: String,
    /// Where it leads: for a webhook an `https` address.
    pub address: String,
    /// What it is told.
    pub events: Vec<Happening>,
    /// After which waits a failed message is sent again.
    pub ladder: Ladder,
    /// What to do when an answer was lost.
    pub on_ambiguous: Doubt,
    /// At most so many messages on their way at once.
    pub concurrency: u16,
}

impl ChannelEdit {
    /// A channel without a name that leads nowhere yet, and is told everything.
    #[must_use]
    pub fn usual() -> Self {
        Self {
            name: String::new(),
            address: String::new(),
            events: Happening::CHOICES.to_vec(),
            ladder: Ladder::usual(),
            on_ambiguous: Doubt::Retry,
            concurrency: 4,
        }
    }
}

/// How a channel has been doing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Health {
    /// Attempts that failed since the last one that did not.
    pub failures: u32,
    /// Nothing is sent before this moment: too much failed in a row, or the other side asked for a rest.
    pub rests_until: Option<Timestamp>,
    /// When a message last arrived.
    pub succeeded_at: Option<Timestamp>,
    /// When an attempt last failed.
    pub failed_at: Option<Timestamp>,
    /// How many messages wait or are on their way.
    pub waiting: u64,
    /// How many need a person.
    pub needing: u64,
}

/// Why nothing may be sent to an address: a sentence after "the address".
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AddressProblem {
    /// It cannot be read.
    #[error("is not a web address; write it like https://example.org/hook")]
    Unreadable,
    /// It is not encrypted.
    #[error("must begin with https://")]
    NotEncrypted,
    /// A name or a password stands in it.
    #[error("must not hold a name or a password")]
    HoldsPassword,
    /// It is a port of another kind of service.
    #[error("must use port 443, 8443, or one from 1024 on")]
    Port,
    /// It leads into a private network.
    #[error("leads into a private network; the operator can allow that")]
    Private,
}

/// A channel that was just made, or whose secret was just replaced. The secret is shown once.
#[derive(Clone, PartialEq, Eq)]
pub struct FreshChannel {
    /// The channel.
    pub channel: Channel,
    /// Its secret, `whsec_…`.
    pub secret: String,
}

impl fmt::Debug for FreshChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FreshChannel").field("channel", &self.channel).finish_non_exhaustive()
    }
}
