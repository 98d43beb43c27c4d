//! The walls around every answer: headers, forged forms, limits.

use crate::{
    caller::Reply,
    house::{Flavour, Story},
    program::Program,
};
use reqwest::{Method, RequestBuilder};

/// What every answer carries.
const ALWAYS: [(&str, &str); 4] = [
    ("x-content-type-options", "nosniff"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("referrer-policy", "same-origin"),
];

/// A page is made on several threads, and what it was made of is given back while its head is still written.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn pages_asked_for_at_once_are_all_whole() {
    let program = Program::new();
    let serving = program.serve(&[]).await;
    let nobody = serving.caller();
    for _ in 0..50 {
        let pages = futures::future::join_all((0..8).map(|_| nobody.get("/login"))).await;
        for page in pages {
            assert_eq!(page.status, 200, "{}", page.text);
            // A program that carries its scripts ends a page with what they go on from.
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
async fn every_answer_carries_the_walls_errors_too() {
    let story = Story::begin(Flavour::Embedded).await;
    let nobody = story.as_nobody();
    let answers = [
        nobody.get("/login").await,
        nobody.get("/").await,
        nobody.get("/nothing/here").await,
        nobody.get("/site").await,
        nobody.get("/site/nothing").await,
        nobody.get("/api/v1/tasks").await,
        nobody.get("/api/nothing").await,
        nobody.get("/healthz").await,
        nobody.get("/live").await,
        nobody.get("/pkg/nothing.js").await,
        Reply::of(nobody.request(Method::DELETE, "/login")).await,
        Reply::of(nobody.request(Method::POST, "/fn/log_in").header("origin", "https://elsewhere.test"))
            .await,
        Reply::of(nobody.request(Method::POST, "/api/v1/articles").body(vec![b'x'; 3 << 20])).await,
    ];
    for (place, answer) in answers.iter().enumerate() {
        for (name, value) in ALWAYS {
            assert_eq!(answer.header(name), value, "{name} of answer {place}");
        }
        let policy = answer.header("content-security-policy");
        assert!(
            policy.contains("frame-ancestors 'none'") && policy.contains("default-src 'none'"),
            "{place}: {policy}"
        );
        assert!(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"), "{place}: {policy}");
        assert!(!answer.header("cache-control").is_empty(), "{place}");
        assert_eq!(answer.header("server"), "", "{place}");
        assert!(
            !answer.text.contains("panicked") && !answer.text.contains("server function"),
            "{}",
            answer.text
        );
    }
}

#[tokio::test]
async fn the_policy_names_the_nonce_of_the_page_and_each_page_has_its_own() {
    let story = Story::begin(Flavour::Embedded).await;
    let mut seen = Vec::new();
    for _ in 0..2 {
        let page = story.as_nobody().get("/login").await;
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
    let story = Story::begin(Flavour::Embedded).await;
    let page = story.as_nobody().get("/site").await;
    let policy = page.header("content-security-policy");
    assert!(!policy.contains("script-src") && policy.contains("default-src 'none'"), "{policy}");
    assert!(!page.text.contains("<script"), "{}", page.text);
}

/// A form that ends the session, with everything but its origin.
fn log_out(story: &Story, cookie: &str) -> RequestBuilder {
    let request = story.as_nobody().request(Method::POST, "/fn/log_out");
    request
        .header("cookie", cookie)
        .header("accept", "text/html")
        .header("content-type", "application/x-www-form-urlencoded")
        .body("from=/")
}

#[tokio::test]
async fn a_forged_form_changes_nothing() {
    let story = Story::begin(Flavour::Embedded).await;
    let cookie = story.cookie(&story.creator).await;
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
            .fold(log_out(&story, &cookie), |request, (name, value)| request.header(*name, *value));
        assert_eq!(Reply::of(request).await.status, 403, "{headers:?}");
    }
    let get = story.as_nobody().request(Method::GET, "/fn/log_out").header("cookie", &cookie);
    assert_eq!(Reply::of(get).await.status, 405);
    let still = story.as_nobody().request(Method::GET, "/").header("cookie", &cookie);
    assert_eq!(Reply::of(still).await.status, 200);
    let own = log_out(&story, &cookie).header("origin", &story.url);
    assert_eq!(Reply::of(own).await.status, 303);
    let gone = story.as_nobody().request(Method::GET, "/").header("cookie", &cookie);
    assert_eq!(Reply::of(gone).await.status, 303);
}

#[tokio::test]
async fn a_foreign_referer_leads_nowhere() {
    let story = Story::begin(Flavour::Embedded).await;
    let cookie = story.cookie(&story.creator).await;
    for from in
        ["//elsewhere.test", "https://elsewhere.test/", "/\\elsewhere.test", "javascript:alert(1)", ""]
    {
        let request = story.as_nobody().request(Method::POST, "/fn/change_profile");
        let request = request
            .header("cookie", &cookie)
            .header("accept", "text/html")
            .header("content-type", "application/x-www-form-urlencoded")
            .header("origin", &story.url)
            .header("referer", "https://elsewhere.test/page")
            .body(format!("from={from}&name=Somebody"));
        let answer = Reply::of(request).await;
        let place = answer.header("location");
        assert!(place.is_empty() || (place.starts_with('/') && !place.starts_with("//")), "{from}: {place}");
        assert!(!place.contains("elsewhere") && !place.contains('\\'), "{from}: {place}");
    }
}

#[tokio::test]
async fn a_form_without_script_is_answered_by_its_page() {
    let story = Story::begin(Flavour::Embedded).await;
    let fields =
        [("from", "/login?next=%2Farticles"), ("email", "who@desk.test"), ("password", "tr0mb0ne-secret")];
    let refused = story.as_nobody().form("/fn/log_in", &fields).await;
    assert_eq!(refused.status, 401);
    assert!(refused.text.contains("who@desk.test"), "what was typed is still there");
    assert!(!refused.text.contains("tr0mb0ne-secret"), "passwords are not");
    assert!(refused.text.contains("role=\"alert\""), "{}", refused.text);
    let creator = &story.creator;
    let fields =
        [("from", "/login"), ("email", creator.email.as_str()), ("password", creator.password.as_str())];
    let done = story.as_nobody().form("/fn/log_in", &fields).await;
    assert_eq!((done.status, done.header("location")), (303, "/"));
    assert!(done.header("set-cookie").starts_with("__Host-sid="), "{}", done.header("set-cookie"));
    let odd = story.as_nobody().form("/fn/log_in", &[("from", "/login"), ("email", "x")]).await;
    assert_eq!(odd.status, 422);
}

#[tokio::test]
async fn headers_larger_than_they_may_be_are_refused() {
    let story = Story::begin(Flavour::Embedded).await;
    let large = story.as_nobody().request(Method::GET, "/healthz").header("x-large", "x".repeat(17 * 1024));
    assert_eq!(Reply::of(large).await.status, 431);
}

#[tokio::test]
async fn what_is_compressed_says_so_and_nothing_else_does() {
    let story = Story::begin(Flavour::Embedded).await;
    for path in ["/login", "/api/nothing", "/api/v1/tasks"] {
        let request = story.as_nobody().request(Method::GET, path).header("accept-encoding", "gzip");
        let answer = request.send().await.unwrap();
        let is_said = answer.headers().get("content-encoding").is_some_and(|coding| coding == "gzip");
        let bytes = answer.bytes().await.unwrap();
        assert_eq!(is_said, bytes.starts_with(&[0x1f, 0x8b]), "{path}");
    }
}
