//! Formats times, durations and countdowns. Needs no time zone database: a [`LocalizedTime`] carries its offsets.

use crate::Language;
use domain::{
    LocalizedTime, Timestamp,
    base::city::City,
    time::{WallClockTime, wall_clock_time},
};

sets!(time: TimeTexts);

/// Short names of the months in English.
pub(crate) const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Months in German, which are never shortened.
pub(crate) const GERMAN_MONTHS: [&str; 12] = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
];

/// Short name of a weekday; 0: Monday.
#[must_use]
pub fn weekday_name(language: Language, index: usize) -> &'static str {
    let names = match language {
        Language::En => ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
        Language::Zh => ["周一", "周二", "周三", "周四", "周五", "周六", "周日"],
        Language::De => ["Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"],
    };
    names[index % 7]
}

/// Separator of a date and a time of day.
fn before_clock(language: Language) -> &'static str {
    match language {
        Language::En | Language::De => ", ",
        Language::Zh => " ",
    }
}

/// `Tue 9 Jun, 09:00`; with the year unless it is `this_year`, with seconds unless they are 0.
#[must_use]
pub fn wall_text(language: Language, wall: WallClockTime, this_year: Option<i32>) -> String {
    format!("{}{}{}", day_text(language, wall, this_year), before_clock(language), clock(wall))
}

/// `Tue 9 Jun, 09:00 Berlin`, in Chinese `6月9日 周二 09:00（柏林）`, in German `Di, 9. Juni, 09:00 (Berlin)`: a local time
/// with its place.
#[must_use]
pub fn placed_text(language: Language, wall: WallClockTime, this_year: Option<i32>, place: &str) -> String {
    format!(
        "{}{}{}",
        day_text(language, wall, this_year),
        before_clock(language),
        placed_clock(language, &clock(wall), place)
    )
}

/// `09:00 Berlin`, in Chinese `09:00（柏林）`, in German `09:00 (Berlin)`.
#[must_use]
pub fn placed_clock(language: Language, clock: &str, place: &str) -> String {
    match language {
        Language::En => format!("{clock} {place}"),
        Language::Zh => format!("{clock}（{place}）"),
        Language::De => format!("{clock} ({place})"),
    }
}

/// `Tue 9 Jun`; with the year unless it is `this_year`.
#[must_use]
pub fn day_text(language: Language, wall: WallClockTime, this_year: Option<i32>) -> String {
    let WallClockTime { year, month, day, .. } = wall;
    let weekday = weekday_name(language, wall.weekday as usize);
    let has_year = this_year != Some(year);
    match language {
        Language::En => {
            let month = MONTHS[(month as usize + 11) % 12];
            let year = if has_year { format!(" {year}") } else { String::new() };
            format!("{weekday} {day} {month}{year}")
        }
        Language::Zh => {
            let year = if has_year { format!("{year}年") } else { String::new() };
            format!("{year}{month}月{day}日 {weekday}")
        }
        Language::De => {
            let month = GERMAN_MONTHS[(month as usize + 11) % 12];
            let year = if has_year { format!(" {year}") } else { String::new() };
            format!("{weekday}, {day}. {month}{year}")
        }
    }
}

/// `Wed 1 Dec 2027` for `2027-12-01`; another text stays as it is.
#[must_use]
pub fn date_text(language: Language, date: &str) -> String {
    let at = format!("{date}T00:00:00Z").parse::<Timestamp>();
    at.map_or_else(|_| date.to_owned(), |at| day_text(language, wall_clock_time(at, 0), None))
}

/// `Wed 1 Dec 2027, 16:00` for `2027-12-01T16:00`; another text stays as it is.
#[must_use]
pub fn local_text(language: Language, local: &str) -> String {
    let at = |seconds: &str| format!("{local}{seconds}Z").parse::<Timestamp>();
    let at = at(":00").or_else(|_| at(""));
    at.map_or_else(|_| local.to_owned(), |at| wall_text(language, wall_clock_time(at, 0), None))
}

/// `09:00`, `09:00:30`; a time that the clocks show twice with its offset, `01:30 UTC−5`.
#[must_use]
pub fn clock(wall: WallClockTime) -> String {
    let WallClockTime { hour, minute, second, .. } = wall;
    let text = if second == 0 {
        format!("{hour:02}:{minute:02}")
    } else {
        format!("{hour:02}:{minute:02}:{second:02}")
    };
    match wall.repeated_offset {
        Some(offset) => format!("{text} {}", offset_text(offset)),
        None => text,
    }
}

