//! Why a room or a meeting is refused.

use crate::{Language, meetings::span::span_here, punctuation, texts};
use domain::{
    error::ValidationError,
    meetings::{BookingConflict, OccurrenceConflict},
    series::SeriesProblem,
};

/// Maximum number of meetings that a sentence names.
const MAX_NAMED: usize = 3;

texts! {
    /// Refusals of rooms and meetings. Those of fields are without the name of the field.
    MeetingProblemTexts {
        room_taken = "The room is taken at that time. Choose another time or another room.", "该时间会议室已被占用。请换一个时间或会议室。";
        room_taken_by(titles: String) = "The room is taken at that time by {titles}. Choose another time or another room.", "该时间会议室已被{titles}占用。请换一个时间或会议室。";
        quoted(title: &str, when: String) = "“{title}” ({when})", "“{title}”{when}";
        and_more(titles: String, count: usize) = "{titles} and {count} more", "{titles}等 {count} 个";
        occurrences_taken(taken: usize, count: usize, dates: String) = "{taken} of the {count} meetings cannot be booked: {dates}. Nothing was changed. Choose another time or another room.", "共 {count} 次会议，其中 {taken} 次无法预订：{dates}。尚未做任何更改。请换一个时间或会议室。";
        not_after_start = "must be after the start", "必须晚于开始时间";
        in_the_past = "has passed; choose a later time", "已过，请选择更晚的时间";
        too_far_ahead(months: u32) = "must be within the next {months} months", "必须在 {months} 个月以内";
        longer_than_days(max: u32) = "makes it longer than {max} days", "使时长超过 {max} 天";
        not_between(min: i32, max: i32) = "must be between {min} and {max}", "必须在 {min} 与 {max} 之间";
        no_moment = "needs a time: schedule it first", "需要时间：请先安排";
        unknown = "does not exist", "不存在";
        room_gone = "This room was archived or deleted. Choose another one.", "该会议室已归档或删除，请另选一个。";
        not_opening_hours = "must be times of a day like 08:00 and 18:00, the end after the begin", "必须是一天内的时间，例如 08:00 和 18:00，结束晚于开始";
        closed(hours: &str) = "is outside the opening hours of the room: {hours}", "不在会议室的开放时间内：{hours}";
        bad_attendee(typed: &str) = "contains “{typed}”, which is not an e-mail address; use a format like name@example.org", "中的“{typed}”不是邮箱地址，请写成 name@example.org";
        too_small(room: &str, capacity: i32, persons: i32) = "“{room}” has {capacity} seats; {persons} persons are invited", "“{room}”只有 {capacity} 个座位，而共有 {persons} 人";
        no_end = "Say when the series ends: a last date or a number of times.", "请填写系列何时结束：最后日期或次数。";
        bad_tag = "A tag contains no comma and no slash.", "标签不能含有逗号、顿号或斜线。";
    }
}

/// The number beside those that are named: of the others, in Chinese of all.
fn others(language: Language, count: usize) -> usize {
    match language {
        Language::En => count.saturating_sub(MAX_NAMED),
        Language::Zh => count,
    }
}

/// Says by which meetings a room is taken.
pub(crate) fn room_taken(language: Language, conflicts: &[BookingConflict]) -> String {
    let texts = MeetingProblemTexts(language);
    let named: Vec<_> = conflicts
        .iter()
        .take(MAX_NAMED)
        .map(|one| texts.quoted(&one.title, span_here(language, one.starts, one.ends)))
        .collect();
    let titles = named.join(punctuation::list_comma(language));
    match conflicts.len() {
        0 => texts.room_taken().to_owned(),
        count if count > MAX_NAMED => texts.room_taken_by(texts.and_more(titles, others(language, count))),
        _ => texts.room_taken_by(titles),
    }
}

/// Says which occurrences of a series are not possible.
pub(crate) fn occurrences_taken(language: Language, all: &[OccurrenceConflict], count: usize) -> String {
    let texts = MeetingProblemTexts(language);
    let named: Vec<_> =
        all.iter().take(MAX_NAMED).map(|one| span_here(language, one.starts, one.ends)).collect();
    let dates = named.join(punctuation::semicolon(language));
    let dates =
        if all.len() > MAX_NAMED { texts.and_more(dates, others(language, all.len())) } else { dates };
    texts.occurrences_taken(all.len(), count, dates)
}

