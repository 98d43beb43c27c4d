//! Rules are changed, paused, tried and deleted; those that wait are fired, moved and cancelled.

use super::{subjects, top_up};
use crate::{deliveries::text, on_both, test_server::TestServer};
use serde_json::{Value, json};
use test_support::{Behaviour, Sink};

on_both!(
    a_wait_is_fired_moved_and_cancelled,
    a_change_says_what_becomes_of_those_that_wait,
    a_deleted_rule_asks_what_becomes_of_those_that_wait,
    a_cancel_also_ends_what_is_not_delivered_yet,
    a_paused_rule_opens_nothing_and_does_not_act,
    a_dry_run_says_what_would_have_been_sent,
    a_dry_run_counts_what_is_too_late_or_cannot_be_filled_as_the_rule_does,
    old_signals_are_deleted,
);

const MINUTE: i64 = 60_000;

fn path(rule: &Value) -> String {
    format!("/api/v1/rules/{}", text(&rule["id"]))
}

async fn a_wait_is_fired_moved_and_cancelled(server: TestServer) {
    let sink = Sink::start().await;
    let rule = server.create_top_up_rule(&sink, json!({})).await;
    for subject in ["u1", "u2", "u3"] {
        server.signal("top_up.clicked", subject, json!({})).await;
    }
    let [third, second, first] = &server.waits(&rule, "").await[..] else { panic!("not three waits") };
    server.change_wait(first, "fire", &Value::Null).await.expect(200);
    server.tick().await;
    assert_eq!(subjects(&sink), ["u1"]);
    let stale = json!({"due_at": server.time_after(90 * MINUTE), "seen_version": 7});
    assert_eq!(server.change_wait(second, "reschedule", &stale).await.refused(409), "task_conflict");
    for verb in ["fire?seen_version=7", "cancel?seen_version=7"] {
        assert_eq!(server.change_wait(second, verb, &Value::Null).await.refused(409), "task_conflict");
    }
    let late = json!({"due_at": server.time_after(120 * MINUTE), "seen_version": second["version"]});
    let moved = server.change_wait(second, "reschedule", &late).await.expect(200);
    assert_eq!(moved["due_at"], late["due_at"]);
    assert_eq!(server.change_wait(second, "reschedule", &late).await.refused(409), "task_conflict");
    let cancelled = server.change_wait(third, "cancel?seen_version=1", &Value::Null).await.expect(200);
    assert_eq!((text(&cancelled["state"]), cancelled["reason"].is_null()), ("cancelled", true));
    for (wait, verb) in [(first, "cancel"), (first, "fire"), (third, "fire")] {
        assert_eq!(server.change_wait(wait, verb, &Value::Null).await.refused(409), "task_conflict");
    }
    // A cancelled wait does not keep the next signal from opening one.
    assert_eq!(server.signal("top_up.clicked", "u3", json!({})).await, (1, 0));
    server.advance(30 * MINUTE).await;
    assert_eq!(subjects(&sink), ["u1", "u3"]);
    server.advance(89 * MINUTE).await;
    // A subject that paid in the meantime gets no message, though the wait was moved.
    assert_eq!(server.signal("top_up.paid", "u2", json!({})).await, (0, 1));
    server.advance(60 * MINUTE).await;
    assert_eq!(subjects(&sink).len(), 2);
    let nowhere = json!({"id": "01890000-0000-7000-8000-000000000000"});
    assert_eq!(server.change_wait(&nowhere, "fire", &Value::Null).await.status, 404);
}

