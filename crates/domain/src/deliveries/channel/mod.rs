//! Channels: configured transports for messages to the outside. Each message is a
//! [`crate::delivery`].

mod endpoint;

pub use endpoint::{
    AmqpEndpoint, Endpoint, GhostEndpoint, MailEndpoint, MailSecurity, SecretOwner, SmsEndpoint, SmsFormat,
    WebhookEndpoint, WordPressEndpoint,
};

pub use crate::{
    error::problem::address::AddressError,
    values::{channel::Transport, rate::RatePeriod},
};

use crate::{
    AccountId, ChannelId, Timestamp,
    retry_schedule::RetrySchedule,
    state::{ParseEnumError, Priority, string_enum},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// The mail server of the desk: the channel of this id, which follows no events.
pub const MAIL_SERVER: ChannelId =
    ChannelId(uuid::Uuid::from_u128(0x0000_0000_0000_7000_8000_006d_6169_6c00));

string_enum! {
    /// Whether a channel sends.
    ChannelState {
        /// It sends.
        Active = "active",
        /// Paused by an admin: its deliveries wait.
        Paused = "paused",
        /// The receiver reported that it is gone for good: deliveries are held and no new ones are
        /// written.
        Off = "off",
        /// Being deleted: it takes no messages, and those that wait are being cancelled.
        Deleting = "deleting",
    }
}

string_enum! {
    /// Event that a message reports.
    ChannelEvent {
        /// An article became public.
        ArticlePublished = "article.published",
        /// The text of a public article was replaced.
        ArticleUpdated = "article.updated",
        /// An article was removed from the public site.
        ArticleUnpublished = "article.unpublished",
        /// A room was requested for a meeting, or again after a change.
        MeetingRequested = "meeting.requested",
        /// A meeting was booked, approved, or brought back.
        MeetingConfirmed = "meeting.confirmed",
        /// Time, room or text of a meeting was changed.
        MeetingChanged = "meeting.changed",
        /// A meeting began.
        MeetingStarted = "meeting.started",
        /// A meeting ended.
        MeetingEnded = "meeting.ended",
        /// A meeting does not take place: rejected, expired, cancelled or released.
        MeetingCancelled = "meeting.cancelled",
        /// A text was submitted for review.
        ArticleSubmitted = "article.submitted",
        /// A submitted text was approved.
        ArticleApproved = "article.approved",
        /// A reviewer sent a text back.
        ArticleSentBack = "article.sent_back",
        /// An article was not published at its time, because of its review.
        ArticleHeld = "article.held",
        /// A held article is published after all: its approval came.
        ArticleReleased = "article.released",
        /// The deadline of an approval passed without a decision.
        ApprovalExpired = "approval.expired",
        /// A task failed.
        TaskFailed = "task.failed",
        /// A task was later than its grace, or not approved in time.
        TaskMissed = "task.missed",
        /// The draft of a post is made on the other site.
        PostPrepared = "post.prepared",
        /// A post is asked for on the other site, as readers do.
        PostSeen = "post.seen",
        /// Test message requested by an admin.
        Test = "test",
        /// A message of a program, sent as it is.
        Message = "message",
    }
}

impl ChannelEvent {
    /// Events to which a channel can subscribe.
    pub const CHOICES: [Self; 17] = [
        Self::ArticlePublished,
        Self::ArticleUpdated,
        Self::ArticleUnpublished,
        Self::MeetingRequested,
        Self::MeetingConfirmed,
        Self::MeetingChanged,
        Self::MeetingStarted,
        Self::MeetingEnded,
        Self::MeetingCancelled,
        Self::ArticleSubmitted,
        Self::ArticleApproved,
        Self::ArticleSentBack,
        Self::ArticleHeld,
        Self::ArticleReleased,
        Self::ApprovalExpired,
        Self::TaskFailed,
        Self::TaskMissed,
    ];
    /// Events to which a new channel subscribes.
    pub const INITIAL: [Self; 3] = [Self::ArticlePublished, Self::ArticleUpdated, Self::ArticleUnpublished];
}

string_enum! {
    /// What to do when the response to a message was lost, so that it may or may not have arrived.
    OnUnknownOutcome {
        /// Send it again, with the same id.
        Retry = "retry",
        /// Hold it until an admin decides.
        Hold = "hold",
    }
}

/// A channel as admins see it. Its secret is never returned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Channel {
    /// Id of the channel.
    pub id: ChannelId,
    /// Settings that an admin may change.
    pub settings: ChannelSettings,
    /// Whether a secret is stored for it.
    pub has_secret: bool,
    /// Whether it sends.
    pub state: ChannelState,
    /// How far its deletion is; `None`: it is not being deleted.
    pub deletion: Option<DeletionProgress>,
    /// The admin who paused it; `None`: it is not paused.
    pub paused_by: Option<AccountId>,
    /// Until when messages also carry a signature made with the previous secret; `None`: only the
    /// current one signs.
    pub rotating_until: Option<Timestamp>,
    /// Statistics of recent deliveries.
    pub health: ChannelHealth,
    /// When it was created.
    pub created_at: Timestamp,
}

