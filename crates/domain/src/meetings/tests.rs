use super::{decide, *};
use crate::{DomainError, RoomId, Timestamp, channel::ChannelEvent, error::ValidationError};

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;

fn now() -> Timestamp {
    "2026-06-09T08:00:00Z".parse().unwrap()
}

fn room() -> RoomId {
    RoomId("01890000-0000-7000-8000-000000000001".parse().unwrap())
}

fn wish(policy: &RoomPolicy, from: i64, to: i64) -> decide::Wish<'_> {
    decide::Wish {
        starts_at: now().plus(from),
        ends_at: now().plus(to),
        local: None,
        room: Some(decide::RoomFacts { id: room(), policy }),
    }
}

fn words(booking: &Booking) -> Vec<(&'static str, i64)> {
    booking
        .tasks(now())
        .iter()
        .filter(|one| !one.task.is_warning())
        .map(|one| (one.task.as_str(), one.due_at.since(now()) / MINUTE))
        .collect()
}

#[test]
fn a_booking_is_confirmed_and_starts_and_ends() {
    let policy = RoomPolicy { buffer_minutes: 15, ..RoomPolicy::default() };
    let booking = decide::book(wish(&policy, HOUR, 2 * HOUR), now());
    assert_eq!((booking.state, booking.holds), (MeetingState::Confirmed, true));
    assert_eq!(booking.free_at, now().plus(2 * HOUR + 15 * MINUTE));
    assert_eq!(words(&booking), [("meeting.start", 60), ("meeting.end", 120)]);
    let none = decide::book(decide::Wish { room: None, ..wish(&policy, HOUR, 2 * HOUR) }, now());
    assert!(!none.holds && none.room_id.is_none());
}

#[test]
fn the_earlier_deadline_decides_and_those_in_the_past_are_left_out() {
    let deadline = |after, before| ApprovalDeadline {
        after_minutes: after,
        before_start_minutes: before,
        decision: DeadlineDecision::Reject,
    };
    let due = |deadline, from| {
        let policy = RoomPolicy { approval: Approval::Required, deadline, ..RoomPolicy::default() };
        words(&decide::book(wish(&policy, from, from + HOUR), now()))
    };
    assert_eq!(due(deadline(Some(30), Some(45)), 2 * HOUR), [("meeting.decide", 30)]);
    assert_eq!(due(deadline(Some(90), Some(45)), 2 * HOUR), [("meeting.decide", 75)]);
    assert_eq!(due(deadline(None, Some(180)), 2 * HOUR), [("meeting.decide", 120)]);
    assert_eq!(due(deadline(None, None), 2 * HOUR), [("meeting.decide", 120)]);
    assert_eq!(due(deadline(None, None), -MINUTE), [("meeting.decide", 59)]);
}

#[test]
fn a_deadline_rejects_confirms_or_holds() {
    let request = |decision| {
        let deadline = ApprovalDeadline { after_minutes: Some(30), before_start_minutes: None, decision };
        let policy = RoomPolicy { approval: Approval::Required, deadline, ..RoomPolicy::default() };
        decide::book(wish(&policy, HOUR, 2 * HOUR), now())
    };
    let due = now().plus(30 * MINUTE);
    let decided = |decision| decide::deadline(&request(decision), due).unwrap();
    let expired = decided(DeadlineDecision::Reject);
    assert_eq!(
        (expired.state, expired.holds, expired.tasks(due)),
        (MeetingState::Expired, false, Vec::new())
    );
    let confirmed = decided(DeadlineDecision::Confirm);
    assert_eq!((confirmed.state, confirmed.holds), (MeetingState::Confirmed, true));
    let held = decided(DeadlineDecision::Hold);
    assert_eq!((held.state, held.is_held), (MeetingState::Requested, true));
    assert_eq!(words(&held), [("meeting.decide", 120)]);
    assert_eq!(decide::deadline(&held, held.ends_at).unwrap().state, MeetingState::Expired);
    let approved = decide::approve(&held, now().plus(90 * MINUTE)).unwrap();
    assert_eq!((approved.state, approved.decide_at), (MeetingState::Confirmed, None));
    assert!(decide::deadline(&approved, due).is_err());
}

