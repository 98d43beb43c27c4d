//! Answers of a provider, and requests of browsers, that are refused.

use super::{add, assert_refused, link, provider::Fault, sign_in, text};
use crate::{on_both, test_server::TestServer};
use serde_json::{Value, json};

on_both!(
    tokens_that_are_not_for_this_sign_in_are_refused,
    a_state_is_used_once_by_its_browser_within_ten_minutes,
    descriptions_and_keys_have_limits,
    a_rotated_key_is_read_again_at_most_once_a_minute,
    many_sign_ins_of_one_client_are_limited,
);

async fn tokens_that_are_not_for_this_sign_in_are_refused(server: TestServer) {
    let (provider, added) = add(&server, &json!({})).await;
    link(&server, &server.creator, &provider).await;
    let now = server.now().millis() / 1_000;
    for (claim, value, problem) in [
        ("iss", json!("https://other.example"), "wrong_issuer"),
        ("aud", json!("another-program"), "wrong_audience"),
        ("aud", json!(["desk", "another-program"]), "wrong_audience"),
        ("azp", json!("another-program"), "wrong_audience"),
        ("exp", json!(now - 60), "clock"),
        ("iat", json!(now + 61), "clock"),
        ("exp", Value::Null, "missing_claim"),
        ("nonce", json!("of another sign-in"), "wrong_nonce"),
        ("nonce", Value::Null, "wrong_nonce"),
        ("sub", Value::Null, "missing_claim"),
    ] {
        let was = provider.answers().claims.clone();
        provider.answers().claims[claim] = value;
        assert_refused(&sign_in(&server.browser(), &provider, &added).await, problem);
        provider.answers().claims = was;
    }
    for (fault, problem) in [
        (Fault::Unsigned, "bad_signature"),
        (Fault::SharedSecret, "bad_signature"),
        (Fault::OtherResponseIssuer, "wrong_issuer"),
        (Fault::NoResponseIssuer, "wrong_issuer"),
    ] {
        provider.answers().fault = fault;
        assert_refused(&sign_in(&server.browser(), &provider, &added).await, problem);
    }
    provider.answers().fault = Fault::None;
    assert_eq!(sign_in(&server.browser(), &provider, &added).await.header("location"), "/articles");
    // A sentence on the log-in page, which still continues.
    let page = server.browser().get("/login?next=/articles&sign_in=clock").await.expect_page();
    assert!(page.contains("The clocks of the provider and of this server are apart."), "{page}");
    // A wrong client secret.
    let path = format!("/api/v1/sign-in/providers/{}", text(&added["id"]));
    let edit = json!({"client_secret": "another one", "seen_version": 1});
    server.as_admin().patch(&path, &edit).await.expect(200);
    assert_refused(&sign_in(&server.browser(), &provider, &added).await, "client_refused");
}

async fn a_state_is_used_once_by_its_browser_within_ten_minutes(server: TestServer) {
    let (provider, added) = add(&server, &json!({})).await;
    link(&server, &server.creator, &provider).await;
    let begin = format!("/oidc/{}", text(&added["id"]));
    let browser = server.browser();
    let back = provider.agree(browser.get(&begin).await.header("location"));
    // Another browser, which may have a sign-in of its own.
    let other = server.browser();
    assert_refused(&other.get(&back).await, "expired");
    other.get(&begin).await;
    assert_refused(&other.get(&back).await, "expired");
    assert_eq!(browser.get(&back).await.header("location"), "/");
    assert_refused(&browser.get(&back).await, "expired");
    // Two at once in one browser.
    let (one, two) = (browser.get(&begin).await, browser.get(&begin).await);
    let (one, two) = (provider.agree(one.header("location")), provider.agree(two.header("location")));
    assert_eq!(browser.get(&two).await.header("location"), "/");
    assert_eq!(browser.get(&one).await.header("location"), "/");
    let late = provider.agree(browser.get(&begin).await.header("location"));
    server.advance_without_loops(10 * 60_000);
    assert_refused(&browser.get(&late).await, "expired");
    // An address of another server is no page that follows.
    provider.answers().now = server.now();
    for next in ["//evil.example", "https://evil.example", "/%5Cevil.example"] {
        let back = provider.agree(browser.get(&format!("{begin}?next={next}")).await.header("location"));
        assert_eq!(browser.get(&back).await.header("location"), "/", "{next}");
    }
    // The provider refuses.
    let asked = browser.get(&format!("{begin}?next=/articles")).await;
    let back = provider.agree(asked.header("location"));
    let state = back.split("state=").nth(1).unwrap().split('&').next().unwrap();
    let refused = format!("{begin}/callback?error=access_denied&state={state}&iss={}", provider.url);
    let refused = browser.get(&refused).await;
    assert_eq!(refused.header("location"), "/login?next=/articles&sign_in=denied");
}

