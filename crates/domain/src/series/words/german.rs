//! German words that repeat.

use super::{
    RepeatWords, SeriesProblem, on_day, on_nth, on_weekends, on_working_days, rule, unsupported, weekly,
};
use crate::series::{MAX_COUNT, MAX_INTERVAL, RuleFields};

const WEEKDAYS: [&str; 7] = ["montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag"];
/// Short names of the weekdays.
const SHORT: [&str; 7] = ["mo", "di", "mi", "do", "fr", "sa", "so"];
/// Numbers in words, from two on.
const NUMBERS: [&str; 11] =
    ["zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf"];
/// Which of the weekdays of a month, from the first on, without their endings.
const ORDINALS: [&str; 4] = ["erst", "zweit", "dritt", "viert"];
/// Parts of the day that may follow a weekday in one word, and the words for them alone.
const PARTS: [(&str, &str); 6] = [
    ("morgen", "morgens"),
    ("vormittag", "vormittags"),
    ("mittag", "mittags"),
    ("nachmittag", "nachmittags"),
    ("abend", "abends"),
    ("nacht", "nachts"),
];
/// Units that are shorter than a day.
const SHORT_UNITS: [&str; 6] = ["stunde", "stunden", "minute", "minuten", "sekunde", "sekunden"];

/// A rule, the number of words that say it, and the part of the day in the last of them.
type Read = (RuleFields, usize, &'static str);

/// Reads a text in lower case; `None`: it does not repeat.
pub(super) fn read(text: &str) -> Result<Option<RepeatWords>, SeriesProblem> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let Some(begin) = (0..words.len()).find(|at| begins(words.get(*at..).unwrap_or_default())) else {
        return Ok(None);
    };
    let (before, repeats) = words.split_at(begin);
    let (mut rule, length, part) = rule_of(repeats)?;
    let after = repeats.iter().skip(length).copied();
    let part = (!part.is_empty()).then_some(part);
    let mut rest: Vec<&str> = before.iter().copied().chain(part).chain(after).collect();
    let until = rest.iter().position(|word| *word == "bis").map(|at| {
        let until = rest.split_off(at);
        let is_filler = |word: &&str| matches!(*word, "bis" | "zum" | "zur");
        until.into_iter().skip_while(is_filler).collect::<Vec<_>>().join(" ")
    });
    if let Some((at, length, count)) = count(&rest) {
        rule.count = Some(count);
        rest.drain(at..at + length);
    }
    Ok(Some(RepeatWords { rule, first: rest.join(" "), until }))
}

/// Whether words that repeat begin here.
fn begins(words: &[&str]) -> bool {
    let [word, rest @ ..] = words else { return false };
    let has_number = || rest.first().is_some_and(|next| number(next, u16::MAX).is_some());
    let is_plural = || word.strip_suffix('s').is_some_and(|day| WEEKDAYS.contains(&day));
    is_every(word)
        || (*word == "alle" && has_number())
        || matches!(
            *word,
            "täglich"
                | "taeglich"
                | "wöchentlich"
                | "woechentlich"
                | "monatlich"
                | "jährlich"
                | "jaehrlich"
                | "werktags"
                | "wochentags"
        )
        || is_plural()
}

fn is_every(word: &str) -> bool {
    matches!(word, "jede" | "jeden" | "jedes")
}

fn rule_of(words: &[&str]) -> Result<Read, SeriesProblem> {
    let whole = |rule| Ok((rule, 1, ""));
    match words {
        ["alle", rest @ ..] => one_more(every_few(rest)?),
        ["täglich" | "taeglich", ..] => whole(rule("daily", 1)),
        ["werktags" | "wochentags", ..] => whole(on_working_days()),
        ["wöchentlich" | "woechentlich", rest @ ..] => one_more(in_weeks(rest, 1)),
        ["monatlich", rest @ ..] => one_more(in_months(rest, 1)),
        ["jährlich" | "jaehrlich", ..] => whole(rule("yearly", 1)),
        [word, rest @ ..] if is_every(word) => one_more(every(rest)?),
        _ => {
            let (days, length, part) = weekdays(words);
            Ok((weekly(&days, 1), length, part))
        }
    }
}

