//! Two changes at the same time: exactly one wins, and no two bookings overlap.
//!
//! On PostgreSQL the two go through two nodes. `FAULTS_LONG=1` runs 1,000 of each.

use super::{HOUR, MINUTE};
use crate::{on_both, test_server::TestServer};
use domain::{
    Actor, DomainError, RoomId, Timestamp, Version,
    meetings::{Meeting, MeetingChange, MeetingEdit, MeetingState, MeetingTime, NewMeeting, RoomSettings},
    services::Meetings,
};
use presstime::server::Server;
use serde_json::json;
use std::sync::Arc;

on_both!(
    two_bookings_of_one_time_have_one_winner,
    a_booking_and_a_confirmation_have_one_winner,
    two_confirmations_have_one_winner,
    a_move_and_a_booking_have_one_winner,
    an_extension_and_a_booking_have_one_winner,
    an_approval_and_its_deadline_have_one_winner,
    a_check_in_and_a_release_have_one_winner,
);

/// Number of races of each kind.
pub fn races() -> i64 {
    #[expect(clippy::disallowed_methods, reason = "runs are chosen by environment variables")]
    let is_long = std::env::var("FAULTS_LONG").is_ok();
    if is_long { 1_000 } else { 60 }
}

/// Number of meetings whose tasks are due at one moment.
const BATCH: i64 = 20;

/// Two ways to the meetings of one database.
pub struct Race<'s> {
    server: &'s TestServer,
    other: Server,
    room: RoomId,
}

impl<'s> Race<'s> {
    pub async fn start(server: &'s TestServer, settings: serde_json::Value) -> Self {
        let mut settings = settings;
        settings["name"] = json!("Contested");
        let room = server.create_room(settings).await;
        let other = server.open_second_node().await;
        server.align_database_clock(&other);
        Self { server, other, room: room["id"].as_str().unwrap().parse().unwrap() }
    }

    pub fn one(&self) -> &Arc<dyn Meetings> {
        &self.server.app.services.meetings
    }

    /// The second node; on SQLite the first one, as a file has one server.
    pub fn two(&self) -> &Arc<dyn Meetings> {
        match self.server.backend {
            crate::test_server::Backend::Embedded => self.one(),
            crate::test_server::Backend::Servers => &self.other.services.meetings,
        }
    }

    pub fn creator(&self) -> &Actor {
        &self.server.creator.actor
    }

    pub fn booking(&self, from: i64, to: i64) -> NewMeeting {
        NewMeeting {
            title: "Contested".to_owned(),
            description: String::new(),
            room_id: Some(self.room),
            link: None,
            time: self.time(from, to),
            attendees: Vec::new(),
            reminders: Some(Vec::new()),
        }
    }

    fn time(&self, from: i64, to: i64) -> MeetingTime {
        MeetingTime::At {
            starts_at: self.server.now().plus(from),
            ends_at: self.server.now().plus(to),
            zone: None,
        }
    }

    async fn booked(&self, from: i64, to: i64) -> Meeting {
        self.one().book(self.creator(), self.booking(from, to)).await.unwrap()
    }

    /// Gives the room an approval, or none.
    async fn set_approval(&self, approval: domain::meetings::Approval) {
        let rooms = &self.server.app.services.rooms;
        let room = rooms.find(self.creator(), self.room).await.unwrap();
        let mut settings: RoomSettings = room.settings;
        settings.policy.approval = approval;
        rooms.edit(&self.server.admin.actor, self.room, settings, room.version).await.unwrap();
    }

    /// Gives the second node the time of the first.
    pub fn align(&self, server: &TestServer) {
        server.align_database_clock(&self.other);
    }

    pub async fn finish(self) {
        assert_eq!(self.server.overlaps().await, 0);
        self.server.assert_execution_records_match().await;
        self.other.close().await;
    }
}

