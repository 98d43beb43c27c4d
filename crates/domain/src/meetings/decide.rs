//! Decides what a change makes of a booking. Pure: the time and the policy of the room are
//! parameters. Whether the room is free is checked where the result is stored.

use super::{
    Approval, ApprovalDeadline, Booking, CheckInPolicy, DeadlineDecision, EARLY_CHECK_IN_MINUTES, LocalSpan,
    MAX_AHEAD_MS, MAX_MEETING_MINUTES, MAX_MONTHS_AHEAD, MAX_STARTED_MS, MeetingState, RoomPolicy,
};
use crate::{DomainError, RoomId, Timestamp, error::ValidationError};

/// Milliseconds of a minute.
const MINUTE_MS: i64 = 60_000;

/// A room, as far as decisions need it.
#[derive(Debug, Clone, Copy)]
pub struct RoomFacts<'a> {
    /// Id.
    pub id: RoomId,
    /// What it requires.
    pub policy: &'a RoomPolicy,
}

/// When and where a meeting is to take place.
#[derive(Debug, Clone)]
pub struct Wish<'a> {
    /// Start.
    pub starts_at: Timestamp,
    /// End.
    pub ends_at: Timestamp,
    /// Start and end as entered.
    pub local: Option<LocalSpan>,
    /// Room; `None`: none.
    pub room: Option<RoomFacts<'a>>,
}

/// Checks order, length and distance of start and end. `fields`: their names in the request.
pub fn check_times(
    starts_at: Timestamp,
    ends_at: Timestamp,
    now: Timestamp,
    fields: (&str, &str),
) -> Result<(), DomainError> {
    let (start, end) = fields;
    if ends_at <= starts_at {
        return Err(DomainError::invalid(end, ValidationError::NotAfterStart));
    }
    if starts_at.since(now) > MAX_AHEAD_MS {
        return Err(DomainError::invalid(start, ValidationError::TooFarAhead { months: MAX_MONTHS_AHEAD }));
    }
    if ends_at.since(starts_at) > i64::from(MAX_MEETING_MINUTES) * MINUTE_MS {
        let max = u32::try_from(MAX_MEETING_MINUTES / (24 * 60)).unwrap_or(u32::MAX);
        return Err(DomainError::invalid(end, ValidationError::LongerThanDays { max }));
    }
    Ok(())
}

/// Refuses times that have passed. `starts_at`: a new start; `None`: the start stays.
pub fn check_not_past(
    starts_at: Option<Timestamp>,
    ends_at: Timestamp,
    now: Timestamp,
    fields: (&str, &str),
) -> Result<(), DomainError> {
    let (start, end) = fields;
    match starts_at {
        Some(at) if now.since(at) > MAX_STARTED_MS => {
            Err(DomainError::invalid(start, ValidationError::InThePast))
        }
        _ if ends_at <= now => Err(DomainError::invalid(end, ValidationError::InThePast)),
        _ => Ok(()),
    }
}

/// A new meeting.
#[must_use]
pub fn book(wish: Wish<'_>, now: Timestamp) -> Booking {
    let policy = wish.room.map(|room| room.policy);
    let is_request = policy.is_some_and(|policy| policy.approval == Approval::Required);
    placed(wish, is_request, now)
}

/// A meeting at another time or in another room. `is_approver`: whether the caller may approve it;
/// otherwise a confirmed meeting of a room with approval becomes a request again. A meeting in
/// progress can only end at another time.
pub fn move_to(
    before: &Booking,
    wish: Wish<'_>,
    is_approver: bool,
    now: Timestamp,
) -> Result<Booking, DomainError> {
    let stays = before.starts_at == wish.starts_at && before.room_id == wish.room.map(|room| room.id);
    match before.state {
        MeetingState::InProgress if !stays => return Err(wrong_state(before)),
        MeetingState::Requested | MeetingState::Confirmed | MeetingState::InProgress => {}
        _ => return Err(wrong_state(before)),
    }
    if stays {
        let free_at = with_buffer(wish.ends_at, wish.room.map(|room| room.policy));
        let release_at = before.release_at.filter(|at| *at < wish.ends_at);
        let decide_at = before.decide_at.map(|at| if before.is_held { wish.ends_at } else { at });
        let (ends_at, local) = (wish.ends_at, wish.local);
        return Ok(Booking { ends_at, free_at, local, release_at, decide_at, ..before.clone() });
    }
    let needs_approval = wish.room.is_some_and(|room| room.policy.approval == Approval::Required);
    let stays_confirmed = before.state == MeetingState::Confirmed && is_approver;
    Ok(placed(wish, needs_approval && !stays_confirmed, now))
}

/// A request that was approved.
pub fn approve(before: &Booking, now: Timestamp) -> Result<Booking, DomainError> {
    if before.state != MeetingState::Requested || before.ends_at <= now {
        return Err(wrong_state(before));
    }
    Ok(confirmed(before, now))
}