async fn descriptions_and_keys_have_limits(server: TestServer) {
    let (provider, added) = add(&server, &json!({})).await;
    let test = format!("/api/v1/sign-in/providers/{}/test", text(&added["id"]));
    for (fault, problem) in [
        (Fault::OtherIssuer, "wrong_issuer"),
        (Fault::LargeKeys, "unreadable"),
        (Fault::RedirectedKeys, "provider_error"),
    ] {
        provider.answers().fault = fault;
        let found = server.as_admin().post(&test, &Value::Null).await.expect(200);
        assert_eq!(found["problems"][0]["code"], problem, "{found}");
        assert_refused(&server.browser().get(&format!("/oidc/{}", text(&added["id"]))).await, problem);
    }
    provider.answers().fault = Fault::None;
    assert_eq!(server.as_admin().post(&test, &Value::Null).await.expect(200)["problems"], json!([]));
    for issuer in
        ["ftp://id.example.org", "https://user:word@id.example.org", "https://id.example.org:22", "id"]
    {
        let body = json!({"issuer": issuer, "name": "A", "client_id": "desk"});
        let refused = server.as_admin().post("/api/v1/sign-in/providers", &body).await.expect(422);
        assert_eq!(refused["error"]["field"], "issuer", "{issuer}: {refused}");
    }
}

async fn a_rotated_key_is_read_again_at_most_once_a_minute(server: TestServer) {
    let (provider, added) = add(&server, &json!({})).await;
    link(&server, &server.creator, &provider).await;
    assert_eq!(provider.answers().key_reads, 1);
    provider.rotate_key();
    assert_refused(&sign_in(&server.browser(), &provider, &added).await, "unknown_key");
    assert_eq!(provider.answers().key_reads, 1, "they were read just now");
    server.advance_without_loops(60_000);
    provider.answers().now = server.now();
    assert_eq!(sign_in(&server.browser(), &provider, &added).await.header("location"), "/articles");
    assert_eq!(sign_in(&server.browser(), &provider, &added).await.header("location"), "/articles");
    assert_eq!(provider.answers().key_reads, 2);
}

async fn many_sign_ins_of_one_client_are_limited(server: TestServer) {
    let (_provider, added) = add(&server, &json!({})).await;
    let begin = format!("/oidc/{}", text(&added["id"]));
    let mut begun = 0;
    let refused = loop {
        let reply = server.browser().get(&begin).await;
        if reply.header("location").starts_with("/login") {
            break reply;
        }
        begun += 1;
        assert!(begun < 100, "they are not limited");
    };
    assert_refused(&refused, "too_many");
    assert!(begun >= 50, "{begun}");
    // So are log-out tokens that are refused.
    let mut last = 0;
    for _ in 0..70 {
        let form = [("logout_token", "a.b")];
        last = server.as_anonymous().form(&format!("{begin}/logout"), &form).await.status;
    }
    assert_eq!(last, 429);
}