/// Asserts that one of the two was done and the room was taken for the other.
#[track_caller]
fn assert_one_winner(results: [Result<Meeting, DomainError>; 2]) {
    let done = results.iter().filter(|result| result.is_ok()).count();
    assert_eq!(done, 1, "{results:?}");
    let [one, two] = results;
    let refusal = one.err().or(two.err()).unwrap();
    assert!(matches!(refusal, DomainError::RoomTaken { .. }), "{refusal:?}");
}

/// Races of two bookings.
pub async fn book_against_book(server: &TestServer, races: i64) {
    let race = Race::start(server, json!({})).await;
    for number in 1..=races {
        let (one, two) = (
            race.booking(number * HOUR, (number + 1) * HOUR),
            race.booking(number * HOUR, (number + 1) * HOUR),
        );
        let results =
            tokio::join!(race.one().book(race.creator(), one), race.two().book(&server.colleague.actor, two));
        assert_one_winner([results.0, results.1]);
    }
    race.finish().await;
}

async fn two_bookings_of_one_time_have_one_winner(server: TestServer) {
    book_against_book(&server, races()).await;
}

/// Requests that do not hold their room, one for each hour.
async fn requests(race: &Race<'_>, count: i64) -> Vec<Meeting> {
    let mut all = Vec::new();
    for number in 1..=count {
        all.push(race.booked(number * HOUR, (number + 1) * HOUR).await);
    }
    all
}

async fn a_booking_and_a_confirmation_have_one_winner(server: TestServer) {
    let race = Race::start(&server, json!({"approval": "required", "request_holds": false})).await;
    let requests = requests(&race, races()).await;
    race.set_approval(domain::meetings::Approval::None).await;
    for request in requests {
        let (from, to) = (request.row.starts.at.since(server.now()), request.row.ends.at.since(server.now()));
        let results = tokio::join!(
            race.one().change(
                &server.admin.actor,
                request.row.id,
                MeetingChange::Approve,
                request.row.version
            ),
            race.two().book(race.creator(), race.booking(from, to))
        );
        assert_one_winner([results.0, results.1]);
    }
    race.finish().await;
}

async fn two_confirmations_have_one_winner(server: TestServer) {
    let race = Race::start(&server, json!({"approval": "required", "request_holds": false})).await;
    let (first, second) = (requests(&race, races()).await, requests(&race, races()).await);
    for (one, two) in first.iter().zip(&second) {
        let results = tokio::join!(
            race.one().change(&server.admin.actor, one.row.id, MeetingChange::Approve, one.row.version),
            race.two().change(&server.reviewer.actor, two.row.id, MeetingChange::Approve, two.row.version)
        );
        assert_one_winner([results.0, results.1]);
    }
    race.finish().await;
}

async fn a_move_and_a_booking_have_one_winner(server: TestServer) {
    let race = Race::start(&server, json!({})).await;
    for number in 1..=races() {
        // The meeting waits in the second half of the hour before.
        let (begin, end) = (2 * number * HOUR, (2 * number + 1) * HOUR);
        let meeting = race.booked(begin - 30 * MINUTE, begin).await;
        let edit = MeetingEdit { time: Some(race.time(begin, end)), ..MeetingEdit::default() };
        let results = tokio::join!(
            race.one().edit(race.creator(), meeting.row.id, edit, meeting.row.version),
            race.two().book(race.creator(), race.booking(begin + 10 * MINUTE, end))
        );
        assert_one_winner([results.0, results.1]);
    }
    race.finish().await;
}

async fn an_extension_and_a_booking_have_one_winner(server: TestServer) {
    let race = Race::start(&server, json!({})).await;
    for number in 1..=races() {
        let begin = 3 * number * HOUR;
        let meeting = race.booked(begin, begin + HOUR).await;
        let results = tokio::join!(
            race.one().change(
                race.creator(),
                meeting.row.id,
                MeetingChange::Extend { minutes: 30 },
                meeting.row.version
            ),
            race.two().book(race.creator(), race.booking(begin + HOUR, begin + 2 * HOUR))
        );
        assert_one_winner([results.0, results.1]);
    }
    race.finish().await;
}