/// How far the deletion of a channel with many waiting messages is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeletionProgress {
    /// Number of messages that are still to be cancelled.
    pub remaining: u64,
    /// Number of messages that waited when the deletion began.
    pub total: u64,
}

string_enum! {
    /// What a channel does, as shown to users. Only deliveries and decisions of an admin about the
    /// channel itself change it.
    ChannelCondition {
        /// Its last attempt delivered a message.
        Delivering = "delivering",
        /// Its last attempts failed.
        Failing = "failing",
        /// Paused by an admin.
        Paused = "paused",
        /// The receiver reported that it is gone for good.
        SwitchedOff = "switched_off",
        /// Being deleted by an admin.
        Deleting = "deleting",
        /// Nothing was ever sent.
        NeverUsed = "never_used",
        /// Messages were sent, and none was accepted or refused as a whole yet.
        NothingDelivered = "nothing_delivered",
    }
}

impl Channel {
    /// Whether it sends messages; otherwise it publishes articles on another site.
    #[must_use]
    pub const fn sends_messages(&self) -> bool {
        !self.settings.endpoint.transport().publishes_posts()
    }

    /// Returns what it does.
    #[must_use]
    pub const fn condition(&self) -> ChannelCondition {
        let health = &self.health;
        match self.state {
            ChannelState::Off => ChannelCondition::SwitchedOff,
            ChannelState::Deleting => ChannelCondition::Deleting,
            ChannelState::Paused => ChannelCondition::Paused,
            ChannelState::Active if health.is_failing() => ChannelCondition::Failing,
            ChannelState::Active if health.succeeded_at.is_some() => ChannelCondition::Delivering,
            ChannelState::Active if health.has_attempts => ChannelCondition::NothingDelivered,
            ChannelState::Active => ChannelCondition::NeverUsed,
        }
    }
}

/// Settings of a channel, as an admin enters them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelSettings {
    /// Display name.
    pub name: String,
    /// Where messages are sent. The transport cannot be changed later.
    pub endpoint: Endpoint,
    /// Events that it sends.
    pub events: Vec<ChannelEvent>,
    /// Delays after which a failed message is sent again.
    pub retry_schedule: RetrySchedule,
    /// What to do when the outcome of an attempt is unknown.
    pub on_unknown_outcome: OnUnknownOutcome,
    /// Maximum number of messages in flight at the same time.
    pub concurrency: u16,
    /// Which of the channels with due messages send first.
    pub priority: Priority,
    /// Maximum number of attempts in a period, evenly spaced; `None`: no limit.
    pub rate: Option<u16>,
    /// That period.
    pub rate_per: RatePeriod,
}

