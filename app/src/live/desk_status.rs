//! What every page says about the desk: in the navigation, in the banner and on Attention. One
//! state at a time: the one that decides what the user can rely on.

use domain::{
    AccountId, LocalizedTime,
    engine::EngineStatus,
    health::{HealthIssueKind, Severity},
};

/// Age of the engine's last heartbeat from which it counts as silent, in milliseconds. The engine
/// writes it at least once a second, and the page checks once a second.
pub const SILENT_AFTER_MS: i64 = 3_500;

/// What is known about the desk.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    /// Whether the server said that the session is over.
    pub is_logged_out: bool,
    /// Whether the server has not answered for a while.
    pub is_offline: bool,
    /// The last heartbeat.
    pub heartbeat: &'a EngineStatus,
    /// The user; `None`: no account is logged in.
    pub user: Option<AccountId>,
    /// Whether the user is an admin.
    pub is_admin: bool,
}

/// State of the desk. The variants are in the order in which they are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeskStatus {
    /// The session is over: nothing is shown or saved any more.
    LoggedOut,
    /// This device does not reach the server. What the engine does is unknown.
    Offline {
        /// When the server last answered.
        since: LocalizedTime,
    },
    /// A health issue stops publishing.
    Blocked(HealthIssueKind),
    /// The server answers, but the engine's last heartbeat is too old.
    Silent {
        /// When it last did.
        since: LocalizedTime,
    },
    /// An admin has paused publishing.
    Paused {
        /// When the pause began.
        since: LocalizedTime,
        /// When it ends by itself; `None`: an admin resumes publishing.
        until: Option<LocalizedTime>,
        /// Whether the user paused it.
        is_mine: bool,
    },
    /// The engine runs, but tasks are overdue.
    Overdue,
    /// A health issue that does not stop publishing; only admins can act on it.
    Degraded(HealthIssueKind),
    /// Channels do not deliver messages; only admins can act on it.
    ChannelsFailing {
        /// Number of channels.
        count: u64,
        /// Whether all of them send their messages again.
        are_retried: bool,
    },
    /// Everything works.
    Live,
}

impl DeskStatus {
    /// Returns the state of the desk. What is known about the engine does not count while the
    /// server does not answer.
    #[must_use]
    pub fn of(facts: Facts<'_>) -> Self {
        let beat = facts.heartbeat;
        let offset = beat.heartbeat_offset;
        let local = |at| LocalizedTime::new(at, offset, offset);
        match (beat.issue, beat.paused_since) {
            _ if facts.is_logged_out => Self::LoggedOut,
            _ if facts.is_offline => Self::Offline { since: local(beat.now) },
            (Some(issue), _) if issue.severity() == Severity::Blocking => Self::Blocked(issue),
            _ if beat.now.since(beat.heartbeat_at) > SILENT_AFTER_MS => {
                Self::Silent { since: local(beat.heartbeat_at) }
            }
            (_, Some(since)) => {
                let is_mine = facts.user.is_some() && beat.paused_by == facts.user;
                Self::Paused { since, until: beat.paused_until, is_mine }
            }
            _ if !beat.is_healthy => Self::Overdue,
            (Some(issue), _) if facts.is_admin => Self::Degraded(issue),
            _ if facts.is_admin && beat.failing_channels > 0 => Self::ChannelsFailing {
                count: beat.failing_channels,
                are_retried: beat.stopped_channels == 0,
            },
            _ => Self::Live,
        }
    }