#[test]
fn a_deadline_is_warned_of_half_way_and_before_its_end() {
    let warnings = |after| {
        let decision = DeadlineDecision::Reject;
        let deadline = ApprovalDeadline { after_minutes: Some(after), before_start_minutes: None, decision };
        let policy = RoomPolicy { approval: Approval::Required, deadline, ..RoomPolicy::default() };
        let booking = decide::book(wish(&policy, 900 * HOUR, 901 * HOUR), now());
        let all = booking.tasks(now());
        let all = all.iter().filter(|one| one.task.is_warning());
        all.map(|one| one.due_at.since(now()) / 1_000).collect::<Vec<_>>()
    };
    assert_eq!(warnings(20), [600, 900]);
    assert_eq!(warnings(2), [60, 90]);
    assert_eq!(warnings(10 * 24 * 60), [5 * 24 * 3_600, (10 * 24 - 1) * 3_600]);
    assert_eq!(warnings(1), [30, 45]);
}

#[test]
fn long_and_late_bookings_count_as_checked_in() {
    let policy = RoomPolicy { check_in: Some(CheckInPolicy::default()), ..RoomPolicy::default() };
    let release = |from, to| decide::book(wish(&policy, from, to), now()).release_at;
    assert_eq!(release(2 * HOUR, 3 * HOUR), Some(now().plus(2 * HOUR + 10 * MINUTE)));
    assert_eq!(release(2 * HOUR - MINUTE, 3 * HOUR), None, "booked less than two hours before");
    assert_eq!(release(2 * HOUR, 10 * HOUR), None, "eight hours long");
    assert_eq!(release(2 * HOUR, 2 * HOUR + 10 * MINUTE), None, "over before the grace ends");
    let booking = decide::book(wish(&policy, 2 * HOUR, 3 * HOUR), now());
    assert_eq!(
        words(&booking),
        [
            ("meeting.start", 120),
            ("meeting.warn_release", 125),
            ("meeting.release", 130),
            ("meeting.end", 180)
        ]
    );
    let late = booking.tasks(now().plus(2 * HOUR + 5 * MINUTE));
    assert!(late.iter().all(|one| one.task != MeetingTask::WarnRelease), "its moment has passed");
    let refused = decide::check_in(&booking, now().plus(2 * HOUR - 15 * MINUTE - 1));
    assert_eq!(refused, Err(DomainError::CheckInTooEarly { minutes: 15 }));
    assert!(decide::check_in(&booking, now().plus(2 * HOUR - 15 * MINUTE)).is_ok());
    let used = decide::check_in(&booking, now().plus(2 * HOUR)).unwrap();
    assert_eq!(decide::check_in(&used, now()), Ok(used.clone()), "nothing to do");
    assert_eq!(words(&used), [("meeting.start", 120), ("meeting.end", 180)]);
    assert_eq!(decide::release(&used), None);
    let released = decide::release(&booking).unwrap();
    assert_eq!((released.state, released.holds), (MeetingState::Released, false));
    let kept = decide::undo("release", &released, &booking, now().plus(2 * HOUR + 11 * MINUTE)).unwrap();
    assert!(kept.holds && kept.checked_in_at.is_some());
}