/// `UTC+2`, `UTC+10:30`, `UTC−3`.
#[must_use]
pub fn offset_text(minutes: i32) -> String {
    let sign = if minutes < 0 { '−' } else { '+' };
    let (hours, rest) = (minutes.abs() / 60, minutes.abs() % 60);
    if rest == 0 { format!("UTC{sign}{hours}") } else { format!("UTC{sign}{hours}:{rest:02}") }
}

/// `Tue 9 Jun, 09:00 Berlin`: a time in the user's time zone, with the name of the zone. With the offset
/// if the clocks there show it twice: `Sun 7 Nov 2027, 01:30 UTC−5 New York`.
#[must_use]
pub fn moment(language: Language, at: LocalizedTime, zone: &str, now: Timestamp) -> String {
    let this_year = wall_clock_time(now, at.viewer_offset).year;
    placed_text(language, at.viewer_time(), Some(this_year), &place(language, zone))
}

/// The same in the desk's time zone. `None`: it equals the user's time.
#[must_use]
pub fn desk_moment(language: Language, at: LocalizedTime, desk_zone: &str, now: Timestamp) -> Option<String> {
    let this_year = wall_clock_time(now, at.site_offset).year;
    (at.viewer_offset != at.site_offset)
        .then(|| placed_text(language, at.site_time(), Some(this_year), &place(language, desk_zone)))
}

/// `Berlin` or `柏林` of `Europe/Berlin`.
#[must_use]
pub fn place(language: Language, zone: &str) -> String {
    match (City::of_zone(zone), language) {
        (Some(city), Language::En) => city.english().into_owned(),
        (Some(city), Language::Zh) => city.chinese.to_owned(),
        (Some(city), Language::De) => city.german().into_owned(),
        (None, _) => zone.rsplit('/').next().unwrap_or(zone).replace('_', " "),
    }
}

/// `in 3 d 4 h`, `12 s ago`, `now`: `at` relative to `now`.
#[must_use]
pub fn relative(language: Language, at: Timestamp, now: Timestamp) -> String {
    let texts = TimeTexts(language);
    let apart = at.since(now);
    // Rounded up for future times, so that a future time is never shown as "now".
    let seconds = if apart > 0 { apart.saturating_add(999) / 1_000 } else { -(apart / 1_000) };
    match (seconds, apart > 0) {
        (0, _) => texts.now().to_owned(),
        (_, true) => texts.in_(span(language, seconds)),
        (_, false) => texts.ago(span(language, seconds)),
    }
}

/// `3 d 4 h`, `5 min`, `12 s`: a duration in seconds, in its two largest units; below an hour only minutes.
#[must_use]
pub fn span(language: Language, seconds: i64) -> String {
    let texts = TimeTexts(language);
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => texts.seconds(seconds),
        (0, 0, minutes) => texts.minutes(minutes),
        (0, hours, 0) => texts.hours(hours),
        (0, hours, minutes) => format!("{} {}", texts.hours(hours), texts.minutes(minutes)),
        (days, 0, _) => texts.days(days),
        (days, hours, _) => format!("{} {}", texts.days(days), texts.hours(hours)),
    }
}