/// Counts the word before what was read.
fn one_more((rule, length, part): Read) -> Result<Read, SeriesProblem> {
    Ok((rule, length + 1, part))
}

/// What stands after `alle`.
fn every_few(words: &[&str]) -> Result<Read, SeriesProblem> {
    let Some(interval) = words.first().and_then(|word| number(word, MAX_INTERVAL)) else {
        return Err(named("alle", words));
    };
    let rest = words.get(1..).unwrap_or_default();
    Ok(match rest {
        ["tage", ..] => (rule("daily", interval), 2, ""),
        ["wochen", rest @ ..] => {
            let (rule, length, part) = in_weeks(rest, interval);
            (rule, length + 2, part)
        }
        ["monate", rest @ ..] => {
            let (rule, length, part) = in_months(rest, interval);
            (rule, length + 2, part)
        }
        ["jahre", ..] => (rule("yearly", interval), 2, ""),
        [unit, ..] if SHORT_UNITS.contains(unit) => return Err(SeriesProblem::TooOften),
        _ => return Err(named("alle", words)),
    })
}

/// What stands after `jeden`.
fn every(words: &[&str]) -> Result<Read, SeriesProblem> {
    if let Some((found, length)) = month_day(words) {
        let of_month = month_after(words.get(length..).unwrap_or_default());
        // `jeden zweiten dienstag` may be every other one, or that of the month.
        let is_unclear = found.nth.is_some_and(|nth| nth > 1) && of_month == 0;
        return if is_unclear { Err(named("jeden", words)) } else { Ok((found, length + of_month, "")) };
    }
    Ok(match words {
        ["tag", ..] => (rule("daily", 1), 1, ""),
        ["werktag" | "wochentag" | "arbeitstag", ..] => (on_working_days(), 1, ""),
        ["wochenende", ..] => (on_weekends(), 1, ""),
        ["woche", rest @ ..] => {
            let (rule, length, part) = in_weeks(rest, 1);
            (rule, length + 1, part)
        }
        ["monat", rest @ ..] => {
            let (rule, length, part) = in_months(rest, 1);
            (rule, length + 1, part)
        }
        ["jahr", ..] => (rule("yearly", 1), 1, ""),
        ["zweiten", "tag", ..] => (rule("daily", 2), 2, ""),
        [unit, ..] if SHORT_UNITS.contains(unit) => return Err(SeriesProblem::TooOften),
        [part, ..] if part_of(part).is_some() => (rule("daily", 1), 1, part_of(part).unwrap_or_default()),
        _ => match weekdays(words) {
            (days, length, part) if length > 0 => (weekly(&days, 1), length, part),
            _ => return Err(named("jeden", words)),
        },
    })
}

/// What stands after the unit week.
fn in_weeks(words: &[&str], interval: i32) -> Read {
    let skipped = usize::from(matches!(words, ["am", ..]));
    let (days, length, part) = weekdays(words.get(skipped..).unwrap_or_default());
    (weekly(&days, interval), if length == 0 { 0 } else { skipped + length }, part)
}

/// What stands after the unit month.
fn in_months(words: &[&str], interval: i32) -> Read {
    let skipped = usize::from(matches!(words, ["am", ..]));
    match month_day(words.get(skipped..).unwrap_or_default()) {
        Some((found, length)) => {
            (RuleFields { interval: rule("", interval).interval, ..found }, skipped + length, "")
        }
        None => (rule("monthly", interval), 0, ""),
    }
}

