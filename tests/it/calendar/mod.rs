//! The calendar: days of a time zone, filters, and the page `/calendar` without JavaScript.

mod days;
mod feeds;
pub mod ics;
mod items;
mod moving;
mod pages;
pub mod program;
mod slot_shift;
mod slots;
mod today;

use crate::{http_client::HttpClient, test_server::TestServer};
use domain::task::TaskRow;
use serde_json::{Value, json};

impl TestServer {
    /// Schedules the publication of a new draft of the creator at this instant.
    async fn publish_at(&self, title: &str, at: &str) -> TaskRow {
        let at: domain::Timestamp = at.parse().unwrap();
        self.create_task(title, at.since(self.now())).await
    }

    /// Books a meeting of the creator without a room.
    async fn meet(&self, title: &str, from: &str, to: &str) -> Value {
        let new = json!({"title": title, "starts_at": from, "ends_at": to});
        self.as_creator().post("/api/v1/meetings", &new).await.expect(201)
    }
}

/// The days of the calendar for a query.
async fn days(client: &HttpClient, query: &str) -> Vec<Value> {
    let body = client.get(&format!("/api/v1/calendar?{query}")).await.expect(200);
    body["days"].as_array().unwrap().clone()
}

/// Date and titles of each day that has items.
fn titles(days: &[Value]) -> Vec<(&str, Vec<&str>)> {
    let busy = days.iter().filter(|day| day["count"] != 0);
    busy.map(|day| {
        let items = day["items"].as_array().unwrap().iter();
        (day["date"].as_str().unwrap(), items.map(|item| item["title"].as_str().unwrap()).collect())
    })
    .collect()
}
