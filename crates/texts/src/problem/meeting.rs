//! Why a room or a meeting is refused.

use crate::{Language, meetings::span::span_here, punctuation};
use domain::{
    error::ValidationError,
    meetings::{BookingConflict, OccurrenceConflict},
    series::SeriesProblem,
};

/// Maximum number of meetings that a sentence names.
const MAX_NAMED: usize = 3;

sets!(problem: MeetingProblemTexts);

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