/// A request that was rejected.
pub fn reject(before: &Booking) -> Result<Booking, DomainError> {
    match before.state {
        MeetingState::Requested => Ok(closed(before, MeetingState::Rejected)),
        _ => Err(wrong_state(before)),
    }
}

/// A meeting that was cancelled.
pub fn cancel(before: &Booking) -> Result<Booking, DomainError> {
    if before.state.is_open() || before.state.is_on_waiting_list() {
        Ok(closed(before, MeetingState::Cancelled))
    } else {
        Err(wrong_state(before))
    }
}

/// Whether a meeting that starts at this moment is not too far ahead for a check-in.
#[must_use]
pub fn is_check_in_open(starts_at: Timestamp, now: Timestamp) -> bool {
    starts_at.since(now) <= i64::from(EARLY_CHECK_IN_MINUTES) * MINUTE_MS
}

/// A meeting whose room is in use. Nothing changes if a user checked in before. `CheckInTooEarly` if it
/// starts in more than [`EARLY_CHECK_IN_MINUTES`].
pub fn check_in(before: &Booking, now: Timestamp) -> Result<Booking, DomainError> {
    match before.state {
        MeetingState::Confirmed | MeetingState::InProgress => {
            if before.checked_in_at.is_none() && !is_check_in_open(before.starts_at, now) {
                return Err(DomainError::CheckInTooEarly { minutes: EARLY_CHECK_IN_MINUTES });
            }
            Ok(Booking { checked_in_at: before.checked_in_at.or(Some(now)), ..before.clone() })
        }
        _ => Err(wrong_state(before)),
    }
}

/// A meeting that ends now, before its time. The buffer of its room follows.
pub fn end(before: &Booking, now: Timestamp) -> Result<Booking, DomainError> {
    if before.state != MeetingState::InProgress {
        return Err(wrong_state(before));
    }
    // At least a millisecond long: another node's clock may have started it.
    let ends_at = now.max(before.starts_at.plus(1)).min(before.ends_at);
    let free_at = ends_at.plus(before.free_at.since(before.ends_at));
    Ok(Booking { state: MeetingState::Ended, ends_at, free_at, ..before.clone() })
}

/// A meeting that ends later.
pub fn extend(before: &Booking, minutes: i32, now: Timestamp) -> Result<Booking, DomainError> {
    if !matches!(before.state, MeetingState::Confirmed | MeetingState::InProgress) || before.ends_at <= now {
        return Err(wrong_state(before));
    }
    if !(1..=MAX_MEETING_MINUTES).contains(&minutes) {
        let problem = ValidationError::NotBetween { min: 1, max: MAX_MEETING_MINUTES };
        return Err(DomainError::invalid("minutes", problem));
    }
    let by = i64::from(minutes) * MINUTE_MS;
    let (ends_at, free_at) = (before.ends_at.plus(by), before.free_at.plus(by));
    if ends_at.since(before.starts_at) > i64::from(MAX_MEETING_MINUTES) * MINUTE_MS {
        let max = u32::try_from(MAX_MEETING_MINUTES / (24 * 60)).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("minutes", ValidationError::LongerThanDays { max }));
    }
    // The local end as entered is not the end any more.
    Ok(Booking { ends_at, free_at, local: None, ..before.clone() })
}

/// The booking as it was before the last change, `verb`. `None`: that moment has passed.
#[must_use]
pub fn undo(verb: &str, current: &Booking, before: &Booking, now: Timestamp) -> Option<Booking> {
    if now >= undo_until(verb, current, before) {
        return None;
    }
    Some(match verb {
        "book" => closed(current, MeetingState::Cancelled),
        // The user who keeps a released room is in it.
        "release" => Booking { checked_in_at: Some(now), ..before.clone() },
        // The room would be released at once.
        _ if before.release_at.is_some_and(|at| at <= now) && before.checked_in_at.is_none() => {
            Booking { checked_in_at: Some(now), ..before.clone() }
        }
        _ => before.clone(),
    })
}

/// Whether the change with this verb was one of several meetings of a series: all of them are undone
/// together.
#[must_use]
pub fn is_of_series(verb: &str) -> bool {
    verb.ends_with("_series")
}

/// Until when the last change can be undone: until the previous booking would have changed by
/// itself.
#[must_use]
pub fn undo_until(verb: &str, current: &Booking, before: &Booking) -> Timestamp {
    match (verb, before.state) {
        ("book" | "book_series", _) => current.starts_at,
        (verb, _) if is_of_series(verb) => current.starts_at.min(before.starts_at),
        ("check_in", _) => before.release_at.unwrap_or(before.ends_at),
        (_, MeetingState::Requested | MeetingState::Waiting | MeetingState::Offered) => {
            before.decide_at.unwrap_or(before.ends_at)
        }
        ("move", MeetingState::Confirmed) => before.starts_at,
        _ => before.ends_at,
    }
}

