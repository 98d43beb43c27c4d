//! Rooms and meetings of the demo: one that starts within a minute or so, some later, and a request
//! whose deadline is in two minutes; and a weekly series.

use crate::{process::cli_error::CliError, server::Server};
use domain::{
    Actor, DomainError, RoomId, Timestamp,
    meetings::{
        Approval, ApprovalDeadline, CheckInPolicy, DeadlineDecision, MeetingTime, NewAttendee, NewMeeting,
        NewMeetingSeries, OnConflict, RoomPolicy, RoomSettings,
    },
    series::RuleFields,
};

const MINUTE_MS: i64 = 60_000;
/// Shortest time before the first meeting starts. The engine is not running yet: a start in the past
/// would be the first task a new user sees, and late.
const MIN_LEAD_MS: i64 = 5_000;

/// A meeting: title, room, start in minutes from now (0: at the next full minute), length in minutes.
type Plan = (&'static str, usize, i64, i64);

/// The meetings; those of the second room are requests.
const PLANS: [Plan; 7] = [
    ("Morning conference", 0, 0, 30),
    ("Podcast recording", 1, 3 * 60, 60),
    ("选题会", 0, 60, 45),
    ("Interview with the mayor", 2, 90, 30),
    ("Budget review", 0, 4 * 60, 90),
    ("Photo training", 2, 25 * 60, 120),
    ("Week planning", 0, 24 * 60, 60),
];

/// Creates the rooms and books the meetings. In an existing demo it only books those whose time is
/// still free.
pub async fn prepare(server: &Server, people: &[Actor]) -> Result<(), CliError> {
    let [admin, reviewer, creator] = people else { return Ok(()) };
    let mut rooms: Vec<RoomId> =
        server.services.rooms.list(admin, false).await?.into_iter().map(|room| room.id).collect();
    if rooms.is_empty() {
        for settings in rooms_of_the_demo() {
            rooms.push(server.services.rooms.add(admin, settings).await?.id);
        }
    }
    let now = server.parts.clock.now().millis();
    let soon = first_start(now);
    let now = Timestamp::from_millis(now - now % (5 * MINUTE_MS));
    for (place, (title, room, start, length)) in PLANS.into_iter().enumerate() {
        let Some(room) = rooms.get(room) else { continue };
        let starts_at = if start == 0 { soon } else { now.plus(start * MINUTE_MS) };
        let guest =
            NewAttendee { email: "guest@demo.example".to_owned(), name: Some("Greta Guest".to_owned()) };
        let new = NewMeeting {
            title: title.to_owned(),
            description: String::new(),
            room_id: Some(*room),
            link: None,
            time: MeetingTime::At { starts_at, ends_at: starts_at.plus(length * MINUTE_MS), zone: None },
            attendees: vec![guest],
            reminders: Some(Vec::new()),
        };
        let organizer = [reviewer, creator, admin][place % 3];
        match server.services.meetings.book(organizer, new).await {
            Ok(_) | Err(DomainError::RoomTaken { .. }) => {}
            Err(refusal) => return Err(refusal.into()),
        }
    }
    book_series(server, admin, &rooms).await
}

/// Returns the next full minute that is at least [`MIN_LEAD_MS`] away.
fn first_start(now: i64) -> Timestamp {
    let soon = now + MIN_LEAD_MS + MINUTE_MS - 1;
    Timestamp::from_millis(soon - soon % MINUTE_MS)
}

/// Books a weekly series in the last room. The first meeting is in two days at 10:00.
async fn book_series(server: &Server, admin: &Actor, rooms: &[RoomId]) -> Result<(), CliError> {
    let day = server.parts.clock.now().plus(2 * 24 * 60 * MINUTE_MS).to_string();
    let local = |time: &str| format!("{}T{time}", day.split('T').next().unwrap_or_default());
    let meeting = NewMeeting {
        title: "Editorial meeting".to_owned(),
        description: String::new(),
        room_id: rooms.last().copied(),
        link: None,
        time: MeetingTime::Local {
            local_start: local("10:00"),
            local_end: local("10:45"),
            zone: admin.zone.clone(),
            disambiguation: None,
        },
        attendees: Vec::new(),
        reminders: Some(Vec::new()),
    };
    let rule = RuleFields { frequency: "weekly".to_owned(), count: Some(12), ..RuleFields::default() };
    let new = NewMeetingSeries { meeting, rule, on_conflict: OnConflict::Skip };
    match server.services.meetings.book_series(admin, new).await {
        Ok(_) | Err(DomainError::OccurrencesTaken { .. }) => Ok(()),
        Err(refusal) => Err(refusal.into()),
    }
}

fn rooms_of_the_demo() -> [RoomSettings; 3] {
    let room = |name: &str, capacity, place: &str, equipment: &[&str]| RoomSettings {
        name: name.to_owned(),
        capacity: Some(capacity),
        place: place.to_owned(),
        equipment: equipment.iter().map(|&one| one.to_owned()).collect(),
        ..RoomSettings::default()
    };
    let deadline = ApprovalDeadline {
        after_minutes: Some(2),
        before_start_minutes: None,
        decision: DeadlineDecision::Reject,
    };
    let studio =
        RoomPolicy { approval: Approval::Required, deadline, buffer_minutes: 15, ..RoomPolicy::default() };
    let library = RoomPolicy { check_in: Some(CheckInPolicy::default()), ..RoomPolicy::default() };
    [
        room("Newsroom", 12, "First floor", &["screen", "video conference"]),
        RoomSettings { policy: studio, ..room("Studio", 4, "Basement", &["microphones"]) },
        RoomSettings { policy: library, ..room("Library", 6, "Second floor", &["whiteboard"]) },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_meeting_starts_at_a_full_minute_after_the_start_of_the_engine() {
        for now in (0..2 * MINUTE_MS).step_by(500) {
            let start = first_start(now).millis();
            assert!(start % MINUTE_MS == 0, "{now}");
            assert!((MIN_LEAD_MS..MIN_LEAD_MS + MINUTE_MS).contains(&(start - now)), "{now}");
        }
    }

    #[test]
    fn no_two_meetings_of_the_demo_overlap() {
        for (place, one) in PLANS.iter().enumerate() {
            for other in &PLANS[place + 1..] {
                let overlap = one.1 == other.1 && one.2 < other.2 + other.3 && other.2 < one.2 + one.3;
                assert!(!overlap, "{one:?} {other:?}");
            }
        }
    }
}
