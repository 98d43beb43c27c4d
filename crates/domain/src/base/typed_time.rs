//! Reads a time as people type it: `26 Nov, 9:00`, `26.11. 9:00`, `2026-11-26 09:00`, `11月26日 9:00`, `9pm`.
//!
//! [`read`] is the only entry: other ways to write a time are added here.

use super::local_time::{self, date_text, minute_text, second_text};
use jiff::civil::{Date, DateTime, Time};

/// Maximum length of a typed time, in bytes.
const MAX_BYTES: usize = 100;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const FILLERS: [&str; 3] = ["at", "on", "of"];

/// Reads a typed date and time as `YYYY-MM-DDTHH:MM[:SS]`; `None`: it is not one.
///
/// A date or time that is not typed is taken from `base` (in the same form, may be empty). A date
/// without year is the next one on or after `today` (`YYYY-MM-DD`). A weekday beside a date is not
/// read, so that the day can be changed alone.
#[must_use]
pub fn read(typed: &str, base: &str, today: &str) -> Option<String> {
    if typed.len() > MAX_BYTES {
        return None;
    }
    let parts = Parts::read(&separated(typed))?;
    let base = local_time::parse(base).ok();
    let date = match parts.month_and_day {
        None => base?.date(),
        Some(month_and_day) => parts.date(month_and_day, today)?,
    };
    let time = parts.time.or_else(|| Some(base?.time()))?;
    let local = DateTime::from_parts(date, time);
    Some(if time.second() == 0 { minute_text(local) } else { second_text(local) })
}

/// What the text says.
#[derive(Default)]
struct Parts {
    year: Option<i16>,
    month_and_day: Option<(u32, u32)>,
    time: Option<Time>,
}

impl Parts {
    fn read(text: &str) -> Option<Self> {
        let mut parts = Self::default();
        let (mut month, mut day, mut hour) = (None, None, None);
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            if let Some(found) = date_of(word) {
                parts.set_date(found)?;
            } else if let Some(found) = clock_of(word) {
                set_once(&mut parts.time, found)?;
            } else if let Some(found) = month_of(word) {
                set_once(&mut month, found)?;
                // In `26 Nov` the number before the month is the day.
                day = day.or(hour.take());
            } else if let Some(is_afternoon) = half_of_day(word) {
                let typed = parts.time.take().or_else(|| clock(hour.take()?, 0, 0))?;
                parts.time = Some(in_half(typed, is_afternoon)?);
            } else if let Some(number) = number_of(word) {
                match (number, month, day) {
                    (1_000.., _, _) => set_once(&mut parts.year, i16::try_from(number).ok()?)?,
                    (_, Some(_), None) => day = Some(number),
                    (_, _, _) => set_once(&mut hour, number)?,
                }
            } else if !is_filler(word) {
                return None;
            }
        }
        match (month, day, hour) {
            (Some(month), Some(day), None) => parts.set_date((None, month, day))?,
            (None, None, None) => {}
            _ => return None,
        }
        let is_date = parts.month_and_day.is_some();
        (is_date || (parts.time.is_some() && parts.year.is_none())).then_some(parts)
    }

    fn set_date(&mut self, (year, month, day): (Option<i16>, u32, u32)) -> Option<()> {
        if let Some(year) = year {
            set_once(&mut self.year, year)?;
        }
        set_once(&mut self.month_and_day, (month, day))
    }

    fn date(&self, (month, day): (u32, u32), today: &str) -> Option<Date> {
        let of_year = |year: i16| {
            let date = date_text(local_time::new(year, [month, day, 0, 0, 0])?.date());
            local_time::parse_date(&date)
        };
        if let Some(year) = self.year {
            return of_year(year);
        }
        let today = local_time::parse_date(today)?;
        let this_year = of_year(today.year()).filter(|date| *date >= today);
        this_year.or_else(|| of_year(today.year() + 1))
    }
}

fn set_once<T>(place: &mut Option<T>, value: T) -> Option<()> {
    place.is_none().then(|| *place = Some(value))
}

