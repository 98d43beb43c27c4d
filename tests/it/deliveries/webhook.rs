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
    };
    webhook::send(http, &route, &letter).await
}
