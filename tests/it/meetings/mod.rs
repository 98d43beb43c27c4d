//! Rooms and meetings through the API: bookings that cannot overlap, and what happens to meetings by
//! themselves.

mod approval;
mod booking;
mod changes;
mod check_in;
mod constraint;
mod door;
mod flows;
mod input;
mod invitations;
mod messages;
mod races;
mod rooms;
mod series;
mod waiting;

use crate::{
    http_client::{HttpClient, Reply},
    test_server::TestServer,
};
use serde_json::{Value, json};
use store::{Conn, PoolRole};

/// Milliseconds of a minute and of an hour.
const MINUTE: i64 = 60_000;
pub const HOUR: i64 = 60 * MINUTE;

impl TestServer {
    /// Creates a room with these settings and returns it.
    pub async fn create_room(&self, settings: Value) -> Value {
        self.as_admin().post("/api/v1/rooms", &settings).await.expect(201)
    }

    /// A meeting from and to this number of milliseconds from now.
    fn new_meeting(&self, room: &Value, from: i64, to: i64) -> Value {
        let (starts_at, ends_at) = (self.time_after(from), self.time_after(to));
        json!({"title": "Planning", "room_id": room["id"], "starts_at": starts_at, "ends_at": ends_at})
    }

    /// Books a meeting of the creator.
    pub async fn book(&self, room: &Value, from: i64, to: i64) -> Reply {
        self.as_creator().post("/api/v1/meetings", &self.new_meeting(room, from, to)).await
    }

    /// The current meeting.
    async fn meeting(&self, meeting: &Value) -> Value {
        self.as_creator().get(&path(meeting, "")).await.expect(200)
    }

    /// State of the current meeting.
    async fn state(&self, meeting: &Value) -> String {
        self.meeting(meeting).await["state"].as_str().unwrap().to_owned()
    }

    /// Verbs of the events of an entity, oldest first.
    async fn verbs(&self, entity: &Value) -> Vec<String> {
        let page = self.as_admin().get("/api/v1/events?limit=1000").await.expect(200);
        let events = page["items"].as_array().unwrap();
        let own = events.iter().filter(|event| event["entity_id"] == entity["id"]);
        own.map(|event| event["verb"].as_str().unwrap().to_owned()).collect()
    }

    /// Number of pairs of meetings that take place in one room at the same time. Reads no column
    /// that the service uses to prevent them.
    async fn overlaps(&self) -> i64 {
        let sql = "select count(*) from meeting a
                     join meeting b on b.room_id = a.room_id and b.id > a.id
                    where a.state in ('confirmed', 'in_progress', 'ended') and b.state in ('confirmed', 'in_progress', 'ended')
                      and a.starts_at < b.ends_at and b.starts_at < a.ends_at";
        let mut lease = self.app.parts.store.read(PoolRole::Web).await.unwrap();
        match lease.conn() {
            Conn::Sqlite(c) => sqlx::query_scalar(sql).fetch_one(c).await.unwrap(),
            Conn::Postgres(c) => sqlx::query_scalar(sql).fetch_one(c).await.unwrap(),
        }
    }
}

/// Path of a meeting, and of an action on it.
fn path(meeting: &Value, action: &str) -> String {
    format!("/api/v1/meetings/{}{action}", meeting["id"].as_str().unwrap())
}

/// Makes a change of the version that `meeting` has.
pub async fn act(client: &HttpClient, meeting: &Value, action: &str) -> Reply {
    client.post(&path(meeting, &format!("/{action}")), &json!({"seen_version": meeting["version"]})).await
}

/// Kinds of the scheduled tasks of a meeting and their due times.
fn tasks(meeting: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let tasks = meeting["tasks"].as_array().unwrap();
    tasks.iter().map(|task| (text(&task["kind"]), text(&task["due_at"]))).collect()
}

/// A task of that kind, due at that time.
fn task(kind: &str, due_at: &Value) -> (String, String) {
    (kind.to_owned(), due_at.as_str().unwrap().to_owned())
}
