//! The form of the first admin comes back with what was typed, and with no markup of it.

use super::{
    payloads::{HARMLESS, PAYLOADS},
    percent,
    shape::Shape,
};
use crate::{
    caller::{Reply, client},
    house::BEGIN,
};
use domain::clock::ManualClock;
use presstime::{config::Config, house::House};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_text_of_the_first_admin_becomes_markup() {
    let data = tempfile::tempdir().unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let config = Config { public_url: Some(url.clone()), ..Config::new(data.path()) };
    let house = Arc::new(House::open_with(&config, Arc::new(ManualClock::at(BEGIN))).await.unwrap());
    let stop = CancellationToken::new();
    let serving = tokio_util::task::TaskTracker::new().spawn({
        let (house, stop) = (house.clone(), stop.clone());
        async move { house.serve_pages(listener, stop).await }
    });
    let token = house.people.offer_set_up().await.unwrap().unwrap();
    let plain = Shape::of(&typed(&url, &token, HARMLESS).await);
    assert!(plain.counts["input"] >= 6 && plain.faults.is_empty(), "{plain:?}");
    for payload in PAYLOADS {
        let shape = Shape::of(&typed(&url, &token, payload).await);
        assert_eq!((shape.differences(&plain), shape.faults), (Vec::new(), Vec::new()), "{payload}");
    }
    stop.cancel();
    serving.await.unwrap().unwrap();
}

/// The page that answers the form with this text in each field.
async fn typed(url: &str, token: &str, text: &str) -> String {
    let fields = ["name", "email", "title", "zone"].map(|name| format!("{name}={}", percent(text)));
    let page = percent(&format!("/setup?token={token}"));
    let body = format!("token={token}&password=x&language=en&from={page}&{}", fields.join("&"));
    let request =
        client(false).post(format!("{url}/fn/set_up")).header("accept", "text/html").header("origin", url);
    let reply =
        Reply::of(request.header("content-type", "application/x-www-form-urlencoded").body(body)).await;
    assert_eq!(reply.status, 422, "{}", reply.text);
    reply.text
}
