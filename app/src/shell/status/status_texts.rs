//! The state of the desk as texts, the same in the navigation and in the banner.

use crate::live::desk_status::DeskStatus;
use domain::{
    LocalizedTime, Timestamp,
    time::{WallClockTime, wall_clock_time},
};
pub use texts::layout::status::StatusTexts;
use texts::{Language, engine::health::HealthTexts, time};

impl DeskStatus {
    /// Names the state. `zone`: the user's time zone.
    #[must_use]
    pub fn label(self, texts: StatusTexts, zone: &str, now: Timestamp) -> String {
        let clock = |since| since_text(texts.0, since, zone, now);
        match self {
            Self::Live => texts.live().to_owned(),
            Self::LoggedOut => texts.logged_out().to_owned(),
            Self::Offline { since } => texts.offline(clock(since)),
            Self::Silent { since } => texts.silent(clock(since)),
            Self::Paused { since, .. } => texts.paused(clock(since)),
            Self::Overdue => texts.overdue().to_owned(),
            Self::Blocked(_) => texts.blocked().to_owned(),
            Self::Degraded(_) => texts.degraded().to_owned(),
            Self::ChannelsFailing { count, .. } => texts.channels_failing(count),
        }
    }

    /// Says what the state means for the user; `None`: everything works.
    #[must_use]
    pub fn hint(self, texts: StatusTexts, zone: &str, now: Timestamp) -> Option<String> {
        let hint = match self {
            Self::Live => return None,
            Self::LoggedOut => texts.logged_out_hint(),
            Self::Offline { .. } => texts.offline_hint(),
            Self::Silent { .. } => texts.silent_hint(),
            Self::Paused { until, is_mine, .. } => {
                return Some(
                    texts.pause_hint(until.map(|until| since_text(texts.0, until, zone, now)), is_mine),
                );
            }
            Self::Overdue => texts.overdue_hint(),
            Self::ChannelsFailing { are_retried: true, .. } => texts.channels_retried(),
            Self::ChannelsFailing { are_retried: false, .. } => texts.channels_stopped(),
            Self::Blocked(issue) | Self::Degraded(issue) => HealthTexts(texts.0).summary(issue),
        };
        Some(hint.to_owned())
    }
}

/// `14:20 Berlin`, on another day with the date.
fn since_text(language: Language, since: LocalizedTime, zone: &str, now: Timestamp) -> String {
    let (then, today) = (since.viewer_time(), wall_clock_time(now, since.viewer_offset));
    if (then.year, then.month, then.day) == (today.year, today.month, today.day) {
        let clock = time::clock(WallClockTime { second: 0, ..then });
        time::placed_clock(language, &clock, &time::place(language, zone))
    } else {
        let whole_minute = Timestamp::from_millis(since.at.millis().div_euclid(60_000) * 60_000);
        time::moment(language, LocalizedTime { at: whole_minute, ..since }, zone, now)
    }
}

#[cfg(test)]
mod tests {
    use crate::shell::status::status_texts::*;
    use domain::health::HealthIssueKind;

    fn states() -> [DeskStatus; 10] {
        let at = "2026-06-09T12:20:31Z".parse().unwrap();
        let since = LocalizedTime::new(at, 120, 120);
        [
            DeskStatus::LoggedOut,
            DeskStatus::Offline { since },
            DeskStatus::Blocked(HealthIssueKind::DatabaseFull),
            DeskStatus::Silent { since },
            DeskStatus::Paused { since, until: None, is_mine: false },
            DeskStatus::Overdue,
            DeskStatus::ChannelsFailing { count: 1, are_retried: true },
            DeskStatus::ChannelsFailing { count: 2, are_retried: false },
            DeskStatus::Degraded(HealthIssueKind::HintStoreSlow),
            DeskStatus::Live,
        ]
    }

    #[test]
    fn every_state_has_a_text_of_its_own_in_all_languages() {
        let now = "2026-06-09T20:00:00Z".parse().unwrap();
        for language in Language::ALL.iter().copied() {
            let texts = StatusTexts(language);
            let labels = states().map(|state| state.label(texts, "Europe/Berlin", now));
            let distinct: std::collections::HashSet<_> = labels.iter().collect();
            assert_eq!(distinct.len(), labels.len(), "{labels:?}");
            let has_han = labels.iter().all(|label| label.chars().any(|letter| letter > '\u{2e7f}'));
            assert_eq!(has_han, language == Language::Zh, "{labels:?}");
            let silent =
                states().into_iter().filter(|state| state.hint(texts, "Europe/Berlin", now).is_none());
            assert_eq!(silent.collect::<Vec<_>>(), [DeskStatus::Live]);
        }
    }

    #[test]
    fn a_pause_names_who_paused_and_its_end() {
        let at = |text: &str| {
            let at = text.parse().unwrap();
            LocalizedTime::new(at, 120, 120)
        };
        let now = "2026-06-09T12:30:00Z".parse().unwrap();
        let hint = |language, until, is_mine| {
            let status = DeskStatus::Paused { since: at("2026-06-09T12:20:31Z"), until, is_mine };
            status.hint(StatusTexts(language), "Europe/Berlin", now).unwrap()
        };
        let end = Some(at("2026-06-09T14:00:00Z"));
        assert_eq!(hint(Language::En, end, true), "You paused it. Nothing is published until 16:00 Berlin.");
        assert_eq!(
            hint(Language::En, None, false),
            "An admin paused it. Nothing is published until it is resumed."
        );
        assert_eq!(hint(Language::Zh, end, true), "由你暂停。16:00（柏林）之前不会发布任何内容。");
    }

    #[test]
    fn a_state_of_another_day_has_its_date() {
        let [_, offline, ..] = states();
        let label =
            |now: &str| offline.label(StatusTexts(Language::En), "Europe/Berlin", now.parse().unwrap());
        assert_eq!(label("2026-06-09T21:59:59Z"), "Offline since 14:20 Berlin");
        assert_eq!(label("2026-06-09T22:00:00Z"), "Offline since Tue 9 Jun, 14:20 Berlin");
    }
}
