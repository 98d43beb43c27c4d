//! The pages of messages, as a browser without JavaScript gets them.

use super::path;
use crate::{deliveries::text, engine_page::assert_contains, on_both, test_server::TestServer};
use serde_json::{Value, json};
use test_support::{Behaviour, Sink};

on_both!(
    the_list_shows_states_and_is_searched_by_key,
    a_message_is_created_by_the_form,
    selected_messages_are_cancelled_and_sent_now,
    a_message_of_a_deleted_channel_is_sent_by_another_one,
    the_page_shows_the_body_as_text_and_what_became_of_it,
);

impl TestServer {
    async fn messages_page(&self, path: &str) -> String {
        self.page(&self.admin, path).await
    }
}

async fn the_list_shows_states_and_is_searched_by_key(server: TestServer) {
    assert_contains(&server.messages_page("/messages").await, &["No messages.", "New message"]);
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    for key in ["order 1", "order 2", "other/3"] {
        server.create_message(&channel, key, json!({})).await;
    }
    server.as_admin().delete(&path("order 2")).await.expect(200);
    let all = server.messages_page("/messages").await;
    assert_contains(&all, &["order 1", "order 2", "other/3", "Run now", "Reschedule"]);
    let found = server.messages_page("/messages?q=order").await;
    assert!(found.contains("order 1") && !found.contains("other/3"));
    let cancelled = server.messages_page("/messages?state=cancelled").await;
    assert!(cancelled.contains("order 2") && !cancelled.contains("order 1"));
    assert_contains(&server.messages_page("/messages?q=nothing").await, &["Clear the search"]);
    assert_contains(&server.messages_page("/messages?state=failed").await, &["No messages in this state."]);
    // Fifty rows a page.
    let more = (0..60).map(|n| super::new_message(&channel, &format!("bulk {n:02}"), json!({})));
    let more = json!({"items": more.collect::<Vec<Value>>()});
    server.as_admin().post("/api/v1/messages/bulk", &more).await.expect(201);
    let first = server.messages_page("/messages").await;
    assert!(first.contains("bulk 59") && !first.contains("bulk 09"));
    let next = first.split("href=\"/messages?cursor=").nth(1).unwrap().split('"').next().unwrap();
    assert!(server.messages_page(&format!("/messages?cursor={next}")).await.contains("bulk 09"));
}

async fn a_message_is_created_by_the_form(server: TestServer) {
    let none = server.messages_page("/messages/new").await;
    assert_contains(&none, &["There is no channel to send a message to."]);
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let browser = server.log_in_browser(&server.admin).await;
    let form = |key: &'static str, date: &'static str| {
        vec![
            ("channel_id", text(&channel["id"]).to_owned()),
            ("key", key.to_owned()),
            ("body", "one\r\ntwo".to_owned()),
            ("headers", "X-Shop: 1".to_owned()),
            ("date", date.to_owned()),
            ("time", "09:00".to_owned()),
            ("zone", "UTC".to_owned()),
            ("from", "/messages/new".to_owned()),
        ]
    };
    let send = async |fields: Vec<(&'static str, String)>| {
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        browser.form("/fn/create_message", &fields).await
    };
    let past = send(form("typed key", "2020-01-01")).await;
    assert_eq!(past.status, 422);
    assert_contains(&past.text, &["This time has passed", "typed key", "X-Shop: 1", "2020-01-01"]);
    let reserved = send(form("bulk", "2027-06-09")).await;
    assert_eq!(reserved.status, 422);
    // Its field says it, not that of the time.
    let (_, feedback) = reserved.text.split_once("id=\"message-feedback\"").expect("the feedback");
    let (feedback, rest) = feedback.split_once("</div>").expect("its end");
    assert!(!feedback.contains("cannot be bulk") && rest.contains("cannot be bulk"), "{}", reserved.text);
    let made = send(form("order 9", "2027-06-09")).await;
    assert_eq!(made.status, 303, "{}", made.text);
    let page = browser.get(made.header("location")).await.expect_page();
    assert_contains(&page, &["order 9", "is scheduled for", "X-Shop", "Undo schedule"]);
    let message = server.get_message("order 9").await;
    assert_eq!((text(&message["body"]), text(&message["due_at"])), ("one\ntwo", "2027-06-09T09:00:00.000Z"));
}