/// Makes a change of each meeting while their tasks are executed. Returns whether each was made.
async fn change_while_due(
    race: &Race<'_>,
    meetings: &[Meeting],
    change: impl Fn() -> MeetingChange,
) -> Vec<bool> {
    let admin = &race.server.admin.actor;
    let current = async |meeting: &Meeting| race.one().find(admin, meeting.row.id).await.unwrap().row.version;
    let mut seen: Vec<Version> = Vec::new();
    for meeting in meetings {
        seen.push(current(meeting).await);
    }
    let changes = meetings.iter().zip(seen).map(|(meeting, seen)| {
        let (id, change) = (meeting.row.id, change());
        async move { race.two().change(admin, id, change, seen).await }
    });
    let (results, ()) = tokio::join!(futures::future::join_all(changes), race.server.tick());
    race.server.tick().await;
    results
        .into_iter()
        .map(|result| match result {
            Ok(_) => true,
            Err(DomainError::Changed | DomainError::WrongState { .. }) => false,
            Err(refusal) => panic!("{refusal:?}"),
        })
        .collect()
}

async fn an_approval_and_its_deadline_have_one_winner(server: TestServer) {
    let settings =
        json!({"approval": "required", "approval_deadline": {"after_minutes": 1, "decision": "reject"}});
    let race = Race::start(&server, settings).await;
    for _ in 0..races() / BATCH {
        let mut meetings = Vec::new();
        for number in 1..=BATCH {
            meetings.push(race.booked(number * HOUR, (number + 1) * HOUR).await);
        }
        server.advance_without_loops(MINUTE);
        server.align_database_clock(&race.other);
        let approved = change_while_due(&race, &meetings, || MeetingChange::Approve).await;
        for (meeting, is_approved) in meetings.iter().zip(approved) {
            let state = race.one().find(race.creator(), meeting.row.id).await.unwrap().row.state;
            let expected = if is_approved { MeetingState::Confirmed } else { MeetingState::Expired };
            assert_eq!(state, expected);
        }
        server.advance((BATCH + 2) * HOUR).await;
        server.align_database_clock(&race.other);
    }
    race.finish().await;
}

async fn a_check_in_and_a_release_have_one_winner(server: TestServer) {
    let check_in = json!({"grace_minutes": 10, "auto_if_booked_within_minutes": 0});
    let race = Race::start(&server, json!({"check_in": check_in})).await;
    let mut rooms = vec![race.room];
    for number in 1..BATCH {
        let settings = json!({"name": format!("Room {number}"), "check_in": check_in});
        let room = server.create_room(settings).await;
        rooms.push(room["id"].as_str().unwrap().parse().unwrap());
    }
    for _ in 0..races() / BATCH {
        let mut meetings = Vec::new();
        for room in &rooms {
            let new = NewMeeting { room_id: Some(*room), ..race.booking(HOUR, 2 * HOUR) };
            meetings.push(race.one().book(race.creator(), new).await.unwrap());
        }
        server.advance(HOUR).await;
        let due: Timestamp = server.now().plus(10 * MINUTE);
        server.advance_without_loops(10 * MINUTE);
        server.align_database_clock(&race.other);
        assert_eq!(server.now(), due);
        let used = change_while_due(&race, &meetings, || MeetingChange::CheckIn).await;
        for (meeting, is_used) in meetings.iter().zip(used) {
            let state = race.one().find(race.creator(), meeting.row.id).await.unwrap().row.state;
            let expected = if is_used { MeetingState::InProgress } else { MeetingState::Released };
            assert_eq!(state, expected);
        }
        server.advance(2 * HOUR).await;
        server.align_database_clock(&race.other);
    }
    race.finish().await;
}
