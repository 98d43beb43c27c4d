//! The webhook itself: redirects, slow and missing answers, and where it never connects.

use super::text;
use crate::{house::Story, on_both};
use domain::channel::{Route, WebhookRoute};
use presstime::channels::{Answer, Letter, guard::Rules, http::Http, trust::Trust, webhook};
use rig::{Manner, Sink};
use serde_json::json;
use std::time::Duration;

on_both!(a_redirect_is_not_followed, an_answer_counts_by_its_status_however_slow_its_text,);

async fn a_redirect_is_not_followed(story: Story) {
    let (sink, elsewhere) = (Sink::start().await, Sink::start().await);
    let channel = story.channel(&sink, json!({})).await;
    sink.behave([Manner::Answer(302, vec![("location", elsewhere.url())], String::new())]);
    story.publish("Here only").await;
    let delivery = story.newest(&channel).await;
    assert_eq!((text(&delivery["outcome"]), delivery["tries"][0]["status"].as_u64()), ("refused", Some(302)));
    assert!(elsewhere.received().is_empty());
}

async fn an_answer_counts_by_its_status_however_slow_its_text(story: Story) {
    let sink = Sink::start().await;
    let channel = story.channel(&sink, json!({})).await;
    sink.behave([Manner::Dribble(200)]);
    story.publish("Slowly").await;
    assert_eq!(text(&story.newest(&channel).await["state"]), "delivered");
}

#[tokio::test]
async fn a_message_that_is_not_answered_in_time_may_have_arrived() {
    let sink = Sink::start().await;
    sink.behave([Manner::Hang]);
    let open = Rules { allow_private: true, allow_http: true, ..Rules::default() };
    let http = Http::patient(open, &Trust::default(), Duration::from_millis(200));
    let answer = send(&http, &sink.url()).await;
    assert_eq!((answer.outcome.as_str(), sink.received().len()), ("unknown", 1));
    let nobody = format!("http://127.0.0.1:{}/", rig::free_port());
    assert_eq!(send(&http, &nobody).await.outcome.as_str(), "unreachable");
}

#[tokio::test]
async fn nothing_connects_into_the_private_network() {
    let honeypot = Sink::start().await;
    let port = honeypot.url().rsplit_once(':').unwrap().1.to_owned();
    let http = Http::new(Rules { allow_http: true, ..Rules::default() }, &Trust::default());
    // The last one is no local name by its spelling: only the resolver finds out where it leads.
    for host in ["127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]", "[::1]", &own_name()] {
        let answer = send(&http, &format!("http://{host}:{port}")).await;
        assert!(matches!(answer.outcome.as_str(), "blocked" | "unreachable"), "{host}: {answer:?}");
    }
    assert!(honeypot.received().is_empty());
}

pub fn own_name() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    name.trim().to_owned()
}

pub async fn send(http: &Http, address: &str) -> Answer {
    let route = WebhookRoute { address: address.to_owned() };
    let letter = Letter {
        id: domain::DeliveryId::fresh(),
        attempt: 1,
        route: Route::Webhook(route.clone()),
        body: "{}".to_owned(),
        secrets: vec![vec![7; 32]],
        at: domain::Timestamp::from_millis(0),
        known: Vec::new(),
    };
    webhook::send(http, &route, &letter).await
}

#[tokio::test]
async fn an_odd_retry_after_is_left_to_the_retry_schedule() {
    let sink = Sink::start().await;
    let http =
        Http::new(Rules { allow_private: true, allow_http: true, ..Rules::default() }, &Trust::default());
    let asked = async |values: &[&str]| {
        let headers = values.iter().map(|value| ("retry-after", (*value).to_owned())).collect();
        sink.behave([Manner::Answer(503, headers, String::new())]);
        // The attempt is made at the beginning of 1970.
        send(&http, &sink.url()).await.retry_after_ms
    };
    for (value, millis) in [
        ("1", 1_000),
        ("0600", 600_000),
        ("86400", 86_400_000),
        ("Thu, 01 Jan 1970 00:10:00 GMT", 600_000),
        ("Thursday, 01-Jan-70 00:10:00 GMT", 600_000),
        ("Thu Jan  1 00:10:00 1970", 600_000),
    ] {
        assert_eq!(asked(&[value]).await, Some(millis), "{value}");
    }
    for value in [
        "",
        " ",
        "0",
        "-1",
        "-86400",
        "+5",
        "1.5",
        "1e3",
        "0x10",
        "5s",
        "5 s",
        "86401",
        "99999999999999999999999",
        "9223372036854775807",
        "soon",
        "null",
        "1,2",
        "1;2",
        "\u{662}\u{663}",
        "Wed, 31 Dec 1969 23:59:59 GMT",
        "Thu, 01 Jan 1970 00:00:00 GMT",
        "Sat, 03 Jan 1970 00:00:00 GMT",
        "Fri, 31 Dec 9999 23:59:59 GMT",
        "Thu, 32 Jan 1970 00:10:00 GMT",
        "Thu, 01 Jan 1970 00:10:00 +0200",
        "1970-01-01T00:10:00Z",
    ] {
        assert_eq!(asked(&[value]).await, None, "{value:?}");
    }
    assert_eq!(asked(&["600", "600"]).await, None, "two of them");
    assert_eq!(asked(&[]).await, None);
}
