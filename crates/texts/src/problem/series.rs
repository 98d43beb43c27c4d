//! Why a series is refused, for the line below the field.

use crate::{Language, texts, time::date_text};
use domain::series::SeriesProblem;

texts! {
    /// Sentences without the name of the field.
    SeriesProblemTexts {
        no_end = "say when it ends: a last date or a number of times", "请填写何时结束：最后日期或次数";
        two_ends = "cannot end twice: give the last date or the number of times, not both", "只能有一个结束条件：最后日期或次数，不能同时填写";
        ends_before_start = "is before the start of the series", "早于系列的开始时间";
        too_far_ahead(months: u32, last_date: &str, count: u32) = "goes further ahead than {months} months: the last occurrence may be on {last_date}, which leaves {count} occurrences", "超过 {months} 个月：最后一次最晚为 {last_date}，即最多 {count} 次";
        empty = "has no occurrence between its start and its end", "在开始与结束之间没有任何一次";
        not_between(min: i32, max: i32) = "must be between {min} and {max}", "必须在 {min} 与 {max} 之间";
        not_ordinal(max: i32) = "must be between 1 and {max}, or the last", "必须在 1 与 {max} 之间，或为最后一个";
        no_such_day(month: i32, day: i32) = "does not exist: month {month} never has a day {day}", "不存在：{month} 月没有 {day} 日";
        not_used = "is not used by this kind of series; leave it empty", "此类系列不使用该项，请留空";
        two_days = "cannot be given together with an ordinal weekday", "不能与“第几个星期几”同时填写";
        not_one_weekday = "must be exactly one weekday", "必须恰好是一个星期几";
        no_nth = "needs a number: which of these weekdays of the month", "还需填写：该月的第几个";
        not_a_date = "is not a date; write it like 2027-03-28", "不是日期，请写成 2027-03-28";
        not_a_minute = "must be a full minute", "必须是整分钟";
        too_often = "repeats too often: at most once a day", "过于频繁：每天最多一次";
        overlaps_itself = "is after the next meeting of the series starts; make it shorter, or repeat less often", "晚于该系列下一次会议的开始；请缩短时长或降低频率";
        unsupported(part: &str) = "uses {part}, which is not supported", "使用了不支持的 {part}";
        not_upcoming = "has taken place or was cancelled; choose one that is still to come", "已经发生或已取消，请选择尚未发生的一次";
        rule_of_one = "cannot be changed for one occurrence; choose this and following, or all", "不能只改一次的规则，请选择“此次及以后”或“全部”";
    }
}

/// Describes the problem.
pub(crate) fn series_problem(language: Language, why: &SeriesProblem) -> String {
    let texts = SeriesProblemTexts(language);
    match why {
        SeriesProblem::TooFarAhead { months, last_date, count } => {
            texts.too_far_ahead(*months, &date_text(language, last_date), *count)
        }
        SeriesProblem::NotBetween { min, max } => texts.not_between(*min, *max),
        SeriesProblem::NotOrdinal { max } => texts.not_ordinal(*max),
        SeriesProblem::NoSuchDay { month, day } => texts.no_such_day(*month, *day),
        SeriesProblem::Unsupported { part } => texts.unsupported(part),
        SeriesProblem::NoEnd => texts.no_end().to_owned(),
        SeriesProblem::TwoEnds => texts.two_ends().to_owned(),
        SeriesProblem::EndsBeforeStart => texts.ends_before_start().to_owned(),
        SeriesProblem::Empty => texts.empty().to_owned(),
        SeriesProblem::NotUsed { .. } => texts.not_used().to_owned(),
        SeriesProblem::TwoDays => texts.two_days().to_owned(),
        SeriesProblem::NotOneWeekday => texts.not_one_weekday().to_owned(),
        SeriesProblem::NoNth => texts.no_nth().to_owned(),
        SeriesProblem::NotADate => texts.not_a_date().to_owned(),
        SeriesProblem::NotAMinute => texts.not_a_minute().to_owned(),
        SeriesProblem::TooOften => texts.too_often().to_owned(),
        SeriesProblem::OverlapsItself => texts.overlaps_itself().to_owned(),
        SeriesProblem::NotUpcoming => texts.not_upcoming().to_owned(),
        SeriesProblem::RuleOfOne => texts.rule_of_one().to_owned(),
    }
}
