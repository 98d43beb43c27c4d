//! Reads how something repeats, as people write it: `every monday 9am`, `daily at 8:00 until 1 mar`,
//! `每周一上午九点`, `jeden Montag 9 Uhr`. The words that remain say the time; [`crate::base::when`] reads them.

mod chinese;
mod english;
mod german;

use super::{RuleFields, SeriesProblem, fields::WEEKDAYS};

/// Number of working days from Monday on.
const WORKING_DAYS: usize = 5;

/// Words that repeat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepeatWords {
    /// The rule, without a last date. Days that the words do not say are absent.
    pub rule: RuleFields,
    /// The words that say the first time.
    pub first: String,
    /// The words that say the last date; `None`: there is none.
    pub until: Option<String>,
}

impl RepeatWords {
    /// Reads a text; `None`: it does not repeat. The problem names what is not supported.
    pub fn read(text: &str) -> Result<Option<Self>, SeriesProblem> {
        let text = text.to_lowercase().replace([',', '，', '、'], " , ");
        match text.split_once('每') {
            Some((before, after)) => chinese::read(before, after).map(Some),
            // The words of one language do not repeat in the other.
            None => match english::read(&text)? {
                None => german::read(&text),
                found => Ok(found),
            },
        }
    }

    /// Whether the rule lacks its day: that of the first time counts, which must then say one.
    #[must_use]
    pub fn needs_day(&self) -> bool {
        let rule = &self.rule;
        rule.frequency != "daily" && rule.weekdays.is_none() && rule.day.is_none()
    }
}

/// A rule with this frequency and interval.
fn rule(frequency: &str, interval: i32) -> RuleFields {
    let interval = (interval != 1).then_some(interval);
    RuleFields { frequency: frequency.to_owned(), interval, ..RuleFields::default() }
}

/// A weekly rule on these days, Monday = 0; none: on that of the start.
fn weekly(days: &[usize], interval: i32) -> RuleFields {
    let words: Vec<String> =
        days.iter().filter_map(|day| WEEKDAYS.get(*day)).map(|&word| word.to_owned()).collect();
    RuleFields { weekdays: (!words.is_empty()).then_some(words), ..rule("weekly", interval) }
}

fn on_working_days() -> RuleFields {
    weekly(&(0..WORKING_DAYS).collect::<Vec<_>>(), 1)
}

fn on_weekends() -> RuleFields {
    weekly(&(WORKING_DAYS..WEEKDAYS.len()).collect::<Vec<_>>(), 1)
}

/// A monthly rule on a day, -1 for the last one.
fn on_day(day: i32, interval: i32) -> RuleFields {
    RuleFields { day: Some(day), ..rule("monthly", interval) }
}

/// A monthly rule on such a weekday, Monday = 0; `nth`: -1 for the last one.
fn on_nth(nth: i32, weekday: usize, interval: i32) -> RuleFields {
    RuleFields { nth: Some(nth), weekdays: weekly(&[weekday], 1).weekdays, ..rule("monthly", interval) }
}