/// `3 d 04:05:06`, `04:05:06`, `05:06`: remaining time, counted down each second.
#[must_use]
pub fn countdown(language: Language, left_ms: i64) -> String {
    let seconds = left_ms.max(0).saturating_add(999) / 1_000;
    let (days, hours, minutes, rest) =
        (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
    match (days, hours) {
        (0, 0) => format!("{minutes:02}:{rest:02}"),
        (0, hours) => format!("{hours:02}:{minutes:02}:{rest:02}"),
        (days, hours) => format!("{} {hours:02}:{minutes:02}:{rest:02}", TimeTexts(language).days(days)),
    }
}

/// `4 ms`, `1.20 s`, `3 min`: a measured duration in milliseconds.
#[must_use]
pub fn measured(language: Language, ms: i64) -> String {
    match ms.abs() {
        0..1_000 => format!("{ms} ms"),
        1_000..60_000 => format!("{}.{:02} s", ms / 1_000, ms.abs() % 1_000 / 10),
        _ => span(language, ms / 1_000),
    }
}

#[cfg(test)]
mod tests {
    use crate::time::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_time_is_formatted_in_all_languages() {
        let moment_ = LocalizedTime::new(at("2026-06-09T07:00:00Z"), 120, 480);
        let now = at("2026-06-06T07:00:00Z");
        assert_eq!(moment(Language::En, moment_, "Europe/Berlin", now), "Tue 9 Jun, 09:00 Berlin");
        assert_eq!(moment(Language::Zh, moment_, "Europe/Berlin", now), "6月9日 周二 09:00（柏林）");
        assert_eq!(moment(Language::De, moment_, "Europe/Berlin", now), "Di, 9. Juni, 09:00 (Berlin)");
        assert_eq!(place(Language::Zh, "Etc/GMT-2"), "GMT-2");
        let german = |zone| place(Language::De, zone);
        assert_eq!([german("Europe/Vienna"), german("Europe/Oslo"), german("UTC")], ["Wien", "Oslo", "UTC"]);
        let desk = desk_moment(Language::En, moment_, "Asia/Shanghai", now);
        assert_eq!(desk.as_deref(), Some("Tue 9 Jun, 15:00 Shanghai"));
    }

    #[test]
    fn a_date_is_written_in_words() {
        assert_eq!(date_text(Language::En, "2027-12-01"), "Wed 1 Dec 2027");
        assert_eq!(date_text(Language::Zh, "2027-12-01"), "2027年12月1日 周三");
        assert_eq!(date_text(Language::De, "2027-12-01"), "Mi, 1. Dezember 2027");
        assert_eq!(local_text(Language::De, "2027-03-01T16:00"), "Mo, 1. März 2027, 16:00");
        assert_eq!(date_text(Language::En, "never"), "never");
        assert_eq!(local_text(Language::En, "2027-12-01T16:00"), "Wed 1 Dec 2027, 16:00");
        assert_eq!(local_text(Language::Zh, "2027-12-01T16:00:30"), "2027年12月1日 周三 16:00:30");
        assert_eq!(local_text(Language::En, "soon"), "soon");
    }

    #[test]
    fn a_time_that_the_clocks_show_twice_has_its_offset() {
        let now = at("2026-06-06T07:00:00Z");
        let shown = |language, text, offset, is_repeated| {
            let time = LocalizedTime::new(at(text), offset, 60);
            let time = LocalizedTime { is_viewer_time_repeated: is_repeated, ..time };
            moment(language, time, "America/New_York", now)
        };
        let earlier = shown(Language::En, "2027-11-07T05:30:00Z", -240, true);
        assert_eq!(earlier, "Sun 7 Nov 2027, 01:30 UTC−4 New York");
        let later = shown(Language::Zh, "2027-11-07T06:30:00Z", -300, true);
        assert_eq!(later, "2027年11月7日 周日 01:30 UTC−5（纽约）");
        let once = shown(Language::En, "2027-11-07T07:30:00Z", -300, false);
        assert_eq!(once, "Sun 7 Nov 2027, 02:30 New York");
        let time = LocalizedTime::new(at("2027-11-07T06:30:00Z"), 60, -300);
        let time = LocalizedTime { is_site_time_repeated: true, ..time };
        let desk = desk_moment(Language::En, time, "America/New_York", now);
        assert_eq!(desk.as_deref(), Some("Sun 7 Nov 2027, 01:30 UTC−5 New York"));
        assert_eq!(moment(Language::En, time, "Europe/Berlin", now), "Sun 7 Nov 2027, 07:30 Berlin");
    }

    #[test]
    fn a_countdown_never_shows_zero_before_its_end() {
        assert_eq!(countdown(Language::En, 1), "00:01");
        assert_eq!(countdown(Language::En, 0), "00:00");
        assert_eq!(countdown(Language::En, 86_400_000 + 3_600_000 + 61_000), "1 d 01:01:01");
        assert_eq!(
            relative(Language::En, at("2026-01-01T00:00:00.500Z"), at("2026-01-01T00:00:00Z")),
            "in 1 s"
        );
    }
}
