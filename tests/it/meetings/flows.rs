//! Twelve changes of meetings: after each of them the calendars of the attendees, which know only the
//! mails, show what the desk has.

use super::{HOUR, MINUTE, act, path};
use crate::{
    calendar::program::{Entry, FakeCalendarProgram, mails_to},
    on_both,
    test_server::TestServer,
};
use serde_json::{Value, json};
use test_support::SmtpSink;

on_both!(
    calendars_follow_one_meeting,
    calendars_follow_the_meetings_of_a_series,
    calendars_follow_a_release_and_a_decision,
);

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";

/// Seconds since 1970.
fn seconds(at: &Value) -> i64 {
    at.as_str().unwrap().parse::<jiff::Timestamp>().unwrap().as_second()
}

/// The meetings of the desk to which this person is invited, as a calendar shows them.
async fn ours(server: &TestServer, person: &str) -> Vec<Entry> {
    let page = server.as_creator().get("/api/v1/meetings?limit=200").await.expect(200);
    let mut entries = Vec::new();
    for item in page["items"].as_array().unwrap() {
        let state = item["state"].as_str().unwrap();
        let meeting = server.meeting(item).await;
        let attendees = meeting["attendees"].as_array().unwrap();
        let is_invited = attendees.iter().any(|attendee| attendee["email"] == person);
        if is_invited && ["requested", "confirmed", "in_progress", "ended"].contains(&state) {
            let entry = Entry {
                times: (seconds(&item["starts_at"]), seconds(&item["ends_at"])),
                title: item["title"].as_str().unwrap().to_owned(),
                place: item["room"].as_str().unwrap().to_owned(),
                notes: meeting["description"].as_str().unwrap().to_owned(),
                is_tentative: state == "requested",
            };
            entries.push(entry);
        }
    }
    entries.sort_unstable();
    entries
}

/// A desk with a mail server, and how many mails Ada and Ben have got.
struct Scene {
    server: TestServer,
    smtp: SmtpSink,
    mails: [usize; 2],
}

impl Scene {
    async fn new(server: TestServer) -> Self {
        let smtp = SmtpSink::start().await;
        server.set_mail_server(&smtp).await;
        Self { server, smtp, mails: [0; 2] }
    }

    /// Both calendars show what the desk has, after this many mails to Ada and Ben.
    async fn check(&mut self, flow: &str, mails: [usize; 2]) {
        self.server.tick().await;
        for (place, person) in [ADA, BEN].into_iter().enumerate() {
            let theirs = FakeCalendarProgram::of(&self.smtp, person).entries();
            assert_eq!(theirs, ours(&self.server, person).await, "{person} after: {flow}");
            let count = mails_to(&self.smtp, person).len();
            assert_eq!(count - self.mails[place], mails[place], "mails to {person} after: {flow}");
            self.mails[place] = count;
        }
        // The next change is mailed by itself: those of ten minutes are collected.
        self.server.advance(10 * MINUTE).await;
    }

    async fn patch(&self, meeting: &Value, mut change: Value) -> Value {
        change["seen_version"] = self.server.meeting(meeting).await["version"].clone();
        self.server.as_creator().patch(&path(meeting, ""), &change).await.expect(200)
    }

    async fn act(&self, meeting: &Value, action: &str) -> Value {
        act(&self.server.as_admin(), &self.server.meeting(meeting).await, action).await.expect(200)
    }

    async fn rooms(&self) -> [Value; 2] {
        [
            self.server.create_room(json!({"name": "Aula; \"left\", 1"})).await,
            self.server.create_room(json!({"name": "汉字 \\ Library"})).await,
        ]
    }
}

async fn calendars_follow_one_meeting(server: TestServer) {
    let mut scene = Scene::new(server).await;
    let [room, other] = scene.rooms().await;
    let new = json!({"title": "Planning, part 1; \"draft\"", "description": "One\nTwo \\n, three", "room_id": room["id"],
        "local_start": "2027-03-27T09:00", "local_end": "2027-03-27T10:00", "zone": "Europe/Berlin",
        "attendees": [{"email": ADA, "name": "Ada \"L\"; the first"}]});
    let meeting = scene.server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
    scene.check("invite", [1, 0]).await;
    // The clocks change on the 28th, in the night.
    let moved = json!({"local_start": "2027-03-28T01:30", "local_end": "2027-03-28T03:30"});
    scene.patch(&meeting, moved).await;
    scene.check("move", [1, 0]).await;
    let doubled = json!({"local_start": "2027-10-31T02:30", "local_end": "2027-10-31T04:00", "disambiguation": "later"});
    scene.patch(&meeting, doubled).await;
    scene.check("move into a doubled hour", [1, 0]).await;
    scene.patch(&meeting, json!({"room_id": other["id"]})).await;
    scene.check("another room", [1, 0]).await;
    scene.patch(&meeting, json!({"zone": "Asia/Kathmandu"})).await;
    scene.check("another zone, at the same moment", [1, 0]).await;
    for (zone, day) in
        [("Australia/Lord_Howe", "2027-04-04"), ("America/St_Johns", "2027-11-07"), ("UTC", "2027-06-01")]
    {
        let local =
            json!({"local_start": format!("{day}T09:00"), "local_end": format!("{day}T10:15"), "zone": zone});
        scene.patch(&meeting, local).await;
        scene.check(zone, [1, 0]).await;
    }
    let ada = json!({"email": ADA, "name": "Ada \"L\"; the first"});
    scene.patch(&meeting, json!({"attendees": [ada, {"email": BEN}]})).await;
    scene.check("attendee added", [0, 1]).await;
    scene.patch(&meeting, json!({"title": "Budget 汉字 ".repeat(20).trim()})).await;
    scene.check("another title", [1, 1]).await;
    scene.patch(&meeting, json!({"attendees": [{"email": BEN}]})).await;
    scene.check("attendee removed", [1, 0]).await;
    scene.patch(&meeting, json!({"attendees": [ada, {"email": BEN}]})).await;
    scene.check("attendee added again", [1, 0]).await;
    scene.act(&meeting, "cancel").await;
    scene.check("cancel", [1, 1]).await;
    scene.act(&meeting, "undo").await;
    scene.check("undo of the cancellation", [1, 1]).await;
}

