//! Texts of the public site, and its dates.

use crate::{Language, calendar::CalendarTexts};

sets!(layout: SiteTexts);

impl SiteTexts {
    /// Number of results of a search; `has_more`: it is the least number.
    #[must_use]
    pub fn found_of(self, count: usize, has_more: bool) -> String {
        if has_more { self.found_at_least(count) } else { self.found(count) }
    }

    /// `29 April 2027`, `2027年4月29日`, `29. April 2027`.
    #[must_use]
    pub fn day(self, year: i32, month: u32, day: u32) -> String {
        let month_of_year = CalendarTexts(self.0).month_of(year, month);
        match self.0 {
            Language::En => format!("{day} {month_of_year}"),
            Language::Zh => format!("{month_of_year}{day}日"),
            Language::De => format!("{day}. {month_of_year}"),
        }
    }
}
