//! Attention: the causes that need a person's decision, each with a message and the items it is
//! about.

use crate::{
    ChannelId, Timestamp,
    state::{ParseEnumError, string_enum},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use uuid::Uuid;

/// Maximum number of items listed for one cause.
pub const MAX_ITEMS: usize = 50;

string_enum! {
    /// Why something needs a person. The strings are stable: programs read them.
    AttentionCause {
        /// A task could not be executed.
        TaskFailed = "task_failed",
        /// A task was found later than its grace allows.
        TaskMissed = "task_missed",
        /// A task is due and has not been executed.
        TaskOverdue = "task_overdue",
        /// A task would have replaced a newer public text by an older one, and was stopped.
        TextOlder = "text_older",
        /// Newer time-zone data changed a task's instant, or made its local time ambiguous or
        /// nonexistent.
        ZoneData = "zone_data",
        /// A message was permanently refused, or every attempt failed.
        DeliveryFailed = "delivery_failed",
        /// A message may have arrived: the response was lost.
        DeliveryUnconfirmed = "delivery_unconfirmed",
        /// A channel does not accept messages; they are retried.
        ChannelFailing = "channel_failing",
        /// The receiver has asked for a delay of more than an hour.
        ChannelDelayed = "channel_delayed",
        /// A channel was disabled because its receiver reported that it is gone for good.
        ChannelOff = "channel_off",
        /// All deliveries are held until an admin confirms.
        DeliveriesHeld = "deliveries_held",
    }
}

string_enum! {
    /// Severity of a cause.
    Severity {
        /// Scheduled work is not done.
        Error = "error",
        /// A decision is needed.
        Warning = "warning",
        /// For information only.
        Info = "info",
    }
}

impl AttentionCause {
    /// Whether it is about whole channels, not about single tasks or messages.
    #[must_use]
    pub const fn is_about_channels(self) -> bool {
        matches!(self, Self::ChannelFailing | Self::ChannelDelayed | Self::ChannelOff | Self::DeliveriesHeld)
    }

    /// Severity of this cause.
    #[must_use]
    pub const fn severity(self) -> Severity {
        match self {
            Self::TaskFailed | Self::TaskMissed | Self::TaskOverdue => Severity::Error,
            Self::DeliveryFailed | Self::ChannelFailing | Self::ChannelOff => Severity::Error,
            Self::TextOlder | Self::ZoneData | Self::DeliveryUnconfirmed => Severity::Warning,
            Self::ChannelDelayed | Self::DeliveriesHeld => Severity::Warning,
        }
    }
}

/// A task, delivery or channel that needs attention.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// Id; `None`: the engine.
    pub id: Option<Uuid>,
    /// `task`, `delivery`, `channel`, `engine`.
    pub kind: String,
    /// Title.
    pub title: String,
    /// Path of its page.
    pub path: String,
}

/// All items that have one cause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttentionEntry {
    /// The cause.
    pub cause: AttentionCause,
    /// The problem in one line, in the caller's language.
    pub title: String,
    /// The problem and its consequence, in the caller's language.
    pub message: String,
    /// Exact number of items; those of one channel are counted up to 10,001.
    pub count: u64,
    /// When it began.
    pub since: Option<Timestamp>,
    /// The channel it is about, if it is about one.
    pub channel: Option<ChannelId>,
    /// The newest items, at most [`MAX_ITEMS`].
    pub items: Vec<Item>,
}
