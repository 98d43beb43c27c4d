//! Chinese words that repeat.

use super::{
    RepeatWords, SeriesProblem, on_day, on_nth, on_weekends, on_working_days, rule, unsupported, weekly,
};
use crate::series::{MAX_COUNT, RuleFields};

/// Days of the week, Monday first; Sunday has two names.
const DAYS: [char; 8] = ['一', '二', '三', '四', '五', '六', '日', '天'];
/// Numerals from one on.
const NUMERALS: [char; 10] = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十'];
/// Names of the week.
const WEEKS: [&str; 3] = ["周", "星期", "礼拜"];
/// Number of characters that a refusal names.
const NAMED_CHARS: usize = 6;

/// Reads the texts before and after `每`.
pub(super) fn read(before: &str, after: &str) -> Result<RepeatWords, SeriesProblem> {
    let simple = |letter: char| match letter {
        '週' => '周',
        '個' => '个',
        '號' => '号',
        '兩' => '两',
        other => other,
    };
    let mut letters = Letters { rest: after.chars().map(simple).collect() };
    let mut found = rule_of(&mut letters)?;
    let rest: String = letters.rest.into_iter().collect();
    let (rest, until) = last_date(&rest);
    let (rest, count) = count(rest);
    found.count = count;
    Ok(RepeatWords { rule: found, first: format!("{before} {rest}").trim().to_owned(), until })
}

fn rule_of(letters: &mut Letters) -> Result<RuleFields, SeriesProblem> {
    let whole: String = letters.rest.iter().take(NAMED_CHARS).collect();
    // The part of the day belongs to the time: `每晚8点`.
    if matches!(letters.first(), Some('早' | '晚')) {
        return Ok(rule("daily", 1));
    }
    let interval = letters.number().unwrap_or(1);
    letters.eat("个");
    if ["小时", "钟头", "分", "刻", "秒"].iter().any(|unit| letters.eat(unit)) {
        return Err(SeriesProblem::TooOften);
    }
    if letters.eat("工作日") {
        letters.eat("的");
        return Ok(on_working_days());
    }
    if letters.eat("周末") {
        letters.eat("的");
        return Ok(on_weekends());
    }
    if WEEKS.iter().any(|week| letters.eat(week)) {
        return Ok(weekly(&letters.weekdays(), interval));
    }
    match letters.take() {
        Some('天' | '日') => Ok(rule("daily", interval)),
        Some('月') => Ok(in_month(letters, interval)),
        Some('年') => {
            letters.eat("的");
            Ok(rule("yearly", interval))
        }
        _ => Err(unsupported(&format!("每{whole}"))),
    }
}

/// What stands after the month.
fn in_month(letters: &mut Letters, interval: i32) -> RuleFields {
    letters.eat("的");
    if letters.eat("最后一天") {
        return on_day(-1, interval);
    }
    let start = letters.rest.clone();
    let found = if letters.eat("最后一个") {
        letters.weekday_of_week().map(|day| on_nth(-1, day, interval))
    } else if letters.eat("第") {
        let nth = letters.number().filter(|nth| *nth <= 5);
        letters.eat("个");
        nth.zip(letters.weekday_of_week()).map(|(nth, day)| on_nth(nth, day, interval))
    } else {
        let day = letters.number().filter(|day| (1..=31).contains(day));
        let is_day = letters.eat("日") || letters.eat("号");
        day.filter(|_| is_day).map(|day| on_day(day, interval))
    };
    found.unwrap_or_else(|| {
        letters.rest = start;
        rule("monthly", interval)
    })
}

/// Takes the last date out: `到3月1日为止`, `直到3月1日`.
fn last_date(text: &str) -> (&str, Option<String>) {
    let text = text.trim();
    let found = match text.strip_suffix("为止") {
        Some(text) => text.rsplit_once(['到', '至']),
        None => text.rsplit_once("直到"),
    };
    match found {
        Some((rest, until)) => (rest.trim_end_matches('直'), Some(until.trim().to_owned())),
        None => (text, None),
    }
}

/// Takes the number of times out: `共10次`.
fn count(text: &str) -> (&str, Option<i32>) {
    let found = text.trim().strip_suffix('次').and_then(|text| text.rsplit_once('共'));
    let count = found.and_then(|(rest, count)| Some((rest, count.trim().parse().ok()?)));
    match count {
        Some((rest, count)) if (1..=i32::from(MAX_COUNT)).contains(&count) => (rest.trim(), Some(count)),
        _ => (text, None),
    }
}

/// The letters that were not read yet.
struct Letters {
    rest: Vec<char>,
}

impl Letters {
    fn first(&self) -> Option<char> {
        self.rest.first().copied()
    }

    fn take(&mut self) -> Option<char> {
        let first = self.first()?;
        self.rest.remove(0);
        Some(first)
    }

    /// Reads these letters if they stand here; spaces before them are left out.
    fn eat(&mut self, word: &str) -> bool {
        let spaces = self.rest.iter().take_while(|letter| **letter == ' ').count();
        let length = word.chars().count();
        let is_here = self.rest.iter().skip(spaces).take(length).copied().eq(word.chars());
        if is_here {
            self.rest.drain(..spaces + length);
        }
        is_here
    }

    /// A number in digits, or in numerals up to 99.
    fn number(&mut self) -> Option<i32> {
        let digits: String = self.rest.iter().take_while(|letter| letter.is_ascii_digit()).collect();
        if !digits.is_empty() {
            self.rest.drain(..digits.len());
            return digits.parse().ok();
        }
        let value = |letter: char| match letter {
            '两' => Some(2),
            _ => NUMERALS.iter().position(|one| *one == letter).and_then(|at| i32::try_from(at + 1).ok()),
        };
        let values: Vec<i32> = self.rest.iter().map_while(|letter| value(*letter)).take(3).collect();
        let (number, length) = match values[..] {
            [tens @ 1..=9, 10, ones @ 1..=9] => (tens * 10 + ones, 3),
            [tens @ 1..=9, 10, ..] => (tens * 10, 2),
            [10, ones @ 1..=9, ..] => (10 + ones, 2),
            [one, ..] => (one, 1),
            [] => return None,
        };
        self.rest.drain(..length);
        Some(number)
    }

    /// The days after the name of the week: `一三五`, `的周一`, `二、周四`.
    fn weekdays(&mut self) -> Vec<usize> {
        self.eat("的");
        let (mut days, mut before) = (Vec::new(), self.rest.clone());
        loop {
            let start = self.rest.clone();
            let is_next = self.eat(",") || self.eat("和");
            let is_named = WEEKS.iter().any(|week| self.eat(week));
            let day = self.first().and_then(weekday);
            if day.is_none() || (is_next && !is_named && days.is_empty()) {
                self.rest = start;
                break;
            }
            before = start;
            self.take();
            days.extend(day);
        }
        // `每周二三点`: the last one is the hour.
        if days.len() > 1 && matches!(self.first(), Some('点' | '點' | '时' | '時')) {
            self.rest = before;
            days.pop();
        }
        days
    }

    /// `周一`; Monday = 0.
    fn weekday_of_week(&mut self) -> Option<usize> {
        WEEKS.iter().any(|week| self.eat(week)).then_some(())?;
        let day = self.first().and_then(weekday)?;
        self.take();
        Some(day)
    }
}

fn weekday(letter: char) -> Option<usize> {
    DAYS.iter().position(|day| *day == letter).map(|at| at.min(6))
}
