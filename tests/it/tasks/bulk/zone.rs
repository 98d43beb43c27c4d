//! Another time zone of the desk: scheduled items keep their wall-clock time or their instant.

use crate::{
    engine_page::assert_contains,
    new_task::{local, publish},
    on_both,
    test_server::TestServer,
};
use domain::{
    State,
    task::{Change, NewTask, TaskRow},
};
use serde_json::{Value, json};
use store::PoolRole;

on_both!(
    a_new_zone_asks_first_and_changes_nothing,
    wall_clock_times_are_kept_in_the_new_zone_and_undone_with_it,
    skipped_and_doubled_times_are_counted_and_resolved,
    instants_are_kept_and_the_zone_has_an_undo,
    what_was_changed_since_is_left_alone_by_the_undo,
    an_undo_is_refused_after_another_change_of_the_zone,
    more_than_a_thousand_items_move_with_one_undo,
    the_form_asks_on_its_page_and_offers_the_undo,
    only_admins_change_the_zone_and_undo_it,
);

const PATH: &str = "/api/v1/settings/desk";

/// Sets the desk's zone while nothing is planned.
async fn desk_in_berlin(server: &TestServer) {
    let edit = json!({"title": "Desk", "zone": "Europe/Berlin"});
    let changed = server.as_admin().patch(PATH, &edit).await.expect(200);
    assert_eq!((&changed["zone"], &changed["tasks"]["batch_id"]), (&json!("Europe/Berlin"), &Value::Null));
}

async fn planned(server: &TestServer, title: &str, time: &str, zone: &str) -> TaskRow {
    let article = server.create_article(title).await;
    let new = NewTask { when: local(time, zone, None), ..publish(article, server.now()) };
    server.app.services.tasks.schedule(&server.creator.actor, new).await.unwrap()
}

/// Three items in Berlin time, the last of them soon; one in another zone, one at an instant.
async fn items(server: &TestServer) -> [TaskRow; 5] {
    desk_in_berlin(server).await;
    [
        planned(server, "In summer", "2027-06-09T09:00", "Europe/Berlin").await,
        planned(server, "In winter", "2027-12-01T09:00", "Europe/Berlin").await,
        planned(server, "Soon", "2027-03-01T12:00", "Europe/Berlin").await,
        planned(server, "Elsewhere", "2027-06-09T09:00", "Asia/Shanghai").await,
        server.create_task("Exact", 7_200_000).await,
    ]
}

async fn change_zone(server: &TestServer, zone: &str, choice: &str) -> Value {
    server.as_admin().patch(PATH, &json!({"zone": zone, "zone_change": choice})).await.expect(200)
}

async fn zone_of_desk(server: &TestServer) -> String {
    server.app.services.settings.settings().await.unwrap().zone
}

fn undo_path(changed: &Value) -> String {
    format!("/api/v1/batches/{}/undo", changed["tasks"]["batch_id"].as_str().unwrap())
}

async fn due_times(server: &TestServer, rows: &[TaskRow]) -> Vec<String> {
    let mut times = Vec::new();
    for row in rows {
        times.push(server.find_task(row.id).await.due.at.to_string());
    }
    times
}

async fn assert_unchanged(server: &TestServer, rows: &[TaskRow]) {
    for row in rows {
        let now = server.find_task(row.id).await;
        assert_eq!((now.version, now.due.at), (row.version, row.due.at), "{}", row.title);
    }
}

/// The stored wall-clock time of a task.
async fn wall_clock(server: &TestServer, row: &TaskRow) -> (String, String) {
    let mut lease = server.app.parts.store.read(PoolRole::Web).await.unwrap();
    let stored = store::task_list::find(lease.conn(), row.id).await.unwrap().unwrap();
    (stored.local_time.unwrap_or_default(), stored.time_zone.unwrap_or_default())
}

fn in_zone(time: &str, zone: &str) -> (String, String) {
    (time.to_owned(), zone.to_owned())
}

async fn a_new_zone_asks_first_and_changes_nothing(server: TestServer) {
    let rows = items(&server).await;
    let edit = json!({"title": "Other", "zone": "tokyo"});
    let refused = server.as_admin().patch(PATH, &edit).await.expect(409);
    assert_eq!(refused["error"]["code"], "zone_choice");
    let effect = &refused["zone_effect"];
    assert_eq!((&effect["from"], &effect["to"]), (&json!("Europe/Berlin"), &json!("Asia/Tokyo")));
    let counts =
        ["count", "movable", "past", "skipped", "doubled"].map(|name| effect[name].as_u64().unwrap());
    assert_eq!(counts, [3, 2, 1, 0, 0]);
    assert_eq!(effect["past_titles"], json!(["Soon"]));
    let example = json!({
        "title": "In summer",
        "due_at": "2027-06-09T07:00:00.000Z",
        "moved_to": "2027-06-09T00:00:00.000Z",
    });
    assert_eq!(effect["example"], example);
    assert_unchanged(&server, &rows).await;
    let desk = server.as_creator().get(PATH).await.expect(200);
    assert_eq!((&desk["title"], &desk["zone"]), (&json!("Desk"), &json!("Europe/Berlin")));
    // Another word is refused, and so is an unknown zone.
    for wrong in [json!({"zone": "tokyo", "zone_change": "guess"}), json!({"zone": "nowhere"})] {
        assert_eq!(server.as_admin().patch(PATH, &wrong).await.refused(422), "invalid");
    }
    // Without another zone nothing is asked.
    server.as_admin().patch(PATH, &json!({"title": "Other"})).await.expect(200);
}