async fn calendars_follow_the_meetings_of_a_series(server: TestServer) {
    let mut scene = Scene::new(server).await;
    let [room, _] = scene.rooms().await;
    let rule = json!({"frequency": "weekly", "weekdays": ["monday"], "count": 6});
    let new = json!({"title": "Weekly", "room_id": room["id"], "local_start": "2027-03-08T09:00",
        "local_end": "2027-03-08T10:00", "zone": "Europe/Berlin", "attendees": [{"email": ADA}],
        "series": {"rule": rule}});
    let first = scene.server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
    scene.check("a series", [1, 0]).await;
    let series = scene.server.as_creator().get(&path(&first, "/series")).await.expect(200);
    let nth = |place: usize| series["meetings"][place].clone();
    let local = |day: &str, start: &str, end: &str| json!({"local_start": format!("{day}T{start}"), "local_end": format!("{day}T{end}"), "zone": "Europe/Berlin"});
    scene.patch(&nth(1), local("2027-03-16", "11:00", "12:00")).await;
    scene.check("one occurrence moved", [1, 0]).await;
    scene.act(&nth(2), "cancel").await;
    scene.check("one occurrence cancelled", [1, 0]).await;
    let mut split = local("2027-03-29", "14:00", "15:00");
    split["reach"] = json!("following");
    let split = scene.patch(&nth(3), split).await;
    assert_ne!(split["series_id"], first["series_id"]);
    scene.check("split: the rest of the old one, and a new one", [2, 0]).await;
    scene.patch(&nth(4), json!({"attendees": [{"email": ADA}, {"email": BEN}]})).await;
    scene.check("attendee added to one occurrence", [0, 1]).await;
    let cancel =
        json!({"seen_version": scene.server.meeting(&nth(4)).await["version"], "reach": "following"});
    scene.server.as_creator().post(&path(&nth(4), "/cancel"), &cancel).await.expect(200);
    scene.check("the following cancelled", [1, 1]).await;
    act(&scene.server.as_creator(), &scene.server.meeting(&nth(4)).await, "undo").await.expect(200);
    scene.check("undo of the cancellation", [1, 1]).await;
}

async fn calendars_follow_a_release_and_a_decision(server: TestServer) {
    let mut scene = Scene::new(server).await;
    let check_in = json!({"grace_minutes": 10, "auto_if_booked_within_minutes": 0});
    let room = scene.server.create_room(json!({"name": "Aula", "check_in": check_in})).await;
    let asked = scene.server.create_room(json!({"name": "Library", "approval": "required"})).await;
    let with = |mut new: Value| {
        new["attendees"] = json!([{"email": ADA}, {"email": BEN}]);
        new
    };
    let new = with(scene.server.new_meeting(&room, HOUR, 2 * HOUR));
    let meeting = scene.server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
    scene.check("invite", [1, 1]).await;
    // The check above took ten minutes.
    scene.server.advance(HOUR + MINUTE).await;
    assert_eq!(scene.server.state(&meeting).await, "released");
    scene.check("release", [1, 1]).await;
    let new = with(scene.server.new_meeting(&asked, 5 * HOUR, 6 * HOUR));
    let meeting = scene.server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
    scene.check("a request", [1, 1]).await;
    scene.act(&meeting, "approve").await;
    scene.check("confirmed", [1, 1]).await;
    let (starts_at, ends_at) = (scene.server.time_after(7 * HOUR), scene.server.time_after(8 * HOUR));
    let moved = scene.patch(&meeting, json!({"starts_at": starts_at, "ends_at": ends_at})).await;
    assert_eq!(moved["state"], "requested");
    scene.check("a move that must be approved", [1, 1]).await;
    scene.act(&meeting, "approve").await;
    scene.check("confirmed again", [1, 1]).await;
    scene.server.advance(7 * HOUR).await;
    assert_eq!(scene.server.state(&meeting).await, "in_progress");
    scene.check("the start", [0, 0]).await;
}
