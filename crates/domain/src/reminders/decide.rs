//! Decides what a change makes of a reminder. Pure: the time is a parameter.

use super::{
    Anchor, LocalTimeInZone, MAX_AHEAD_MS, MAX_MINUTES_BEFORE, MAX_MONTHS_AHEAD, Plan, RelativeTime,
    ReminderState, Subject,
};
use crate::{DomainError, Timestamp, error::ValidationError, task::reason};

/// Refuses a moment that has passed or is too far ahead. `field`: its name in the request.
pub fn check_time(at: Timestamp, now: Timestamp, field: &str) -> Result<(), DomainError> {
    if at < now {
        return Err(DomainError::past(at).in_field(field));
    }
    if at.since(now) > MAX_AHEAD_MS {
        return Err(DomainError::invalid(field, ValidationError::TooFarAhead { months: MAX_MONTHS_AHEAD }));
    }
    Ok(())
}

/// A plan for this moment.
#[must_use]
pub const fn scheduled(due_at: Timestamp, local: Option<LocalTimeInZone>) -> Plan {
    Plan { state: ReminderState::Scheduled, due_at, local, is_snoozed: false, reason: None, repeats: None }
}

/// A reminder at another moment: it is sent (again) then.
#[must_use]
pub fn moved(due_at: Timestamp, local: Option<LocalTimeInZone>) -> Plan {
    Plan { is_snoozed: true, ..scheduled(due_at, local) }
}

/// A reminder that the user has dealt with. Of a series, only this occurrence.
pub fn done(before: &Plan) -> Result<Plan, DomainError> {
    match before.state {
        ReminderState::Cancelled => Err(wrong_state(before)),
        ReminderState::Done => Ok(before.clone()),
        _ => Ok(Plan { state: ReminderState::Done, reason: None, repeats: None, ..before.clone() }),
    }
}

/// A reminder that is not sent. Of a series, only this occurrence.
pub fn cancelled(before: &Plan) -> Result<Plan, DomainError> {
    match before.state {
        ReminderState::Scheduled | ReminderState::Failed | ReminderState::Skipped => {
            Ok(Plan { state: ReminderState::Cancelled, reason: None, repeats: None, ..before.clone() })
        }
        ReminderState::Cancelled => Ok(before.clone()),
        ReminderState::Sent | ReminderState::Done => Err(wrong_state(before)),
    }
}

/// A reminder that is not sent, and with it no other of its series. It keeps its rule, so that undo
/// brings the series back.
pub fn series_cancelled(before: &Plan) -> Result<Plan, DomainError> {
    Ok(Plan { repeats: before.repeats.clone(), ..cancelled(before)? })
}

/// Whether a change takes the coming occurrence out of its series: the next one takes the rule over.
#[must_use]
pub fn leaves_series(before: &Plan, after: &Plan) -> bool {
    let is_open = matches!(before.state, ReminderState::Scheduled | ReminderState::Failed);
    is_open && before.repeats.is_some() && after.repeats.is_none()
}

/// The plan before the last change. `None`: its moment has passed.
#[must_use]
pub fn undone(before: &Plan, now: Timestamp) -> Option<Plan> {
    let is_over = before.state == ReminderState::Scheduled && before.due_at <= now;
    (!is_over).then(|| before.clone())
}

/// Refuses a distance of more than a year, and one from a moment that the subject does not have.
pub fn check_relative(time: &RelativeTime) -> Result<(), DomainError> {
    let max = MAX_MINUTES_BEFORE;
    if !(-max..=max).contains(&time.offset_minutes) {
        return Err(DomainError::invalid("offset_minutes", ValidationError::NotBetween { min: -max, max }));
    }
    if (time.subject, time.anchor) == (Subject::Article, Anchor::End) {
        let words = Anchor::Start.to_string();
        return Err(DomainError::invalid("anchor", ValidationError::NotOneOf { words }));
    }
    Ok(())
}

/// The plan after a change of what it is about. `moment`: when the reminder is due by it;
/// `None`: what it is about was cancelled or is over.
#[must_use]
pub fn followed(before: &Plan, moment: Option<Timestamp>, now: Timestamp) -> Plan {
    let is_open = before.state == ReminderState::Scheduled;
    let was_over = before.reason.as_deref() == Some(reason::TARGET_OVER);
    match (moment, before.state) {
        (None, _) if is_open => Plan {
            state: ReminderState::Cancelled,
            reason: Some(reason::TARGET_OVER.to_owned()),
            ..before.clone()
        },
        (None, _) | (_, ReminderState::Done) => before.clone(),
        (_, ReminderState::Cancelled) if !was_over => before.clone(),
        (Some(_), ReminderState::Scheduled) if before.is_snoozed => before.clone(),
        (Some(at), state) if at == before.due_at && state != ReminderState::Cancelled => before.clone(),
        (Some(at), _) if at > now => scheduled(at, None),
        (Some(_), ReminderState::Sent) => before.clone(),
        (Some(at), _) => skipped(at),
    }
}