async fn wall_clock_times_are_kept_in_the_new_zone_and_undone_with_it(server: TestServer) {
    let rows = items(&server).await;
    let before = due_times(&server, &rows).await;
    let changed = change_zone(&server, "Asia/Tokyo", "keep_wall_clock").await;
    let tasks = &changed["tasks"];
    assert_eq!((&changed["zone"], &tasks["time_zone"]), (&json!("Asia/Tokyo"), &json!("Asia/Tokyo")));
    assert_eq!((&tasks["matched"], &tasks["changed"]), (&json!(3), &json!(2)));
    let refused = tasks["refused"].as_array().unwrap();
    assert_eq!((refused.len(), &refused[0]["code"]), (1, &json!("past")));
    let after = due_times(&server, &rows).await;
    // 9:00 in Tokyo is 0:00 UTC all year; the clocks of Berlin changed in between.
    assert_eq!(after[..2], ["2027-06-09T00:00:00.000Z", "2027-12-01T00:00:00.000Z"]);
    assert_eq!(after[2..], before[2..]);
    assert_eq!(wall_clock(&server, &rows[0]).await, in_zone("2027-06-09T09:00", "Asia/Tokyo"));
    assert_eq!(wall_clock(&server, &rows[2]).await, in_zone("2027-03-01T12:00", "Europe/Berlin"));
    let undone = server.as_admin().post(&undo_path(&changed), &json!({})).await.expect(200);
    assert_eq!((&undone["time_zone"], &undone["changed"]), (&json!("Europe/Berlin"), &json!(2)));
    assert_eq!(zone_of_desk(&server).await, "Europe/Berlin");
    assert_eq!(due_times(&server, &rows).await, before);
    assert_eq!(wall_clock(&server, &rows[1]).await, in_zone("2027-12-01T09:00", "Europe/Berlin"));
    let again = server.as_admin().post(&undo_path(&changed), &json!({})).await;
    assert_eq!(again.refused(409), "cannot_undo");
    // They are executed when they were planned.
    server.advance(3 * 3_600_000).await;
    assert_eq!(server.find_task(rows[2].id).await.state, State::Executed);
}

async fn skipped_and_doubled_times_are_counted_and_resolved(server: TestServer) {
    desk_in_berlin(&server).await;
    let rows = [
        planned(&server, "Skipped", "2027-03-14T02:30", "Europe/Berlin").await,
        planned(&server, "Doubled", "2027-11-07T01:30", "Europe/Berlin").await,
    ];
    let refused = server.as_admin().patch(PATH, &json!({"zone": "America/New_York"})).await.expect(409);
    let effect = &refused["zone_effect"];
    let counts =
        ["count", "movable", "past", "skipped", "doubled"].map(|name| effect[name].as_u64().unwrap());
    assert_eq!(counts, [2, 2, 0, 1, 1]);
    let changed = change_zone(&server, "America/New_York", "keep_wall_clock").await;
    assert_eq!(changed["tasks"]["changed"], 2);
    let times = due_times(&server, &rows).await;
    assert_eq!(times, ["2027-03-14T07:00:00.000Z", "2027-11-07T05:30:00.000Z"]);
    assert_eq!(wall_clock(&server, &rows[0]).await, in_zone("2027-03-14T03:00", "America/New_York"));
}

async fn instants_are_kept_and_the_zone_has_an_undo(server: TestServer) {
    let rows = items(&server).await;
    let changed = change_zone(&server, "Asia/Tokyo", "keep_instant").await;
    assert_eq!((&changed["zone"], &changed["tasks"]["changed"]), (&json!("Asia/Tokyo"), &json!(0)));
    assert_unchanged(&server, &rows).await;
    assert_eq!(wall_clock(&server, &rows[0]).await, in_zone("2027-06-09T09:00", "Europe/Berlin"));
    let undone = server.as_admin().post(&undo_path(&changed), &json!({})).await.expect(200);
    assert_eq!(undone["time_zone"], "Europe/Berlin");
    assert_eq!(zone_of_desk(&server).await, "Europe/Berlin");
    assert_unchanged(&server, &rows).await;
}

async fn what_was_changed_since_is_left_alone_by_the_undo(server: TestServer) {
    let rows = items(&server).await;
    let changed = change_zone(&server, "Asia/Tokyo", "keep_wall_clock").await;
    let moved = server.find_task(rows[0].id).await;
    let when = local("2027-07-01T10:00", "Asia/Tokyo", None);
    let later = server.change(&moved, Change::Reschedule { when }).await.unwrap();
    let undone = server.as_admin().post(&undo_path(&changed), &json!({})).await.expect(200);
    assert_eq!((&undone["matched"], &undone["changed"]), (&json!(2), &json!(1)));
    assert_eq!(undone["refused"][0]["code"], "changed");
    assert_eq!(server.find_task(rows[0].id).await.due.at, later.due.at);
    assert_eq!(server.find_task(rows[1].id).await.due.at, rows[1].due.at);
    assert_eq!(zone_of_desk(&server).await, "Europe/Berlin");
}

