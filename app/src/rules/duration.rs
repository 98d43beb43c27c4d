//! Durations as people write and read them: `30 min`, `24 h`, `2 days`. Others are written by
//! ISO 8601.

use domain::text::slice_text;
use texts::{Language, rules::DurationTexts};

/// Units: the letter of ISO 8601, whether it is a part of the time, and words that mean it.
const UNITS: [(char, bool, &[&str]); 5] = [
    ('S', true, &["s", "sec", "second", "seconds", "秒", "sekunde", "sekunden", "sek"]),
    ('M', true, &["m", "min", "minute", "minutes", "分", "分钟", "minuten"]),
    ('H', true, &["h", "hour", "hours", "小时", "stunde", "stunden", "std"]),
    ('D', false, &["d", "day", "days", "天", "日", "tag", "tage", "t"]),
    ('W', false, &["w", "week", "weeks", "周", "星期", "woche", "wochen", "wo"]),
];

/// Returns the duration by ISO 8601; what is not a number and a unit is returned as it is.
#[must_use]
pub fn iso_of(typed: &str) -> String {
    let text = typed.trim();
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = (slice_text(text, ..end), slice_text(text, end..).trim().to_lowercase());
    let unit = unit.strip_suffix('.').unwrap_or(&unit);
    let unit = UNITS.iter().find(|(.., words)| words.contains(&unit));
    match unit {
        Some((letter, is_time, _)) if !number.is_empty() => {
            format!("P{}{number}{letter}", if *is_time { "T" } else { "" })
        }
        _ => text.to_owned(),
    }
}

/// Splits a duration of one unit; `None`: it has several, or none.
fn parts(iso: &str) -> Option<(u64, char)> {
    let rest = iso.strip_prefix('P')?;
    let (rest, is_time) = rest.strip_prefix('T').map_or((rest, false), |rest| (rest, true));
    let letter = rest.chars().last()?;
    let number = rest.strip_suffix(letter)?.parse().ok()?;
    let is_known = UNITS.iter().any(|(known, time, _)| *known == letter && *time == is_time);
    is_known.then_some((number, letter))
}

/// Returns the duration as people read it.
#[must_use]
pub fn shown(language: Language, iso: &str) -> String {
    let Some((number, letter)) = parts(iso) else { return iso.to_owned() };
    let texts = DurationTexts(language);
    match letter {
        'S' => texts.seconds(number),
        'M' => texts.minutes(number),
        'H' => texts.hours(number),
        'D' => texts.days(number),
        _ => texts.weeks(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_and_a_unit_are_a_duration() {
        for (typed, iso) in [
            ("30 min", "PT30M"),
            (" 24h ", "PT24H"),
            ("2 Days", "P2D"),
            ("1 week", "P1W"),
            ("15 分钟", "PT15M"),
            ("3天", "P3D"),
            ("PT1H30M", "PT1H30M"),
            ("soon", "soon"),
            ("min", "min"),
            ("", ""),
        ] {
            assert_eq!(iso_of(typed), iso, "{typed}");
        }
    }

    #[test]
    fn a_shown_duration_is_read_again() {
        for iso in ["PT30M", "PT24H", "P1D", "P2D", "P1W", "PT45S", "PT1H30M", "P1M"] {
            for language in Language::ALL {
                assert_eq!(iso_of(&shown(*language, iso)), iso, "{iso} {language}");
            }
        }
        assert_eq!(shown(Language::En, "P1D"), "1 day");
        assert_eq!(shown(Language::Zh, "PT30M"), "30 分钟");
        assert_eq!(shown(Language::En, "P1M"), "P1M");
    }
}
