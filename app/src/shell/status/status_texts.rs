//! The state of the desk as texts, the same in the navigation and in the banner.

use crate::live::desk_status::DeskStatus;
use domain::{
    LocalizedTime, Timestamp,
    time::{WallClockTime, wall_clock_time},
};
use texts::{Language, engine::health::HealthTexts, texts, time};

texts! {
    /// Texts of the state of the desk.
    StatusTexts {
        live = "Engine is running", "引擎运行中";
        logged_out = "Logged out", "已退出登录";
        logged_out_hint = "What you typed stays on this page. Log in to save it.", "你输入的内容仍在此页面。登录后即可保存。";
        offline(time: String) = "Offline since {time}", "自 {time} 起离线";
        offline_hint = "This page may be out of date. Publishing does not depend on it.", "页面可能不是最新。发布不受影响。";
        silent(time: String) = "Engine silent since {time}", "引擎自 {time} 起没有响应";
        silent_hint = "Nothing is published until it runs again.", "恢复运行之前不会发布任何内容。";
        paused(time: String) = "Publishing paused since {time}", "自 {time} 起暂停发布";
        paused_by_you = "You paused it.", "由你暂停。";
        paused_by_admin = "An admin paused it.", "由管理员暂停。";
        paused_open = "Nothing is published until it is resumed.", "恢复之前不会发布任何内容。";
        paused_until(time: String) = "Nothing is published until {time}.", "{time}之前不会发布任何内容。";
        overdue = "Publishing is late", "发布延迟";
        overdue_hint = "Some tasks are overdue.", "有任务已逾期。";
        blocked = "Engine is not publishing", "引擎未在发布";
        degraded = "Engine is running, with a problem", "引擎运行中，但有问题";
        channels_retried = "Messages are kept and retried.", "消息会保留并重试。";
        channels_stopped = "Some messages are no longer retried.", "部分消息不再重试。";
        resume = "Resume", "恢复";
        log_in_here = "Log in here", "在此登录";
        to_attention = "Show what needs you", "查看需要处理的事项";
        to_engine = "Engine", "引擎";
    }
}

impl StatusTexts {
    /// Names the state. `zone`: the user's time zone.
    #[must_use]
    pub fn label(self, status: DeskStatus, zone: &str, now: Timestamp) -> String {
        let clock = |since| since_text(self.0, since, zone, now);
        match status {
            DeskStatus::Live => self.live().to_owned(),
            DeskStatus::LoggedOut => self.logged_out().to_owned(),
            DeskStatus::Offline { since } => self.offline(clock(since)),
            DeskStatus::Silent { since } => self.silent(clock(since)),
            DeskStatus::Paused { since, .. } => self.paused(clock(since)),
            DeskStatus::Overdue => self.overdue().to_owned(),
            DeskStatus::Blocked(_) => self.blocked().to_owned(),
            DeskStatus::Degraded(_) => self.degraded().to_owned(),
            DeskStatus::ChannelsFailing { count, .. } => self.channels_failing(count),
        }
    }

    /// Says what the state means for the user; `None`: everything works.
    #[must_use]
    pub fn hint(self, status: DeskStatus, zone: &str, now: Timestamp) -> Option<String> {
        let hint = match status {
            DeskStatus::Live => return None,
            DeskStatus::LoggedOut => self.logged_out_hint(),
            DeskStatus::Offline { .. } => self.offline_hint(),
            DeskStatus::Silent { .. } => self.silent_hint(),
            DeskStatus::Paused { until, is_mine, .. } => {
                return Some(
                    self.pause_hint(until.map(|until| since_text(self.0, until, zone, now)), is_mine),
                );
            }
            DeskStatus::Overdue => self.overdue_hint(),
            DeskStatus::ChannelsFailing { are_retried: true, .. } => self.channels_retried(),
            DeskStatus::ChannelsFailing { are_retried: false, .. } => self.channels_stopped(),
            DeskStatus::Blocked(issue) | DeskStatus::Degraded(issue) => HealthTexts(self.0).summary(issue),
        };
        Some(hint.to_owned())
    }

    /// Who paused publishing, and what follows. `until`: when the pause ends by itself.
    fn pause_hint(self, until: Option<String>, is_mine: bool) -> String {
        let who = if is_mine { self.paused_by_you() } else { self.paused_by_admin() };
        let what = until.map_or_else(|| self.paused_open().to_owned(), |until| self.paused_until(until));
        let gap = if self.0 == Language::En { " " } else { "" };
        format!("{who}{gap}{what}")
    }

    /// Number of channels that do not deliver.
    fn channels_failing(self, count: u64) -> String {
        match (self.0, count) {
            (Language::En, 1) => "1 channel is failing".to_owned(),
            (Language::En, n) => format!("{n} channels are failing"),
            (Language::Zh, n) => format!("{n} 个渠道发送失败"),
        }
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
    fn every_state_has_a_text_of_its_own_in_both_languages() {
        let now = "2026-06-09T20:00:00Z".parse().unwrap();
        for language in [Language::En, Language::Zh] {
            let texts = StatusTexts(language);
            let labels = states().map(|state| texts.label(state, "Europe/Berlin", now));
            let distinct: std::collections::HashSet<_> = labels.iter().collect();
            assert_eq!(distinct.len(), labels.len(), "{labels:?}");
            let has_han = labels.iter().all(|label| !label.is_ascii());
            assert_eq!(has_han, language == Language::Zh, "{labels:?}");
            let silent =
                states().into_iter().filter(|state| texts.hint(*state, "Europe/Berlin", now).is_none());
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
            StatusTexts(language).hint(status, "Europe/Berlin", now).unwrap()
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
            |now: &str| StatusTexts(Language::En).label(offline, "Europe/Berlin", now.parse().unwrap());
        assert_eq!(label("2026-06-09T21:59:59Z"), "Offline since 14:20 Berlin");
        assert_eq!(label("2026-06-09T22:00:00Z"), "Offline since Tue 9 Jun, 14:20 Berlin");
    }
}
