//! Channels: configured ways out. A message to the outside is a [`crate::delivery`].

mod route;

pub use route::{AmqpRoute, Holder, MailRoute, Route, Security, SmsFormat, SmsRoute, WebhookRoute};

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
        /// A mail over SMTP.
        Mail = "mail",
        /// A short message through an HTTP gateway.
        Sms = "sms",
        /// A message to an exchange of an AMQP broker.
        Amqp = "amqp",
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
    /// What an admin may change about it.
    pub settings: ChannelEdit,
    /// Whether a secret is kept for it.
    pub has_secret: bool,
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
    /// Where it leads. Its way is chosen once.
    pub route: Route,
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
    /// A channel without a name that leads nowhere yet, and is told everything. Where a repeat reaches a person, who cannot
    /// tell it by its id, a lost answer is asked about.
    #[must_use]
    pub fn usual(way: Way) -> Self {
        Self {
            name: String::new(),
            route: Route::usual(way),
            events: Happening::CHOICES.to_vec(),
            ladder: Ladder::usual(),
            on_ambiguous: if matches!(way, Way::Webhook | Way::Amqp) { Doubt::Retry } else { Doubt::Hold },
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
    /// How many messages, tests aside, wait, are on their way or are held.
    pub undelivered: u64,
    /// How many of those were tried, and failed.
    pub retried: u64,
    /// When the next one may be tried.
    pub next_at: Option<Timestamp>,
    /// Status of the last answer that was no.
    pub last_status: Option<u16>,
    /// Beginning of the last answer that was no, or what went wrong.
    pub last_answer: Option<String>,
    /// Whether anything was ever tried.
    pub is_tried: bool,
}

impl Health {
    /// Whether messages do not get through now.
    #[must_use]
    pub const fn is_failing(&self) -> bool {
        self.failures > 0 || self.retried > 0
    }
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
    /// It leads back to this desk.
    #[error("leads to this desk itself")]
    Own,
    /// The operator listed the hosts that messages may go to, and it is none of them.
    #[error("is not on the operator's list of hosts")]
    NotListed,
    /// It is not the name of a server.
    #[error("is not the name of a server; write it like mail.example.org")]
    NotAServer,
    /// It is not the address of a broker.
    #[error("is not the address of a broker; write it like amqps://mq.example.org")]
    NotABroker,
    /// It is not encrypted, and not inside a private network.
    #[error("may be without encryption only inside a private network, and only if the operator allows that")]
    Open,
}

/// A secret on its way to where it is kept. Never shown, not even to the log.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// A channel that was just made, or whose secret was just replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FreshChannel {
    /// The channel.
    pub channel: Channel,
    /// The secret that was made for it, `whsec_…`, shown once; `None`: its way has none, or an admin gave it.
    pub secret: Option<Secret>,
}
