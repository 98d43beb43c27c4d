//! An item that is being moved. Pure.

use crate::calendar::request::{DRAFT_PREFIX, MEETING_PREFIX};
use domain::{
    ArticleId, Timestamp,
    base::{
        calendar::{day_number, local_of_seconds},
        local_time::{date_text, parse_date, shortest_text},
    },
    calendar::CalendarItem,
    time::wall_clock_time,
};
use texts::{
    Language,
    time::{place, placed_text, span},
};

/// Seconds of a step by key, and of the shortest meeting.
pub const STEP: i64 = 900;
/// Seconds of a day by the clock.
pub const DAY: i64 = 86_400;

/// State of the items that are drafts. No task has it.
pub const DRAFT: &str = "draft";

/// The item and the time at which it is held.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    /// The item as the server knows it.
    pub item: CalendarItem,
    /// Start, in seconds since 1970-01-01T00:00 by the clock of the calendar.
    pub local: i64,
    /// Length in seconds; 0: it has none.
    pub length: i64,
    /// Which of two occurrences, or the time that replaces a skipped one; empty: not decided.
    pub which: String,
}

/// Whether an item is a draft.
#[must_use]
pub fn is_draft(item: &CalendarItem) -> bool {
    item.state == DRAFT
}

/// The name of a draft in the page.
#[must_use]
pub fn key_of_draft(id: &ArticleId) -> String {
    format!("{DRAFT_PREFIX}{id}")
}

/// The name of an item in the page and in the URL.
#[must_use]
pub fn key_of_item(item: &CalendarItem) -> String {
    if is_draft(item) {
        return key_of_draft(&ArticleId(item.id));
    }
    if item.is_meeting() { format!("{MEETING_PREFIX}{}", item.id) } else { item.id.to_string() }
}

/// Start of an item by the clock of the calendar, see [`Held::local`].
#[must_use]
pub fn local_start(item: &CalendarItem) -> i64 {
    item.at.millis().div_euclid(1_000) + i64::from(item.offset) * 60
}

/// Start of a day, see [`Held::local`]; `None`: the text is no date.
#[must_use]
pub fn local_date(date: &str) -> Option<i64> {
    Some(day_number(parse_date(date)?) * DAY)
}

/// `YYYY-MM-DDTHH:MM`, with seconds unless they are 0.
#[must_use]
pub fn local_text(local: i64) -> String {
    local_of_seconds(local).map(shortest_text).unwrap_or_default()
}

/// `09:00`.
#[must_use]
pub fn clock_text(local: i64) -> String {
    texts::time::clock(wall_clock_time(Timestamp::from_millis(local * 1_000), 0))
}

impl Held {
    /// Returns the item at its own time.
    #[must_use]
    pub fn of(item: CalendarItem) -> Self {
        let length = item.ends_at.map_or(0, |end| end.since(item.at) / 1_000);
        Self { local: local_start(&item), length, which: String::new(), item }
    }

