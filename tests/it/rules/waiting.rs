//! When a rule acts, and which signal keeps it from acting.

use super::{subjects, top_up};
use crate::{deliveries::text, on_both, test_server::TestServer};
use serde_json::{Value, json};
use test_support::Sink;

on_both!(
    s2_who_does_not_pay_in_time_is_reminded_and_who_pays_is_not,
    s2_a_repeated_signal_starts_the_wait_again,
    a_repeated_signal_can_be_ignored_or_open_another_wait,
    a_closing_signal_that_arrives_first_keeps_the_wait_closed,
    a_signal_with_the_same_id_does_nothing,
    s8_a_coupon_is_announced_before_it_expires,
    signals_of_the_past_act_by_the_grace_of_the_rule,
    a_rule_can_be_about_some_subjects_and_keys_are_apart,
    signals_are_stored_all_or_none,
);

const MINUTE: i64 = 60_000;

async fn s2_who_does_not_pay_in_time_is_reminded_and_who_pays_is_not(server: TestServer) {
    let sink = Sink::start().await;
    let rule = server.create_top_up_rule(&sink, json!({})).await;
    assert_eq!(server.signal("top_up.clicked", "u1", json!({})).await, (1, 0));
    assert_eq!(server.signal("top_up.clicked", "u2", json!({})).await, (1, 0));
    assert_eq!(server.signal("something.else", "u2", json!({})).await, (0, 0));
    server.advance(29 * MINUTE).await;
    assert_eq!(server.signal("top_up.paid", "u2", json!({})).await, (0, 1));
    assert!(sink.received().is_empty());
    server.advance(MINUTE).await;
    assert_eq!(subjects(&sink), ["u1"]);
    let waits = server.waits(&rule, "").await;
    let states: Vec<_> = waits.iter().map(|wait| (text(&wait["subject"]), text(&wait["state"]))).collect();
    assert_eq!(states, [("u2", "cancelled"), ("u1", "executed")]);
    assert_eq!((text(&waits[0]["reason"]), text(&waits[0]["closed_by"]["name"])), ("signal", "top_up.paid"));
    // What came after the message is shown as such.
    server.advance(12_000).await;
    assert_eq!(server.signal("top_up.paid", "u1", json!({})).await, (0, 0));
    let task = server.task(&json!({"id": waits[0]["task_id"]})).await;
    assert_eq!((text(&task["kind"]), text(&task["title"])), ("rule.fire", "u2"));
    let verbs: Vec<&str> = task["timeline"].as_array().unwrap().iter().map(|e| text(&e["verb"])).collect();
    assert_eq!(verbs, ["schedule", "cancel"]);
    // The message is found like every other.
    let key = format!("rule:{}", text(&waits[1]["id"]));
    assert_eq!(server.message_states(&key).await, ("executed".to_owned(), json!("delivered")));
    server.assert_execution_records_match().await;
}

async fn s2_a_repeated_signal_starts_the_wait_again(server: TestServer) {
    let sink = Sink::start().await;
    let rule = server.create_top_up_rule(&sink, json!({})).await;
    server.signal("top_up.clicked", "u1", json!({})).await;
    server.advance(20 * MINUTE).await;
    assert_eq!(server.signal("top_up.clicked", "u1", json!({})).await, (1, 0));
    // A late copy of an earlier signal does not bring it forward.
    let early = json!({"at": server.time_after(-5 * MINUTE)});
    assert_eq!(server.signal("top_up.clicked", "u1", early).await, (0, 0));
    server.advance(29 * MINUTE).await;
    assert!(sink.received().is_empty());
    let [wait] = &server.waits(&rule, "").await[..] else { panic!("not one wait") };
    assert_eq!(wait["version"], 2);
    server.advance(MINUTE).await;
    assert_eq!(subjects(&sink), ["u1"]);
}

