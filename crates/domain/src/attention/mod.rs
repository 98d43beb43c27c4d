//! Attention: the causes that need a person's decision, each with a message and the items it is
//! about.

pub mod use_cases;

use crate::{
    ChannelId, LocalizedTime, Timestamp,
    delivery::{Answer, DeliveryRow},
    state::{ParseEnumError, string_enum},
    task::TaskRow,
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
        /// The review holds a text whose time has come.
        TaskHeld = "task_held",
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
        /// Backups are not written, or the last one cannot be restored.
        BackupsFailing = "backups_failing",
        /// A request for a room is about to be decided by its deadline.
        MeetingExpiring = "meeting_expiring",
        /// The deadline of a request for a room has passed, and it waits for an admin.
        MeetingHeld = "meeting_held",
        /// A room was released because no user checked in; the meeting would still take place.
        MeetingReleased = "meeting_released",
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
    /// The cause of failed or missed tasks with this reason, if the review holds them.
    #[must_use]
    pub fn of_review(reason: &str) -> Option<Self> {
        use crate::task::reason::{NOT_APPROVED, WORDS_APPROVAL, WORDS_BLOCK};
        let item = crate::releases::read_blocked_reason(reason).map(|(problem, _)| problem.as_str());
        let is_held = [NOT_APPROVED, WORDS_APPROVAL, WORDS_BLOCK].contains(&item.unwrap_or(reason));
        is_held.then_some(Self::TaskHeld)
    }

    /// Whether it is about tasks, whose owners may act on them. Only admins act on the others.
    #[must_use]
    pub const fn is_about_tasks(self) -> bool {
        matches!(
            self,
            Self::TaskFailed
                | Self::TaskMissed
                | Self::TaskOverdue
                | Self::TextOlder
                | Self::TaskHeld
                | Self::ZoneData
        )
    }

    /// Whether it is about meetings, on which the users who see it may act.
    #[must_use]
    pub const fn is_about_meetings(self) -> bool {
        matches!(self, Self::MeetingExpiring | Self::MeetingHeld | Self::MeetingReleased)
    }

    /// Severity of this cause.
    #[must_use]
    pub const fn severity(self) -> Severity {
        match self {
            Self::TaskFailed | Self::TaskMissed | Self::TaskOverdue => Severity::Error,
            Self::DeliveryFailed | Self::ChannelFailing | Self::ChannelOff => Severity::Error,
            Self::TaskHeld | Self::BackupsFailing => Severity::Warning,
            Self::TextOlder | Self::ZoneData | Self::DeliveryUnconfirmed => Severity::Warning,
            Self::ChannelDelayed | Self::DeliveriesHeld => Severity::Warning,
            Self::MeetingExpiring | Self::MeetingHeld => Severity::Warning,
            Self::MeetingReleased => Severity::Info,
        }
    }
}

/// A task, delivery, channel or meeting that needs attention.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// Id; `None`: the engine.
    pub id: Option<Uuid>,
    /// `task`, `delivery`, `channel`, `meeting`, `engine`.
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
    /// Exact number of items; those of one channel are counted up to 10,001. 0: a channel whose
    /// messages all have entries of their own.
    pub count: u64,
    /// When it began.
    pub since: Option<Timestamp>,
    /// The channel it is about, if it is about one.
    pub channel: Option<ChannelId>,
    /// The newest items, at most [`MAX_ITEMS`].
    pub items: Vec<Item>,
}

/// Number of items on Attention of one user.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttentionCount {
    /// All items of the user.
    pub all: u64,
    /// Those of them on which only others can act.
    pub watched: u64,
}

/// The Attention page of one user.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AttentionPage {
    /// One card for each cause, most severe first.
    pub cards: Vec<AttentionCard>,
    /// When it was read.
    pub checked_at: Timestamp,
    /// Number of scheduled tasks, counted up to [`crate::engine::MAX_COUNTED`].
    pub scheduled: u64,
    /// Number of channels whose last attempt delivered a message.
    pub delivering: u64,
}

/// A cause, with the items that have it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AttentionCard {
    /// Names the group in requests: `missed:late`, `channel:ID`, `messages.failed:ID`.
    pub id: String,
    /// The cause.
    pub cause: AttentionCause,
    /// For tasks: a code, see [`crate::task::reason`]; for backups a
    /// [`crate::engine::backups::BackupProblem`].
    pub reason: String,
    /// Id and name of the channel, if it is about one.
    pub channel: Option<(ChannelId, String)>,
    /// Whether that channel was deleted.
    pub is_deleted: bool,
    /// Last failed response of the receiver; only for admins.
    pub answer: Answer,
    /// When it began.
    pub since: Option<LocalizedTime>,
    /// When the next attempt may start.
    pub next_at: Option<Timestamp>,
    /// Number of items.
    pub total: u64,
    /// Number of items that the user may act on.
    pub changeable: u64,
    /// Number of its messages that are not sent any more.
    pub failed: u64,
    /// Number of its messages that failed and are sent again.
    pub retried: u64,
    /// The newest tasks.
    pub tasks: Vec<TaskRow>,
    /// The newest messages.
    pub deliveries: Vec<DeliveryRow>,
    /// The next meetings.
    pub meetings: Vec<CardMeeting>,
}

/// A meeting on a card.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CardMeeting {
    /// Id.
    pub id: Uuid,
    /// Title.
    pub title: String,
    /// When the request is decided by itself, or when the meeting would end.
    pub at: LocalizedTime,
}