#[test]
fn a_meeting_in_progress_ends_early_or_later_but_does_not_move() {
    let policy = RoomPolicy { buffer_minutes: 10, ..RoomPolicy::default() };
    let booking = decide::book(wish(&policy, HOUR, 2 * HOUR), now());
    assert!(decide::end(&booking, now().plus(HOUR)).is_err(), "it has not started");
    let running = Booking { state: MeetingState::InProgress, ..booking };
    let early = decide::end(&running, now().plus(90 * MINUTE)).unwrap();
    assert_eq!((early.ends_at, early.free_at), (now().plus(90 * MINUTE), now().plus(100 * MINUTE)));
    assert!(early.holds, "the buffer of the room is kept");
    let undone = decide::undo("end", &early, &running, now().plus(91 * MINUTE)).unwrap();
    assert!(undone.takes_more_than(&early) && undone == running);
    let later = decide::extend(&running, 30, now().plus(90 * MINUTE)).unwrap();
    assert_eq!(words(&later), [("meeting.end", 150)]);
    assert!(later.takes_more_than(&running) && !running.takes_more_than(&later));
    assert!(decide::extend(&running, 30, now().plus(2 * HOUR)).is_err(), "it is over");
    let moved = decide::move_to(&running, wish(&policy, 90 * MINUTE, 2 * HOUR), true, now());
    assert!(matches!(moved, Err(DomainError::WrongState { .. })));
    let resized = decide::move_to(&running, wish(&policy, HOUR, 3 * HOUR), true, now()).unwrap();
    assert_eq!((resized.state, resized.ends_at), (MeetingState::InProgress, now().plus(3 * HOUR)));
}

#[test]
fn a_moved_meeting_needs_its_approval_again_unless_an_approver_moves_it() {
    let policy = RoomPolicy { approval: Approval::Required, ..RoomPolicy::default() };
    let request = decide::book(wish(&policy, HOUR, 2 * HOUR), now());
    let approved = decide::approve(&request, now()).unwrap();
    let moved = |by| decide::move_to(&approved, wish(&policy, 3 * HOUR, 4 * HOUR), by, now()).unwrap();
    assert_eq!((moved(false).state, moved(true).state), (MeetingState::Requested, MeetingState::Confirmed));
}

#[test]
fn times_are_checked_one_by_one() {
    let check = |from: i64, to: i64| {
        decide::check_times(now().plus(from), now().plus(to), now(), ("starts_at", "ends_at"))
    };
    let problem = |field, problem| Err(DomainError::invalid(field, problem));
    assert_eq!(check(HOUR, 2 * HOUR), Ok(()));
    assert_eq!(check(HOUR, HOUR), problem("ends_at", ValidationError::NotAfterStart));
    assert_eq!(check(2 * HOUR, HOUR), problem("ends_at", ValidationError::NotAfterStart));
    let days = ValidationError::LongerThanDays { max: 14 };
    assert_eq!(check(0, 14 * 24 * HOUR + 1), problem("ends_at", days));
    let far = MAX_AHEAD_MS + 1;
    assert_eq!(check(far, far + HOUR), problem("starts_at", ValidationError::TooFarAhead { months: 18 }));
    let past = |start: Option<i64>, end: i64| {
        let start = start.map(|at| now().plus(at));
        decide::check_not_past(start, now().plus(end), now(), ("starts_at", "ends_at"))
    };
    assert_eq!(past(Some(-MAX_STARTED_MS), HOUR), Ok(()));
    assert!(past(Some(-MAX_STARTED_MS - 1), HOUR).is_err() && past(None, 0).is_err());
}

/// UTC, for opening hours.
struct Utc;

impl crate::series::ZoneRules for Utc {
    fn meaning(&self, local: jiff::civil::DateTime) -> Option<crate::time::Meaning> {
        let at = crate::base::calendar::local_seconds(local) * 1_000;
        Some(crate::time::Meaning::Once(Timestamp::from_millis(at)))
    }
    fn offset_seconds(&self, _at: Timestamp) -> i32 {
        0
    }
}

fn hours(weekdays: &[&str], from: &str, to: &str) -> OpeningHours {
    let weekdays = weekdays.iter().map(|&word| word.to_owned()).collect();
    OpeningHours { weekdays, from: from.to_owned(), to: to.to_owned() }
}

