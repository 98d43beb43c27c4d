//! One change of several meetings: its preview, the change, and its undo.

use crate::{
    engine::engine_page::assert_contains,
    http_client::HttpClient,
    meetings::{HOUR, path},
    on_both,
    test_server::TestServer,
};
use serde_json::{Value, json};

on_both!(
    meetings_move_together_into_times_that_others_leave,
    what_is_in_the_way_stays_and_names_itself,
    requests_are_approved_and_rejected_together,
    what_is_wrong_is_refused_with_its_field,
    the_page_previews_and_undoes,
);

const PATH: &str = "/api/v1/meetings/bulk-change";

async fn bulk(client: &HttpClient, ids: &[&Value], change: Value, dry_run: bool) -> Value {
    let ids: Vec<&Value> = ids.iter().map(|meeting| &meeting["id"]).collect();
    client.post(PATH, &json!({"ids": ids, "change": change, "dry_run": dry_run})).await.expect(200)
}

fn numbers(outcome: &Value) -> (u64, u64, usize) {
    let number = |name: &str| outcome[name].as_u64().unwrap();
    (number("matched"), number("changed"), outcome["refused"].as_array().unwrap().len())
}

async fn undo(client: &HttpClient, done: &Value) -> Value {
    let path = format!("/api/v1/batches/{}/undo", done["batch_id"].as_str().unwrap());
    client.post(&path, &json!({})).await.expect(200)
}

async fn meetings_move_together_into_times_that_others_leave(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let client = server.as_creator();
    let mut meetings = Vec::new();
    for hour in 2..5 {
        meetings.push(server.book(&room, hour * HOUR, (hour + 1) * HOUR).await.expect(201));
    }
    let all: Vec<&Value> = meetings.iter().collect();
    let before: Vec<Value> = meetings.iter().map(|meeting| meeting["starts_at"].clone()).collect();
    for (minutes, hour) in [(60, 3), (-60, 1)] {
        let shift = json!({"type": "shift", "minutes": minutes});
        let preview = bulk(&client, &all, shift.clone(), true).await;
        assert_eq!((numbers(&preview), &preview["batch_id"]), ((3, 3, 0), &Value::Null));
        assert_eq!(preview["moves"][0]["from"], before[0]);
        assert_eq!(preview["moves"][0]["to"], json!(server.time_after(hour * HOUR)));
        assert_eq!(server.meeting(&meetings[0]).await["starts_at"], before[0], "a preview changes nothing");
        let done = bulk(&client, &all, shift, false).await;
        assert_eq!((numbers(&done), &done["moves"]), ((3, 3, 0), &json!([])));
        let first = server.meeting(&meetings[0]).await;
        assert_eq!(first["starts_at"], json!(server.time_after(hour * HOUR)));
        assert_eq!(numbers(&undo(&client, &done).await), (3, 3, 0));
        for (meeting, start) in meetings.iter().zip(&before) {
            assert_eq!(&server.meeting(meeting).await["starts_at"], start);
        }
        let path = format!("/api/v1/batches/{}/undo", done["batch_id"].as_str().unwrap());
        assert_eq!(client.post(&path, &json!({})).await.refused(409), "cannot_undo");
    }
    // Days keep the wall-clock time: the clocks change on 28 March 2027.
    let local = json!({"title": "Spring", "local_start": "2027-03-27T09:00", "local_end": "2027-03-27T10:00", "zone": "Europe/Berlin"});
    let spring = client.post("/api/v1/meetings", &local).await.expect(201);
    bulk(&client, &[&spring], json!({"type": "shift", "days": 1}), false).await;
    assert_eq!(server.meeting(&spring).await["starts_at"], json!("2027-03-28T07:00:00.000Z"));
    assert_eq!(server.overlaps().await, 0);
}

async fn what_is_in_the_way_stays_and_names_itself(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let (client, admin) = (server.as_creator(), server.as_admin());
    let first = server.book(&room, 2 * HOUR, 3 * HOUR).await.expect(201);
    let second = server.book(&room, 5 * HOUR, 6 * HOUR).await.expect(201);
    let theirs = server.new_meeting(&room, 3 * HOUR, 4 * HOUR);
    let theirs = admin.post("/api/v1/meetings", &theirs).await.expect(201);
    let shift = json!({"type": "shift", "minutes": 60});
    for dry_run in [true, false] {
        let outcome = bulk(&client, &[&first, &second, &theirs], shift.clone(), dry_run).await;
        assert_eq!(numbers(&outcome), (3, 1, 2));
        let code = |meeting: &Value| {
            let refused = outcome["refused"].as_array().unwrap().iter();
            refused.filter(|one| one["id"] == meeting["id"]).map(|one| one["code"].clone()).next().unwrap()
        };
        assert_eq!((code(&first), code(&theirs)), (json!("room_taken"), json!("not_allowed")));
    }
    // Who changes one meanwhile keeps that change.
    let done = bulk(&client, &[&first, &second], json!({"type": "cancel", "reason": "Holiday"}), false).await;
    assert_eq!(numbers(&done), (2, 2, 0));
    assert_eq!(server.meeting(&second).await["reason"], "Holiday");
    let now = server.meeting(&second).await;
    let back = client.post(&path(&second, "/undo"), &json!({"seen_version": now["version"]})).await;
    back.expect(200);
    let undone = undo(&client, &done).await;
    assert_eq!((numbers(&undone), &undone["refused"][0]["code"]), ((2, 1, 1), &json!("changed")));
    assert_eq!(server.state(&first).await, "confirmed");
    // Neither another account nor a stranger undoes it.
    let done = bulk(&client, &[&first], json!({"type": "cancel"}), false).await;
    let path = format!("/api/v1/batches/{}/undo", done["batch_id"].as_str().unwrap());
    assert_eq!(server.as_colleague().post(&path, &json!({})).await.refused(403), "not_allowed");
    assert_eq!(server.overlaps().await, 0);
}