async fn a_repeated_signal_can_be_ignored_or_open_another_wait(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let ignoring = json!({"name": "I", "after": "a", "unless": ["c"], "repeat": "ignore"});
    let ignoring = server.create_rule(&top_up(&channel, ignoring)).await;
    let another = json!({"name": "A", "after": "b", "unless": ["c"], "repeat": "another"});
    let another = server.create_rule(&top_up(&channel, another)).await;
    for name in ["a", "b"] {
        server.signal(name, "u1", json!({})).await;
    }
    server.advance(10 * MINUTE).await;
    assert_eq!(server.signal("a", "u1", json!({})).await, (0, 0));
    assert_eq!(server.signal("b", "u1", json!({})).await, (1, 0));
    server.advance(20 * MINUTE).await;
    assert_eq!((subjects(&sink).len(), server.waits(&ignoring, "").await.len()), (2, 1));
    // One signal closes all that are open.
    server.signal("b", "u1", json!({})).await;
    assert_eq!(server.signal("c", "u1", json!({})).await, (0, 2));
    server.advance(60 * MINUTE).await;
    assert_eq!((subjects(&sink).len(), server.waits(&another, "").await.len()), (2, 3));
}

async fn a_closing_signal_that_arrives_first_keeps_the_wait_closed(server: TestServer) {
    let sink = Sink::start().await;
    let rule = server.create_top_up_rule(&sink, json!({})).await;
    let at = |millis: i64| json!({"at": server.time_after(millis)});
    server.signal("top_up.paid", "u1", at(-1_000)).await;
    // It was not earlier than the click, which arrives only now.
    assert_eq!(server.signal("top_up.clicked", "u1", at(-2_000)).await, (0, 0));
    assert_eq!(server.signal("top_up.clicked", "u1", at(-1_000)).await, (0, 0));
    // The next click comes after it.
    assert_eq!(server.signal("top_up.clicked", "u1", at(-999)).await, (1, 0));
    // A payment that was earlier than the click does not close it.
    assert_eq!(server.signal("top_up.paid", "u1", at(-1_000)).await, (0, 0));
    assert_eq!(server.signal("top_up.paid", "u1", at(-999)).await, (0, 1));
    // The same within one request.
    let items: Vec<Value> = ["top_up.paid", "top_up.clicked", "top_up.clicked", "top_up.paid"]
        .into_iter()
        .map(|name| json!({"name": name, "subject": "u2"}))
        .collect();
    let result = server.as_creator().post("/api/v1/signals/bulk", &json!({"items": items})).await.expect(202);
    let opened: Vec<u64> =
        result["items"].as_array().unwrap().iter().map(|item| item["opened"].as_u64().unwrap()).collect();
    assert_eq!(opened, [0, 0, 0, 0]);
    server.advance(60 * MINUTE).await;
    assert!(sink.received().is_empty());
    assert_eq!(server.waits(&rule, "").await.len(), 1);
}

async fn a_signal_with_the_same_id_does_nothing(server: TestServer) {
    let sink = Sink::start().await;
    let rule = server.create_top_up_rule(&sink, json!({"repeat": "another"})).await;
    let signal = json!({"name": "top_up.clicked", "subject": "u1", "id": "click 1"});
    let send = async |signal: &Value| server.as_creator().post("/api/v1/signals", signal).await.expect(202);
    let first = send(&signal).await;
    assert_eq!(first, json!({"id": "click 1", "duplicate": false, "opened": 1, "closed": 0}));
    assert_eq!(send(&signal).await, json!({"id": "click 1", "duplicate": true, "opened": 0, "closed": 0}));
    let items =
        json!({"items": [signal, signal, {"name": "top_up.clicked", "subject": "u1", "id": "click 2"}]});
    let result = server.as_creator().post("/api/v1/signals/bulk", &items).await.expect(202);
    let duplicates: Vec<bool> =
        result["items"].as_array().unwrap().iter().map(|item| item["duplicate"].as_bool().unwrap()).collect();
    assert_eq!(duplicates, [true, true, false]);
    assert_eq!(server.waits(&rule, "").await.len(), 2);
    // Ids belong to an account.
    let other = server.as_colleague().post("/api/v1/signals", &signal).await.expect(202);
    assert_eq!(other["duplicate"], false);
}

