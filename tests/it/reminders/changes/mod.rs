//! Snooze, done, cancel, edit and undo: each takes effect at once, and nothing stale is sent.

mod many;

use super::{MINUTE, act, path};
use crate::{deliveries::text, on_both, test_server::TestServer};
use serde_json::{Value, json};

on_both!(
    a_snoozed_reminder_is_sent_again,
    a_cancelled_reminder_is_not_sent_and_comes_back_by_undo,
    a_done_reminder_is_not_sent,
    a_moved_reminder_is_sent_at_its_new_moment_only,
    a_change_needs_the_current_version,
    an_edit_that_changes_nothing_keeps_the_version,
    random_histories_send_each_reminder_as_decided,
);

async fn a_snoozed_reminder_is_sent_again(server: TestServer) {
    let (made, creator) = (server.remind("Water the plants", MINUTE, json!({})).await, server.as_creator());
    server.advance(MINUTE).await;
    let sent = server.reminder(&made).await;
    let snoozed = act(&creator, &sent, "snooze", json!({"minutes": 10})).await.expect(200);
    assert_eq!(
        (text(&snoozed["state"]), text(&snoozed["due_at"])),
        ("scheduled", server.time_after(10 * MINUTE).as_str())
    );
    server.advance(10 * MINUTE - 1).await;
    assert_eq!(server.notified(&creator).await.len(), 1);
    server.advance(1).await;
    assert_eq!(server.notified(&creator).await.len(), 2);
    // Undo of a snooze: it is as it was, and not sent again.
    let sent = server.reminder(&made).await;
    let snoozed = act(&creator, &sent, "snooze", json!({"minutes": 60})).await.expect(200);
    assert_eq!(text(&snoozed["undo"]), "snooze");
    let undone = act(&creator, &snoozed, "undo", json!({})).await.expect(200);
    assert_eq!(text(&undone["state"]), "sent");
    server.advance(120 * MINUTE).await;
    assert_eq!(server.notified(&creator).await.len(), 2);
    server.assert_execution_records_match().await;
}

async fn a_cancelled_reminder_is_not_sent_and_comes_back_by_undo(server: TestServer) {
    let (made, creator) = (server.remind("Call", 5 * MINUTE, json!({})).await, server.as_creator());
    let cancelled = creator.delete(&path(&made, "")).await.expect(200);
    assert_eq!(text(&cancelled["state"]), "cancelled");
    assert_eq!(creator.delete(&path(&made, "")).await.expect(200), cancelled, "twice is as good as once");
    let undone = act(&creator, &cancelled, "undo", json!({})).await.expect(200);
    assert_eq!((text(&undone["state"]), &undone["due_at"]), ("scheduled", &made["due_at"]));
    creator.delete(&path(&made, "")).await.expect(200);
    server.advance(5 * MINUTE).await;
    assert!(server.notified(&creator).await.is_empty());
    let late = creator.post(&path(&made, "/undo"), &json!({})).await;
    assert_eq!(late.refused(409), "cannot_undo");
    let sent = server.remind("Sent", MINUTE, json!({})).await;
    server.advance(MINUTE).await;
    assert_eq!(creator.delete(&path(&sent, "")).await.refused(409), "wrong_state");
}

async fn a_done_reminder_is_not_sent(server: TestServer) {
    let (made, creator) = (server.remind("Early", 5 * MINUTE, json!({})).await, server.as_creator());
    let done = act(&creator, &made, "done", json!({})).await.expect(200);
    assert_eq!(text(&done["state"]), "done");
    server.advance(5 * MINUTE).await;
    assert!(server.notified(&creator).await.is_empty());
    let tasks = server.as_admin().get("/api/v1/tasks?state=cancelled").await.expect(200);
    assert_eq!(tasks["items"].as_array().unwrap().len(), 1);
}

