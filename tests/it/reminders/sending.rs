//! A reminder is sent once, at its moment and not before, to whom it is for.

use super::{MINUTE, act};
use crate::{deliveries::text, on_both, test_server::TestServer};
use domain::account::OnDisable;
use domain::services::Accounts as _;
use serde_json::json;
use test_support::Sink;

on_both!(
    a_reminder_is_sent_once_at_its_moment,
    a_reminder_for_another_account_reaches_only_that_account,
    a_reminder_to_a_channel_is_a_delivery,
    a_reminder_to_a_deleted_channel_is_in_attention,
    the_list_has_three_parts,
    all_notifications_are_marked_as_read,
    a_reminder_of_a_disabled_account_is_not_sent,
);

async fn a_reminder_is_sent_once_at_its_moment(server: TestServer) {
    let made = server.remind("Ask for the picture", 10 * MINUTE, json!({})).await;
    assert_eq!((text(&made["state"]), text(&made["recipient"])), ("scheduled", "account"));
    server.advance(10 * MINUTE - 1).await;
    let creator = server.as_creator();
    assert!(server.notified(&creator).await.is_empty());
    assert_eq!(server.reminder_state(&made).await, "scheduled");
    server.advance(1).await;
    assert_eq!(server.notified(&creator).await, ["Ask for the picture"]);
    let sent = server.reminder(&made).await;
    assert_eq!((text(&sent["state"]), text(&sent["sent_at"])), ("sent", server.time_after(0).as_str()));
    server.advance(24 * 60 * MINUTE).await;
    assert_eq!(server.notified(&creator).await.len(), 1);
    let task = server.task(&json!({"id": sent["task_id"]})).await;
    assert_eq!((text(&task["kind"]), text(&task["state"])), ("reminder.send", "executed"));
    // Task lists are for every account: they do not show the text.
    assert_eq!(text(&task["title"]), "Reminder");
    server.assert_execution_records_match().await;
}

async fn a_reminder_for_another_account_reaches_only_that_account(server: TestServer) {
    let accounts = server.as_admin().get("/api/v1/notifications").await.expect(200);
    assert_eq!(accounts["unread"], 0);
    let for_colleague = json!({"account_id": server.colleague.actor.account});
    let made = server.remind("Read the draft", MINUTE, for_colleague).await;
    server.advance(MINUTE).await;
    assert!(server.notified(&server.as_creator()).await.is_empty());
    assert_eq!(server.notified(&server.as_colleague()).await, ["Read the draft"]);
    let colleague = server.as_colleague();
    let theirs = colleague.get("/api/v1/reminders?view=today").await.expect(200);
    assert_eq!(theirs["items"][0]["id"], made["id"]);
    // The account it is for completes it, but does not cancel or edit it.
    let refused = colleague.patch(&super::path(&made, ""), &json!({"text": "Other"})).await;
    assert_eq!(refused.status, 403);
    let current = server.reminder(&made).await;
    let done = act(&colleague, &current, "done", json!({})).await.expect(200);
    assert_eq!(text(&done["state"]), "done");
    assert_eq!(server.as_reviewer().get(&super::path(&made, "")).await.status, 404);
}

async fn a_reminder_to_a_channel_is_a_delivery(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let to_channel = json!({"channel_id": channel["id"]});
    let new = json!({"text": "x", "due_at": server.time_after(MINUTE), "channel_id": channel["id"]});
    assert_eq!(server.as_creator().post("/api/v1/reminders", &new).await.status, 403);
    server.remind_by(&server.as_admin(), "Deploy window\nopens", MINUTE, to_channel).await;
    server.advance(MINUTE).await;
    let [received] = &sink.received()[..] else { panic!("not one message") };
    assert_eq!(received.body, "Deploy window\nopens");
    server.advance(60 * MINUTE).await;
    assert_eq!(sink.received().len(), 1);
}