    /// Whether it is at another time than before, or longer or shorter. A draft had no time before.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        is_draft(&self.item) || *self != Self::of(self.item.clone())
    }

    /// Whether only its end is another one.
    #[must_use]
    pub fn keeps_start(&self) -> bool {
        self.local == local_start(&self.item) && self.which.is_empty()
    }

    /// At another start.
    #[must_use]
    pub fn at(&self, local: i64, which: &str) -> Self {
        Self { local, which: which.to_owned(), ..self.clone() }
    }

    /// On another day, at the same time.
    #[must_use]
    pub fn on(&self, date: &str) -> Self {
        local_date(date).map_or_else(|| self.clone(), |day| self.at(day + self.local.rem_euclid(DAY), ""))
    }

    /// Some days later.
    #[must_use]
    pub fn later_by_days(&self, days: i64) -> Self {
        self.at(self.local + days * DAY, "")
    }

    /// Some steps later; from a time between two steps, to the next one.
    #[must_use]
    pub fn later_by_steps(&self, steps: i64) -> Self {
        let from = if steps < 0 { -(-self.local).div_euclid(STEP) } else { self.local.div_euclid(STEP) };
        self.at((from + steps) * STEP, "")
    }

    /// Some steps longer. What has no length keeps none.
    #[must_use]
    pub fn longer_by_steps(&self, steps: i64) -> Self {
        self.with_length(self.length + steps * STEP)
    }

    /// With another end by the clock.
    #[must_use]
    pub fn until(&self, local: i64) -> Self {
        self.with_length(local - self.local)
    }

    fn with_length(&self, length: i64) -> Self {
        let length = if self.length == 0 { 0 } else { length.max(STEP) };
        Self { length, ..self.clone() }
    }

    /// The name of the item, see [`key_of_item`].
    #[must_use]
    pub fn key(&self) -> String {
        key_of_item(&self.item)
    }

    /// Its day, `YYYY-MM-DD`.
    #[must_use]
    pub fn date(&self) -> String {
        local_of_seconds(self.local).map(|local| date_text(local.date())).unwrap_or_default()
    }

    /// `Tue 9 Jun, 10:00 Berlin`, of a meeting with its length. `today`: `YYYY-MM-DD`.
    #[must_use]
    pub fn words(&self, language: Language, zone: &str, today: &str) -> String {
        let wall = wall_clock_time(Timestamp::from_millis(self.local * 1_000), 0);
        let this_year = today.split('-').next().and_then(|year| year.parse().ok());
        let start = placed_text(language, wall, this_year, &place(language, zone));
        if self.length == 0 { start } else { format!("{start} · {}", span(language, self.length)) }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use domain::{AccountId, Version, calendar::CalendarStatus};

    /// An item that is due at this time in UTC, shown two hours east of it.
    pub fn item(from: &str, to: Option<&str>) -> CalendarItem {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let id = AccountId::generate();
        CalendarItem {
            id: id.0,
            kind: if to.is_some() { "meeting" } else { "article.publish" }.to_owned(),
            target_id: id.0,
            title: "Tide report".to_owned(),
            state: "scheduled".to_owned(),
            status: CalendarStatus::Upcoming,
            version: Version::FIRST,
            at: at(from),
            offset: 120,
            ends_at: to.map(at),
            end_offset: 120,
            owner_id: id,
            owner: String::new(),
            room: String::new(),
            together: 1,
            may_move: true,
            is_in_slot: false,
        }
    }

    #[test]
    fn steps_lead_to_the_next_quarter_of_an_hour_and_days_keep_the_time() {
        let held = Held::of(item("2027-06-09T08:07:30Z", None));
        assert_eq!(local_text(held.local), "2027-06-09T10:07:30");
        assert_eq!(local_text(held.later_by_steps(1).local), "2027-06-09T10:15");
        assert_eq!(local_text(held.later_by_steps(-1).local), "2027-06-09T10:00");
        assert_eq!(local_text(held.later_by_steps(-1).later_by_steps(-1).local), "2027-06-09T09:45");
        assert_eq!(local_text(held.later_by_days(-9).local), "2027-05-31T10:07:30");
        assert_eq!(local_text(held.on("2028-02-29").local), "2028-02-29T10:07:30");
        assert_eq!(held.on("never"), held);
        assert!(!held.is_changed());
        assert!(held.later_by_days(1).is_changed() && !held.later_by_days(1).later_by_days(-1).is_changed());
    }

    #[test]
    fn only_meetings_have_a_length_and_it_is_never_below_a_step() {
        let meeting = Held::of(item("2027-06-09T08:00:00Z", Some("2027-06-09T09:00:00Z")));
        assert_eq!(meeting.longer_by_steps(1).length, 4_500);
        assert_eq!(meeting.longer_by_steps(-9).length, STEP);
        assert_eq!(meeting.until(meeting.local + 2 * 3_600).length, 7_200);
        assert_eq!(meeting.until(meeting.local - 3_600).length, STEP);
        assert!(meeting.longer_by_steps(1).keeps_start() && !meeting.later_by_days(1).keeps_start());
        assert_eq!(
            meeting.words(Language::En, "Europe/Berlin", "2027-01-01"),
            "Wed 9 Jun, 10:00 Berlin · 1 h"
        );
        let task = Held::of(item("2027-06-09T08:00:00Z", None));
        assert_eq!(task.longer_by_steps(4), task);
        assert_eq!(task.words(Language::Zh, "Europe/Berlin", "2027-01-01"), "6月9日 周三 10:00（柏林）");
    }
}
