//! One change of many reminders: its preview, the change, and its undo.

use crate::{
    engine::engine_page::assert_contains, http_client::HttpClient, on_both, reminders::MINUTE,
    test_server::TestServer,
};
use serde_json::{Value, json};

on_both!(
    many_are_put_off_and_put_back,
    many_are_done_or_cancelled,
    others_stay_as_they_are,
    those_beyond_the_limit_of_an_outside_address_are_refused,
    what_is_wrong_is_refused_with_its_field,
    the_page_previews_and_undoes,
);

const PATH: &str = "/api/v1/reminders/bulk-change";

async fn bulk(client: &HttpClient, ids: &[&Value], change: Value, dry_run: bool) -> Value {
    let ids: Vec<&Value> = ids.iter().map(|reminder| &reminder["id"]).collect();
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

async fn many_are_put_off_and_put_back(server: TestServer) {
    let client = server.as_creator();
    let (mut made, mut all) = (Vec::new(), Vec::new());
    for number in 1..=120 {
        made.push(server.remind(&format!("Number {number}"), number * MINUTE, json!({})).await);
    }
    all.extend(made.iter());
    let shift = json!({"type": "shift", "minutes": 150});
    let preview = bulk(&client, &all, shift.clone(), true).await;
    assert_eq!((numbers(&preview), preview["moves"].as_array().unwrap().len()), ((120, 120, 0), 100));
    assert_eq!(server.reminder(all[0]).await["due_at"], all[0]["due_at"], "a preview changes nothing");
    let done = bulk(&client, &all, shift, false).await;
    assert_eq!(numbers(&done), (120, 120, 0));
    assert_eq!(server.reminder(all[0]).await["due_at"], json!(server.time_after(151 * MINUTE)));
    server.advance(120 * MINUTE).await;
    assert!(server.notified(&client).await.is_empty(), "not at the old moments");
    // The old moments have passed: nothing comes back.
    assert_eq!(numbers(&undo(&client, &done).await), (120, 0, 120));
    server.advance(150 * MINUTE).await;
    let sent = client.get("/api/v1/reminders?view=today&limit=200").await.expect(200);
    assert_eq!(sent["items"].as_array().unwrap().len(), 120, "each was sent once");
    server.assert_execution_records_match().await;
}

async fn many_are_done_or_cancelled(server: TestServer) {
    let client = server.as_creator();
    let first = server.remind("First", MINUTE, json!({})).await;
    let second = server.remind("Second", 10 * MINUTE, json!({})).await;
    server.advance(MINUTE).await;
    let all = json!({"filter": {"view": "today"}, "change": {"type": "done"}});
    let done = client.post(PATH, &all).await.expect(200);
    assert_eq!(numbers(&done), (2, 2, 0));
    for reminder in [&first, &second] {
        assert_eq!(server.reminder(reminder).await["state"], "done");
    }
    let again = bulk(&client, &[&first], json!({"type": "done"}), false).await;
    assert_eq!((numbers(&again), &again["batch_id"]), ((1, 0, 0), &Value::Null), "as wanted already");
    assert_eq!(numbers(&undo(&client, &done).await), (2, 2, 0));
    assert_eq!(server.reminder(&first).await["state"], "sent");
    let cancelled = bulk(&client, &[&first, &second], json!({"type": "cancel"}), false).await;
    assert_eq!(
        (numbers(&cancelled), &cancelled["refused"][0]["code"]),
        ((2, 1, 1), &json!("wrong_state")),
        "what was sent cannot be cancelled"
    );
    assert_eq!(numbers(&undo(&client, &cancelled).await), (1, 1, 0));
    server.advance(10 * MINUTE).await;
    assert_eq!(server.reminder(&second).await["state"], "sent");
    assert_eq!(server.notified(&client).await.len(), 2);
}

async fn others_stay_as_they_are(server: TestServer) {
    let (client, colleague) = (server.as_creator(), server.as_colleague());
    let own = server.remind("Own", 10 * MINUTE, json!({})).await;
    // A reminder of another account is not even named.
    let refused = bulk(&colleague, &[&own], json!({"type": "cancel"}), true).await;
    assert_eq!((numbers(&refused), &refused["refused"][0]["code"]), ((1, 0, 1), &json!("no_such")));
    // Who gets it may mark it as done, and undo that.
    let to = json!({"account_id": server.colleague.actor.account.0});
    let theirs = server.remind("For another", 10 * MINUTE, to).await;
    let moved = bulk(&colleague, &[&theirs], json!({"type": "shift", "days": 1}), false).await;
    assert_eq!((numbers(&moved), &moved["refused"][0]["code"]), ((1, 0, 1), &json!("not_allowed")));
    let done = bulk(&colleague, &[&theirs], json!({"type": "done"}), false).await;
    let path = format!("/api/v1/batches/{}/undo", done["batch_id"].as_str().unwrap());
    assert_eq!(client.post(&path, &json!({})).await.refused(403), "not_allowed");
    assert_eq!(numbers(&undo(&colleague, &done).await), (1, 1, 0));
    // What is changed meanwhile stays so.
    let done = bulk(&client, &[&own], json!({"type": "shift", "days": 1}), false).await;
    let now = server.reminder(&own).await;
    let seen = json!({"seen_version": now["version"], "text": "Mine"});
    let edited = client.patch(&format!("/api/v1/reminders/{}", own["id"].as_str().unwrap()), &seen).await;
    edited.expect(200);
    let undone = undo(&client, &done).await;
    assert_eq!((numbers(&undone), &undone["refused"][0]["code"]), ((1, 0, 1), &json!("changed")));
}

async fn those_beyond_the_limit_of_an_outside_address_are_refused(server: TestServer) {
    let client = server.as_admin();
    let mut made = Vec::new();
    for (count, minutes, mail) in
        [(20, 600, "anna@example.org"), (3, 100, "anna@example.org"), (1, 100, "ben@example.org")]
    {
        for _ in 0..count {
            made.push(server.remind_by(&client, "Call", minutes * MINUTE, json!({"mail": mail})).await);
        }
    }
    let (full, few): (Vec<&Value>, Vec<&Value>) = (made[..20].iter().collect(), made[20..].iter().collect());
    let into = json!({"type": "shift", "minutes": 500});
    for dry_run in [true, false] {
        let outcome = bulk(&client, &few, into.clone(), dry_run).await;
        assert_eq!(numbers(&outcome), (4, 1, 3), "{outcome}");
        let refused = outcome["refused"][0].clone();
        assert_eq!(refused["code"], "mail_limit", "{refused}");
        assert!(
            refused["message"].as_str().unwrap().contains("at most 20 mails within an hour"),
            "{refused}"
        );
    }
    assert_eq!(server.reminder(few[0]).await["due_at"], few[0]["due_at"]);
    // What moves together is not in its own way.
    let moved = bulk(&client, &full, json!({"type": "shift", "minutes": 30}), false).await;
    assert_eq!(numbers(&moved), (20, 20, 0), "{moved}");
    let moved = bulk(&client, &full, json!({"type": "shift", "minutes": 600}), false).await;
    assert_eq!(numbers(&bulk(&client, &few[..3], into, false).await), (3, 3, 0), "the old hour is free");
    // Three of them find their hour taken.
    let undone = undo(&client, &moved).await;
    assert_eq!(numbers(&undone), (20, 17, 3), "{undone}");
    assert_eq!(undone["refused"][0]["code"], "mail_limit", "{undone}");
}

async fn what_is_wrong_is_refused_with_its_field(server: TestServer) {
    let client = server.as_creator();
    let id = json!(["e3e70682-c209-4cac-a29f-6fbed82c07cd"]);
    let many: Vec<String> =
        (0..1_001).map(|number| format!("e3e70682-c209-4cac-a29f-{number:012}")).collect();
    for (field, body) in [
        ("ids", json!({"ids": [], "change": {"type": "done"}})),
        ("ids", json!({"ids": ["x"], "change": {"type": "done"}})),
        ("ids", json!({"ids": many, "change": {"type": "done"}})),
        ("type", json!({"ids": id, "change": {"type": "approve"}})),
        ("days", json!({"ids": id, "change": {"type": "shift"}})),
        ("minutes", json!({"ids": id, "change": {"type": "shift", "minutes": 527_041}})),
        ("days", json!({"ids": id, "change": {"type": "done", "minutes": 1}})),
        ("view", json!({"filter": {"view": "all"}, "change": {"type": "done"}})),
    ] {
        let refused = client.post(PATH, &body).await.expect(422);
        assert_eq!(refused["error"]["field"], field, "{body}");
    }
}

async fn the_page_previews_and_undoes(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let made = server.remind("Water the plants", 10 * MINUTE, json!({})).await;
    let id = made["id"].as_str().unwrap();
    let list = browser.get("/reminders").await.expect_page();
    assert_contains(&list, &["Change several", "Mark as done", "value=\"reminders\"", "name=\"ids\""]);
    let page = browser.get(&format!("/bulk?list=reminders&ids={id}&change=done")).await.expect_page();
    assert_contains(&page, &["1 of 1 reminder will be changed.", "Water the plants", "/reminders?edit="]);
    let fields = [("list", "reminders"), ("ids", id), ("change", "cancel"), ("from", "/bulk")];
    let done = browser.form("/fn/run_bulk", &fields).await;
    assert_contains(&browser.get(done.header("location")).await.expect_page(), &["Undo all"]);
    assert_eq!(server.reminder(&made).await["state"], "cancelled");
    let to = done.result_location();
    let batch = to.split("bulk-changed.").nth(1).unwrap().split('.').next().unwrap();
    browser.form("/fn/undo_batch", &[("id", batch), ("from", "/reminders")]).await;
    assert_eq!(server.reminder(&made).await["state"], "scheduled");
}