async fn a_moved_reminder_is_sent_at_its_new_moment_only(server: TestServer) {
    let (made, creator) = (server.remind("Move me", 5 * MINUTE, json!({})).await, server.as_creator());
    let edit =
        json!({"due_at": server.time_after(9 * MINUTE), "text": "Moved", "seen_version": made["version"]});
    let moved = creator.patch(&path(&made, ""), &edit).await.expect(200);
    assert_eq!((text(&moved["text"]), &moved["due_at"]), ("Moved", &edit["due_at"]));
    server.advance(9 * MINUTE - 1).await;
    assert!(server.notified(&creator).await.is_empty());
    server.advance(1).await;
    assert_eq!(server.notified(&creator).await, ["Moved"]);
    // A task of a reminder cannot be moved past it.
    let made = server.remind("Managed", 5 * MINUTE, json!({})).await;
    let task = server.task(&json!({"id": made["task_id"]})).await;
    let cancel = format!("/api/v1/tasks/{}/cancel", text(&task["id"]));
    let refused = creator.post(&cancel, &json!({"seen_version": task["version"]})).await;
    assert_eq!(refused.refused(409), "follows_meeting");
}

async fn a_change_needs_the_current_version(server: TestServer) {
    let (made, creator) = (server.remind("Versioned", 5 * MINUTE, json!({})).await, server.as_creator());
    act(&creator, &made, "snooze", json!({"minutes": 30})).await.expect(200);
    assert_eq!(act(&creator, &made, "snooze", json!({"minutes": 5})).await.refused(409), "changed");
    assert_eq!(act(&creator, &made, "done", json!({})).await.refused(409), "changed");
    let stale = format!("{}?seen_version=1", path(&made, ""));
    assert_eq!(creator.delete(&stale).await.refused(409), "changed");
}

async fn an_edit_that_changes_nothing_keeps_the_version(server: TestServer) {
    let (made, creator) = (server.remind("Same", 5 * MINUTE, json!({})).await, server.as_creator());
    let same = json!({"text": "Same", "due_at": made["due_at"], "account_id": made["account_id"]});
    for edit in [json!({}), json!({"seen_version": made["version"]}), same] {
        assert_eq!(creator.patch(&path(&made, ""), &edit).await.expect(200), made, "{edit}");
    }
    let edited = creator.patch(&path(&made, ""), &json!({"text": "Other"})).await.expect(200);
    assert_eq!((text(&edited["text"]), edited["version"].as_i64()), ("Other", Some(2)));
}

/// A generator of numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// What the model knows about a reminder.
struct Model {
    reminder: Value,
    /// When it is due; `None`: it is not scheduled.
    due: Option<i64>,
    sent: usize,
}

async fn random_histories_send_each_reminder_as_decided(server: TestServer) {
    let (creator, mut numbers) = (server.as_creator(), Numbers(7));
    let mut all = Vec::new();
    let mut clock = 0_i64;
    for n in 0..20 {
        let due = 1 + i64::try_from(numbers.below(30)).unwrap();
        let reminder = server.remind(&format!("r{n}"), due * MINUTE, json!({})).await;
        all.push(Model { reminder, due: Some(due), sent: 0 });
    }
    for _ in 0..60 {
        for _ in 0..4 {
            let one = &mut all[usize::try_from(numbers.below(20)).unwrap()];
            let minutes = 1 + i64::try_from(numbers.below(15)).unwrap();
            match numbers.below(4) {
                0 => {
                    let body = json!({"minutes": minutes});
                    creator.post(&path(&one.reminder, "/snooze"), &body).await.expect(200);
                    one.due = Some(clock + minutes);
                }
                1 => {
                    if creator.post(&path(&one.reminder, "/done"), &json!({})).await.status == 200 {
                        one.due = None;
                    }
                }
                2 => {
                    if creator.delete(&path(&one.reminder, "")).await.status == 200 {
                        one.due = None;
                    }
                }
                _ => {
                    let edit = json!({"due_at": server.time_after(minutes * MINUTE)});
                    creator.patch(&path(&one.reminder, ""), &edit).await.expect(200);
                    one.due = Some(clock + minutes);
                }
            }
        }
        clock += 1;
        server.advance(MINUTE).await;
        for one in all.iter_mut().filter(|one| one.due == Some(clock)) {
            (one.due, one.sent) = (None, one.sent + 1);
        }
    }
    let texts = creator.get("/api/v1/notifications?limit=200").await.expect(200);
    let texts: Vec<&str> = texts["items"].as_array().unwrap().iter().map(|one| text(&one["text"])).collect();
    let sent: usize = all.iter().map(|one| one.sent).sum();
    assert!(sent > 20 && texts.len() == sent, "{} of {sent}", texts.len());
    for one in &all {
        let name = text(&one.reminder["text"]);
        assert_eq!(texts.iter().filter(|text| **text == name).count(), one.sent, "{name}");
    }
    server.assert_execution_records_match().await;
}