impl ChannelSettings {
    /// Returns the initial settings for a transport: no name, no address, the events of articles. An unknown
    /// outcome holds the message where a duplicate would reach a person, who cannot detect it by
    /// its id. A channel that publishes posts does one thing at a time, in order, and looks at the site before it
    /// does anything again.
    #[must_use]
    pub fn initial(transport: Transport) -> Self {
        let publishes_posts = transport.publishes_posts();
        Self {
            name: String::new(),
            endpoint: Endpoint::initial(transport),
            events: if publishes_posts { Vec::new() } else { ChannelEvent::INITIAL.to_vec() },
            retry_schedule: RetrySchedule::standard(),
            on_unknown_outcome: if publishes_posts
                || matches!(transport, Transport::Webhook | Transport::Amqp)
            {
                OnUnknownOutcome::Retry
            } else {
                OnUnknownOutcome::Hold
            },
            concurrency: if publishes_posts { 1 } else { 4 },
            priority: Priority::Normal,
            rate: None,
            rate_per: RatePeriod::Second,
        }
    }

    /// Returns the part of the settings that says how it sends.
    #[must_use]
    pub const fn sending(&self) -> SendingSettings {
        let Self { concurrency, priority, rate, rate_per, .. } = *self;
        SendingSettings { concurrency, priority, rate, rate_per }
    }
}

/// A change of the settings of a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelEdit {
    /// The new settings.
    pub settings: ChannelSettings,
    /// The new secret; `None`: the stored one is kept, unless it would be sent to a different server.
    pub secret: Option<Secret>,
    /// The settings that the client saw: others are not overwritten. `None`: whatever they are.
    pub seen: Option<ChannelSettings>,
}

/// How a channel sends: a part of its [`ChannelSettings`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SendingSettings {
    /// Maximum number of messages in flight at the same time.
    pub concurrency: u16,
    /// Which of the channels with due messages send first.
    pub priority: Priority,
    /// Maximum number of attempts in a period; `None`: no limit.
    #[serde(default)]
    pub rate: Option<u16>,
    /// That period.
    pub rate_per: RatePeriod,
}

/// Statistics of a channel's deliveries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelHealth {
    /// Number of consecutive failed attempts.
    pub failures: u32,
    /// Nothing is sent before this time: too many attempts failed in a row, or the receiver asked
    /// for a delay (`Retry-After`). `None`: the circuit breaker is closed.
    pub breaker_open_until: Option<Timestamp>,
    /// When a message was last delivered.
    pub succeeded_at: Option<Timestamp>,
    /// When an attempt last failed.
    pub failed_at: Option<Timestamp>,
    /// Number of messages that are waiting or in flight.
    pub waiting: u64,
    /// Number of messages that need an admin's decision.
    pub unresolved: u64,
    /// Number of messages, without tests, that are waiting, in flight or held.
    pub undelivered: u64,
    /// Number of those that had a failed attempt.
    pub retried: u64,
    /// When the next attempt starts, not before the circuit breaker closes; `None`: none waits, or the
    /// channel is not active.
    pub next_at: Option<Timestamp>,
    /// HTTP or SMTP status of the last failed attempt.
    pub last_status: Option<u16>,
    /// Start of the last negative response, or the error.
    pub last_response_body: Option<String>,
    /// Whether any message was ever sent.
    pub has_attempts: bool,
}

impl ChannelHealth {
    /// Whether deliveries are failing now.
    #[must_use]
    pub const fn is_failing(&self) -> bool {
        self.failures > 0 || self.retried > 0
    }
}

/// A secret in memory. `Debug` does not print it, so that it cannot reach the log.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// A channel that was just created, or whose secret was just replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreatedChannel {
    /// The channel.
    pub channel: Channel,
    /// The generated secret, `whsec_…`, shown once. `None`: the transport has none, or an admin
    /// entered it.
    pub secret: Option<Secret>,
}
