//! The concurrency limit of a task kind, and how a channel sends, set by admins on the page of the queue or
//! through the API.

use crate::{engine_page::assert_contains, on_both, test_server::TestServer};
use domain::State;
use engine::Loop as _;
use serde_json::{Value, json};

on_both!(
    a_limit_change_needs_the_current_version_and_all_tasks_are_executed,
    a_limit_is_changed_on_the_page_of_the_queue,
    how_a_channel_sends_is_changed_on_the_page_of_the_queue,
    the_grace_of_a_kind_counts_for_new_tasks,
    tasks_of_a_kind_with_a_rate_start_one_after_another,
    the_rate_and_the_retries_of_a_kind_are_set_on_the_page,
);

const KIND: &str = "/api/v1/kinds/article.publish";
const QUEUE: &str = "/settings/queue";
const DAY_MS: i64 = 86_400_000;

async fn a_limit_change_needs_the_current_version_and_all_tasks_are_executed(server: TestServer) {
    let admin = server.as_admin();
    let kinds = admin.get("/api/v1/kinds").await.expect(200);
    let mut known = json!({
        "kind": "article.publish", "max_concurrency": null, "grace_ms": null, "default_grace_ms": DAY_MS,
        "rate": null, "rate_per": "second", "retry_schedule": null, "version": 0,
    });
    assert_eq!(kinds["items"][0], known);
    let limit =
        |max_concurrency: Value, seen: i32| json!({"max_concurrency": max_concurrency, "seen_version": seen});
    let answer = admin.patch(KIND, &limit(json!(1), 0)).await.expect(200);
    (known["max_concurrency"], known["version"]) = (json!(1), json!(1));
    assert_eq!(answer, known);
    assert_eq!(admin.patch(KIND, &limit(json!(2), 0)).await.refused(409), "changed");
    assert_eq!(admin.patch(KIND, &limit(json!(0), 1)).await.refused(422), "invalid");
    assert_eq!(admin.patch(KIND, &json!({"seen_version": 1})).await.refused(422), "invalid");
    assert_eq!(admin.patch("/api/v1/kinds/other", &limit(json!(1), 0)).await.refused(404), "no_such");
    // Another node learns it with its next heartbeat.
    let other = server.open_second_node().await;
    server.align_database_clock(&other);
    other.loops.heartbeat.tick(server.now()).await;
    let limits = other.parts.engine.limits();
    assert_eq!((limits.len(), limits[0].kind, limits[0].max_concurrency), (1, "article.publish", Some(1)));
    let mut rows = Vec::new();
    for number in 0..8 {
        rows.push(server.create_task(&format!("Number {number}"), 1_000).await);
    }
    // One at a time: how many rounds that takes depends on how fast each ends.
    for row in &rows {
        for _ in 0..20 {
            if server.find_task(row.id).await.state == State::Executed {
                break;
            }
            server.advance(1_000).await;
        }
        assert_eq!(server.find_task(row.id).await.state, State::Executed);
    }
    server.assert_execution_records_match().await;
    let answer = admin.patch(KIND, &limit(Value::Null, 1)).await.expect(200);
    assert_eq!(answer["version"], 2);
    assert!(server.app.parts.engine.limits().is_empty());
    other.close().await;
}

