//! The list of reminders: search, pages in both directions, counts, and its export.

use super::{MINUTE, act};
use crate::{deliveries::text, engine::engine_page::assert_contains, on_both, test_server::TestServer};
use serde_json::{Value, json};

/// Milliseconds of a day.
const DAY: i64 = 24 * 60 * MINUTE;

on_both!(
    a_search_finds_text_recipient_and_subject,
    the_page_has_parts_with_counts_and_pages_in_both_directions,
    a_form_opens_from_any_page,
    what_is_exported_is_what_the_list_shows,
);

async fn a_search_finds_text_recipient_and_subject(server: TestServer) {
    server.remind("Water the 100% plants", DAY, json!({})).await;
    server.allow_outside_reminders().await;
    server.remind("By mail", 2 * DAY, json!({"mail": "anna@example.org", "account_id": null})).await;
    let meeting = json!({"title": "Harbour tour", "starts_at": server.time_after(4 * DAY), "ends_at": server.time_after(4 * DAY + 60 * MINUTE)});
    let meeting = server.as_creator().post("/api/v1/meetings", &meeting).await.expect(201);
    let about = json!({"text": "Bring the tickets", "meeting_id": meeting["id"], "offset_minutes": -60});
    server.as_creator().post("/api/v1/reminders", &about).await.expect(201);
    let found = async |q: &str| -> Vec<String> {
        let page = server.as_creator().get(&format!("/api/v1/reminders?q={q}")).await.expect(200);
        page["items"].as_array().unwrap().iter().map(|one| text(&one["text"]).to_owned()).collect()
    };
    assert_eq!(found("PLANTS").await, ["Water the 100% plants"]);
    assert_eq!(found("100%25").await, ["Water the 100% plants"], "no wildcard");
    assert_eq!(found("0_%25").await, Vec::<String>::new());
    assert_eq!(found("anna@").await, ["By mail"]);
    assert_eq!(found("harbour").await, ["Bring the tickets"]);
    let long = "x".repeat(201);
    let refused = server.as_creator().get(&format!("/api/v1/reminders?q={long}")).await.expect(422);
    assert_eq!(refused["error"]["field"], "q");
}

async fn the_page_has_parts_with_counts_and_pages_in_both_directions(server: TestServer) {
    let mut last = Value::Null;
    for number in 0..60 {
        last = server.remind(&format!("Number {number:02}."), DAY * 2 + number * MINUTE, json!({})).await;
    }
    server.remind("For now", MINUTE, json!({})).await;
    act(&server.as_creator(), &last, "done", json!({})).await.expect(200);
    let browser = server.log_in_browser(&server.creator).await;
    let page = browser.get("/reminders").await.expect_page();
    assert_contains(&page, &["For now", "1 of 1"]);
    assert!(!page.contains("Number 00."), "only today's");
    let first = browser.get("/reminders?state=coming").await.expect_page();
    assert_contains(&first, &["Number 00.", "Number 49.", "50 of 59"]);
    assert!(!first.contains("Number 50."), "the next page");
    let next = link(&first, "rel=\"next\"");
    let second = browser.get(&next).await.expect_page();
    assert_contains(&second, &["Number 50.", "Number 58.", "9 of 59"]);
    let back = browser.get(&link(&second, "rel=\"prev\"")).await.expect_page();
    assert_contains(&back, &["Number 00.", "Number 49."]);
    let latest = browser.get("/reminders?state=coming&order=latest").await.expect_page();
    assert_contains(&latest, &["Number 58.", "Number 09."]);
    assert!(!latest.contains("Number 08."));
    let done = browser.get("/reminders?state=done").await.expect_page();
    assert_contains(&done, &["Number 59.", "1 of 1"]);
    let none = browser.get("/reminders?state=coming&q=tides").await.expect_page();
    assert_contains(&none, &["No reminder contains this text.", "Clear the search"]);
    let later = browser.get("/reminders?state=coming&day=2199-01-01").await.expect_page();
    assert_contains(&later, &["Nothing from this date on."]);
    let no_day = browser.get("/reminders?state=coming&day=2199-99-99").await.expect_page();
    assert_contains(&no_day, &["Number 00."]);
}