async fn a_change_says_what_becomes_of_those_that_wait(server: TestServer) {
    let sink = Sink::start().await;
    let rule = server.create_top_up_rule(&sink, json!({})).await;
    server.signal("top_up.clicked", "u1", json!({})).await;
    let due = async || text(&server.waits(&rule, "state=scheduled").await[0]["due_at"]).to_owned();
    let first = due().await;
    let kept = server.as_admin().patch(&path(&rule), &json!({"wait": "PT1H"})).await.expect(200);
    assert_eq!(
        (text(&kept["wait"]), kept["version"].as_i64(), kept["waiting"].as_u64()),
        ("PT1H", Some(2), Some(1))
    );
    assert_eq!(due().await, first);
    let recount = json!({"wait": "PT2H", "waiting": "recount", "seen_version": 2});
    server.as_admin().patch(&path(&rule), &recount).await.expect(200);
    assert_eq!(due().await, server.time_after(120 * MINUTE));
    let stale = json!({"wait": "PT3H", "seen_version": 2});
    assert_eq!(server.as_admin().patch(&path(&rule), &stale).await.refused(409), "changed");
    server.as_admin().patch(&path(&rule), &json!({"name": "New", "waiting": "cancel"})).await.expect(200);
    let [wait] = &server.waits(&rule, "").await[..] else { panic!("not one wait") };
    assert_eq!((text(&wait["state"]), text(&wait["reason"])), ("cancelled", "rule"));
    server.advance(180 * MINUTE).await;
    assert!(sink.received().is_empty());
    let list = server.as_admin().get("/api/v1/rules").await.expect(200);
    assert_eq!((list["items"].as_array().unwrap().len(), text(&list["items"][0]["name"])), (1, "New"));
}

async fn a_deleted_rule_asks_what_becomes_of_those_that_wait(server: TestServer) {
    let sink = Sink::start().await;
    let keeping = server.create_top_up_rule(&sink, json!({})).await;
    for subject in ["u1", "u2"] {
        server.signal("top_up.clicked", subject, json!({})).await;
    }
    let asked = server.as_admin().delete(&path(&keeping)).await.expect(409);
    assert!(text(&asked["error"]["message"]).starts_with("2 wait for this rule"), "{asked}");
    assert_eq!(server.as_admin().delete(&format!("{}?waiting=keep", path(&keeping))).await.status, 204);
    assert_eq!(server.as_admin().get(&path(&keeping)).await.status, 404);
    // It opens nothing more; what was open goes on, and is closed by its signals.
    assert_eq!(server.signal("top_up.clicked", "u3", json!({})).await, (0, 0));
    assert_eq!(server.signal("top_up.paid", "u2", json!({})).await, (0, 1));
    server.advance(30 * MINUTE).await;
    assert_eq!(subjects(&sink), ["u1"]);
    let cancelling = server.create_top_up_rule(&sink, json!({})).await;
    server.signal("top_up.clicked", "u4", json!({})).await;
    assert_eq!(server.as_admin().delete(&format!("{}?waiting=cancel", path(&cancelling))).await.status, 204);
    server.advance(60 * MINUTE).await;
    assert_eq!(subjects(&sink), ["u1"]);
    assert_eq!(text(&server.waits(&cancelling, "").await[0]["reason"]), "rule");
}

async fn a_cancel_also_ends_what_is_not_delivered_yet(server: TestServer) {
    let sink = Sink::start().await;
    let rule = server.create_top_up_rule(&sink, json!({})).await;
    server.signal("top_up.clicked", "u1", json!({})).await;
    sink.behave([Behaviour::status(500)]);
    server.advance(30 * MINUTE).await;
    assert_eq!(subjects(&sink), ["u1"], "it is tried again later");
    let edit = json!({"waiting": "cancel"});
    server.as_admin().patch(&path(&rule), &edit).await.expect(200);
    server.advance(48 * 60 * MINUTE).await;
    assert_eq!(subjects(&sink), ["u1"]);
    assert_eq!(server.attention_count().await, 0);
}

async fn a_paused_rule_opens_nothing_and_does_not_act(server: TestServer) {
    let sink = Sink::start().await;
    let rule = server.create_top_up_rule(&sink, json!({})).await;
    for subject in ["u1", "u2"] {
        server.signal("top_up.clicked", subject, json!({})).await;
    }
    let change = async |verb: &str| {
        server.as_admin().post(&format!("{}/{verb}", path(&rule)), &Value::Null).await.expect(200)
    };
    assert_eq!(text(&change("pause").await["state"]), "paused");
    assert_eq!(change("pause").await["version"], 2);
    assert_eq!(server.signal("top_up.clicked", "u3", json!({})).await, (0, 0));
    server.advance(35 * MINUTE).await;
    assert!(sink.received().is_empty());
    assert_eq!(server.signal("top_up.paid", "u2", json!({})).await, (0, 1));
    assert_eq!(text(&change("resume").await["state"]), "active");
    server.advance(1_000).await;
    assert_eq!(subjects(&sink), ["u1"]);
}

