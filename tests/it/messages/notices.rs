//! Notices are repeated by a schedule of their own until they are acknowledged.

use crate::{
    deliveries::text,
    engine_page::assert_contains,
    on_both,
    test_server::{Backend, TestServer},
};
use domain::Timestamp;
use serde_json::{Value, json};
use test_support::{Behaviour, Sink};

on_both!(
    s6_a_notice_is_repeated_until_it_is_acknowledged_by_a_request,
    s6_a_notice_is_repeated_until_a_response_acknowledges_it,
    s6_an_exhausted_notice_needs_a_person_and_starts_again,
    a_notice_that_is_acknowledged_while_it_is_sent_ends_with_that_attempt,
    invalid_notices_are_refused,
    the_page_shows_the_line_of_attempts,
);

const KEY: &str = "payment 4711";
const PATH: &str = "/api/v1/notices/payment%204711";

impl TestServer {
    async fn notify(&self, channel: &Value, more: Value) -> Value {
        let mut new = json!({"key": KEY, "channel_id": channel["id"], "body": "{\"attempt\": {{attempt}}}"});
        for (name, value) in more.as_object().unwrap() {
            new[name] = value.clone();
        }
        self.as_admin().post("/api/v1/notices", &new).await.expect(201)
    }

    async fn get_notice(&self) -> Value {
        self.as_admin().get(PATH).await.expect(200)
    }
}

fn states(notice: &Value) -> Vec<&str> {
    notice["attempts"].as_array().unwrap().iter().map(|one| text(&one["state"])).collect()
}

async fn s6_a_notice_is_repeated_until_it_is_acknowledged_by_a_request(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let (schedule, ack) = (json!(["15s", "30s", "3m"]), json!({"body": "success"}));
    let terms = json!({"retry_schedule": schedule, "ack": ack});
    let made = server.notify(&channel, terms.clone()).await;
    assert_eq!(states(&made), ["next", "to_come", "to_come", "to_come"]);
    server.tick().await;
    // The same request again is the same notice.
    assert_eq!(server.notify(&channel, terms).await["id"], made["id"]);
    server.advance(14_000).await;
    assert_eq!(sink.received().len(), 1);
    server.advance(1_000).await;
    server.advance(30_000).await;
    let received = sink.received();
    let bodies: Vec<&str> = received.iter().map(|one| one.body.as_str()).collect();
    assert_eq!(bodies, ["{\"attempt\": 1}", "{\"attempt\": 2}", "{\"attempt\": 3}"]);
    assert_eq!(
        received.iter().map(|one| one.header("presstime-attempt")).collect::<Vec<_>>(),
        ["1", "2", "3"]
    );
    let waiting = server.get_notice().await;
    assert_eq!(states(&waiting), ["made", "made", "made", "next"]);
    assert_eq!(text(&waiting["attempts"][0]["outcome"]), "refused");
    let done = server.as_admin().post(&format!("{PATH}/ack"), &Value::Null).await.expect(200);
    assert_eq!(states(&done), ["made", "made", "made"]);
    assert_eq!(text(&done["acknowledged_at"]), server.time_after(0));
    server.advance(86_400_000).await;
    assert_eq!(sink.received().len(), 3);
    // Again: nothing changes.
    let again = server.as_admin().post(&format!("{PATH}/ack"), &Value::Null).await.expect(200);
    assert_eq!(again["acknowledged_at"], done["acknowledged_at"]);
    assert_eq!((text(&again["delivery"]["state"]), server.attention_count().await), ("delivered", 0));
    // A plain message is no notice.
    server.create_message(&channel, "plain", json!({})).await;
    assert_eq!(server.as_admin().get("/api/v1/notices/plain").await.status, 404);
    assert_eq!(server.as_admin().post("/api/v1/notices/plain/ack", &Value::Null).await.status, 404);
}

async fn s6_a_notice_is_repeated_until_a_response_acknowledges_it(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let answers = [(500, "success"), (404, ""), (200, "later"), (200, " SUCCESS\n")];
    sink.behave(answers.map(|(status, body)| Behaviour::Respond(status, Vec::new(), body.to_owned())));
    server
        .notify(&channel, json!({"retry_schedule": "svix", "ack": {"status": "2xx", "body": "success"}}))
        .await;
    server.tick().await;
    for delay in [5_000, 300_000, 1_800_000, 7_200_000] {
        server.advance(delay).await;
    }
    assert_eq!(sink.received().len(), 4);
    let notice = server.get_notice().await;
    assert_eq!(
        (text(&notice["delivery"]["state"]), text(&notice["acknowledged_at"])),
        ("delivered", &*server.time_after(-7_200_000))
    );
    // A request changes nothing any more.
    server.advance(1_000).await;
    let again = server.as_admin().post(&format!("{PATH}/ack"), &Value::Null).await.expect(200);
    assert_eq!(again["acknowledged_at"], notice["acknowledged_at"]);
    assert_eq!(text(&notice["attempts"][3]["outcome"]), "delivered");
    // A receiver that is not ready yet does not stop its channel.
    assert_eq!(text(&server.get_channel(&channel).await["state"]), "active");
}

