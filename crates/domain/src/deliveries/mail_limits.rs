//! Limits of mails to addresses outside the desk: those that no account has.

use crate::{
    AccountId, DeliveryId, LocalizedTime, Timestamp,
    state::{ParseEnumError, string_enum},
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt, str::FromStr};

pub use crate::error::problem::mail::MailProblem;

/// Milliseconds of a minute.
const MINUTE_MS: i64 = 60_000;
/// Milliseconds of an hour.
pub const HOUR_MS: i64 = 60 * MINUTE_MS;
/// Milliseconds of a day.
pub const DAY_MS: i64 = 24 * HOUR_MS;
/// Minimum time after which a held mail is tried again, milliseconds.
const MIN_HELD_MS: i64 = 1_000;
/// Highest value of a limit.
pub const MAX_MAIL_LIMIT: u32 = 1_000_000;

string_enum! {
    /// Who may set reminders for addresses outside the desk.
    OutsideReminders {
        /// Only admins.
        Admins = "admins",
        /// Every account.
        Everyone = "everyone",
    }
}

string_enum! {
    /// Why a mail is not sent now.
    HeldReason {
        /// Its account has sent as many as it may in a day.
        Account = "account",
        /// Its address has got as many as it may in an hour.
        Address = "address",
        /// The desk has sent as many as it may in a minute.
        Desk = "desk",
        /// Its address gets no mail from this desk. It is not sent at all.
        Blocked = "blocked",
    }
}

string_enum! {
    /// Order in which held mails are sent.
    #[derive(Default)]
    MailUrgency {
        /// Something does not take place.
        Cancellation = "cancellation",
        /// Something takes place at another time.
        NewTime = "new_time",
        /// All others.
        #[default]
        Other = "other",
    }
}

impl MailUrgency {
    /// Lower ones are sent first.
    #[must_use]
    pub const fn rank(self) -> i32 {
        match self {
            Self::Cancellation => 0,
            Self::NewTime => 1,
            Self::Other => 2,
        }
    }
}

/// The limits, as admins set them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailLimits {
    /// Maximum number of mails to outside addresses that an account causes in 24 hours.
    pub account_per_day: u32,
    /// Maximum number of mails to one outside address in an hour.
    pub address_per_hour: u32,
    /// Maximum number of mails to outside addresses in a minute.
    pub desk_per_minute: u32,
    /// Who may set reminders for outside addresses.
    pub outside_reminders: OutsideReminders,
}

impl Default for MailLimits {
    fn default() -> Self {
        Self {
            account_per_day: 200,
            address_per_hour: 20,
            desk_per_minute: 600,
            outside_reminders: OutsideReminders::Admins,
        }
    }
}

/// How many mails were sent in the time that a limit looks at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SentMails {
    /// Their number.
    pub count: u32,
    /// When the first of them was sent; `None`: there is none.
    pub first_at: Option<Timestamp>,
}

/// How many mails were sent, for each limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MailUsage {
    /// By the account in the last day.
    pub account: SentMails,
    /// To the address in the last hour.
    pub address: SentMails,
    /// By the desk in the last minute.
    pub desk: SentMails,
}

impl MailLimits {
    /// Returns the limit that holds one more mail now, and until when; `None`: it may be sent.
    #[must_use]
    pub fn hold(&self, usage: &MailUsage, now: Timestamp) -> Option<(HeldReason, Timestamp)> {
        let reached = |sent: SentMails, limit: u32, window_ms: i64, reason| {
            let free_at = sent.first_at.unwrap_or(now).plus(window_ms);
            (sent.count >= limit).then(|| (reason, free_at.max(now.plus(MIN_HELD_MS))))
        };
        let all = [
            reached(usage.account, self.account_per_day, DAY_MS, HeldReason::Account),
            reached(usage.address, self.address_per_hour, HOUR_MS, HeldReason::Address),
            reached(usage.desk, self.desk_per_minute, MINUTE_MS, HeldReason::Desk),
        ];
        all.into_iter().flatten().max_by_key(|(_, until)| *until)
    }
}

/// The moments at which mails to outside addresses were sent or are planned.
#[derive(Debug, Clone, Default)]
pub struct PlannedMails {
    /// By address, in order.
    times: BTreeMap<String, Vec<Timestamp>>,
}

