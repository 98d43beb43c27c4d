//! English words that repeat.

use super::{
    RepeatWords, SeriesProblem, on_day, on_nth, on_weekends, on_working_days, rule, unsupported, weekly,
};
use crate::series::{MAX_COUNT, MAX_INTERVAL, RuleFields, fields::WEEKDAYS};

/// Numbers in words, from two on.
const NUMBERS: [&str; 11] =
    ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
/// Which of the weekdays of a month, from the first on.
const ORDINALS: [(&str, &str); 5] =
    [("first", "1st"), ("second", "2nd"), ("third", "3rd"), ("fourth", "4th"), ("fifth", "5th")];
/// Units that are shorter than a day.
const SHORT_UNITS: [&str; 11] =
    ["hour", "hours", "h", "hr", "hrs", "minute", "minutes", "min", "mins", "second", "seconds"];

/// A rule, and the number of words that say it.
type RuleAndLength = (RuleFields, usize);

/// Reads a text in lower case; `None`: it does not repeat.
pub(super) fn read(text: &str) -> Result<Option<RepeatWords>, SeriesProblem> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let Some(begin) = words.iter().position(|word| begins(word)) else { return Ok(None) };
    let (before, repeats) = words.split_at(begin);
    let (mut rule, length) = rule_of(repeats)?;
    let mut rest: Vec<&str> = before.iter().chain(repeats.iter().skip(length)).copied().collect();
    let until = rest.iter().position(|word| matches!(*word, "until" | "till")).map(|at| {
        let until = rest.split_off(at);
        until.iter().skip(1).copied().collect::<Vec<_>>().join(" ")
    });
    if let Some(at) = rest.iter().position(|word| *word == "times")
        && let Some(count) = at.checked_sub(1).and_then(|at| number(rest.get(at)?, MAX_COUNT))
    {
        rule.count = Some(count);
        let first = if at >= 2 && rest.get(at - 2) == Some(&"for") { at - 2 } else { at - 1 };
        rest.drain(first..=at);
    }
    Ok(Some(RepeatWords { rule, first: rest.join(" "), until }))
}

/// Whether words that repeat begin with this one.
fn begins(word: &str) -> bool {
    let is_plural = || word.strip_suffix('s').is_some_and(|day| WEEKDAYS.contains(&day));
    matches!(
        word,
        "every" | "each" | "daily" | "weekly" | "monthly" | "yearly" | "annually" | "weekdays" | "weekends"
    ) || is_plural()
}

fn rule_of(words: &[&str]) -> Result<RuleAndLength, SeriesProblem> {
    match words {
        ["every" | "each", rest @ ..] => every(rest).map(|(rule, length)| (rule, length + 1)),
        ["daily", ..] => Ok((rule("daily", 1), 1)),
        ["weekdays", ..] => Ok((on_working_days(), 1)),
        ["weekends", ..] => Ok((on_weekends(), 1)),
        ["weekly", rest @ ..] => Ok(in_weeks(rest, 1)),
        ["monthly", rest @ ..] => Ok(in_months(rest, 1)),
        ["yearly" | "annually", ..] => Ok((rule("yearly", 1), 1)),
        _ => {
            let (days, length) = weekdays(words);
            Ok((weekly(&days, 1), length))
        }
    }
}

/// What stands after `every`.
fn every(words: &[&str]) -> Result<RuleAndLength, SeriesProblem> {
    if let Some(found) = every_nth(words)? {
        return Ok(found);
    }
    let (interval, skipped) = match words {
        ["other", ..] => (2, 1),
        [word, ..] => number(word, MAX_INTERVAL).map_or((1, 0), |interval| (interval, 1)),
        [] => (1, 0),
    };
    let rest = words.get(skipped..).unwrap_or_default();
    let (rule, length) = match rest {
        ["day" | "days", ..] => (rule("daily", interval), 1),
        ["week" | "weeks", rest @ ..] => in_weeks(rest, interval),
        ["month" | "months", rest @ ..] => in_months(rest, interval),
        ["year" | "years", ..] => (rule("yearly", interval), 1),
        ["weekday" | "weekdays" | "workday" | "workdays", ..] if interval == 1 => (on_working_days(), 1),
        ["weekend" | "weekends", ..] if interval == 1 => (on_weekends(), 1),
        // The part of the day belongs to the time.
        ["morning" | "afternoon" | "evening" | "night", ..] if interval == 1 => (rule("daily", 1), 0),
        [unit, ..] if SHORT_UNITS.contains(unit) => return Err(SeriesProblem::TooOften),
        _ => match weekdays(rest) {
            (days, length) if length > 0 => (weekly(&days, interval), length),
            _ => return Err(named(words, skipped + 2)),
        },
    };
    Ok((rule, skipped + length))
}

