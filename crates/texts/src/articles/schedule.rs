//! Texts of the schedule panel of an article.

use crate::time::{clock, day_text};
use domain::{
    LocalizedTime, Timestamp,
    time::{WallClockTime, wall_clock_time},
};

sets!(articles: ScheduleTexts, VersionTexts);

impl ScheduleTexts {
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
        if has_newer { self.sends_older(&due, &saved) } else { self.sends_version(&due, &saved) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

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
