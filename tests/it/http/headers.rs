//! Security headers of every response, forged forms, and limits.

use crate::{
    http_client::Reply,
    program::Program,
    test_server::{Backend, TestServer},
};
use reqwest::{Method, RequestBuilder};

/// Headers of every response.
const SECURITY_HEADERS: [(&str, &str); 4] = [
    ("x-content-type-options", "nosniff"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("referrer-policy", "same-origin"),
];

/// Regression test: a page renders on several threads, and its state must not be dropped before
/// its head is written.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_page_requests_return_complete_pages() {
    let program = Program::new();
    let serving = program.serve(&[]).await;
    let anonymous = serving.client();
    for _ in 0..50 {
        let pages = futures::future::join_all((0..8).map(|_| anonymous.get("/login"))).await;
        for page in pages {
            assert_eq!(page.status, 200, "{}", page.text);
            // A build with scripts ends a page with the data they start from.
            let is_whole = ["</html>", "</script>"].iter().any(|end| page.text.ends_with(end));
            assert!(
                page.text.contains("<title>") && page.text.contains("</html>") && is_whole,
                "{}",
                page.text
            );
        }
    }
    assert_eq!(serving.end().await, 0);
}

#[tokio::test]
async fn every_response_carries_the_security_headers() {
    let server = TestServer::start(Backend::Embedded).await;
    let anonymous = server.as_anonymous();
    let answers = [
        anonymous.get("/login").await,
        anonymous.get("/").await,
        anonymous.get("/nothing/here").await,
        anonymous.get("/site").await,
        anonymous.get("/site/nothing").await,
        anonymous.get("/api/v1/tasks").await,
        anonymous.get("/api/nothing").await,
        anonymous.get("/healthz").await,
        anonymous.get("/live").await,
        anonymous.get("/pkg/nothing.js").await,
        Reply::of(anonymous.request(Method::DELETE, "/login")).await,
        Reply::of(anonymous.request(Method::POST, "/fn/log_in").header("origin", "https://elsewhere.test"))
            .await,
        Reply::of(anonymous.request(Method::POST, "/api/v1/articles").body(vec![b'x'; 3 << 20])).await,
    ];
    for (index, answer) in answers.iter().enumerate() {
        for (name, value) in SECURITY_HEADERS {
            assert_eq!(answer.header(name), value, "{name} of answer {index}");
        }
        let policy = answer.header("content-security-policy");
        assert!(
            policy.contains("frame-ancestors 'none'") && policy.contains("default-src 'none'"),
            "{index}: {policy}"
        );
        assert!(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"), "{index}: {policy}");
        assert!(!answer.header("cache-control").is_empty(), "{index}");
        assert_eq!(answer.header("server"), "", "{index}");
        assert!(
            !answer.text.contains("panicked") && !answer.text.contains("server function"),
            "{}",
            answer.text
        );
    }
}

#[tokio::test]
async fn each_page_has_its_own_nonce_in_its_policy() {
    let server = TestServer::start(Backend::Embedded).await;
    let mut seen = Vec::new();
    for _ in 0..2 {
        let page = server.as_anonymous().get("/login").await;
        assert_eq!(page.status, 200);
        let policy = page.header("content-security-policy").to_owned();
        let nonce =
            policy.split("'nonce-").nth(1).and_then(|rest| rest.split('\'').next()).unwrap().to_owned();
        assert!(nonce.len() >= 22, "{nonce}");
        let scripts = page.text.matches("<script").count();
        assert!(
            scripts > 0 && page.text.matches(&format!("nonce=\"{nonce}\"")).count() >= scripts,
            "{}",
            page.text
        );
        assert!(!page.text.contains(" style=\""), "{}", page.text);
        seen.push(nonce);
    }
    assert_ne!(seen[0], seen[1]);
}

#[tokio::test]
async fn the_public_site_runs_no_script() {
    let server = TestServer::start(Backend::Embedded).await;
    let page = server.as_anonymous().get("/site").await;
    let policy = page.header("content-security-policy");
    assert!(!policy.contains("script-src") && policy.contains("default-src 'none'"), "{policy}");
    assert!(!page.text.contains("<script"), "{}", page.text);
}

#[cfg(debug_assertions)]
#[tokio::test]
async fn a_watched_page_may_also_run_the_script_that_reloads_it_and_no_other() {
    let program = Program::new();
    let serving = program.serve(&["--files", "not-built", "--watch", "4000"]).await;
    for path in ["/login", "/site"] {
        let page = serving.client().get(path).await;
        let policy = page.header("content-security-policy");
        let is_permitted = policy.contains("script-src 'sha256-")
            && policy.contains("connect-src http://127.0.0.1:4000")
            && !policy.contains("unsafe-inline");
        assert!(is_permitted, "{path}: {policy}");
        let has_script = page.text.contains("http://127.0.0.1:4000/") && page.text.ends_with("</script>");
        assert!(has_script, "{path}: {}", page.text);
    }
    assert_eq!(serving.end().await, 0);
}

/// A form that ends the session, complete except for its origin.
fn log_out(server: &TestServer, cookie: &str) -> RequestBuilder {
    let request = server.as_anonymous().request(Method::POST, "/fn/log_out");
    request
        .header("cookie", cookie)
        .header("accept", "text/html")
        .header("content-type", "application/x-www-form-urlencoded")
        .body("from=/")
}

#[tokio::test]
async fn a_forged_form_changes_nothing() {
    let server = TestServer::start(Backend::Embedded).await;
    let cookie = server.session_cookie(&server.creator).await;
    let forged: [&[(&str, &str)]; 6] = [
        &[],
        &[("origin", "null")],
        &[("origin", "https://elsewhere.test")],
        &[("origin", "http://desk.127.0.0.1")],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site"), ("origin", "http://127.0.0.1:1")],
    ];
    for headers in forged {
        let request = headers
            .iter()
            .fold(log_out(&server, &cookie), |request, (name, value)| request.header(*name, *value));
        assert_eq!(Reply::of(request).await.status, 403, "{headers:?}");
    }
    let get = server.as_anonymous().request(Method::GET, "/fn/log_out").header("cookie", &cookie);
    assert_eq!(Reply::of(get).await.status, 405);
    let logged_in = server.as_anonymous().request(Method::GET, "/").header("cookie", &cookie);
    assert_eq!(Reply::of(logged_in).await.status, 200);
    let own = log_out(&server, &cookie).header("origin", &server.url);
    assert_eq!(Reply::of(own).await.status, 303);
    let logged_out = server.as_anonymous().request(Method::GET, "/").header("cookie", &cookie);
    assert_eq!(Reply::of(logged_out).await.status, 303);
}

#[tokio::test]
async fn a_foreign_return_address_is_not_followed() {
    let server = TestServer::start(Backend::Embedded).await;
    let cookie = server.session_cookie(&server.creator).await;
    for from in
        ["//elsewhere.test", "https://elsewhere.test/", "/\\elsewhere.test", "javascript:alert(1)", ""]
    {
        let request = server.as_anonymous().request(Method::POST, "/fn/change_profile");
        let request = request
            .header("cookie", &cookie)
            .header("accept", "text/html")
            .header("content-type", "application/x-www-form-urlencoded")
            .header("origin", &server.url)
            .header("referer", "https://elsewhere.test/page")
            .body(format!("from={from}&name=Example"));
        let answer = Reply::of(request).await;
        let location = answer.header("location");
        assert!(
            location.is_empty() || (location.starts_with('/') && !location.starts_with("//")),
            "{from}: {location}"
        );
        assert!(!location.contains("elsewhere") && !location.contains('\\'), "{from}: {location}");
    }
}

#[tokio::test]
async fn a_form_without_javascript_is_answered_with_its_page() {
    let server = TestServer::start(Backend::Embedded).await;
    let fields =
        [("from", "/login?next=%2Farticles"), ("email", "who@desk.test"), ("password", "tr0mb0ne-secret")];
    let refused = server.as_anonymous().form("/fn/log_in", &fields).await;
    assert_eq!(refused.status, 401);
    assert!(refused.text.contains("who@desk.test"), "the email is kept");
    assert!(!refused.text.contains("tr0mb0ne-secret"), "the password is not kept");
    assert!(refused.text.contains("role=\"alert\""), "{}", refused.text);
    let creator = &server.creator;
    let fields =
        [("from", "/login"), ("email", creator.email.as_str()), ("password", creator.password.as_str())];
    let done = server.as_anonymous().form("/fn/log_in", &fields).await;
    assert_eq!((done.status, done.header("location")), (303, "/"));
    assert!(done.header("set-cookie").starts_with("__Host-sid="), "{}", done.header("set-cookie"));
    let odd = server.as_anonymous().form("/fn/log_in", &[("from", "/login"), ("email", "x")]).await;
    assert_eq!(odd.status, 422);
}

#[tokio::test]
async fn oversized_headers_are_refused() {
    let server = TestServer::start(Backend::Embedded).await;
    let large =
        server.as_anonymous().request(Method::GET, "/healthz").header("x-large", "x".repeat(17 * 1024));
    assert_eq!(Reply::of(large).await.status, 431);
}

#[tokio::test]
async fn content_encoding_matches_the_compression() {
    let server = TestServer::start(Backend::Embedded).await;
    for path in ["/login", "/api/nothing", "/api/v1/tasks"] {
        let request = server.as_anonymous().request(Method::GET, path).header("accept-encoding", "gzip");
        let answer = request.send().await.unwrap();
        let is_said = answer.headers().get("content-encoding").is_some_and(|coding| coding == "gzip");
        let bytes = answer.bytes().await.unwrap();
        assert_eq!(is_said, bytes.starts_with(&[0x1f, 0x8b]), "{path}");
    }
}
