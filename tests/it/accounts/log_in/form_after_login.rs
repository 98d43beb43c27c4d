//! An ended session loses no input: without JavaScript, a form is kept through the log-in.

use crate::{
    engine_page::assert_contains,
    http_client::{HttpClient, Reply},
    on_both,
    test_server::TestServer,
};

on_both!(
    a_form_is_kept_through_a_log_in,
    a_long_text_is_kept_through_a_log_in,
    a_form_for_another_site_is_not_kept,
    the_result_of_the_page_before_is_not_shown_after_the_log_in,
);

const BODY: &str = "and nothing of it </textarea>\"'&amp; is lost";

/// Returns the value of a hidden field of a page.
fn hidden(page: &str, name: &str) -> String {
    let (_, rest) =
        page.split_once(&format!("name=\"{name}\" value=\"")).unwrap_or_else(|| panic!("no {name}: {page}"));
    let value = rest.split('"').next().unwrap();
    value.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

async fn log_in(browser: &HttpClient, server: &TestServer, password: &str, held: &str) -> Reply {
    let form = [
        ("email", server.creator.email.as_str()),
        ("password", password),
        ("next", "/articles/new"),
        ("pending_form", held),
        ("from", "/login?next=/articles/new"),
    ];
    browser.form("/fn/log_in", &form).await
}

async fn a_form_is_kept_through_a_log_in(server: TestServer) {
    let browser = server.browser();
    let typed = [("title", "Typed for an hour"), ("body", BODY), ("from", "/articles/new")];
    let log_in_page = browser.form("/fn/create_article", &typed).await;
    assert_eq!(log_in_page.status, 401, "{}", log_in_page.text);
    assert_contains(&log_in_page.text, &["your input is kept"]);
    let wrong = log_in(&browser, &server, "not this one", &hidden(&log_in_page.text, "pending_form")).await;
    assert_eq!(wrong.status, 401, "{}", wrong.text);
    let again =
        log_in(&browser, &server, &server.creator.password, &hidden(&wrong.text, "pending_form")).await;
    assert_eq!(again.status, 200, "{}", again.text);
    assert_contains(
        &again.text,
        &["Typed for an hour", "nothing of it &lt;/textarea&gt;&quot;&#39;&amp;amp; is lost"],
    );
    let found = server.as_admin().get("/api/v1/articles").await.expect(200);
    assert_eq!(found["items"].as_array().map(Vec::len), Some(0), "nothing is sent automatically");
    let saved = browser.form("/fn/create_article", &typed).await;
    assert!((300..400).contains(&saved.status), "the session is valid: {}", saved.text);
}

async fn a_long_text_is_kept_through_a_log_in(server: TestServer) {
    let browser = server.browser();
    let body = "字".repeat(166_000);
    let typed = [("title", "As long as a text may be"), ("body", &body), ("from", "/articles/new")];
    assert_eq!(browser.form("/fn/set_up", &typed).await.status, 413, "other forms carry no text");
    let log_in_page = browser.form("/fn/create_article", &typed).await;
    assert_eq!(log_in_page.status, 401);
    let held = hidden(&log_in_page.text, "pending_form");
    let again = log_in(&browser, &server, &server.creator.password, &held).await;
    assert_eq!(again.status, 200);
    assert!(again.text.contains(&body), "the whole text is in the editor again");
    let saved = browser.form("/fn/create_article", &typed).await;
    assert!((300..400).contains(&saved.status), "{}", saved.status);
}

async fn a_form_for_another_site_is_not_kept(server: TestServer) {
    let browser = server.browser();
    let held = serde_json::json!(["/fn/create_article", [["title", "T"]]]).to_string();
    for next in ["//evil.example/", "https://evil.example/", "/\\evil.example"] {
        let form = [
            ("email", server.creator.email.as_str()),
            ("password", server.creator.password.as_str()),
            ("next", next),
            ("pending_form", held.as_str()),
        ];
        let reply = browser.form("/fn/log_in", &form).await;
        assert_eq!((reply.status, reply.header("location")), (303, "/"), "{next}");
    }
}

async fn the_result_of_the_page_before_is_not_shown_after_the_log_in(server: TestServer) {
    let form = [
        ("email", server.creator.email.as_str()),
        ("password", server.creator.password.as_str()),
        ("next", "/articles?q=rain&done=saved"),
    ];
    let reply = server.browser().form("/fn/log_in", &form).await;
    assert_eq!((reply.status, reply.header("location")), (303, "/articles?q=rain"));
}