async fn a_reminder_to_a_deleted_channel_is_in_attention(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let to_channel = json!({"channel_id": channel["id"]});
    let made = server.remind_by(&server.as_admin(), "Lost", MINUTE, to_channel).await;
    server.as_admin().delete(&format!("/api/v1/channels/{}", text(&channel["id"]))).await.expect(204);
    server.advance(MINUTE).await;
    let failed = server.reminder(&made).await;
    assert_eq!((text(&failed["state"]), text(&failed["reason"])), ("failed", "channel_gone"));
    assert_eq!(server.attention_count().await, 1);
    // Another recipient and another moment: it is sent after all.
    let edit = json!({"account_id": server.creator.actor.account, "due_at": server.time_after(MINUTE)});
    server.as_admin().patch(&super::path(&made, ""), &edit).await.expect(200);
    server.advance(MINUTE).await;
    assert_eq!(server.notified(&server.as_creator()).await, ["Lost"]);
}

async fn the_list_has_three_parts(server: TestServer) {
    let today = server.remind("today", MINUTE, json!({})).await;
    let coming = server.remind("coming", 3 * 24 * 60 * MINUTE, json!({})).await;
    let done = server.remind("done", 2 * MINUTE, json!({})).await;
    act(&server.as_creator(), &done, "done", json!({})).await.expect(200);
    let ids = async |query: &str| -> Vec<String> {
        let page = server.as_creator().get(&format!("/api/v1/reminders?{query}")).await.expect(200);
        page["items"].as_array().unwrap().iter().map(|one| text(&one["id"]).to_owned()).collect()
    };
    assert_eq!(ids("view=today").await, [text(&today["id"])]);
    assert_eq!(ids("view=coming").await, [text(&coming["id"])]);
    assert_eq!(ids("view=done").await, [text(&done["id"])]);
    assert_eq!(ids("").await.len(), 3);
    server.advance(MINUTE).await;
    assert_eq!(ids("view=today").await, [text(&today["id"])], "sent and not done");
    assert_eq!(ids("state=sent").await, [text(&today["id"])]);
    let page = server.as_creator().get("/api/v1/reminders?limit=2").await.expect(200);
    let rest = ids(&format!("limit=2&cursor={}", text(&page["next_cursor"]))).await;
    assert_eq!(rest, [text(&coming["id"])]);
}

async fn all_notifications_are_marked_as_read(server: TestServer) {
    for name in ["a", "b", "c"] {
        server.remind(name, MINUTE, json!({})).await;
    }
    server.advance(MINUTE).await;
    let creator = server.as_creator();
    let list = creator.get("/api/v1/notifications?limit=2").await.expect(200);
    assert_eq!((list["unread"].as_u64(), list["items"].as_array().unwrap().len()), (Some(3), 2));
    assert_eq!(list["items"][0]["link"], "/reminders");
    let read = creator.post("/api/v1/notifications/read", &json!({})).await.expect(200);
    assert_eq!((read["unread"].as_u64(), read["items"][0]["is_read"].as_bool()), (Some(0), Some(true)));
    // Notifications are kept for 90 days.
    server.advance(91 * 24 * 60 * MINUTE).await;
    store::retention::delete_expired(
        server.app.parts.store.begin(store::PoolRole::Engine).await.unwrap().conn(),
        server.now(),
    )
    .await
    .unwrap();
}

async fn a_reminder_of_a_disabled_account_is_not_sent(server: TestServer) {
    let for_creator = json!({"account_id": server.creator.actor.account});
    let made = server.remind_by(&server.as_colleague(), "Never", MINUTE, for_creator).await;
    let (accounts, id) = (&server.app.accounts, server.colleague.actor.account);
    accounts.disable(&server.admin.actor, id, Some(OnDisable::Cancel)).await.unwrap();
    assert_eq!(server.reminder_state(&made).await, "cancelled");
    server.advance(MINUTE).await;
    assert!(server.notified(&server.as_creator()).await.is_empty());
}