async fn a_dry_run_says_what_would_have_been_sent(server: TestServer) {
    let sink = Sink::start().await;
    let rule = server.create_top_up_rule(&sink, json!({})).await;
    for n in 0..10 {
        server.signal("top_up.clicked", &format!("u{n}"), json!({})).await;
    }
    server.advance(10 * MINUTE).await;
    for n in 0..3 {
        server.signal("top_up.paid", &format!("u{n}"), json!({})).await;
    }
    server.advance(60 * MINUTE).await;
    server.signal("top_up.clicked", "u0", json!({})).await;
    let run = async |days: u32| {
        server.as_admin().post(&format!("{}/dry-run", path(&rule)), &json!({"days": days})).await
    };
    let seven = run(7).await.expect(200);
    assert_eq!((seven["signals"].as_u64(), seven["would_send"].as_u64()), (Some(14), Some(7)), "{seven}");
    assert_eq!((seven["would_close"].as_u64(), seven["would_wait"].as_u64()), (Some(3), Some(1)), "{seven}");
    assert_eq!(text(&seven["items"][0]["subject"]), "u3");
    assert_eq!(subjects(&sink).len(), 7);
    // It also says what a changed rule would do.
    server.as_admin().patch(&path(&rule), &json!({"unless": []})).await.expect(200);
    assert_eq!(run(7).await.expect(200)["would_send"], 10);
    assert_eq!((run(0).await.status, run(31).await.status), (422, 422));
}

async fn a_dry_run_counts_what_is_too_late_or_cannot_be_filled_as_the_rule_does(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let body = "{\"to\": \"{{data.name}}\"}";
    let action = json!({"type": "message", "channel_id": channel["id"], "body": body});
    let more = json!({"action": action, "grace": "PT1H"});
    let rule = server.create_rule(&top_up(&channel, more)).await;
    let late = json!({"at": "2020-01-01T00:00:00Z", "data": {"name": "u1"}});
    assert_eq!(server.signal("top_up.clicked", "u1", late).await, (0, 0), "older than the grace");
    server.signal("top_up.clicked", "u2", json!({})).await;
    server.signal("top_up.clicked", "u3", json!({"data": {"name": "u3"}})).await;
    server.advance(30 * MINUTE).await;
    assert_eq!(subjects(&sink), ["u3"]);
    let days = json!({"days": 1});
    let run = server.as_admin().post(&format!("{}/dry-run", path(&rule)), &days).await.expect(200);
    assert_eq!((run["would_send"].as_u64(), run["would_fail"].as_u64()), (Some(1), Some(1)), "{run}");
    assert_eq!((text(&run["items"][0]["subject"]), run["items"].as_array().unwrap().len()), ("u3", 1));
}

async fn old_signals_are_deleted(server: TestServer) {
    let sink = Sink::start().await;
    let rule = server.create_top_up_rule(&sink, json!({})).await;
    server.signal("top_up.clicked", "u1", json!({})).await;
    let signals = async || {
        let days = json!({"days": 30});
        let run = server.as_admin().post(&format!("{}/dry-run", path(&rule)), &days).await.expect(200);
        run["signals"].as_u64().unwrap()
    };
    assert_eq!(signals().await, 1);
    server.advance(31 * 24 * 60 * MINUTE).await;
    let mut lease = server.app.parts.store.read(store::PoolRole::Web).await.unwrap();
    let epoch = domain::Timestamp::from_millis(0);
    let kept = store::signal::since(lease.conn(), &["top_up.clicked"], epoch, 10).await.unwrap();
    assert!(kept.is_empty(), "{kept:?}");
    drop(lease);
    assert_eq!(signals().await, 0);
}