async fn a_limit_is_changed_on_the_page_of_the_queue(server: TestServer) {
    let page = server.page(&server.admin, "/engine").await;
    assert_contains(&page, &["Maximum number of tasks of a kind", r#"href="/settings/queue""#]);
    let page = server.page(&server.admin, QUEUE).await;
    assert_contains(&page, &[r#"value="article.publish""#, "default"]);
    assert!(!page.contains("set by"), "{page}");
    let browser = server.log_in_browser(&server.admin).await;
    let form = |limit, seen| {
        [("id", "article.publish"), ("max_concurrency", limit), ("seen", seen), ("from", QUEUE)]
    };
    let answer = browser.form("/fn/limit_kind", &form("7", "0")).await;
    assert_eq!((answer.status, answer.result_location().as_str()), (303, "/settings/queue?done=limit-kind"));
    assert_contains(&server.page(&server.admin, QUEUE).await, &[r#"value="7""#, "set by"]);
    let refused = browser.form("/fn/limit_kind", &form("8", "0")).await;
    assert_eq!(refused.status, 409);
    assert_contains(&refused.text, &["This was changed in the meantime.", r#"value="8""#]);
    assert_eq!(browser.form("/fn/limit_kind", &form("many", "1")).await.status, 422);
    browser.form("/fn/limit_kind", &form("", "1")).await;
    assert!(server.app.parts.engine.limits().is_empty());
}

async fn how_a_channel_sends_is_changed_on_the_page_of_the_queue(server: TestServer) {
    let new = json!({"name": "Shop", "url": "https://example.org/hook", "events": []});
    let channel = server.as_admin().post("/api/v1/channels", &new).await.expect(201);
    let id = channel["id"].as_str().unwrap();
    assert!(!server.page(&server.admin, QUEUE).await.contains("set by"));
    let browser = server.log_in_browser(&server.admin).await;
    let first = [("seen[concurrency]", "4"), ("seen[priority]", "normal"), ("seen[rate_per]", "second")];
    let form = |seen: &[(&'static str, &'static str)], concurrency, rate| {
        let new = [
            ("id", id),
            ("priority", "high"),
            ("concurrency", concurrency),
            ("rate", rate),
            ("rate_per", "minute"),
            ("from", QUEUE),
        ];
        [&new[..], seen].concat()
    };
    let saved = browser.form("/fn/set_channel_sending", &form(&first, "8", "90")).await;
    assert_eq!((saved.status, saved.result_location().as_str()), (303, "/settings/queue?done=limit-kind"));
    let path = format!("/api/v1/channels/{id}");
    let stale = browser.form("/fn/set_channel_sending", &form(&first, "9", "90")).await;
    assert_eq!(stale.status, 409, "{}", stale.text);
    assert_contains(&stale.text, &["This was changed in the meantime.", r#"value="9""#]);
    let repeated = browser.form("/fn/set_channel_sending", &form(&first, "8", "90")).await;
    assert_eq!(repeated.status, 303, "a second click is no conflict");
    let shown = server.as_admin().get(&path).await.expect(200);
    assert_eq!(
        [&shown["priority"], &shown["concurrency"], &shown["rate"], &shown["rate_per"]],
        [&json!("high"), &json!(8), &json!(90), &json!("minute")]
    );
    // The rest of its settings stays.
    assert_eq!([&shown["name"], &shown["url"], &shown["events"]], [&new["name"], &new["url"], &json!([])]);
    assert_contains(&server.page(&server.admin, QUEUE).await, &["90 per minute", "set by", "Change Shop"]);
    for (concurrency, rate) in [("many", ""), ("21", ""), ("4", "fast"), ("4", "1001")] {
        let refused = browser.form("/fn/set_channel_sending", &form(&first, concurrency, rate)).await;
        assert_eq!(refused.status, 422, "{concurrency} {rate}");
    }
    let refused = browser.form("/fn/set_channel_sending", &form(&first, "21", "7")).await;
    assert_contains(&refused.text, &[r#"value="21""#, r#"value="7""#, "must be between 1 and 20"]);
    let creator = server.log_in_browser(&server.creator).await;
    assert_eq!(creator.form("/fn/set_channel_sending", &form(&first, "1", "")).await.status, 403);
}

async fn the_grace_of_a_kind_counts_for_new_tasks(server: TestServer) {
    let admin = server.as_admin();
    let before = server.create_task("Before", 1_000).await;
    let browser = server.log_in_browser(&server.admin).await;
    let form = |minutes, seen| {
        [
            ("id", "article.publish"),
            ("max_concurrency", ""),
            ("grace_minutes", minutes),
            ("seen", seen),
            ("from", QUEUE),
        ]
    };
    assert_eq!(browser.form("/fn/limit_kind", &form("10", "0")).await.status, 303);
    assert_contains(&server.page(&server.admin, QUEUE).await, &["10 min", r#"value="10""#]);
    for wrong in ["soon", "-1", "43201"] {
        let refused = browser.form("/fn/limit_kind", &form(wrong, "1")).await;
        assert_eq!(refused.status, 422, "{wrong}");
        assert_contains(&refused.text, &["The grace must be between 1 and "]);
        assert!(!refused.text.contains("grace_ms must"), "{wrong}: {}", refused.text);
    }
    // A change of the limit alone keeps it.
    let changed = admin.patch(KIND, &json!({"max_concurrency": 5, "seen_version": 1})).await.expect(200);
    assert_eq!((&changed["grace_ms"], &changed["max_concurrency"]), (&json!(600_000), &json!(5)));
    let after = server.create_task("After", 1_000).await;
    let grace_of = async |task: &str| {
        server.as_admin().get(&format!("/api/v1/tasks/{task}")).await.expect(200)["grace_ms"].clone()
    };
    assert_eq!(grace_of(&before.id.to_string()).await, DAY_MS);
    assert_eq!(grace_of(&after.id.to_string()).await, 600_000);
    server.advance(700_000).await;
    assert_eq!(server.find_task(before.id).await.state, State::Executed);
    assert_eq!(server.find_task(after.id).await.state, State::Missed);
    let uneven = json!({"max_concurrency": null, "grace_ms": 90_000, "seen_version": 2});
    assert_eq!(admin.patch(KIND, &uneven).await.refused(422), "invalid");
    // Tasks that follow from something else or from a rule have none, and 0 is the default again.
    let managed = json!({"max_concurrency": null, "grace_ms": 60_000, "seen_version": 0});
    for kind in ["reminder.send", "rule.fire"] {
        let refused = admin.patch(&format!("/api/v1/kinds/{kind}"), &managed).await.expect(422);
        assert_eq!(refused["error"]["field"], "grace_ms", "{kind}");
    }
    let default = json!({"max_concurrency": null, "grace_ms": 0, "seen_version": 2});
    assert_eq!(admin.patch(KIND, &default).await.expect(200)["grace_ms"], Value::Null);
}

async fn tasks_of_a_kind_with_a_rate_start_one_after_another(server: TestServer) {
    let admin = server.as_admin();
    let rate = json!({"max_concurrency": null, "rate": 1, "rate_per": "minute", "seen_version": 0});
    let set = admin.patch(KIND, &rate).await.expect(200);
    assert_eq!((&set["rate"], &set["rate_per"]), (&json!(1), &json!("minute")));
    let mut tasks = Vec::new();
    for number in 0..3 {
        tasks.push(server.create_task(&format!("Number {number}"), 1_000).await.id);
    }
    let executed = async || {
        let mut count = 0;
        for id in &tasks {
            count += usize::from(server.find_task(*id).await.state == State::Executed);
        }
        count
    };
    for _ in 0..20 {
        server.advance(1_000).await;
        if executed().await > 0 {
            break;
        }
    }
    server.advance(1_000).await;
    assert_eq!(executed().await, 1, "one in a minute");
    // Without a rate those that wait are executed at once.
    let none = json!({"max_concurrency": null, "rate": 0, "seen_version": 1});
    assert_eq!(admin.patch(KIND, &none).await.expect(200)["rate"], Value::Null);
    for _ in 0..20 {
        server.advance(1_000).await;
        if executed().await == 3 {
            break;
        }
    }
    assert_eq!(executed().await, 3);
    server.assert_execution_records_match().await;
}

async fn the_rate_and_the_retries_of_a_kind_are_set_on_the_page(server: TestServer) {
    let admin = server.as_admin();
    let browser = server.log_in_browser(&server.admin).await;
    let form = |rate, retries, seen| {
        [
            ("id", "article.publish"),
            ("max_concurrency", ""),
            ("rate", rate),
            ("rate_per", "minute"),
            ("retry_schedule", retries),
            ("seen", seen),
            ("from", QUEUE),
        ]
    };
    assert_contains(&server.page(&server.admin, QUEUE).await, &["0.5s, 1s, 2s, 4s"]);
    assert_eq!(browser.form("/fn/limit_kind", &form("30", "10s, 5m", "0")).await.status, 303);
    let shown = admin.get("/api/v1/kinds").await.expect(200)["items"][0].clone();
    assert_eq!(
        [&shown["rate"], &shown["rate_per"], &shown["retry_schedule"]],
        [&json!(30), &json!("minute"), &json!("10s, 5m")]
    );
    let page = server.page(&server.admin, QUEUE).await;
    assert_contains(&page, &["30 per minute", "10s, 5m", r#"value="30""#, "set by"]);
    for (rate, retries) in [("fast", ""), ("0", ""), ("1001", ""), ("", "soon"), ("", "25h")] {
        let refused = browser.form("/fn/limit_kind", &form(rate, retries, "1")).await;
        assert_eq!(refused.status, 422, "{rate} {retries}");
    }
    let refused = browser.form("/fn/limit_kind", &form("1001", "7s", "1")).await;
    assert_contains(&refused.text, &[r#"value="1001""#, r#"value="7s""#]);
    // What a program does not say stays; an empty schedule is the default.
    let limit = json!({"max_concurrency": 5, "seen_version": 1});
    let changed = admin.patch(KIND, &limit).await.expect(200);
    assert_eq!((&changed["rate"], &changed["retry_schedule"]), (&json!(30), &json!("10s, 5m")));
    let default = json!({"max_concurrency": 5, "retry_schedule": "", "seen_version": 2});
    assert_eq!(admin.patch(KIND, &default).await.expect(200)["retry_schedule"], Value::Null);
    let without_delays = json!({"max_concurrency": 5, "retry_schedule": " , ", "seen_version": 3});
    assert_eq!(admin.patch(KIND, &without_delays).await.expect(200)["retry_schedule"], Value::Null);
    for wrong in [json!({"rate": 1001}), json!({"rate_per": "hour"}), json!({"retry_schedule": "soon"})] {
        let mut body = json!({"max_concurrency": null, "seen_version": 4});
        body.as_object_mut().unwrap().extend(wrong.as_object().unwrap().clone());
        assert_eq!(admin.patch(KIND, &body).await.refused(422), "invalid", "{wrong}");
    }
    assert_eq!(admin.patch(KIND, &default).await.refused(409), "changed");
}
