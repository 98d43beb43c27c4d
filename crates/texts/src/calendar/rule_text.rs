//! A rule as a sentence.

use crate::{
    Language,
    punctuation::list_comma,
    time::{GERMAN_MONTHS, MONTHS, day_text, place, weekday_name},
};
use domain::{base::local_time::parse_date, series::RuleFields, time::WallClockTime};

/// Weekdays as rules name them.
const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const ORDINALS: [&str; 5] = ["first", "second", "third", "fourth", "fifth"];
const GERMAN_ORDINALS: [&str; 5] = ["ersten", "zweiten", "dritten", "vierten", "fünften"];

/// `Repeats every 2 weeks on Mon, Thu, 10 times.`
#[must_use]
pub fn rule_text(language: Language, rule: &RuleFields) -> String {
    sentence(language, rule, "")
}

/// The sentence for a viewer: with the zone of the rule if that is not the viewer's, whose days may differ.
#[must_use]
pub fn rule_text_for(language: Language, rule: &RuleFields, zone: &str, viewer: &str) -> String {
    if zone == viewer { rule_text(language, rule) } else { rule_text_in(language, rule, zone) }
}

/// `Repeats every week on Wed, 3 times (Shanghai time).`: with the zone that the rule is about.
#[must_use]
pub fn rule_text_in(language: Language, rule: &RuleFields, zone: &str) -> String {
    let place = place(language, zone);
    let gap = if place.ends_with(|last: char| last.is_ascii()) { " " } else { "" };
    let zone = match language {
        Language::En => format!(" ({place} time)"),
        Language::Zh => format!("（{place}{gap}时间）"),
        Language::De => format!(" (Zeitzone {place})"),
    };
    sentence(language, rule, &zone)
}

fn sentence(language: Language, rule: &RuleFields, zone: &str) -> String {
    let (every, end) = (every(language, rule), end(language, rule));
    match language {
        Language::En => format!("Repeats {every}{end}{zone}."),
        Language::Zh => format!("{every}重复{end}{zone}。"),
        Language::De => format!("Wiederholt sich {every}{end}{zone}."),
    }
}

fn every(language: Language, rule: &RuleFields) -> String {
    let interval = rule.interval.unwrap_or(1);
    let en =
        |one: &str| if interval == 1 { format!("every {one}") } else { format!("every {interval} {one}s") };
    let zh = |one: &str| if interval == 1 { format!("每{one}") } else { format!("每 {interval} {one}") };
    let de = |one: &str, many: &str| {
        if interval == 1 { one.to_owned() } else { format!("alle {interval} {many}") }
    };
    let day = month_day(language, rule);
    match (rule.frequency.as_str(), language) {
        ("daily", Language::En) => en("day"),
        ("daily", Language::Zh) => zh("天"),
        ("daily", Language::De) => de("jeden Tag", "Tage"),
        ("weekly", Language::En) => format!("{} on {}", en("week"), weekdays(language, rule)),
        ("weekly", Language::Zh) => format!("{}的{}", zh("周"), weekdays(language, rule)),
        ("weekly", Language::De) => {
            format!("{} am {}", de("jede Woche", "Wochen"), weekdays(language, rule))
        }
        ("monthly", Language::En) => format!("{} on {day}", en("month")),
        ("monthly", Language::Zh) => format!("{}的{day}", zh(if interval == 1 { "月" } else { "个月" })),
        ("monthly", Language::De) => format!("{} am {day}", de("jeden Monat", "Monate")),
        (_, Language::En) => {
            format!("{} in {} on {day}", en("year"), month_name(&MONTHS, rule))
        }
        (_, Language::Zh) => format!("{} {} 月的{day}", zh("年"), rule.month.unwrap_or(1)),
        (_, Language::De) => {
            format!("{} im {} am {day}", de("jedes Jahr", "Jahre"), month_name(&GERMAN_MONTHS, rule))
        }
    }
}