/// Describes the problem of a field; `None`: it is not one of rooms and meetings.
pub(crate) fn meeting_problem(language: Language, problem: &ValidationError) -> Option<String> {
    let texts = MeetingProblemTexts(language);
    Some(match problem {
        ValidationError::NotAfterStart => texts.not_after_start().to_owned(),
        ValidationError::InThePast => texts.in_the_past().to_owned(),
        ValidationError::TooFarAhead { months } => texts.too_far_ahead(*months),
        ValidationError::LongerThanDays { max } => texts.longer_than_days(*max),
        ValidationError::NotBetween { min, max } => texts.not_between(*min, *max),
        ValidationError::NoMoment => texts.no_moment().to_owned(),
        ValidationError::Unknown => texts.unknown().to_owned(),
        ValidationError::NotOpeningHours => texts.not_opening_hours().to_owned(),
        ValidationError::Closed { hours } => texts.closed(hours),
        ValidationError::BadAttendee { typed } => texts.bad_attendee(typed),
        ValidationError::TooSmall { room, capacity, persons } => texts.too_small(room, *capacity, *persons),
        _ => return None,
    })
}

/// The whole sentence about a field, where its name and the problem do not say enough.
#[must_use]
pub fn whole_sentence(language: Language, field: &str, problem: &ValidationError) -> Option<&'static str> {
    let texts = MeetingProblemTexts(language);
    match (field, problem) {
        ("room_id", ValidationError::Unknown) => Some(texts.room_gone()),
        ("tag", ValidationError::BadCharacters) => Some(texts.bad_tag()),
        (_, ValidationError::Series { why: SeriesProblem::NoEnd }) => Some(texts.no_end()),
        _ => None,
    }
}

/// Name of a field of a room or a meeting.
pub(crate) fn meeting_field(field: &str) -> Option<(&'static str, &'static str)> {
    Some(match field {
        "local_start" | "starts_at" => ("The start", "开始时间"),
        "local_end" | "ends_at" | "end" => ("The end", "结束时间"),
        "end_date" => ("The last day", "结束日期"),
        "room_id" => ("The room", "会议室"),
        "rule.frequency" => ("The series", "系列"),
        "rule.interval" => ("The interval", "间隔"),
        "rule.weekdays" => ("The weekdays", "星期"),
        "rule.day" | "rule.nth" | "rule.month" => ("The day of the series", "重复的日期"),
        "rule.until" => ("The last day of the series", "系列的最后日期"),
        "rule.count" => ("The number of meetings", "次数"),
        "rule.exceptions" => ("The list of exceptions", "例外日期"),
        "organizer" => ("The organizer", "组织者"),
        "attendees" => ("The list of attendees", "参会者"),
        "description" => ("The description", "说明"),
        "link" => ("The link", "链接"),
        "reason" => ("The reason", "原因"),
        "minutes" => ("The number of minutes", "分钟数"),
        "next_working_day" => ("The time", "时刻"),
        "rate" => ("The rate", "速率上限"),
        "times" | "cap_times" => ("The number of times", "次数"),
        "days" | "cap_days" => ("The number of days", "天数"),
        "offset_minutes" => ("The reminder", "提醒"),
        "capacity" => ("The number of seats", "人数"),
        "tag" => ("The tag", "标签"),
        "place" => ("The place", "位置"),
        "equipment" => ("The equipment", "设备"),
        "opening_hours" => ("The opening hours", "开放时间"),
        "working_hours" => ("The working hours", "工作时间"),
        "reminder_minutes" | "meeting_reminder_minutes" => ("The usual reminders", "默认提醒"),
        "offer_minutes" => ("The time to accept the room", "接受会议室的时限"),
        "buffer_minutes" => ("The time between bookings", "前后间隔"),
        "grace_minutes" => ("The time to check in", "签到时限"),
        "after_submit" => ("The deadline after the submission", "提交后的期限"),
        "before_publish" => ("The deadline before the publication", "发布前的期限"),
        "terms" => ("The list of terms", "词条"),
        "after_minutes" | "before_start_minutes" => ("The deadline", "决定期限"),
        _ => return None,
    })
}
