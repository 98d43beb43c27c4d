//! Texts of the public site, and its dates.

use crate::zone::Zone;
use ::texts::calendar::CalendarTexts;
pub use ::texts::layout::site::SiteTexts;
use domain::{Timestamp, account::Language, settings::SiteSettings};

/// Texts in a language.
pub const fn of(language: Language) -> SiteTexts {
    SiteTexts(language)
}

/// Formats the date of a time in the desk's time zone.
pub fn day(settings: &SiteSettings, language: Language, at: Timestamp) -> String {
    let (year, month, day) = Zone::stored(&settings.zone).day(at);
    of(language).day(year.into(), month.unsigned_abs().into(), day.unsigned_abs().into())
}

/// Formats the month of a time in the desk's time zone and language.
pub fn month(settings: &SiteSettings, at: Timestamp) -> String {
    let (year, month, _) = Zone::stored(&settings.zone).day(at);
    CalendarTexts(settings.language).month_of(year.into(), month.unsigned_abs().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_date_is_in_the_desk_zone_even_if_the_day_does_not_begin_at_midnight() {
        let at = |text: &str| text.parse().unwrap();
        let shown = |zone: &str, language, instant| {
            day(
                &SiteSettings { title: String::new(), zone: zone.to_owned(), language },
                language,
                at(instant),
            )
        };
        assert_eq!(shown("Africa/Cairo", Language::En, "2027-04-29T21:59:59Z"), "29 April 2027");
        assert_eq!(shown("Africa/Cairo", Language::En, "2027-04-29T22:00:00Z"), "30 April 2027");
        assert_eq!(shown("America/Santiago", Language::Zh, "2027-09-05T03:59:59Z"), "2027年9月4日");
        assert_eq!(shown("America/Santiago", Language::Zh, "2027-09-05T04:00:00Z"), "2027年9月5日");
        assert_eq!(shown("America/Vancouver", Language::En, "2026-12-02T06:59:59Z"), "1 December 2026");
        assert_eq!(shown("America/Vancouver", Language::En, "2026-12-02T07:00:00Z"), "2 December 2026");
    }
}
