//! What needs a person: every cause with its sentence and what it is about.

use crate::{
    ChannelId, Timestamp,
    state::{UnknownWord, words},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use uuid::Uuid;

/// Maximum number of items that are listed of one cause.
pub const ITEMS_MAX: usize = 50;

words! {
    /// Why something needs a person. Stable: programs read these words.
    Cause {
        /// A task could not happen.
        TaskFailed = "task_failed",
        /// A task was found later than its grace allows.
        TaskMissed = "task_missed",
        /// A task is due and has not happened.
        TaskOverdue = "task_overdue",
        /// A task would have replaced a newer public text by an older one, and was held.
        TextOlder = "text_older",
        /// Newer time-zone data gave a task another instant, or made its local time happen twice or never.
        ZoneData = "zone_data",
        /// A message was refused for good, or at every attempt.
        DeliveryFailed = "delivery_failed",
        /// A message may have arrived: the answer was lost.
        DeliveryUnconfirmed = "delivery_unconfirmed",
        /// A channel does not take messages; they are tried again.
        ChannelFailing = "channel_failing",
        /// The receiver has asked for a wait of more than an hour.
        ChannelResting = "channel_resting",
        /// A channel was switched off because its receiver said that it is gone for good.
        ChannelOff = "channel_off",
        /// All messages are held until an admin confirms.
        DeliveriesHeld = "deliveries_held",
    }
}

words! {
    /// How bad it is.
    Severity {
        /// Something that was promised does not happen.
        Error = "error",
        /// Something waits for a decision.
        Warning = "warning",
        /// For information.
        Info = "info",
    }
}

impl Cause {
    /// Whether it is about channels as a whole, and not about single tasks or messages.
    #[must_use]
    pub const fn is_of_channels(self) -> bool {
        matches!(self, Self::ChannelFailing | Self::ChannelResting | Self::ChannelOff | Self::DeliveriesHeld)
    }

    /// How bad it is.
    #[must_use]
    pub const fn severity(self) -> Severity {
        match self {
            Self::TaskFailed | Self::TaskMissed | Self::TaskOverdue => Severity::Error,
            Self::DeliveryFailed | Self::ChannelFailing | Self::ChannelOff => Severity::Error,
            Self::TextOlder | Self::ZoneData | Self::DeliveryUnconfirmed => Severity::Warning,
            Self::ChannelResting | Self::DeliveriesHeld => Severity::Warning,
        }
    }
}

/// One of the things that have a cause in common.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// Identity; `None`: the engine.
    pub id: Option<Uuid>,
    /// `task`, `delivery`, `channel`, `engine`.
    pub kind: String,
    /// What it is called.
    pub title: String,
    /// Its page.
    pub path: String,
}

/// Everything that has one cause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The cause.
    pub cause: Cause,
    /// What is wrong, in one line, in the language of the asker.
    pub title: String,
    /// What is wrong and what follows from it, in the language of the asker.
    pub message: String,
    /// How many things it is about, exactly; those of one channel are counted up to 10,001.
    pub count: u64,
    /// Since when.
    pub since: Option<Timestamp>,
    /// The channel it is about.
    pub channel: Option<ChannelId>,
    /// The newest of them, at most [`ITEMS_MAX`].
    pub items: Vec<Item>,
}