async fn requests_are_approved_and_rejected_together(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula", "approval": "required"})).await;
    let (client, admin) = (server.as_creator(), server.as_admin());
    let one = server.book(&room, 2 * HOUR, 3 * HOUR).await.expect(201);
    let two = server.book(&room, 3 * HOUR, 4 * HOUR).await.expect(201);
    let refused = bulk(&client, &[&one], json!({"type": "approve"}), false).await;
    assert_eq!((numbers(&refused), &refused["refused"][0]["code"]), ((1, 0, 1), &json!("not_allowed")));
    let all = json!({"filter": {"scope": "to_approve"}, "change": {"type": "approve"}, "dry_run": true});
    let preview = admin.post(PATH, &all).await.expect(200);
    assert_eq!((numbers(&preview), &preview["items"][0]["title"]), ((2, 2, 0), &json!("Planning")));
    let approve = json!({"filter": {"scope": "to_approve"}, "change": {"type": "approve"}});
    let done = admin.post(PATH, &approve).await.expect(200);
    assert_eq!(numbers(&done), (2, 2, 0));
    assert_eq!(server.state(&two).await, "confirmed");
    assert_eq!(numbers(&undo(&admin, &done).await), (2, 2, 0));
    assert_eq!(server.state(&one).await, "requested");
    let rejected = bulk(&admin, &[&one, &two], json!({"type": "reject", "reason": "Too many"}), false).await;
    assert_eq!(numbers(&rejected), (2, 2, 0));
    assert_eq!(server.state(&one).await, "rejected");
}

async fn what_is_wrong_is_refused_with_its_field(server: TestServer) {
    let client = server.as_creator();
    let id = json!(["e3e70682-c209-4cac-a29f-6fbed82c07cd"]);
    let many: Vec<String> = (0..201).map(|number| format!("e3e70682-c209-4cac-a29f-{number:012}")).collect();
    for (field, body) in [
        ("ids", json!({"ids": [], "change": {"type": "approve"}})),
        ("ids", json!({"ids": ["x"], "change": {"type": "approve"}})),
        ("ids", json!({"ids": many, "change": {"type": "approve"}})),
        ("ids", json!({"change": {"type": "approve"}})),
        ("type", json!({"ids": id, "change": {"type": "retry"}})),
        ("days", json!({"ids": id, "change": {"type": "shift"}})),
        ("days", json!({"ids": id, "change": {"type": "shift", "days": 3_661}})),
        ("days", json!({"ids": id, "change": {"type": "cancel", "days": 1}})),
        ("reason", json!({"ids": id, "change": {"type": "approve", "reason": "x"}})),
        ("reason", json!({"ids": id, "change": {"type": "cancel", "reason": "x".repeat(501)}})),
        ("scope", json!({"filter": {"scope": "theirs"}, "change": {"type": "cancel"}})),
    ] {
        let refused = client.post(PATH, &body).await.expect(422);
        assert_eq!(refused["error"]["field"], field, "{body}");
    }
    let gone = client.post(PATH, &json!({"ids": id, "change": {"type": "cancel"}})).await.expect(200);
    assert_eq!((numbers(&gone), &gone["refused"][0]["code"]), ((1, 0, 1), &json!("no_such")));
}

async fn the_page_previews_and_undoes(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let browser = server.log_in_browser(&server.creator).await;
    let meeting = server.book(&room, 2 * HOUR, 3 * HOUR).await.expect(201);
    let id = meeting["id"].as_str().unwrap();
    let list = browser.get("/meetings").await.expect_page();
    assert_contains(&list, &["Change several", "All that match (1)", "value=\"meetings\"", "name=\"ids\""]);
    let url = format!("/bulk?list=meetings&ids={id}&change=cancel&to=Holiday");
    let page = browser.get(&url).await.expect_page();
    assert_contains(&page, &["1 of 1 meeting will be changed.", "Will be changed", "Reason: Holiday"]);
    let moved = browser.get(&format!("/bulk?list=meetings&ids={id}&change=shift&amount=1&unit=hours")).await;
    assert_contains(&moved.expect_page(), &["Afterwards", "Change 1 meeting<"]);
    let fields =
        [("list", "meetings"), ("all", "1"), ("change", "cancel"), ("to", "Holiday"), ("from", "/bulk")];
    let done = browser.form("/fn/run_bulk", &fields).await;
    assert_contains(&browser.get(done.header("location")).await.expect_page(), &["Undo all"]);
    assert_eq!(server.state(&meeting).await, "cancelled");
    let to = done.result_location();
    let batch = to.split("bulk-changed.").nth(1).unwrap().split('.').next().unwrap();
    let undo = [("id", batch), ("from", "/meetings")];
    browser.form("/fn/undo_batch", &undo).await;
    assert_eq!(server.state(&meeting).await, "confirmed");
}
