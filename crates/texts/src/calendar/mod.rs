//! Texts of the calendar.

pub mod moving;
pub mod rule_text;

use crate::{Language, time::GERMAN_MONTHS};
use domain::calendar::{CalendarStatus, View};

sets!(calendar: CalendarTexts);

/// Months in English.
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

impl CalendarTexts {
    /// Name of a view.
    #[must_use]
    pub fn view(self, view: View) -> &'static str {
        match view {
            View::Month => self.month(),
            View::Week => self.week(),
            View::Day => self.day(),
            View::Agenda => self.agenda(),
        }
    }

    /// Name of a status.
    #[must_use]
    pub fn status(self, status: CalendarStatus) -> &'static str {
        match status {
            CalendarStatus::Upcoming => self.upcoming(),
            CalendarStatus::Running => self.running(),
            CalendarStatus::Done => self.done(),
            CalendarStatus::Attention => self.attention(),
            CalendarStatus::Cancelled => self.cancelled(),
        }
    }

    /// `November 2026`, `2026年11月`; German like English.
    #[must_use]
    pub fn month_of(self, year: i32, month: u32) -> String {
        match self.0 {
            Language::En => format!("{} {year}", MONTHS[(month as usize + 11) % 12]),
            Language::Zh => format!("{year}年{month}月"),
            Language::De => format!("{} {year}", GERMAN_MONTHS[(month as usize + 11) % 12]),
        }
    }

    /// Short name of a weekday, Monday is 0.
    #[must_use]
    pub fn weekday(self, weekday: u8) -> &'static str {
        crate::time::weekday_name(self.0, usize::from(weekday))
    }

    /// Number of items in words.
    #[must_use]
    pub fn count(self, count: u64) -> String {
        match count {
            0 => self.no_items().to_owned(),
            1 => self.one_item().to_owned(),
            count => self.items(crate::number::grouped(count)),
        }
    }
}

sets!(calendar: SlotTexts);

impl SlotTexts {
    /// Offers to close a gap before a number of publications.
    #[must_use]
    pub fn close_gap(self, count: u64) -> String {
        match count {
            1 => self.close_one().to_owned(),
            count => self.close_many(crate::number::grouped(count)),
        }
    }
}
