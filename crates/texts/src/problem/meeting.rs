//! Why a room or a meeting is refused.

use crate::{Language, meetings::span::span_here, punctuation};
use domain::{
    error::ValidationError,
    meetings::{BookingConflict, OccurrenceConflict},
    series::SeriesProblem,
};

/// Maximum number of meetings that a sentence names.
const MAX_NAMED: usize = 3;

sets!(problem: MeetingProblemTexts, MeetingFieldTexts);

/// The number beside those that are named: of the others, in Chinese of all.
fn others(language: Language, count: usize) -> usize {
    match language {
        Language::En | Language::De => count.saturating_sub(MAX_NAMED),
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
pub(crate) fn meeting_field(language: Language, field: &str) -> Option<&'static str> {
    let texts = MeetingFieldTexts(language);
    Some(match field {
        "local_start" | "starts_at" => texts.local_start(),
        "local_end" | "ends_at" | "end" => texts.local_end(),
        "end_date" => texts.end_date(),
        "room_id" => texts.room_id(),
        "rule.frequency" => texts.rule_frequency(),
        "rule.interval" => texts.rule_interval(),
        "rule.weekdays" => texts.rule_weekdays(),
        "rule.day" | "rule.nth" | "rule.month" => texts.rule_day(),
        "rule.until" => texts.rule_until(),
        "rule.count" => texts.rule_count(),
        "rule.exceptions" => texts.rule_exceptions(),
        "organizer" => texts.organizer(),
        "attendees" => texts.attendees(),
        "description" => texts.description(),
        "link" => texts.link(),
        "reason" => texts.reason(),
        "minutes" => texts.minutes(),
        "next_working_day" => texts.next_working_day(),
        "rate" => texts.rate(),
        "times" | "cap_times" => texts.times(),
        "days" | "cap_days" => texts.days(),
        "offset_minutes" => texts.offset_minutes(),
        "capacity" => texts.capacity(),
        "tag" => texts.tag(),
        "place" => texts.place(),
        "equipment" => texts.equipment(),
        "opening_hours" => texts.opening_hours(),
        "working_hours" => texts.working_hours(),
        "reminder_minutes" | "meeting_reminder_minutes" => texts.reminder_minutes(),
        "offer_minutes" => texts.offer_minutes(),
        "buffer_minutes" => texts.buffer_minutes(),
        "grace_minutes" => texts.grace_minutes(),
        "after_submit" => texts.after_submit(),
        "before_publish" => texts.before_publish(),
        "terms" => texts.terms(),
        "after_minutes" | "before_start_minutes" => texts.after_minutes(),
        _ => return None,
    })
}