#[test]
fn open_time_counts_only_within_the_hours() {
    // Open Monday to Friday, 09:00 to 17:00. `now` is a Tuesday, 08:00.
    let work = [hours(&["monday", "tuesday", "wednesday", "thursday", "friday"], "09:00", "17:00")];
    let after = |from: i64, millis: i64| after_open_time(&work, now().plus(from), millis, &Utc);
    assert_eq!(after(0, HOUR), now().plus(2 * HOUR), "it opens after an hour");
    assert_eq!(after(2 * HOUR, 2 * HOUR), now().plus(4 * HOUR));
    assert_eq!(after(8 * HOUR, 2 * HOUR), now().plus(26 * HOUR), "the second hour is on the next day");
    assert_eq!(after(0, 8 * HOUR), now().plus(9 * HOUR), "the end of the day is part of it");
    // Friday, 16:00: the weekend does not count.
    assert_eq!(after(80 * HOUR, 2 * HOUR), now().plus((6 * 24 + 2) * HOUR));
    assert_eq!(after_open_time(&[], now(), HOUR, &Utc), now().plus(HOUR));
    let rare = [hours(&["monday"], "09:00", "09:01")];
    let longest = i64::from(90 * 24) * HOUR;
    assert_eq!(after_open_time(&rare, now(), longest, &Utc), now().plus(24 * 31 * 24 * HOUR), "bounded");
}

#[test]
fn the_hours_of_a_form_may_lack_a_time() {
    assert!(OpeningHours::typed(Vec::new(), "", "").is_empty());
    assert_eq!(OpeningHours::typed(Vec::new(), "09:00", "00:00"), [hours(&[], "09:00", "24:00")]);
    assert_eq!(OpeningHours::typed(Vec::new(), "", "12:00"), [hours(&[], "00:00", "12:00")]);
}

#[test]
fn a_room_is_open_where_its_hours_cover_the_whole_meeting() {
    // 2026-06-09 is a Tuesday.
    let work = [hours(&["monday", "tuesday"], "09:00", "12:30"), hours(&[], "12:30", "18:00")];
    let open = |from, to| is_open(&work, now().plus(from), now().plus(to), &Utc);
    assert!(open(HOUR, 10 * HOUR), "both hours together");
    assert!(!open(0, 2 * HOUR) && !open(9 * HOUR, 10 * HOUR + 1_000));
    assert!(!open(25 * HOUR, 26 * HOUR), "a Wednesday morning");
    assert!(open(30 * HOUR, 31 * HOUR), "a Wednesday afternoon");
    assert!(is_open(&[], now(), now().plus(100 * HOUR), &Utc), "always open");
    let nights = [hours(&[], "00:00", "24:00")];
    assert!(is_open(&nights, now(), now().plus(50 * HOUR), &Utc), "over midnight");
    assert!(nights[0].is_valid() && !hours(&[], "18:00", "09:00").is_valid());
    assert!(!hours(&["someday"], "09:00", "10:00").is_valid() && !hours(&[], "9:00", "24:01").is_valid());
}

#[test]
fn channels_are_reported_of_states_and_changes() {
    use MeetingState::{Cancelled, Confirmed, Ended, InProgress, Released, Requested};
    let reported = |verb, from, to: MeetingState| to.channel_event(verb, from).map(ChannelEvent::as_str);
    assert_eq!(reported("book", None, Confirmed), Some("meeting.confirmed"));
    assert_eq!(reported("book", None, Requested), Some("meeting.requested"));
    assert_eq!(reported("move", Some(Confirmed), Requested), Some("meeting.requested"));
    assert_eq!(reported("move", Some(Confirmed), Confirmed), Some("meeting.changed"));
    assert_eq!(reported("extend", Some(InProgress), InProgress), Some("meeting.changed"));
    assert_eq!(reported("start", Some(Confirmed), InProgress), Some("meeting.started"));
    assert_eq!(reported("end", Some(InProgress), Ended), Some("meeting.ended"));
    assert_eq!(reported("release", Some(Confirmed), Released), Some("meeting.cancelled"));
    assert_eq!(reported("undo", Some(Cancelled), Confirmed), Some("meeting.confirmed"));
    for verb in ["check_in", "hold", "keep", "remind"] {
        assert_eq!(reported(verb, Some(Confirmed), Confirmed), None, "{verb}");
    }
}