/// A request whose deadline has come.
pub fn deadline(before: &Booking, now: Timestamp) -> Result<Booking, DomainError> {
    if before.state != MeetingState::Requested {
        return Err(wrong_state(before));
    }
    let is_over = before.is_held || before.decide_at.is_some_and(|at| at >= before.ends_at);
    Ok(match before.decision {
        _ if is_over => closed(before, MeetingState::Expired),
        DeadlineDecision::Reject => closed(before, MeetingState::Expired),
        DeadlineDecision::Confirm => confirmed(before, now),
        DeadlineDecision::Hold => {
            Booking { is_held: true, decide_at: Some(before.ends_at), ..before.clone() }
        }
    })
}

/// A request that could not be confirmed: its room is taken by now.
#[must_use]
pub fn expired(before: &Booking) -> Booking {
    closed(before, MeetingState::Expired)
}

/// A meeting to which no user came. `None`: it is kept.
#[must_use]
pub fn release(before: &Booking) -> Option<Booking> {
    let is_running = matches!(before.state, MeetingState::Confirmed | MeetingState::InProgress);
    (is_running && before.checked_in_at.is_none()).then(|| closed(before, MeetingState::Released))
}

fn placed(wish: Wish<'_>, is_request: bool, now: Timestamp) -> Booking {
    let policy = wish.room.map(|room| room.policy);
    let (starts_at, ends_at) = (wish.starts_at, wish.ends_at);
    let check_in = policy.and_then(|policy| policy.check_in);
    let counts = check_in.is_some_and(|policy| counts_as_checked_in(policy, starts_at, ends_at, now));
    let deadline = policy.map(|policy| policy.deadline).unwrap_or_default();
    let is_holding = |policy: &RoomPolicy| !is_request || policy.request_holds;
    Booking {
        state: if is_request { MeetingState::Requested } else { MeetingState::Confirmed },
        room_id: wish.room.map(|room| room.id),
        starts_at,
        ends_at,
        free_at: with_buffer(ends_at, policy),
        local: wish.local,
        holds: policy.is_some_and(is_holding),
        checked_in_at: counts.then_some(now),
        release_at: check_in
            .filter(|_| !counts)
            .map(|policy| starts_at.plus(i64::from(policy.grace_minutes) * MINUTE_MS))
            .filter(|at| *at < ends_at),
        decide_at: is_request.then(|| decide_at(deadline, starts_at, ends_at, now)),
        decision: deadline.decision,
        is_held: false,
    }
}

fn counts_as_checked_in(
    policy: CheckInPolicy,
    starts_at: Timestamp,
    ends_at: Timestamp,
    now: Timestamp,
) -> bool {
    ends_at.since(starts_at) >= i64::from(policy.exempt_over_minutes) * MINUTE_MS
        || starts_at.since(now) < i64::from(policy.auto_if_booked_within_minutes) * MINUTE_MS
}

/// The earliest moment that is still to come.
fn decide_at(
    deadline: ApprovalDeadline,
    starts_at: Timestamp,
    ends_at: Timestamp,
    now: Timestamp,
) -> Timestamp {
    let minutes = |minutes: i32| i64::from(minutes) * MINUTE_MS;
    let after = deadline.after_minutes.map(|after| now.plus(minutes(after)));
    let before = deadline.before_start_minutes.map(|before| starts_at.plus(-minutes(before)));
    let moments = [after, before, Some(starts_at)].into_iter().flatten();
    moments.filter(|at| *at > now).min().unwrap_or(ends_at).min(ends_at)
}

fn with_buffer(ends_at: Timestamp, policy: Option<&RoomPolicy>) -> Timestamp {
    ends_at.plus(policy.map_or(0, |policy| i64::from(policy.buffer_minutes) * MINUTE_MS))
}

fn confirmed(before: &Booking, now: Timestamp) -> Booking {
    // No user could check in before the request was confirmed.
    let is_too_late = before.release_at.is_some_and(|at| at <= now);
    Booking {
        state: MeetingState::Confirmed,
        holds: before.room_id.is_some(),
        decide_at: None,
        is_held: false,
        checked_in_at: before.checked_in_at.or(is_too_late.then_some(now)),
        ..before.clone()
    }
}

/// A meeting that does not take place: it holds nothing and waits for nothing.
pub(super) fn closed(before: &Booking, state: MeetingState) -> Booking {
    Booking { state, holds: false, decide_at: None, is_held: false, ..before.clone() }
}

pub(super) fn wrong_state(before: &Booking) -> DomainError {
    DomainError::WrongState { what: "meeting".to_owned(), state: before.state.to_string() }
}