/// The plan of a new reminder about an article or a meeting.
#[must_use]
pub fn first(moment: Timestamp, now: Timestamp) -> Plan {
    if moment > now { scheduled(moment, None) } else { skipped(moment) }
}

fn skipped(due_at: Timestamp) -> Plan {
    let reason = Some(reason::PASSED.to_owned());
    Plan { state: ReminderState::Skipped, reason, ..scheduled(due_at, None) }
}

fn wrong_state(plan: &Plan) -> DomainError {
    DomainError::WrongState { what: "reminder".to_owned(), state: plan.state.to_string() }
}

#[cfg(test)]
mod tests {
    use super::{super::Repeats, *};

    const NOW: Timestamp = Timestamp::from_millis(1_000_000);

    fn at(ms: i64) -> Timestamp {
        NOW.plus(ms)
    }

    #[test]
    fn one_occurrence_leaves_its_series_and_a_cancelled_series_keeps_its_rule() {
        let repeats = Repeats {
            starts_local: "2027-03-01T09:00".to_owned(),
            rule: crate::series::RuleFields::default(),
        };
        let plan = Plan { repeats: Some(repeats), ..scheduled(at(10), None) };
        for after in [done(&plan).unwrap(), cancelled(&plan).unwrap(), moved(at(20), None)] {
            assert!(leaves_series(&plan, &after), "{after:?}");
        }
        let over = series_cancelled(&plan).unwrap();
        assert_eq!((over.state, &over.repeats), (ReminderState::Cancelled, &plan.repeats));
        assert!(!leaves_series(&plan, &over) && !leaves_series(&over, &moved(at(20), None)));
    }

    #[test]
    fn a_reminder_follows_what_it_is_about() {
        let plan = scheduled(at(10), None);
        assert_eq!(followed(&plan, Some(at(10)), NOW), plan);
        assert_eq!(followed(&plan, Some(at(20)), NOW).due_at, at(20));
        let over = followed(&plan, None, NOW);
        assert_eq!(over.state, ReminderState::Cancelled);
        assert_eq!(followed(&over, Some(at(10)), NOW), plan, "it comes back with it");
        let late = followed(&plan, Some(at(-1)), NOW);
        assert_eq!((late.state, late.reason.as_deref()), (ReminderState::Skipped, Some(reason::PASSED)));
        assert_eq!(followed(&late, Some(at(30)), NOW).state, ReminderState::Scheduled);
    }

    #[test]
    fn a_distance_is_at_most_a_year_and_an_article_has_no_end() {
        let check = |subject, anchor, offset_minutes| {
            check_relative(&RelativeTime { subject, id: uuid::Uuid::nil(), anchor, offset_minutes })
        };
        assert!(check(Subject::Article, Anchor::Start, -MAX_MINUTES_BEFORE).is_ok());
        assert!(check(Subject::Meeting, Anchor::End, MAX_MINUTES_BEFORE).is_ok());
        assert!(check(Subject::Meeting, Anchor::End, MAX_MINUTES_BEFORE + 1).is_err());
        assert!(check(Subject::Meeting, Anchor::Start, i32::MIN).is_err());
        assert!(check(Subject::Article, Anchor::End, 0).is_err());
    }

    #[test]
    fn what_a_user_decided_stays() {
        let plan = scheduled(at(10), None);
        for kept in [done(&plan).unwrap(), cancelled(&plan).unwrap(), moved(at(15), None)] {
            assert_eq!(followed(&kept, Some(at(20)), NOW), kept);
        }
        assert_eq!(followed(&moved(at(15), None), None, NOW).state, ReminderState::Cancelled);
    }

    #[test]
    fn a_sent_reminder_is_sent_again_only_for_a_later_moment() {
        let sent = Plan { state: ReminderState::Sent, ..scheduled(at(-10), None) };
        assert_eq!(followed(&sent, Some(at(-10)), NOW), sent);
        assert_eq!(followed(&sent, Some(at(-5)), NOW), sent);
        assert_eq!(followed(&sent, Some(at(5)), NOW).state, ReminderState::Scheduled);
        assert!(cancelled(&sent).is_err());
    }

    #[test]
    fn a_plan_whose_moment_has_passed_is_not_brought_back() {
        assert_eq!(undone(&scheduled(NOW, None), NOW), None);
        assert!(undone(&scheduled(at(1), None), NOW).is_some());
    }

    #[test]
    fn a_moment_lies_within_the_next_years() {
        assert!(check_time(at(0), NOW, "due_at").is_ok());
        assert!(check_time(at(-1), NOW, "due_at").is_err());
        assert!(check_time(at(MAX_AHEAD_MS + 1), NOW, "due_at").is_err());
    }
}