/// A mail that is planned, or gets another moment or address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MailMove<'a> {
    /// Address and moment that are stored; `None`: it is not planned yet.
    pub from: Option<(&'a str, Timestamp)>,
    /// Address and moment to come.
    pub to: (&'a str, Timestamp),
}

impl PlannedMails {
    /// Adds a mail.
    pub fn add(&mut self, address: &str, at: Timestamp) {
        let times = self.times.entry(address.to_owned()).or_default();
        times.insert(times.partition_point(|time| *time <= at), at);
    }

    /// Removes a mail, if there is one.
    fn remove(&mut self, address: &str, at: Timestamp) -> bool {
        let Some(times) = self.times.get_mut(address) else { return false };
        let found = times.binary_search(&at);
        found.map(|index| times.remove(index)).is_ok()
    }

    /// Returns the highest number of mails to an address within one hour that contains `at`.
    #[must_use]
    pub fn most_in_an_hour(&self, address: &str, at: Timestamp) -> usize {
        let Some(times) = self.times.get(address) else { return 0 };
        let first = |from: Timestamp| times.partition_point(|time| *time < from);
        let starts = times[first(at.plus(1 - HOUR_MS))..first(at.plus(1))].iter().copied().chain([at]);
        starts.map(|start| first(start.plus(HOUR_MS)) - first(start)).max().unwrap_or_default()
    }

    /// Makes the moves one after the other and returns which of them are refused: their address would get more
    /// than `limit` mails within an hour. What moves later is moved from the end, and what moves earlier from the
    /// beginning, so that a shift of many mails is not in its own way.
    pub fn apply(&mut self, moves: &[MailMove<'_>], limit: u32) -> Vec<bool> {
        let max = usize::try_from(limit).unwrap_or(usize::MAX);
        let order_of = |one: &MailMove<'_>| match one.from {
            Some((_, from)) if from < one.to.1 => (0, -from.millis()),
            Some((_, from)) => (1, from.millis()),
            None => (2, one.to.1.millis()),
        };
        let mut order: Vec<usize> = (0..moves.len()).collect();
        order.sort_by_key(|index| order_of(&moves[*index]));
        let mut refused = vec![false; moves.len()];
        for index in order {
            let MailMove { from, to: (address, at) } = moves[index];
            let was = from.filter(|(address, at)| self.remove(address, *at));
            if self.most_in_an_hour(address, at) < max {
                self.add(address, at);
                continue;
            }
            refused[index] = true;
            if let Some((address, at)) = was {
                self.add(address, at);
            }
        }
        refused
    }
}

/// A mail that is held, or that is not sent because its address is blocked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldMail {
    /// Its delivery.
    pub delivery_id: DeliveryId,
    /// Its address.
    pub address: String,
    /// The account that caused it.
    pub account_id: AccountId,
    /// Name of that account; `None`: it was deleted.
    pub account: Option<String>,
    /// Subject of the mail.
    pub subject: String,
    /// Why it is not sent now.
    pub reason: HeldReason,
    /// Since when.
    pub held: LocalizedTime,
    /// When it is tried again; `None`: it is not sent.
    pub until: Option<LocalizedTime>,
}

/// An address that gets no mail from the desk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockedAddress {
    /// The address.
    pub address: String,
    /// Since when.
    pub blocked: LocalizedTime,
    /// Name of the admin who entered it; `None`: its owner asked for it.
    pub by: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    fn sent(count: u32, first_at: i64) -> SentMails {
        SentMails { count, first_at: Some(at(first_at)) }
    }

    #[test]
    fn a_limit_holds_a_mail_until_its_oldest_mail_is_out_of_the_window() {
        let (limits, now) = (MailLimits::default(), at(100 * HOUR_MS));
        let free = MailUsage::default();
        assert_eq!(limits.hold(&free, now), None);
        let below = MailUsage { account: sent(199, 0), address: sent(19, 0), desk: sent(599, 0) };
        assert_eq!(limits.hold(&below, now), None);
        let first = now.millis() - 30 * MINUTE_MS;
        let address = MailUsage { address: sent(20, first), ..free };
        assert_eq!(limits.hold(&address, now), Some((HeldReason::Address, now.plus(30 * MINUTE_MS))));
        let both = MailUsage { account: sent(200, first), ..address };
        assert_eq!(limits.hold(&both, now), Some((HeldReason::Account, at(first).plus(DAY_MS))));
        let desk = MailUsage { desk: sent(600, now.millis() - MINUTE_MS + 1), ..free };
        assert_eq!(limits.hold(&desk, now), Some((HeldReason::Desk, now.plus(MIN_HELD_MS))));
        let closed = MailLimits { account_per_day: 0, ..limits };
        assert_eq!(closed.hold(&free, now), Some((HeldReason::Account, now.plus(DAY_MS))));
    }

    fn planned(times: &[i64]) -> PlannedMails {
        let mut planned = PlannedMails::default();
        times.iter().rev().for_each(|time| planned.add("anna@example.org", at(*time)));
        planned
    }

    #[test]
    fn an_hour_is_any_hour() {
        let mails = planned(&[0, 10, HOUR_MS - 1, HOUR_MS, HOUR_MS + 20]);
        let most = |millis: i64| mails.most_in_an_hour("anna@example.org", at(millis));
        assert_eq!(most(5), 3);
        assert_eq!(most(HOUR_MS + 5), 3, "from 10 on");
        assert_eq!(most(3 * HOUR_MS), 0);
        assert_eq!(mails.most_in_an_hour("ben@example.org", at(5)), 0);
    }

    #[test]
    fn a_shift_of_many_mails_is_not_in_its_own_way() {
        let times = [0, 1, HOUR_MS, HOUR_MS + 1, 2 * HOUR_MS, 2 * HOUR_MS + 1];
        for by in [HOUR_MS, -HOUR_MS, HOUR_MS / 2, 1, -1] {
            let moves = times.map(|time| MailMove {
                from: Some(("anna@example.org", at(time))),
                to: ("anna@example.org", at(time + by)),
            });
            assert_eq!(planned(&times).apply(&moves, 2), [false; 6], "by {by}");
        }
    }

    #[test]
    fn mails_beyond_the_limit_of_an_hour_stay_where_they_are() {
        let mut mails = planned(&[0, 1, 5 * HOUR_MS]);
        let address = "anna@example.org";
        let to = |millis: i64, to: i64| MailMove { from: Some((address, at(millis))), to: (address, at(to)) };
        let moves = [to(0, 5 * HOUR_MS), to(1, 5 * HOUR_MS), MailMove { from: None, to: (address, at(2)) }];
        assert_eq!(mails.apply(&moves, 2), [true, false, false]);
        assert_eq!(
            (mails.most_in_an_hour(address, at(0)), mails.most_in_an_hour(address, at(5 * HOUR_MS))),
            (2, 2)
        );
    }
}