/// Lowercase words of one meaning each, separated by spaces.
fn separated(typed: &str) -> String {
    let mut text = String::with_capacity(typed.len() + 8);
    let mut letters = typed.chars().flat_map(char::to_lowercase).peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '：' => text.push(':'),
            ',' | '，' | '、' | '\t' | '\u{3000}' | '\u{a0}' => text.push(' '),
            '日' | '号' => text.push_str("日 "),
            '周' | '星' => {
                // `周四`, `星期四`: not read.
                if letters.peek() == Some(&'期') {
                    letters.next();
                }
                letters.next();
                text.push(' ');
            }
            '点' | '时' if letters.peek().is_some_and(char::is_ascii_digit) => text.push(':'),
            '点' | '时' => text.push_str(":00"),
            '分' => {}
            't' if text.ends_with(|before: char| before.is_ascii_digit())
                && letters.peek().is_some_and(char::is_ascii_digit) =>
            {
                text.push(' ');
            }
            other => text.push(other),
        }
    }
    text
}

/// `2026-11-26`, `2026/11/26`, `26.11.2026`, `26.11.`, `2026年11月26日`, `11月26日`.
fn date_of(word: &str) -> Option<(Option<i16>, u32, u32)> {
    let year_of = |text: &str| (text.len() == 4).then(|| text.parse::<i16>().ok())?;
    if let Some(rest) = word.strip_suffix('日') {
        let (year, rest) = match rest.split_once('年') {
            Some((year, rest)) => (Some(year_of(year)?), rest),
            None => (None, rest),
        };
        let (month, day) = rest.split_once('月')?;
        return Some((year, number_of(month)?, number_of(day)?));
    }
    if let Some((day, rest)) = word.split_once('.') {
        let (month, year) = rest.split_once('.')?;
        let year = if year.is_empty() { None } else { Some(year_of(year)?) };
        return Some((year, number_of(month)?, number_of(day)?));
    }
    let separator = if word.contains('-') { '-' } else { '/' };
    let (year, rest) = word.split_once(separator)?;
    let (month, day) = rest.split_once(separator)?;
    Some((Some(year_of(year)?), number_of(month)?, number_of(day)?))
}

/// `9:00`, `09:00:30`, `9:30pm`, `9am`.
fn clock_of(word: &str) -> Option<Time> {
    let (digits, half) = match word.find(['a', 'p']) {
        Some(at) => (word.get(..at)?, Some(half_of_day(word.get(at..)?)?)),
        None => (word, None),
    };
    let time = match digits.split(':').collect::<Vec<_>>()[..] {
        [hour] if half.is_some() => clock(number_of(hour)?, 0, 0)?,
        [hour, minute] if minute.len() == 2 => clock(number_of(hour)?, number_of(minute)?, 0)?,
        [hour, minute, second] if minute.len() == 2 && second.len() == 2 => {
            clock(number_of(hour)?, number_of(minute)?, number_of(second)?)?
        }
        _ => return None,
    };
    match half {
        Some(is_afternoon) => in_half(time, is_afternoon),
        None => Some(time),
    }
}

fn clock(hour: u32, minute: u32, second: u32) -> Option<Time> {
    local_time::new(2000, [1, 1, hour, minute, second]).map(DateTime::time)
}

/// Whether the word means the afternoon (`pm`) or the morning (`am`).
fn half_of_day(word: &str) -> Option<bool> {
    match word {
        "am" | "a.m." => Some(false),
        "pm" | "p.m." => Some(true),
        _ => None,
    }
}

/// A time of the 12-hour clock as one of the 24-hour clock.
fn in_half(time: Time, is_afternoon: bool) -> Option<Time> {
    let hour = u32::try_from(time.hour()).ok().filter(|hour| (1..=12).contains(hour))?;
    let hour = hour % 12 + if is_afternoon { 12 } else { 0 };
    clock(hour, u32::try_from(time.minute()).ok()?, u32::try_from(time.second()).ok()?)
}

fn month_of(word: &str) -> Option<u32> {
    let at = MONTHS.iter().position(|month| is_short_for(word, month))?;
    u32::try_from(at + 1).ok()
}