async fn selected_messages_are_cancelled_and_sent_now(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let mut ids = Vec::new();
    for key in ["a", "b", "c"] {
        ids.push(text(&server.create_message(&channel, key, json!({})).await["id"]).to_owned());
    }
    let browser = server.log_in_browser(&server.admin).await;
    let change = async |what: &str, ids: &[&String]| {
        let ids = ids.iter().map(|id| ("ids[]", id.as_str()));
        let fields: Vec<(&str, &str)> =
            [("what", what), ("from", "/messages")].into_iter().chain(ids).collect();
        browser.form("/fn/change_messages", &fields).await
    };
    let cancelled = change("cancel", &[&ids[0], &ids[1]]).await;
    assert_eq!(cancelled.status, 303, "{}", cancelled.text);
    let page = browser.get(cancelled.header("location")).await.expect_page();
    assert_contains(&page, &["2 messages are cancelled."]);
    assert_eq!(server.message_states("a").await.0, "cancelled");
    // One of them was cancelled before.
    let sent = change("run", &[&ids[1], &ids[2]]).await;
    let page = browser.get(sent.header("location")).await.expect_page();
    assert_contains(&page, &["1 messages are sent now.", "1 could not be changed"]);
    server.tick().await;
    assert_eq!(server.message_states("c").await, ("executed".to_owned(), json!("delivered")));
    assert_eq!((sink.received().len(), server.message_states("b").await.0), (1, "cancelled".to_owned()));
    for (what, ids) in [("cancel", vec![]), ("other", vec![&ids[0]])] {
        assert_eq!(change(what, &ids).await.status, 422, "{what}");
    }
    let creator = server.log_in_browser(&server.creator).await;
    let fields = [("what", "cancel"), ("ids[]", ids[2].as_str()), ("from", "/messages")];
    assert_eq!(creator.form("/fn/change_messages", &fields).await.status, 403);
}

async fn a_message_of_a_deleted_channel_is_sent_by_another_one(server: TestServer) {
    let sink = Sink::start().await;
    let gone = server.create_webhook(&sink, json!({})).await;
    let failed = server.create_message(&gone, "a", json!({})).await;
    let scheduled = server.create_message(&gone, "b", json!({})).await;
    let other = server.create_webhook(&sink, json!({"name": "Other"})).await;
    let page_of = |message: &Value| format!("/messages/{}", text(&message["id"]));
    let choose = async |message: &Value| {
        let browser = server.log_in_browser(&server.admin).await;
        let (id, channel, from) = (text(&message["id"]), text(&other["id"]), page_of(message));
        let form = [("id", id), ("channel_id", channel), ("from", &from)];
        let reply = browser.form("/fn/change_message_channel", &form).await;
        assert_eq!(reply.status, 303, "{}", reply.text);
        browser.get(reply.header("location")).await.expect_page()
    };
    let page = server.messages_page(&page_of(&scheduled)).await;
    assert_contains(&page, &["Change channel", "Other · Webhook"]);
    assert_contains(&choose(&scheduled).await, &["The message will be sent by this channel."]);
    let path = format!("/api/v1/channels/{}", text(&gone["id"]));
    assert_eq!(server.as_admin().delete(&path).await.status, 204);
    server.advance(1_800_000).await;
    assert_eq!(server.message_states("b").await, ("executed".to_owned(), json!("delivered")));
    let page = server.messages_page(&page_of(&failed)).await;
    assert_contains(&page, &["Choose another channel on its page, or dismiss it.", "Send by this channel"]);
    assert_contains(&choose(&failed).await, &["The message is sent by this channel now."]);
    server.advance(1_000).await;
    assert_eq!(server.message_states("a").await, ("executed".to_owned(), json!("delivered")));
    assert!(!server.messages_page(&page_of(&failed)).await.contains("Send by this channel"));
    let creator = server.log_in_browser(&server.creator).await;
    let form = [("id", text(&failed["id"])), ("channel_id", text(&other["id"])), ("from", "/messages")];
    assert_eq!(creator.form("/fn/change_message_channel", &form).await.status, 403);
}

async fn the_page_shows_the_body_as_text_and_what_became_of_it(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({"retry_schedule": "1h"})).await;
    let made = server.create_message(&channel, "<b>key", json!({"body": "<script>1</script>"})).await;
    let page_path = format!("/messages/{}", text(&made["id"]));
    let page = server.messages_page(&page_path).await;
    assert_contains(&page, &["&lt;script&gt;1&lt;/script&gt;", "18 bytes", "Will be sent to “Sink” on"]);
    assert!(!page.contains("<script>1") && !page.contains("<b>key"));
    // By its key too.
    let by_key = server.messages_page("/messages/%3Cb%3Ekey").await;
    assert_contains(&by_key, &["Will be sent to “Sink” on"]);
    sink.behave([Behaviour::status(500)]);
    server.advance(1_800_000).await;
    let page = server.messages_page(&page_path).await;
    assert_contains(&page, &["Queued for “Sink” on", "1 attempts failed; it is sent again."]);
    server.advance(4_000_000).await;
    assert_contains(&server.messages_page(&page_path).await, &["It was delivered."]);
}
