//! When a review is decided by itself, and how.

use crate::{
    AccountId, Timestamp,
    meetings::{OpeningHours, after_open_time},
    series::ZoneRules,
    state::{ParseEnumError, string_enum},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Maximum deadline, in minutes: 90 days.
pub const MAX_DEADLINE_MINUTES: i32 = 90 * 24 * 60;

const MINUTE_MS: i64 = 60_000;

string_enum! {
    /// What happens when a deadline passes.
    DeadlineDecision {
        /// The text is sent back.
        SendBack = "send_back",
        /// The text is approved.
        Approve = "approve",
        /// The text waits on for a reviewer.
        Hold = "hold",
        /// The text waits on for one named reviewer.
        Escalate = "escalate",
    }
}

string_enum! {
    /// What the minutes after the submission count.
    DeadlineCount {
        /// Every minute.
        Clock = "clock",
        /// The minutes within the working hours of the desk.
        WorkingHours = "working_hours",
    }
}

/// When a review is decided by itself, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deadline {
    /// Minutes after the submission; `None`: does not count.
    #[serde(default)]
    pub after_submit: Option<i32>,
    /// What these minutes count.
    #[serde(default = "every_minute")]
    pub count: DeadlineCount,
    /// Minutes before the planned publication; `None`: does not count.
    #[serde(default)]
    pub before_publish: Option<i32>,
    /// What happens.
    pub decision: DeadlineDecision,
    /// For [`DeadlineDecision::Escalate`]: the reviewer.
    #[serde(default)]
    pub escalate_to: Option<AccountId>,
}

fn every_minute() -> DeadlineCount {
    DeadlineCount::Clock
}

impl Default for Deadline {
    fn default() -> Self {
        Self {
            after_submit: None,
            count: DeadlineCount::Clock,
            before_publish: None,
            decision: DeadlineDecision::Hold,
            escalate_to: None,
        }
    }
}

impl Deadline {
    /// Returns when a text submitted at `submitted` and planned for `planned` is decided by itself;
    /// `None`: never. It is never before `submitted`: a moment before the publication that has passed
    /// already is replaced by the publication. The minutes after the submission count within the
    /// hours; without any, all of them.
    pub(super) fn moment(
        &self,
        submitted: Timestamp,
        planned: Option<Timestamp>,
        (hours, zone): (&[OpeningHours], &dyn ZoneRules),
    ) -> Option<Timestamp> {
        let after = self
            .after_submit
            .map(|minutes| after_open_time(hours, submitted, i64::from(minutes) * MINUTE_MS, zone));
        let before = self.before_publish.zip(planned).map(|(minutes, planned)| {
            let at = planned.plus(-i64::from(minutes) * MINUTE_MS);
            if at > submitted { at } else { planned }
        });
        let before = before.filter(|at| *at > submitted);
        match (after, before) {
            (Some(after), Some(before)) => Some(after.min(before)),
            (after, before) => after.or(before),
        }
    }
}
