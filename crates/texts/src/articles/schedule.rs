//! Texts of the schedule panel of an article.

use crate::{
    Language,
    time::{clock, day_text},
};
use domain::{
    LocalizedTime, Timestamp,
    time::{WallClockTime, wall_clock_time},
};

sets!(articles: ScheduleTexts, VersionTexts);

impl VersionTexts {
    /// The newest version, with edits that are not approved.
    #[must_use]
    pub fn with_edits(self, edits: u32) -> String {
        match (self.0, edits) {
            (Language::En, 1) => "With 1 newer edit, which needs approval".to_owned(),
            (Language::En, n) => format!("With {n} newer edits, which need approval"),
            (Language::Zh, n) => format!("包含之后的 {n} 次修改（须经批准）"),
        }
    }
}

impl ScheduleTexts {
    /// Label of the button that publishes the current text of a scheduled article.
    #[must_use]
    pub fn publish_with(self, changes: u32) -> String {
        match (self.0, changes) {
            (Language::En, 1) => "Publish with 1 change".to_owned(),
            (Language::En, n) => format!("Publish with {n} changes"),
            (Language::Zh, n) => format!("连同 {n} 处修改一起发布"),
        }
    }

    /// Which save a scheduled publication sends, and whether there is newer typing.
    #[must_use]
    pub fn sends(
        self,
        (due, saved): (LocalizedTime, LocalizedTime),
        now: Timestamp,
        has_newer: bool,
    ) -> String {
        let (due, at) = (due.viewer_time(), saved.viewer_time());
        let today = wall_clock_time(now, saved.viewer_offset);
        let is_today = (at.year, at.month, at.day) == (today.year, today.month, today.day);
        let minute = clock(WallClockTime { second: 0, ..at });
        let day = |wall: WallClockTime| day_text(self.0, wall, Some(wall.year));
        let saved = if is_today { minute } else { format!("{} {minute}", day(at)) };
        let due = format!("{} {}", day(due), clock(due));
        match (self.0, has_newer) {
            (Language::En, false) => format!("{due} sends the version saved at {saved}."),
            (Language::En, true) => {
                format!("{due} sends the version saved at {saved}; your newer typing is not in it.")
            }
            (Language::Zh, false) => format!("{due} 发布 {saved} 保存的版本。"),
            (Language::Zh, true) => format!("{due} 发布 {saved} 保存的版本，不含之后输入的内容。"),
        }
    }

    /// Number of changes that are not in the scheduled revision.
    #[must_use]
    pub fn drift(self, changes: u32) -> String {
        match (self.0, changes) {
            (Language::En, 1) => "1 change is not in the scheduled version.".to_owned(),
            (Language::En, n) => format!("{n} changes are not in the scheduled version."),
            (Language::Zh, n) => format!("有 {n} 处修改不在已安排的版本中。"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_names_the_save_and_what_it_lacks() {
        let minute = 60_000;
        let at = |minutes: i64| LocalizedTime::new(Timestamp::from_millis(minutes * minute), 0, 0);
        // 1 January 1970 was a Thursday.
        let (due, saved) = (at(24 * 60 + 9 * 60), at(14 * 60 + 2));
        let texts = ScheduleTexts(Language::En);
        let on_the_day = texts.sends((due, saved), saved.at, false);
        assert_eq!(on_the_day, "Fri 2 Jan 09:00 sends the version saved at 14:02.");
        let later = texts.sends((due, saved), due.at, true);
        let said =
            "Fri 2 Jan 09:00 sends the version saved at Thu 1 Jan 14:02; your newer typing is not in it.";
        assert_eq!(later, said);
        assert!(ScheduleTexts(Language::Zh).sends((due, saved), saved.at, true).contains("14:02 保存的版本"));
    }
}
