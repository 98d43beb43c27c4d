//! Decides about meetings that wait for a room. Pure: whether the room is free is checked where the
//! result is stored.

use super::{
    Booking, MeetingState,
    decide::{Wish, book, closed, wrong_state},
};
use crate::{DomainError, Timestamp};

/// A new meeting whose room is taken: it holds nothing, and waits until its start.
#[must_use]
pub fn wait(booked: &Booking) -> Booking {
    Booking {
        state: MeetingState::Waiting,
        holds: false,
        decide_at: Some(booked.starts_at),
        checked_in_at: None,
        release_at: None,
        is_held: false,
        ..booked.clone()
    }
}

/// A meeting whose room became free: it holds the room until the offer ends, after these minutes. `None`:
/// it does not wait, or has begun.
#[must_use]
pub fn offer(before: &Booking, minutes: i32, now: Timestamp) -> Option<Booking> {
    let can_be_offered = before.state == MeetingState::Waiting && before.starts_at > now;
    let ends_at = now.plus(i64::from(minutes) * 60_000).min(before.starts_at);
    can_be_offered.then(|| Booking {
        state: MeetingState::Offered,
        holds: true,
        decide_at: Some(ends_at),
        ..before.clone()
    })
}

/// A meeting that takes the room it was offered: booked again, as its room requires now. A request
/// keeps the room until it is decided.
pub fn accept(before: &Booking, wish: Wish<'_>, now: Timestamp) -> Result<Booking, DomainError> {
    match before.state {
        MeetingState::Offered => Ok(Booking { holds: true, ..book(wish, now) }),
        _ => Err(wrong_state(before)),
    }
}

/// A meeting that does not take the room it was offered.
pub fn decline(before: &Booking) -> Result<Booking, DomainError> {
    match before.state {
        MeetingState::Offered => Ok(closed(before, MeetingState::Cancelled)),
        _ => Err(wrong_state(before)),
    }
}

/// A meeting whose wait or offer ends. `None`: it does neither.
#[must_use]
pub fn end(before: &Booking) -> Option<Booking> {
    before.state.is_on_waiting_list().then(|| closed(before, MeetingState::Expired))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meetings::{DeadlineDecision, MeetingTask, OFFER_MINUTES};

    const NOW: Timestamp = Timestamp::from_millis(0);
    const HOUR: i64 = 3_600_000;
    const OFFER_MS: i64 = OFFER_MINUTES as i64 * 60_000;

    fn booked(from: i64) -> Booking {
        Booking {
            state: MeetingState::Confirmed,
            room_id: None,
            starts_at: NOW.plus(from),
            ends_at: NOW.plus(from + HOUR),
            free_at: NOW.plus(from + HOUR),
            local: None,
            holds: true,
            checked_in_at: None,
            release_at: None,
            decide_at: None,
            decision: DeadlineDecision::Reject,
            is_held: false,
        }
    }

    fn tasks(booking: &Booking) -> Vec<(MeetingTask, i64)> {
        booking.tasks(NOW).into_iter().map(|one| (one.task, one.due_at.since(NOW))).collect()
    }

    #[test]
    fn who_waits_holds_nothing_and_an_offer_holds_the_room_for_half_an_hour() {
        let waiting = wait(&booked(2 * HOUR));
        assert!(!waiting.holds);
        assert_eq!(tasks(&waiting), [(MeetingTask::Wait, 2 * HOUR)]);
        let offered = offer(&waiting, OFFER_MINUTES, NOW).unwrap();
        assert!(offered.holds);
        assert_eq!(tasks(&offered), [(MeetingTask::Offer, OFFER_MS), (MeetingTask::Wait, 2 * HOUR)]);
        assert_eq!(offer(&offered, OFFER_MINUTES, NOW), None);
        assert!(accept(&waiting, wish(&waiting), NOW).is_err());
        assert_eq!(accept(&offered, wish(&offered), NOW).unwrap().state, MeetingState::Confirmed);
        assert_eq!(decline(&offered).unwrap().state, MeetingState::Cancelled);
        assert_eq!(
            end(&offered).map(|ended| (ended.state, ended.holds)),
            Some((MeetingState::Expired, false))
        );
        assert_eq!(end(&booked(HOUR)), None);
    }

    #[test]
    fn an_offer_ends_at_the_start_at_the_latest() {
        let waiting = wait(&booked(OFFER_MS / 2));
        let offered = offer(&waiting, OFFER_MINUTES, NOW).unwrap();
        assert_eq!(offered.decide_at, Some(waiting.starts_at));
        assert_eq!(tasks(&offered), [(MeetingTask::Wait, OFFER_MS / 2)]);
        assert_eq!(offer(&waiting, OFFER_MINUTES, waiting.starts_at), None, "it has begun");
    }

    fn wish(booking: &Booking) -> Wish<'_> {
        Wish { starts_at: booking.starts_at, ends_at: booking.ends_at, local: None, room: None }
    }
}