/// The month of a yearly rule.
fn month_name(months: &[&'static str; 12], rule: &RuleFields) -> &'static str {
    let month = rule.month.and_then(|month| usize::try_from(month - 1).ok());
    month.and_then(|month| months.get(month)).copied().unwrap_or_default()
}

fn weekdays(language: Language, rule: &RuleFields) -> String {
    let days = rule.weekdays.as_deref().unwrap_or_default();
    let known = (0..7).filter(|index| days.iter().any(|day| day == WEEKDAYS[*index]));
    let names = known.map(|index| weekday_name(language, index));
    names.collect::<Vec<_>>().join(list_comma(language))
}

fn month_day(language: Language, rule: &RuleFields) -> String {
    let weekday = weekdays(language, rule);
    match (rule.nth, rule.day, language) {
        (Some(-1), _, Language::En) => format!("the last {weekday}"),
        (Some(-1), _, Language::Zh) => format!("最后一个{weekday}"),
        (Some(-1), _, Language::De) => format!("letzten {weekday}"),
        (Some(nth), _, Language::En) => format!("the {} {weekday}", ordinal(&ORDINALS, nth)),
        (Some(nth), _, Language::Zh) => format!("第 {nth} 个{weekday}"),
        (Some(nth), _, Language::De) => format!("{} {weekday}", ordinal(&GERMAN_ORDINALS, nth)),
        (None, Some(-1), Language::En) => "the last day".to_owned(),
        (None, Some(-1), Language::Zh) => "最后一天".to_owned(),
        (None, Some(-1), Language::De) => "letzten Tag".to_owned(),
        (None, day, Language::En) => format!("day {}", day.unwrap_or(1)),
        (None, day, Language::Zh) => format!(" {} 日", day.unwrap_or(1)),
        (None, day, Language::De) => format!("{}. Tag", day.unwrap_or(1)),
    }
}

/// Which weekday of a month, in words.
fn ordinal(words: &[&'static str; 5], nth: i32) -> &'static str {
    let place = usize::try_from(nth - 1).unwrap_or(0);
    words.get(place).copied().unwrap_or(words[0])
}

fn end(language: Language, rule: &RuleFields) -> String {
    match (&rule.until, rule.count, language) {
        (Some(until), _, Language::En) => format!(", until {}", date_words(language, until)),
        (Some(until), _, Language::Zh) => format!("，到{}为止", date_words(language, until)),
        (Some(until), _, Language::De) => format!(", bis {}", date_words(language, until)),
        (None, Some(1), Language::En) => ", once".to_owned(),
        (None, Some(count), Language::En) => format!(", {count} times"),
        (None, Some(count), Language::Zh) => format!("，共 {count} 次"),
        (None, Some(1), Language::De) => ", einmal".to_owned(),
        (None, Some(count), Language::De) => format!(", {count}-mal"),
        (None, None, _) => String::new(),
    }
}

/// `Tue 1 Jun 2027` of `2027-06-01`, in Chinese `2027年6月1日 周二`; `Jun 2027` of `2027-06`. Another text stays
/// as it is.
#[must_use]
pub fn date_words(language: Language, text: &str) -> String {
    let Some(date) = parse_date(text) else { return month_words(language, text) };
    let number = |part: i8| u32::try_from(part).unwrap_or_default();
    let wall = WallClockTime {
        year: date.year().into(),
        month: number(date.month()),
        day: number(date.day()),
        weekday: number(date.weekday().to_monday_zero_offset()),
        hour: 0,
        minute: 0,
        second: 0,
        repeated_offset: None,
    };
    day_text(language, wall, None)
}

fn month_words(language: Language, text: &str) -> String {
    let Some(date) = parse_date(&format!("{text}-01")) else { return text.to_owned() };
    let (year, month) = (date.year(), date.month());
    let named = |months: &[&str; 12]| {
        let place = usize::try_from(month - 1).unwrap_or_default();
        format!("{} {year}", months.get(place).copied().unwrap_or_default())
    };
    match language {
        Language::En => named(&MONTHS),
        Language::De => named(&GERMAN_MONTHS),
        Language::Zh => format!("{year}年{month}月"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_a_sentence_in_all_languages() {
        let rule = |frequency: &str| RuleFields {
            frequency: frequency.to_owned(),
            count: Some(10),
            ..RuleFields::default()
        };
        let days = Some(vec!["monday".to_owned(), "thursday".to_owned()]);
        let weekly = RuleFields { interval: Some(2), weekdays: days, ..rule("weekly") };
        assert_eq!(rule_text(Language::En, &weekly), "Repeats every 2 weeks on Mon, Thu, 10 times.");
        assert_eq!(rule_text(Language::Zh, &weekly), "每 2 周的周一、周四重复，共 10 次。");
        assert_eq!(rule_text(Language::De, &weekly), "Wiederholt sich alle 2 Wochen am Mo, Do, 10-mal.");
        let until = Some("2027-06-01".to_owned());
        let third = RuleFields {
            nth: Some(3),
            weekdays: Some(vec!["tuesday".to_owned()]),
            count: None,
            until,
            ..rule("monthly")
        };
        assert_eq!(
            rule_text(Language::En, &third),
            "Repeats every month on the third Tue, until Tue 1 Jun 2027."
        );
        assert_eq!(rule_text(Language::Zh, &third), "每月的第 3 个周二重复，到2027年6月1日 周二为止。");
        assert_eq!(
            rule_text(Language::De, &third),
            "Wiederholt sich jeden Monat am dritten Di, bis Di, 1. Juni 2027."
        );
        let last = RuleFields { day: Some(-1), month: Some(2), ..rule("yearly") };
        assert_eq!(rule_text(Language::En, &last), "Repeats every year in Feb on the last day, 10 times.");
        assert_eq!(rule_text(Language::Zh, &last), "每年 2 月的最后一天重复，共 10 次。");
        assert_eq!(
            rule_text(Language::De, &last),
            "Wiederholt sich jedes Jahr im Februar am letzten Tag, 10-mal."
        );
        assert_eq!(rule_text(Language::En, &rule("daily")), "Repeats every day, 10 times.");
    }

    #[test]
    fn a_date_is_in_words() {
        assert_eq!(date_words(Language::En, "2027-02-09"), "Tue 9 Feb 2027");
        assert_eq!(date_words(Language::En, "2027-02"), "Feb 2027");
        assert_eq!(date_words(Language::Zh, "2027-02"), "2027年2月");
        assert_eq!(date_words(Language::De, "2027-03-09"), "Di, 9. März 2027");
        assert_eq!(date_words(Language::De, "2027-03"), "März 2027");
        assert_eq!(date_words(Language::En, "soon"), "soon");
    }

    #[test]
    fn a_rule_can_name_its_zone() {
        let daily = RuleFields { frequency: "daily".to_owned(), count: Some(3), ..RuleFields::default() };
        let text = |language, zone| rule_text_in(language, &daily, zone);
        assert_eq!(text(Language::En, "Asia/Shanghai"), "Repeats every day, 3 times (Shanghai time).");
        assert_eq!(text(Language::Zh, "Asia/Shanghai"), "每天重复，共 3 次（上海时间）。");
        let german = text(Language::De, "Asia/Shanghai");
        assert_eq!(german, "Wiederholt sich jeden Tag, 3-mal (Zeitzone Shanghai).");
        assert_eq!(text(Language::Zh, "UTC"), "每天重复，共 3 次（UTC 时间）。");
    }
}