fn unsupported(part: &str) -> SeriesProblem {
    SeriesProblem::Unsupported { part: format!("“{}”", part.trim()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> RepeatWords {
        RepeatWords::read(text).unwrap().unwrap()
    }

    /// Frequency, interval, days of the week, day, which, and the remaining words.
    fn short(text: &str) -> String {
        let RepeatWords { rule, first, until } = read(text);
        let number = |value: Option<i32>| value.map_or_else(String::new, |value| value.to_string());
        let days = rule.weekdays.unwrap_or_default();
        let days = days.iter().map(|day| day.chars().take(2).collect::<String>());
        let until = until.map_or_else(String::new, |until| format!(" until {until}"));
        let count = rule.count.map_or_else(String::new, |count| format!(" x{count}"));
        format!(
            "{} {}/{}/{}/{} {first}{until}{count}",
            rule.frequency,
            number(rule.interval),
            days.collect::<String>(),
            number(rule.day),
            number(rule.nth)
        )
    }

    #[test]
    fn english_words_are_a_rule_and_a_time() {
        for (text, expected) in [
            ("every monday 9am", "weekly /mo// 9am"),
            ("Every Mon, Wed and Fri at 17:00", "weekly /mowefr// at 17:00"),
            ("9am every tuesday", "weekly /tu// 9am"),
            ("fridays 16:30 berlin", "weekly /fr// 16:30 berlin"),
            ("every day at 8:00", "daily /// at 8:00"),
            ("daily 8am", "daily /// 8am"),
            ("every morning at 8", "daily /// morning at 8"),
            ("every weekday 9am", "weekly /motuwethfr// 9am"),
            ("weekends 10:00", "weekly /sasu// 10:00"),
            ("every other thursday 9am", "weekly 2/th// 9am"),
            ("every 2 weeks on tuesday 10:00", "weekly 2/tu// 10:00"),
            ("every 3 days 10:00", "daily 3/// 10:00"),
            ("weekly on sunday 7pm", "weekly /su// 7pm"),
            ("every month on the 1st at 9am", "monthly //1/ at 9am"),
            ("monthly on day 15 9:00", "monthly //15/ 9:00"),
            ("every 31st of the month 18:00", "monthly //31/ 18:00"),
            ("every month on the last day 9am", "monthly //-1/ 9am"),
            ("every last friday of the month 9am", "monthly /fr//-1 9am"),
            ("every second tuesday of the month 9am", "monthly /tu//2 9am"),
            ("every year on 9 june 9:00", "yearly /// on 9 june 9:00"),
            ("every monday 9am until 1 march", "weekly /mo// 9am until 1 march"),
            ("every monday 9am, 10 times", "weekly /mo// 9am x10"),
        ] {
            assert_eq!(short(text).replace(" ,", ""), expected, "{text}");
        }
    }

    #[test]
    fn chinese_words_are_a_rule_and_a_time() {
        for (text, expected) in [
            ("每天上午九点", "daily /// 上午九点"),
            ("每周一9点", "weekly /mo// 9点"),
            ("每星期一三五上午九点", "weekly /mowefr// 上午九点"),
            ("每周二、周四 17:00", "weekly /tuth// 17:00"),
            ("每周二三点", "weekly /tu// 三点"),
            ("每两周的周一 10:00", "weekly 2/mo// 10:00"),
            ("每個工作日早上8点", "weekly /motuwethfr// 早上8点"),
            ("每月1号9点", "monthly //1/ 9点"),
            ("每月十五日9点", "monthly //15/ 9点"),
            ("每月最后一天18:00", "monthly //-1/ 18:00"),
            ("每月第二个周二9点", "monthly /tu//2 9点"),
            ("每年6月9日上午九点", "yearly /// 6月9日上午九点"),
            ("每晚8点", "daily /// 晚8点"),
            ("每周一9点，到3月1日为止", "weekly /mo// 9点 until 3月1日"),
            ("每周一9点，共10次", "weekly /mo// 9点 x10"),
        ] {
            assert_eq!(short(text).replace(" ,", ""), expected, "{text}");
        }
    }

    #[test]
    fn german_words_are_a_rule_and_a_time() {
        for (text, expected) in [
            ("jeden Montag 9 Uhr", "weekly /mo// 9 uhr"),
            ("jeden Mo, Mi und Fr um 17:00", "weekly /mowefr// um 17:00"),
            ("9 Uhr jeden Dienstag", "weekly /tu// 9 uhr"),
            ("freitags 16:30", "weekly /fr// 16:30"),
            ("jeden Freitagabend um 8", "weekly /fr// abends um 8"),
            ("jeden Montag Morgen um 8", "weekly /mo// morgens um 8"),
            ("jeden Tag um 8:00", "daily /// um 8:00"),
            ("täglich um 7", "daily /// um 7"),
            ("taeglich 8 Uhr", "daily /// 8 uhr"),
            ("jeden Morgen um 8", "daily /// morgens um 8"),
            ("werktags 9 Uhr", "weekly /motuwethfr// 9 uhr"),
            ("jedes Wochenende 10:00", "weekly /sasu// 10:00"),
            ("alle 2 Wochen am Dienstag 10:00", "weekly 2/tu// 10:00"),
            ("alle zwei Wochen montags 10:00", "weekly 2/mo// 10:00"),
            ("alle 3 Tage 10:00", "daily 3/// 10:00"),
            ("wöchentlich am Sonntag um 19 Uhr", "weekly /su// um 19 uhr"),
            ("monatlich am 1.", "monthly //1/ "),
            ("jeden Monat am 15. um 9 Uhr", "monthly //15/ um 9 uhr"),
            ("alle 3 Monate am letzten Tag 9 Uhr", "monthly 3//-1/ 9 uhr"),
            ("jeden letzten Freitag im Monat 9 Uhr", "monthly /fr//-1 9 uhr"),
            ("jeden zweiten Dienstag des Monats 9 Uhr", "monthly /tu//2 9 uhr"),
            ("jährlich am 9. Juni um 9:00", "yearly /// am 9. juni um 9:00"),
            ("jeden Montag 9 Uhr bis 1. März", "weekly /mo// 9 uhr until 1. märz"),
            ("jeden Montag 9 Uhr bis zum 1.3.2027", "weekly /mo// 9 uhr until 1.3.2027"),
            ("jeden Montag 9 Uhr, 10-mal", "weekly /mo// 9 uhr x10"),
        ] {
            assert_eq!(short(text).replace(" ,", ""), expected, "{text}");
        }
    }

    #[test]
    fn what_repeats_too_often_or_is_unclear_is_refused_by_name() {
        for text in ["every hour", "every 90 minutes", "每小时", "每30分钟", "jede Stunde", "alle 5 Minuten"]
        {
            assert_eq!(RepeatWords::read(text), Err(SeriesProblem::TooOften), "{text}");
        }
        let part = "“every second tuesday”".to_owned();
        assert_eq!(
            RepeatWords::read("every second tuesday 9am"),
            Err(SeriesProblem::Unsupported { part }),
            "every other one, or that of the month"
        );
        for text in ["every full moon 9am", "每逢节日", "jeden zweiten Dienstag 9 Uhr", "jeden Vollmond"]
        {
            assert!(RepeatWords::read(text).is_err(), "{text}");
        }
        for text in [
            "monday 9am",
            "tomorrow 9am",
            "in 2 hours",
            "明天上午九点",
            "morgen 9 Uhr",
            "alle morgen 9 Uhr",
            "",
        ] {
            assert_eq!(RepeatWords::read(text), Ok(None), "{text}");
        }
        assert!(read("every week 9am").needs_day() && read("每月9点").needs_day());
        assert!(!read("every day 9am").needs_day() && !read("every monday 9am").needs_day());
    }
}