async fn s6_an_exhausted_notice_needs_a_person_and_starts_again(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    server.notify(&channel, json!({"retry_schedule": ["10s"], "ack": {"body": "success"}})).await;
    server.tick().await;
    server.advance(10_000).await;
    let notice = server.get_notice().await;
    assert_eq!((text(&notice["delivery"]["state"]), states(&notice)), ("failed", vec!["made", "made"]));
    assert_eq!(server.attention_count().await, 1);
    let again = server.as_admin().post("/api/v1/messages/payment%204711/run-now", &Value::Null).await;
    again.expect(200);
    server.tick().await;
    let received = sink.received();
    assert_eq!((received.len(), received[2].header("presstime-attempt")), (3, "1"));
    assert_eq!(states(&server.get_notice().await), ["made", "made", "made", "next"]);
    server.as_admin().post(&format!("{PATH}/ack"), &Value::Null).await.expect(200);
    server.advance(60_000).await;
    assert_eq!((sink.received().len(), server.attention_count().await), (3, 0));
}

async fn a_notice_that_is_acknowledged_while_it_is_sent_ends_with_that_attempt(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let gate = std::sync::Arc::new(tokio::sync::Notify::new());
    sink.behave([Behaviour::RespondWhen(std::sync::Arc::clone(&gate), 500)]);
    server.notify(&channel, json!({"retry_schedule": ["10s", "10s"]})).await;
    let acknowledge = async {
        sink.wait_for(1).await;
        let done = server.as_admin().post(&format!("{PATH}/ack"), &Value::Null).await.expect(200);
        assert_eq!(text(&done["delivery"]["state"]), "sending");
        gate.notify_one();
    };
    tokio::join!(server.tick(), acknowledge);
    server.advance(60_000).await;
    let notice = server.get_notice().await;
    assert_eq!((sink.received().len(), text(&notice["delivery"]["state"])), (1, "delivered"));
}

async fn invalid_notices_are_refused(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let good = json!({"key": KEY, "channel_id": channel["id"], "body": ""});
    for (field, value) in [
        ("retry_schedule", json!("weekly")),
        ("retry_schedule", json!([])),
        ("retry_schedule", json!(["0s"])),
        ("retry_schedule", json!(["25h"])),
        ("retry_schedule", json!([15])),
        ("retry_schedule", json!(vec!["1s"; 21])),
        ("ack", json!({"status": "3xx"})),
        ("ack", json!({"status": "404"})),
        ("ack", json!({"body": " "})),
        ("ack", json!({"body": "x".repeat(201)})),
        ("key", json!("")),
        ("body", json!("x".repeat(65_537))),
    ] {
        let mut new = good.clone();
        new[field] = value.clone();
        let refused = server.as_admin().post("/api/v1/notices", &new).await;
        assert_eq!(refused.refused(422), "invalid", "{field}: {value}");
    }
    let smtp = test_support::SmtpSink::start().await;
    let mail = server.create_mail_channel(&smtp, json!({})).await;
    let by_mail = json!({"key": KEY, "channel_id": mail["id"], "body": ""});
    assert_eq!(server.as_admin().post("/api/v1/notices", &by_mail).await.refused(422), "invalid");
    assert_eq!(server.as_admin().get(PATH).await.status, 404);
    assert!(sink.received().is_empty());
}

async fn the_page_shows_the_line_of_attempts(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let terms = json!({"retry_schedule": ["10s", "1h"], "ack": {"body": "success"}});
    let made = server.notify(&channel, terms).await;
    server.tick().await;
    let path = format!("/messages/{}", text(&made["id"]));
    let page = server.page(&server.admin, &path).await;
    assert_contains(&page, &["Attempt 3", "not acknowledged", "to come", "Acknowledge"]);
    let browser = server.log_in_browser(&server.admin).await;
    let reply = browser.form("/fn/acknowledge_notice", &[("id", text(&made["id"])), ("from", &path)]).await;
    assert_eq!(reply.status, 303, "{}", reply.text);
    let page = browser.get(reply.header("location")).await.expect_page();
    assert_contains(&page, &["The notice is acknowledged and no longer sent."]);
    assert!(!page.contains("Attempt 2"));
}

/// Each step is at most a second from its moment, over more than a day.
#[tokio::test]
async fn s6_a_schedule_is_kept_to_the_second_for_25_hours() {
    let server = TestServer::start(Backend::Embedded).await;
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let begin = server.now();
    server.notify(&channel, json!({"ack": {"body": "success"}})).await;
    server.tick().await;
    let delays = [15, 30, 180, 600, 1_800, 3_600, 7_200, 21_600, 54_000];
    for delay in delays {
        server.advance(delay * 1_000 - 1_000).await;
        server.advance(1_000).await;
    }
    let notice = server.get_notice().await;
    let attempts = notice["attempts"].as_array().unwrap();
    assert_eq!(
        (attempts.len(), sink.received().len(), text(&notice["delivery"]["state"])),
        (10, 10, "failed")
    );
    let mut expected = begin;
    for (attempt, delay) in attempts.iter().zip([0].into_iter().chain(delays)) {
        expected = expected.plus(delay * 1_000);
        let at: Timestamp = text(&attempt["at"]).parse().unwrap();
        assert!(at.since(expected).abs() <= 1_000, "{at}, not {expected}");
    }
}