    /// Name in the markup.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::LoggedOut => "logged-out",
            Self::Offline { .. } => "offline",
            Self::Blocked(_) => "blocked",
            Self::Silent { .. } => "silent",
            Self::Paused { .. } => "paused",
            Self::Overdue => "overdue",
            Self::Degraded(_) => "degraded",
            Self::ChannelsFailing { .. } => "channels-failing",
            Self::Live => "live",
        }
    }

    /// Whether the page with this path says the same in its own words: Today has a card with the remedy, and the engine page
    /// what is wrong. What stops publishing unexpectedly is said on every page.
    #[must_use]
    pub fn is_said_on(self, path: &str) -> bool {
        match self {
            Self::Overdue => path == "/",
            Self::ChannelsFailing { .. } => path == "/" || path.starts_with("/settings/channels"),
            Self::Paused { .. } | Self::Degraded(_) => path == "/engine",
            Self::LoggedOut | Self::Offline { .. } | Self::Blocked(_) | Self::Silent { .. } | Self::Live => {
                false
            }
        }
    }

    /// Whether publishing has stopped or is late.
    #[must_use]
    pub const fn is_critical(self) -> bool {
        matches!(self, Self::Blocked(_) | Self::Silent { .. } | Self::Overdue)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Timestamp;

    const BLOCKING: HealthIssueKind = HealthIssueKind::DatabaseFull;
    const DEGRADED: HealthIssueKind = HealthIssueKind::HintStoreSlow;
    const USER: AccountId = AccountId(uuid::Uuid::nil());

    fn moment(ms: i64) -> LocalizedTime {
        LocalizedTime::new(Timestamp::from_millis(ms), 60, 60)
    }

    fn paused() -> DeskStatus {
        DeskStatus::Paused { since: moment(50_000), until: Some(moment(200_000)), is_mine: true }
    }

    /// Everything that can be true or false at once: one bit each.
    #[derive(Debug, Clone, Copy)]
    struct Bits(u32);

    impl Bits {
        fn has(self, bit: u32) -> bool {
            self.0 & (1 << bit) != 0
        }

        fn issue(self) -> Option<HealthIssueKind> {
            match (self.has(2), self.has(7)) {
                (true, _) => Some(BLOCKING),
                (false, true) => Some(DEGRADED),
                (false, false) => None,
            }
        }

        fn status(self) -> DeskStatus {
            let heartbeat = EngineStatus {
                now: Timestamp::from_millis(100_000),
                heartbeat_at: Timestamp::from_millis(if self.has(3) { 96_499 } else { 96_500 }),
                heartbeat_offset: 60,
                paused_since: self.has(4).then(|| moment(50_000)),
                paused_until: self.has(4).then(|| moment(200_000)),
                paused_by: self.has(4).then_some(USER),
                failing_channels: u64::from(self.has(6)) * 2,
                stopped_channels: 0,
                are_deliveries_held: false,
                is_healthy: !self.has(5),
                attention: 0,
                attention_watched: 0,
                issue: self.issue(),
            };
            DeskStatus::of(Facts {
                is_logged_out: self.has(0),
                is_offline: self.has(1),
                heartbeat: &heartbeat,
                user: Some(USER),
                is_admin: self.has(8),
            })
        }

        /// The states that hold, most important first.
        fn expected(self) -> DeskStatus {
            let admin = self.has(8);
            let states = [
                (self.has(0), DeskStatus::LoggedOut),
                (self.has(1), DeskStatus::Offline { since: moment(100_000) }),
                (self.has(2), DeskStatus::Blocked(BLOCKING)),
                (self.has(3), DeskStatus::Silent { since: moment(96_499) }),
                (self.has(4), paused()),
                (self.has(5), DeskStatus::Overdue),
                (admin && self.has(7), DeskStatus::Degraded(DEGRADED)),
                (admin && self.has(6), DeskStatus::ChannelsFailing { count: 2, are_retried: true }),
                (true, DeskStatus::Live),
            ];
            states.into_iter().find(|(holds, _)| *holds).unwrap().1
        }
    }

    #[test]
    fn every_combination_has_the_state_that_decides() {
        let mut seen = std::collections::HashSet::new();
        for bits in (0..1 << 9).map(Bits) {
            assert_eq!(bits.status(), bits.expected(), "{bits:?}");
            seen.insert(bits.status().name());
        }
        assert_eq!(seen.len(), 9, "every state was reached under a name of its own");
    }

    #[test]
    fn a_line_that_is_lost_says_nothing_about_the_engine() {
        for bits in (0..1 << 9).map(Bits).filter(|bits| bits.has(1)) {
            assert!(!bits.status().is_critical(), "{bits:?}");
        }
    }

    #[test]
    fn a_page_that_says_the_same_does_not_repeat_it() {
        let failing = DeskStatus::ChannelsFailing { count: 1, are_retried: true };
        let said = |status: DeskStatus| {
            ["/", "/articles", "/settings/channels/7", "/engine"].map(|path| status.is_said_on(path))
        };
        assert_eq!(said(failing), [true, false, true, false]);
        assert_eq!(said(DeskStatus::Overdue), [true, false, false, false]);
        assert_eq!(said(paused()), [false, false, false, true]);
        assert_eq!(said(DeskStatus::Degraded(DEGRADED)), [false, false, false, true]);
        for status in [DeskStatus::LoggedOut, DeskStatus::Blocked(BLOCKING)] {
            assert_eq!(said(status), [false; 4], "{status:?}");
        }
    }

    #[test]
    fn a_creator_is_not_shown_what_only_an_admin_can_change() {
        for bits in (0..1 << 9).map(Bits).filter(|bits| !bits.has(8)) {
            assert!(!matches!(bits.status(), DeskStatus::ChannelsFailing { .. } | DeskStatus::Degraded(_)));
        }
    }
}