/// `every 15th`, `every last friday of the month`; `None`: it begins otherwise.
fn every_nth(words: &[&str]) -> Result<Option<RuleAndLength>, SeriesProblem> {
    let Some((rule, length)) = month_day(words) else { return Ok(None) };
    let of_month = month_after(words.get(length..).unwrap_or_default());
    // `every second tuesday` may be every other one, or that of the month.
    let is_unclear = rule.nth.is_some_and(|nth| nth > 1) && of_month == 0;
    if is_unclear { Err(named(words, length)) } else { Ok(Some((rule, length + of_month))) }
}

/// The number of words of `of the month`.
fn month_after(words: &[&str]) -> usize {
    match words {
        ["of", "the" | "each" | "every", "month", ..] => 3,
        ["of", "month", ..] => 2,
        _ => 0,
    }
}

/// What stands after the unit week. The length includes the unit.
fn in_weeks(words: &[&str], interval: i32) -> RuleAndLength {
    let skipped = usize::from(matches!(words, ["on", ..]));
    let (days, length) = weekdays(words.get(skipped..).unwrap_or_default());
    let length = if length == 0 { 0 } else { skipped + length };
    (weekly(&days, interval), 1 + length)
}

/// What stands after the unit month. The length includes the unit.
fn in_months(words: &[&str], interval: i32) -> RuleAndLength {
    let skipped = words.iter().take_while(|word| matches!(**word, "on" | "the" | "day")).count();
    let rest = words.get(skipped..).unwrap_or_default();
    let bare = rest.first().filter(|_| skipped > 0).and_then(|word| number(word, 31));
    let found = month_day(rest).or_else(|| bare.map(|day| (on_day(day, 1), 1)));
    match found {
        Some((found, length)) => {
            (RuleFields { interval: rule("", interval).interval, ..found }, 1 + skipped + length)
        }
        None => (rule("monthly", interval), 1),
    }
}

/// A day of a month: `1st`, `last day`, `last friday`.
fn month_day(words: &[&str]) -> Option<RuleAndLength> {
    match words {
        ["last", "day", ..] => Some((on_day(-1, 1), 2)),
        ["first", "day", ..] => Some((on_day(1, 1), 2)),
        ["last", day, ..] => Some((on_nth(-1, weekday(day)?, 1), 2)),
        [nth, day, ..] if weekday(day).is_some() => {
            let at = ORDINALS.iter().position(|(word, digits)| word == nth || digits == nth)?;
            Some((on_nth(i32::try_from(at).ok()? + 1, weekday(day)?, 1), 2))
        }
        [day, ..] => {
            let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| day.strip_suffix(*end))?;
            Some((on_day(number(digits, 31)?, 1), 1))
        }
        [] => None,
    }
}

/// The weekdays at the beginning, Monday = 0, and the number of their words.
fn weekdays(words: &[&str]) -> (Vec<usize>, usize) {
    let (mut days, mut length) = (Vec::new(), 0);
    for (at, word) in words.iter().enumerate() {
        if let Some(day) = weekday(word) {
            days.push(day);
            length = at + 1;
        } else if !matches!(*word, "and" | "," | "&" | "+") {
            break;
        }
    }
    (days, length)
}

/// A weekday by its name, which may be shortened to three letters or be plural; Monday = 0.
fn weekday(word: &str) -> Option<usize> {
    let name = word.strip_suffix('s').filter(|name| WEEKDAYS.contains(name)).unwrap_or(word);
    WEEKDAYS.iter().position(|day| name.len() >= 3 && day.starts_with(name))
}

/// A number from 1 on, in digits or as a word.
fn number(word: &str, max: u16) -> Option<i32> {
    let of_word =
        || NUMBERS.iter().position(|known| *known == word).and_then(|at| u16::try_from(at + 2).ok());
    let is_digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let value = if is_digits { word.parse().ok() } else { of_word() };
    value.filter(|value| (1..=max).contains(value)).map(i32::from)
}

/// Names the words after `every` that are not supported.
fn named(words: &[&str], count: usize) -> SeriesProblem {
    let part: Vec<&str> = ["every"].into_iter().chain(words.iter().take(count).copied()).collect();
    unsupported(&part.join(" "))
}