/// Whether the word is a name or its beginning, of at least three letters.
fn is_short_for(word: &str, name: &str) -> bool {
    let word = word.trim_end_matches('.');
    word.len() >= 3 && name.starts_with(word)
}

/// A number of at most four digits, also as `26th` or `26.`.
fn number_of(word: &str) -> Option<u32> {
    let digits = word.trim_end_matches('.');
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| digits.strip_suffix(end)).unwrap_or(digits);
    let is_number = (1..=4).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok())?
}

fn is_filler(word: &str) -> bool {
    FILLERS.contains(&word) || WEEKDAYS.iter().any(|day| is_short_for(word, day))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads(typed: &str) -> String {
        read(typed, "2026-11-26T09:00", "2026-11-25").unwrap_or_default()
    }

    #[test]
    fn a_time_alone_keeps_the_day() {
        for typed in ["10:30", "10：30", "10:30am", "10:30 AM", "10点30分", "10点30", "at 10:30"] {
            assert_eq!(reads(typed), "2026-11-26T10:30", "{typed}");
        }
        assert_eq!(reads("9pm"), "2026-11-26T21:00");
        assert_eq!(reads("9 pm"), "2026-11-26T21:00");
        assert_eq!(reads("28 Nov 9 pm"), "2026-11-28T21:00");
        assert_eq!(reads("12am"), "2026-11-26T00:00");
        assert_eq!(reads("21点"), "2026-11-26T21:00");
        assert_eq!(reads("09:00:30"), "2026-11-26T09:00:30");
    }

    #[test]
    fn a_date_alone_keeps_the_time() {
        for typed in [
            "28 Nov",
            "Nov 28",
            "28th of November",
            "Sat 28 Nov",
            "28.11.",
            "28. Nov.",
            "28.11.2026",
            "2026-11-28",
            "2026/11/28",
            "11月28日",
            "11月28号",
            "2026年11月28日周六",
            "28 nov 2026",
        ] {
            assert_eq!(reads(typed), "2026-11-28T09:00", "{typed}");
        }
    }

    #[test]
    fn what_the_pages_show_is_read_back() {
        assert_eq!(reads("Thu 26 Nov, 09:00"), "2026-11-26T09:00");
        assert_eq!(reads("Wed 9 Jun 2027, 09:00:05"), "2027-06-09T09:00:05");
        assert_eq!(reads("11月26日周四 09:00"), "2026-11-26T09:00");
        assert_eq!(reads("2027年6月9日星期三 09:00"), "2027-06-09T09:00");
        assert_eq!(reads("2027-06-09T09:00"), "2027-06-09T09:00");
        assert_eq!(reads("Thu 27 Nov, 09:00"), "2026-11-27T09:00", "the weekday is not read");
    }

    #[test]
    fn a_date_without_year_is_the_next_one() {
        assert_eq!(reads("25 Nov 8:00"), "2026-11-25T08:00", "today");
        assert_eq!(reads("24 Nov 8:00"), "2027-11-24T08:00");
        assert_eq!(reads("1 Jan"), "2027-01-01T09:00");
        assert_eq!(read("29 Feb", "2026-11-26T09:00", "2027-03-01").unwrap(), "2028-02-29T09:00");
        assert_eq!(read("29 Feb", "2026-11-26T09:00", "2026-03-01"), None);
    }

    #[test]
    fn anything_else_is_no_time() {
        for typed in [
            "",
            " ",
            "9",
            "26",
            "Nov",
            "2026",
            "10:3",
            "25:00",
            "24:00",
            "09:60",
            "31 Nov",
            "11/26",
            "26 11",
            "Thu",
            "tomorrow",
            "10:00 11:00",
            "28 Nov 29 Nov",
            "28 Nov Dec",
            "13pm",
            "0am",
            "1999-01-01",
            "2200-01-01",
            "2026-11-28 tomorrow",
            "日",
            "周",
            "<b>",
            "9:00pm am",
            "99999999999999999999:00",
        ] {
            assert_eq!(reads(typed), "", "{typed}");
        }
        assert_eq!(reads(&"9".repeat(200)), "");
        assert_eq!(read("10:00", "", "2026-11-25"), None, "no day");
    }
}
