//! The settings of a channel to a Ghost site, and what a test says about an address without one.

use crate::{
    deliveries::text,
    engine_page::assert_contains,
    on_both,
    test_server::{Backend, TestServer},
};
use serde_json::{Value, json};
use test_support::{Behaviour, Sink, free_port};

on_both!(a_key_belongs_to_its_site_and_is_never_returned);

const KEY: &str = "0123456789abcdef01234567:00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

fn new_ghost(url: &str) -> Value {
    json!({"transport": "ghost", "name": "Blog", "retry_schedule": "10s", "ghost": {"url": url, "admin_key": KEY}})
}

async fn a_key_belongs_to_its_site_and_is_never_returned(server: TestServer) {
    let url = format!("http://127.0.0.1:{}", free_port());
    let channel = server.create_channel(new_ghost(&format!("{url}/ghost/")), json!({"concurrency": 4})).await;
    assert_eq!(
        channel["ghost"],
        json!({"url": format!("{url}/")}),
        "the address of the editor leads to the site"
    );
    assert_eq!((&channel["has_secret"], &channel["concurrency"]), (&json!(true), &json!(1)));
    let path = format!("/api/v1/channels/{}", text(&channel["id"]));
    let all = server.as_admin().get("/api/v1/channels").await.expect(200).to_string();
    assert!(!all.contains("00112233"), "{all}");
    for (change, field) in [
        (json!({"ghost": {"url": format!("{url}/blog")}}), "ghost.admin_key"),
        (json!({"ghost": {"admin_key": "0123456789abcdef01234567"}}), "ghost.admin_key"),
        (json!({"ghost": {"url": "ftp://127.0.0.1/"}}), "ghost.url"),
    ] {
        let refused = server.as_admin().patch(&path, &change).await.expect(422);
        assert_eq!(refused["error"]["field"], field, "{refused}");
    }
    assert_eq!(server.as_admin().patch(&path, &json!({"wordpress": {"username": "desk"}})).await.status, 409);
    let moved = json!({"ghost": {"url": format!("{url}/blog"), "admin_key": KEY}});
    assert_eq!(
        server.as_admin().patch(&path, &moved).await.expect(200)["ghost"]["url"],
        format!("{url}/blog/")
    );
    let article = server.create_draft("Chosen").await;
    let post = server.choose_site(&article, &channel).await;
    assert_eq!(server.post_state(&post).await, "planned");
}

#[tokio::test]
async fn a_test_of_an_address_without_ghost_says_what_is_there() {
    let server = TestServer::start(Backend::Embedded).await;
    let old = json!({"site": {"title": "Old", "version": "4.48"}}).to_string();
    for (behaviour, words) in [
        (Behaviour::Respond(200, Vec::new(), "<html>A shop".to_owned()), "there is no Ghost at this address"),
        (
            Behaviour::Respond(404, Vec::new(), "<html>Not here".to_owned()),
            "there is no Ghost at this address",
        ),
        (Behaviour::Respond(200, Vec::new(), old), "the site is Ghost 4.48; versions 5 and 6 are supported"),
        (
            Behaviour::Respond(301, vec![("location", "https://b.example/".to_owned())], String::new()),
            "https://b.example/",
        ),
        (Behaviour::Respond(503, Vec::new(), "<html>Back soon".to_owned()), "Back soon"),
    ] {
        let sink = Sink::start().await;
        sink.behave([behaviour]);
        let channel = server.create_channel(new_ghost(&sink.url()), json!({})).await;
        server.post_channel_action(&channel, "test").await;
        server.tick().await;
        let delivery = server.latest_delivery(&channel).await;
        let said = text(&delivery["attempt_log"][0]["response_body"]);
        assert!(delivery["state"] == "failed" && said.contains(words), "{words}: {delivery}");
        let head = &sink.received()[0];
        assert!(head.headers.iter().all(|(name, _)| name != "authorization"), "no token without a Ghost");
    }
}

#[tokio::test]
async fn an_admin_connects_a_ghost_without_script_and_a_refused_key_does_not_come_back() {
    let server = TestServer::start(Backend::Embedded).await;
    let browser = server.log_in_browser(&server.admin).await;
    let form = server.page(&server.admin, "/settings/channels?add=ghost").await;
    assert_contains(&form, &["Address of the site", "Admin API key", "No newsletter is sent."]);
    assert!(!form.contains("channel[events]"), "it follows no events");
    let url = format!("http://127.0.0.1:{}", free_port());
    for (key, is_added) in [("0123456789abcdef01234567:00112233", false), (KEY, true)] {
        let fields = [
            ("channel[transport]", "ghost"),
            ("channel[name]", "Blog"),
            ("channel[url]", &*url),
            ("channel[admin_key]", key),
            ("channel[retry_schedule]", "10s"),
            ("channel[on_unknown_outcome]", "retry"),
            ("channel[concurrency]", "1"),
            ("channel[rate]", ""),
            ("from", "/settings/channels?add=ghost"),
        ];
        let reply = browser.form("/fn/add_channel", &fields).await;
        assert_eq!((300..400).contains(&reply.status), is_added, "{}", reply.text);
        assert!(!reply.text.contains("00112233"), "the key is not shown");
        assert_eq!(reply.text.contains("is no Admin API key"), !is_added, "{}", reply.text);
    }
    let article = server.create_draft("By hand").await;
    let page = format!("/articles/{}", text(&article["id"]));
    assert_contains(&server.page(&server.admin, &page).await, &["Also on", "Blog", "Publish there too"]);
}
