//! Webhooks: redirects, slow and missing responses, and forbidden addresses.

use super::text;
use crate::{on_both, test_server::TestServer};
use domain::channel::{Endpoint, WebhookEndpoint};
use presstime::{
    process::tls_roots::TlsRoots,
    senders::{OutboundMessage, SendResult, egress::Rules, http::HttpSender, webhook},
};
use serde_json::json;
use std::time::Duration;
use test_support::{Behaviour, Sink};

on_both!(a_redirect_is_not_followed, a_response_counts_by_its_status_even_with_a_slow_body,);

async fn a_redirect_is_not_followed(server: TestServer) {
    let (sink, elsewhere) = (Sink::start().await, Sink::start().await);
    let channel = server.create_webhook(&sink, json!({})).await;
    sink.behave([Behaviour::Respond(302, vec![("location", elsewhere.url())], String::new())]);
    server.publish_article("Here only").await;
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!(
        (text(&delivery["outcome"]), delivery["attempt_log"][0]["status"].as_u64()),
        ("refused", Some(302))
    );
    assert!(elsewhere.received().is_empty());
}

async fn a_response_counts_by_its_status_even_with_a_slow_body(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    sink.behave([Behaviour::Trickle(200)]);
    server.publish_article("Slowly").await;
    assert_eq!(text(&server.latest_delivery(&channel).await["state"]), "delivered");
}

#[tokio::test]
async fn a_response_timeout_is_an_unknown_outcome() {
    let sink = Sink::start().await;
    sink.behave([Behaviour::Hang]);
    let open = Rules { allow_private: true, allow_http: true, ..Rules::default() };
    let http = HttpSender::with_timeouts(open, &TlsRoots::default(), Duration::from_millis(200));
    let answer = send(&http, &sink.url()).await;
    assert_eq!((answer.outcome.as_str(), sink.received().len()), ("unknown", 1));
    let unused = format!("http://127.0.0.1:{}/", test_support::free_port());
    assert_eq!(send(&http, &unused).await.outcome.as_str(), "unreachable");
}

#[tokio::test]
async fn webhooks_do_not_connect_to_the_private_network() {
    let private_server = Sink::start().await;
    let port = private_server.url().rsplit_once(':').unwrap().1.to_owned();
    let http = HttpSender::new(Rules { allow_http: true, ..Rules::default() }, &TlsRoots::default());
    // The last name does not look local: only the resolver shows where it leads.
    for host in ["127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]", "[::1]", &own_name()] {
        let answer = send(&http, &format!("http://{host}:{port}")).await;
        assert!(matches!(answer.outcome.as_str(), "blocked" | "unreachable"), "{host}: {answer:?}");
    }
    assert!(private_server.received().is_empty());
}

pub fn own_name() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    name.trim().to_owned()
}

pub async fn send(http: &HttpSender, url: &str) -> SendResult {
    let route = WebhookEndpoint { url: url.to_owned() };
    let outbound = OutboundMessage {
        id: domain::DeliveryId::generate(),
        attempt: 1,
        route: Endpoint::Webhook(route.clone()),
        body: "{}".to_owned(),
        options: None,
        secrets: vec![vec![7; 32]],
        at: domain::Timestamp::from_millis(0),
        known: Vec::new(),
        origin: None,
        post: None,
    };
    webhook::send(http, &route, &outbound).await
}

#[tokio::test]
async fn an_invalid_retry_after_falls_back_to_the_retry_schedule() {
    let sink = Sink::start().await;
    let http = HttpSender::new(
        Rules { allow_private: true, allow_http: true, ..Rules::default() },
        &TlsRoots::default(),
    );
    let retry_after = async |values: &[&str]| {
        let headers = values.iter().map(|value| ("retry-after", (*value).to_owned())).collect();
        sink.behave([Behaviour::Respond(503, headers, String::new())]);
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
        assert_eq!(retry_after(&[value]).await, Some(millis), "{value}");
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
        assert_eq!(retry_after(&[value]).await, None, "{value:?}");
    }
    assert_eq!(retry_after(&["600", "600"]).await, None, "two of them");
    assert_eq!(retry_after(&[]).await, None);
}
