//! Meetings that repeat, through the API: booking, dry run, and what happens by itself.

mod booking;
mod edits;
mod extension;
mod input;
mod list;
mod races;

use super::HOUR;
use crate::{http_client::Reply, test_server::TestServer};
use serde_json::{Value, json};

/// Milliseconds of a day.
const DAY: i64 = 24 * HOUR;

/// Path of the dry run.
const DRY_RUN: &str = "/api/v1/meetings/series/dry-run";

/// A series of meetings of an hour at 09:00 UTC from Monday 2027-03-08 on.
fn weekly(room: &Value, rule: &Value) -> Value {
    json!({"title": "Planning", "room_id": room["id"], "local_start": "2027-03-08T09:00",
           "local_end": "2027-03-08T10:00", "zone": "UTC", "series": {"rule": rule}})
}

/// Every Monday, ten times.
fn ten_mondays() -> Value {
    json!({"frequency": "weekly", "weekdays": ["monday"], "count": 10})
}

impl TestServer {
    /// Books a series of the creator.
    async fn book_series(&self, new: &Value) -> Reply {
        self.as_creator().post("/api/v1/meetings", new).await
    }

    /// The series of a meeting.
    async fn series(&self, meeting: &Value) -> Value {
        self.as_creator().get(&super::path(meeting, "/series")).await.expect(200)
    }

    /// Starts and states of the meetings with this title, by start.
    async fn starts(&self, title: &str) -> Vec<String> {
        let path = format!("/api/v1/meetings?limit=200&q={title}");
        let page = self.as_creator().get(&path).await.expect(200);
        let items = page["items"].as_array().unwrap().iter();
        let open = items.filter(|item| item["state"] == "confirmed" || item["state"] == "in_progress");
        open.map(|item| item["starts_at"].as_str().unwrap()[..16].to_owned()).collect()
    }

    /// Books a meeting of the colleague in this room.
    async fn occupy(&self, room: &Value, from: &str, to: &str) -> Value {
        let new = json!({"title": "Elsewhere", "room_id": room["id"], "starts_at": from, "ends_at": to});
        self.as_colleague().post("/api/v1/meetings", &new).await.expect(201)
    }
}

/// Number of items.
fn count(list: &Value) -> usize {
    list.as_array().map_or(0, Vec::len)
}