async fn an_undo_is_refused_after_another_change_of_the_zone(server: TestServer) {
    let rows = items(&server).await;
    let changed = change_zone(&server, "Asia/Tokyo", "keep_wall_clock").await;
    let other = change_zone(&server, "America/New_York", "keep_instant").await;
    let refused = server.as_admin().post(&undo_path(&changed), &json!({})).await;
    assert_eq!(refused.refused(409), "changed");
    assert_eq!(zone_of_desk(&server).await, "America/New_York");
    // The later one first, then the earlier one.
    for done in [&other, &changed] {
        server.as_admin().post(&undo_path(done), &json!({})).await.expect(200);
    }
    assert_eq!(zone_of_desk(&server).await, "Europe/Berlin");
    assert_eq!(server.find_task(rows[0].id).await.due.at, rows[0].due.at);
}

async fn more_than_a_thousand_items_move_with_one_undo(server: TestServer) {
    desk_in_berlin(&server).await;
    let articles = server.create_articles(1_100).await;
    let when = local("2027-06-09T09:00", "Europe/Berlin", None);
    let new = articles.iter().map(|id| NewTask { when: when.clone(), ..publish(*id, server.now()) });
    let rows = server.app.services.tasks.schedule_all(&server.creator.actor, new.collect()).await.unwrap();
    let changed = change_zone(&server, "Asia/Tokyo", "keep_wall_clock").await;
    assert_eq!((&changed["tasks"]["matched"], &changed["tasks"]["changed"]), (&json!(1_100), &json!(1_100)));
    let ends = [rows[0].clone(), rows[1_099].clone()];
    assert_eq!(due_times(&server, &ends).await, ["2027-06-09T00:00:00.000Z"; 2]);
    let undone = server.as_admin().post(&undo_path(&changed), &json!({})).await.expect(200);
    assert_eq!(undone["changed"], 1_100);
    assert_eq!(due_times(&server, &ends).await, ["2027-06-09T07:00:00.000Z"; 2]);
}

async fn the_form_asks_on_its_page_and_offers_the_undo(server: TestServer) {
    let rows = items(&server).await;
    let browser = server.log_in_browser(&server.admin).await;
    let typed = [("from", "/settings/desk"), ("title", "Typed"), ("zone", "Asia/Tokyo"), ("language", "en")];
    let asked = browser.form("/fn/change_settings", &typed).await;
    assert_eq!(asked.status, 409, "{}", asked.text);
    assert_contains(
        &asked.text,
        &[
            "Scheduled items planned in Berlin time: 3.",
            "“In summer”",
            "09:00 Berlin becomes ",
            "09:00 Tokyo.",
            "16:00 Tokyo.",
            "Already passed by the new time zone: 1 (Soon).",
            "value=\"keep_wall_clock\"",
            "value=\"keep_instant\"",
            "value=\"Typed\"",
            "value=\"Asia/Tokyo\"",
        ],
    );
    assert_unchanged(&server, &rows).await;
    assert_eq!(zone_of_desk(&server).await, "Europe/Berlin");
    let answer = [&typed[..], &[("zone_change", "keep_wall_clock")]].concat();
    let done = browser.form("/fn/change_settings", &answer).await;
    assert!((300..400).contains(&done.status), "{}", done.text);
    let to = done.result_location();
    assert!(to.starts_with("/settings/desk?done=bulk-zone."), "{to}");
    let page = browser.get(done.header("location")).await.expect_page();
    let kept = "Scheduled items that keep their wall-clock times: 2.";
    assert_contains(&page, &["The time zone of the desk is changed.", kept, "/fn/undo_batch"]);
    let batch = to.split('.').nth(1).unwrap();
    let undone = browser.form("/fn/undo_batch", &[("id", batch), ("from", "/settings/desk")]).await;
    let page = browser.get(undone.header("location")).await.expect_page();
    assert_contains(&page, &["The desk has its previous time zone again.", "value=\"Europe/Berlin\""]);
    assert_eq!(server.find_task(rows[0].id).await.due.at, rows[0].due.at);
}

async fn only_admins_change_the_zone_and_undo_it(server: TestServer) {
    let rows = items(&server).await;
    let edit = json!({"zone": "Asia/Tokyo", "zone_change": "keep_wall_clock"});
    assert_eq!(server.as_creator().patch(PATH, &edit).await.refused(403), "not_allowed");
    assert_unchanged(&server, &rows).await;
    let changed = change_zone(&server, "Asia/Tokyo", "keep_wall_clock").await;
    let refused = server.as_creator().post(&undo_path(&changed), &json!({})).await;
    assert_eq!(refused.refused(403), "not_allowed");
    assert_eq!(zone_of_desk(&server).await, "Asia/Tokyo");
}
