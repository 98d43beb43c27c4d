//! Why a typed time is refused, for the line below the field.

use crate::{Language, texts};
use domain::base::when::problem::WhenProblem;

texts! {
    /// Sentences without the name of the field.
    WhenProblemTexts {
        not_understood(part: &str) = "is not understood at “{part}”", "中的“{part}”无法识别";
        holiday(name: &str) = "names the holiday “{name}”; enter its date, like 25 Dec, 9:00", "中的“{name}”是节日，请输入日期，例如 12月25日 9:00";
        place(part: &str, zone: &str) = "has “{part}”, which is not read as a place there; enter the zone after the time, like 9:00 {zone}", "中的“{part}”在这里不作为地点，请把时区写在时刻之后，例如 9:00 {zone}";
        two_zones(one: &str, other: &str) = "names the zone {other}, and its zone is {one}; leave one of them out", "中的时区是 {other}，而所填时区是 {one}，请去掉其中之一";
        no_time = "needs a time of day, like 9:00", "还缺少时刻，例如 9:00";
        no_such_time(part: &str) = "contains “{part}”, which does not exist", "中的“{part}”不存在";
        other_weekday(date: &str) = "names another weekday than that of {date}; leave one of them out", "中的星期与 {date} 不符，请去掉其中之一";
        too_far = "is more than 366 days away; enter the date", "超过 366 天，请输入日期";
        no_slots = "asks for a slot, but no slots are free here; enter a time", "指的是时段，但这里没有空闲时段，请输入时间";
        repeats = "repeats, which only reminders and meetings can; enter one time", "会重复，但只有提醒和会议可以重复，请输入一个时间";
        no_repeat_day = "repeats, but names no day; enter it like every Monday 9:00, or every month on the 1st at 9:00", "会重复，但没有说明哪一天，例如 每周一9:00 或 每月1日9:00";
        several(times: &str) = "can mean {times}; choose one of them", "可以指 {times}，请选择其一";
    }
}

/// Describes the problem.
#[must_use]
pub fn when_problem(language: Language, why: &WhenProblem) -> String {
    let texts = WhenProblemTexts(language);
    match why {
        WhenProblem::NotUnderstood { part } => texts.not_understood(part),
        WhenProblem::Holiday { name } => texts.holiday(name),
        WhenProblem::Place { part, zone } => texts.place(part, zone),
        WhenProblem::TwoZones { one, other } => texts.two_zones(one, other),
        WhenProblem::NoTime => texts.no_time().to_owned(),
        WhenProblem::NoSuchTime { part } => texts.no_such_time(part),
        WhenProblem::OtherWeekday { date } => texts.other_weekday(date),
        WhenProblem::TooFar => texts.too_far().to_owned(),
        WhenProblem::NoSlots => texts.no_slots().to_owned(),
        WhenProblem::Repeats => texts.repeats().to_owned(),
        WhenProblem::NoRepeatDay => texts.no_repeat_day().to_owned(),
        WhenProblem::Several { locals } => {
            let times: Vec<String> = locals.iter().map(|local| local.replace('T', " ")).collect();
            texts.several(&times.join(", "))
        }
    }
}