/// A day of a month, and its number of words: `1.`, `letzten tag`, `letzten freitag`.
fn month_day(words: &[&str]) -> Option<(RuleFields, usize)> {
    let nth = |word: &str| {
        let at = ORDINALS.iter().position(|ordinal| {
            word.strip_prefix(ordinal).is_some_and(|ending| matches!(ending, "e" | "en" | "er" | "es"))
        })?;
        i32::try_from(at).ok().map(|at| at + 1)
    };
    match words {
        ["letzten" | "letzter", "tag", ..] => Some((on_day(-1, 1), 2)),
        ["ersten" | "erster", "tag", ..] => Some((on_day(1, 1), 2)),
        ["letzten" | "letzter", day, ..] => Some((on_nth(-1, weekday(day)?, 1), 2)),
        [word, day, ..] if weekday(day).is_some() => {
            let digits = || word.strip_suffix('.').and_then(|digits| number(digits, 5));
            Some((on_nth(nth(word).or_else(digits)?, weekday(day)?, 1), 2))
        }
        [day, ..] => Some((on_day(number(day.strip_suffix('.')?, 31)?, 1), 1)),
        [] => None,
    }
}

/// The number of words of `des monats`.
fn month_after(words: &[&str]) -> usize {
    match words {
        ["des" | "im" | "eines" | "jeden", "monats" | "monat", ..] => 2,
        _ => 0,
    }
}

/// The weekdays at the beginning, Monday = 0, the number of their words, and the part of the day of the last one.
fn weekdays(words: &[&str]) -> (Vec<usize>, usize, &'static str) {
    let (mut days, mut length, mut part) = (Vec::new(), 0, "");
    for (at, word) in words.iter().enumerate() {
        if let Some((day, of_day)) = weekday_and_part(word) {
            days.push(day);
            (length, part) = (at + 1, of_day);
        } else if !matches!(*word, "und" | "," | "&" | "+") {
            break;
        }
    }
    // `jeden montag morgen`: not tomorrow.
    match words.get(length).filter(|_| length > 0 && part.is_empty()).and_then(|word| part_of(word)) {
        Some(of_day) => (days, length + 1, of_day),
        None => (days, length, part),
    }
}

fn weekday(word: &str) -> Option<usize> {
    weekday_and_part(word).filter(|(_, part)| part.is_empty()).map(|(day, _)| day)
}

/// A weekday by its name, Monday = 0, and the part of the day in the same word: `montagabend`; else empty.
fn weekday_and_part(word: &str) -> Option<(usize, &'static str)> {
    let word = word.strip_suffix('.').unwrap_or(word);
    if let Some(day) = SHORT.iter().position(|short| *short == word) {
        return Some((day, ""));
    }
    if word == "sonnabend" || word == "sonnabends" {
        return Some((5, ""));
    }
    WEEKDAYS.iter().enumerate().find_map(|(day, name)| {
        let rest = word.strip_prefix(name)?;
        let part = if matches!(rest, "" | "s") { "" } else { part_of(rest)? };
        Some((day, part))
    })
}

/// The word for a part of the day alone.
fn part_of(word: &str) -> Option<&'static str> {
    PARTS.iter().find(|(part, alone)| *part == word || *alone == word).map(|(_, alone)| *alone)
}

/// How often, and the place and number of its words: `10-mal`, `10 mal`, `10x`.
fn count(words: &[&str]) -> Option<(usize, usize, i32)> {
    words.iter().enumerate().find_map(|(at, word)| {
        let joined = ["-mal", "mal", "x"].iter().find_map(|end| word.strip_suffix(*end));
        if let Some(count) = joined.and_then(|count| number(count, MAX_COUNT)) {
            return Some((at, 1, count));
        }
        let before = at.checked_sub(1).filter(|_| *word == "mal")?;
        Some((before, 2, number(words.get(before)?, MAX_COUNT)?))
    })
}

/// A number from 1 on, in digits or as a word.
fn number(word: &str, max: u16) -> Option<i32> {
    let word = word.replace("ue", "ü").replace("oe", "ö");
    let of_word =
        || NUMBERS.iter().position(|known| *known == word).and_then(|at| u16::try_from(at + 2).ok());
    let is_digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let value = if is_digits { word.parse().ok() } else { of_word() };
    value.filter(|value| (1..=max).contains(value)).map(i32::from)
}

/// Names the words after the first one that are not supported.
fn named(first: &str, words: &[&str]) -> SeriesProblem {
    let part: Vec<&str> = [first].into_iter().chain(words.iter().take(2).copied()).collect();
    unsupported(&part.join(" "))
}