/// The address of a link with this attribute.
fn link(page: &str, attribute: &str) -> String {
    let (before, after) = page.split_once(attribute).expect("a link");
    let tag = format!("{}{}", &before[before.rfind("<a ").unwrap()..], &after[..after.find('>').unwrap()]);
    let href = tag.split("href=\"").nth(1).unwrap().split('"').next().unwrap();
    href.replace("&amp;", "&")
}

async fn a_form_opens_from_any_page(server: TestServer) {
    let made = server.remind("Far away", 30 * DAY, json!({})).await;
    let browser = server.log_in_browser(&server.creator).await;
    let edit = format!("/reminders?edit={}", text(&made["id"]));
    let page = browser.get(&edit).await.expect_page();
    assert_contains(&page, &["Change reminder", "Far away</textarea>", "href=\"/reminders?state=coming\""]);
    assert!(!page.contains("Save these filters"), "an open form is no filter");
    // Neither is what the calendar fills in.
    let page = browser.get("/reminders?date=2027-04-01&time=09:30&zone=UTC").await.expect_page();
    assert_contains(&page, &["New reminder", "2027-04-01", "href=\"/reminders?state=coming\""]);
    assert!(!page.contains("Save these filters"));
    let page = browser.get("/reminders?state=coming&q=far").await.expect_page();
    assert_contains(&page, &["Far away", "1 on this page", "Save these filters"]);
    // Not that of another account.
    let other = server.log_in_browser(&server.colleague).await;
    let page = other.get(&edit).await.expect_page();
    assert!(page.contains("New reminder") && !page.contains("Far away"), "{page}");
}

async fn what_is_exported_is_what_the_list_shows(server: TestServer) {
    server.remind("=1+1", DAY * 2, json!({})).await;
    server.remind("For now", MINUTE, json!({})).await;
    let browser = server.log_in_browser(&server.creator).await;
    let csv = browser.get("/export/reminders.csv?state=coming").await.expect_page();
    assert!(csv.starts_with("\u{feff}id,text,state,due_at,sent_at,recipient,about,owner\r\n"), "{csv}");
    assert!(csv.contains(",'=1+1,scheduled,2027-03-03T") && csv.lines().count() == 2, "{csv}");
    let rows =
        async |path: &str| -> Value { serde_json::from_str(&browser.get(path).await.expect_page()).unwrap() };
    assert_eq!(rows("/export/reminders.json").await[0]["text"], "For now");
    assert_eq!(rows("/export/reminders.json?q=tide").await, json!([]));
    let other = server.log_in_browser(&server.colleague).await;
    assert_eq!(other.get("/export/reminders.csv").await.expect_page().lines().count(), 1, "another's");
    // Meetings in the same way, and messages for admins only.
    let meeting = json!({"title": "Planning", "starts_at": server.time_after(DAY), "ends_at": server.time_after(DAY + MINUTE)});
    server.as_creator().post("/api/v1/meetings", &meeting).await.expect(201);
    assert_eq!(rows("/export/meetings.json").await[0]["title"], "Planning");
    assert_eq!(rows("/export/meetings.json?past=1").await, json!([]));
    let csv = browser.get("/export/meetings.csv?state=all").await.expect_page();
    assert!(csv.contains(",Planning,confirmed,2027-03-02T"), "{csv}");
    assert_eq!(browser.get("/export/messages.csv").await.status, 403);
    let admin = server.log_in_browser(&server.admin).await;
    let csv = admin.get("/export/messages.csv").await.expect_page();
    assert!(csv.starts_with("\u{feff}id,key,channel,state,due_at"), "{csv}");
}