async fn s8_a_coupon_is_announced_before_it_expires(server: TestServer) {
    let sink = Sink::start().await;
    let before = json!({
        "after": "coupon.issued", "unless": ["coupon.used"], "wait": {"before": "PT2H", "field": "expires_at"},
    });
    let rule = server.create_top_up_rule(&sink, before).await;
    let coupon = |millis: i64| json!({"data": {"expires_at": server.time_after(millis)}, "key": "c1"});
    assert_eq!(server.signal("coupon.issued", "u1", coupon(24 * 60 * MINUTE)).await, (1, 0));
    assert_eq!(server.signal("coupon.issued", "u2", coupon(24 * 60 * MINUTE)).await, (1, 0));
    // Its moment is not in the data, or has passed.
    assert_eq!(server.signal("coupon.issued", "u3", json!({})).await, (0, 0));
    assert_eq!(server.signal("coupon.issued", "u4", coupon(-60 * MINUTE)).await, (0, 0));
    assert_eq!(
        text(&server.waits(&rule, "subject=u1").await[0]["due_at"]),
        server.time_after(22 * 60 * MINUTE)
    );
    server.signal("coupon.used", "u2", json!({"key": "c1"})).await;
    server.advance(22 * 60 * MINUTE - 1).await;
    assert!(sink.received().is_empty());
    server.advance(1).await;
    assert_eq!(subjects(&sink), ["u1"]);
}

async fn signals_of_the_past_act_by_the_grace_of_the_rule(server: TestServer) {
    let sink = Sink::start().await;
    let rule = server.create_top_up_rule(&sink, json!({"grace": "PT10M"})).await;
    let at = |minutes: i64| json!({"at": server.time_after(-minutes * MINUTE)});
    // Due in ten minutes, five minutes ago, and longer ago than the grace.
    assert_eq!(server.signal("top_up.clicked", "u1", at(20)).await, (1, 0));
    assert_eq!(server.signal("top_up.clicked", "u2", at(35)).await, (1, 0));
    assert_eq!(server.signal("top_up.clicked", "u3", at(41)).await, (0, 0));
    server.tick().await;
    assert_eq!(subjects(&sink), ["u2"]);
    server.advance(10 * MINUTE).await;
    assert_eq!((subjects(&sink).len(), server.waits(&rule, "").await.len()), (2, 2));
}

async fn a_rule_can_be_about_some_subjects_and_keys_are_apart(server: TestServer) {
    let sink = Sink::start().await;
    let rule = server.create_top_up_rule(&sink, json!({"subject": "vip:*"})).await;
    assert_eq!(server.signal("top_up.clicked", "u1", json!({})).await, (0, 0));
    for key in ["", "order 1", "order 2"] {
        assert_eq!(server.signal("top_up.clicked", "vip:1", json!({"key": key})).await, (1, 0));
    }
    assert_eq!(server.signal("top_up.paid", "vip:1", json!({"key": "order 1"})).await, (0, 1));
    assert_eq!(server.signal("top_up.paid", "vip:2", json!({})).await, (0, 0));
    let open = server.waits(&rule, "state=scheduled&subject=vip:1").await;
    let keys: Vec<&str> = open.iter().map(|wait| text(&wait["key"])).collect();
    assert_eq!(keys, ["order 2", ""]);
}

async fn signals_are_stored_all_or_none(server: TestServer) {
    let sink = Sink::start().await;
    let rule = server.create_top_up_rule(&sink, json!({})).await;
    let item =
        |n: usize| json!({"name": "top_up.clicked", "subject": format!("u{n}"), "id": format!("c{n}")});
    let mut items: Vec<Value> = (0..2_000).map(item).collect();
    items[1_999]["at"] = json!(server.time_after(6 * MINUTE));
    let bulk = async |items: &Vec<Value>| {
        server.as_creator().post("/api/v1/signals/bulk", &json!({"items": items})).await
    };
    let refused = bulk(&items).await.expect(422);
    assert_eq!(
        (refused["errors"][0]["index"].as_u64(), text(&refused["errors"][0]["field"])),
        (Some(1_999), "at")
    );
    assert_eq!(server.waits(&rule, "").await.len(), 0);
    items[1_999] = item(1_999);
    let stored = bulk(&items).await.expect(202);
    assert!(stored["items"].as_array().unwrap().iter().all(|item| item["opened"] == 1));
    let rule = server.as_admin().get(&format!("/api/v1/rules/{}", text(&rule["id"]))).await.expect(200);
    assert_eq!(rule["waiting"], 2_000);
    let paid: Vec<Value> =
        (0..1_999).map(|n| json!({"name": "top_up.paid", "subject": format!("u{n}")})).collect();
    let closed = bulk(&paid).await.expect(202);
    assert!(closed["items"].as_array().unwrap().iter().all(|item| item["closed"] == 1));
    server.advance(30 * MINUTE).await;
    assert_eq!(subjects(&sink), ["u1999"]);
}
