//! The set-up form keeps its input, without markup from it.

use super::{
    payloads::{HARMLESS, PAYLOADS},
    percent,
    shape::Shape,
};
use crate::{
    http_client::{Reply, client},
    test_server::START_TIME,
};
use domain::{account::Language, clock::ManualClock};
use presstime::{process::config::Config, server::Server};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_text_of_the_first_admin_becomes_markup() {
    let data = tempfile::tempdir().unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let config = Config { public_url: Some(url.clone()), ..Config::new(data.path()) };
    let server = Arc::new(Server::open_with(&config, Arc::new(ManualClock::at(START_TIME))).await.unwrap());
    let stop = CancellationToken::new();
    let serving = tokio_util::task::TaskTracker::new().spawn({
        let (server, stop) = (server.clone(), stop.clone());
        async move { server.serve_pages(listener, stop).await }
    });
    let token = server.accounts.offer_set_up().await.unwrap().unwrap();
    assert_languages_load_a_page(
        &Reply::of(client(false).get(format!("{url}/setup?token={token}"))).await.text,
    );
    let plain = Shape::of(&submit(&url, &token, HARMLESS).await);
    assert!(plain.counts["input"] >= 6 && plain.faults.is_empty(), "{plain:?}");
    for payload in PAYLOADS {
        let shape = Shape::of(&submit(&url, &token, payload).await);
        assert_eq!((shape.differences(&plain), shape.faults), (Vec::new(), Vec::new()), "{payload}");
    }
    stop.cancel();
    serving.await.unwrap().unwrap();
}

/// The page, and with it the language of the desk, is the server's: the app must not follow the links by itself.
fn assert_languages_load_a_page(page: &str) {
    let links = page.split("<a ").skip(1).filter_map(|rest| rest.split('>').next());
    let links: Vec<_> = links.filter(|link| link.contains("language=")).collect();
    assert_eq!(links.len(), Language::ALL.len(), "{page}");
    assert!(links.iter().all(|link| link.contains("rel=\"external\"")), "{links:?}");
}

/// Sends the form with this text in each field and returns the page.
async fn submit(url: &str, token: &str, text: &str) -> String {
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
