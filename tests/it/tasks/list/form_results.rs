//! Results of forms: a signed cookie carries each to its page, and is read once.

use crate::{
    engine::engine_page::assert_contains,
    http_client::{HttpClient, Reply},
    on_both,
    test_server::TestServer,
};
use reqwest::Method;

on_both!(
    a_result_is_shown_once,
    two_tabs_have_their_own_results,
    a_forged_or_old_result_is_not_shown,
    a_browser_keeps_eight_results,
    a_script_gets_the_result_in_a_cookie_too,
    words_in_a_url_are_no_result,
);

const SAVED: &str = "The view is saved.";

fn fields(name: &str) -> [(&str, &str); 4] {
    [("list", "tasks"), ("name", name), ("query", "state=failed"), ("from", "/tasks?state=failed")]
}

async fn save_view(browser: &HttpClient, name: &str) -> Reply {
    let saved = browser.form("/fn/save_view", &fields(name)).await;
    assert_eq!(saved.status, 303, "{}", saved.text);
    saved
}

/// The id in the redirect.
fn id(reply: &Reply) -> &str {
    let (page, id) = reply.header("location").split_once("r=").expect("an id");
    assert_eq!(page, "/tasks?state=failed&", "the URL has no words");
    assert!(id.len() == 24 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
    id
}

async fn a_result_is_shown_once(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let saved = save_view(&browser, "One").await;
    let (name, value) = saved.result_cookie().expect("a cookie");
    assert_eq!(name, format!("__Host-result-{}", id(&saved)));
    assert!(value.contains(".done=view-saved."), "{value}");
    let shown = browser.get(saved.header("location")).await;
    let deletion = format!("{name}=; Path=/; SameSite=Lax; Max-Age=0; Secure");
    assert_eq!((shown.header("set-cookie"), shown.header("cache-control")), (deletion.as_str(), "no-store"));
    assert_contains(&shown.expect_page(), &[SAVED]);
    // A reload, and the way back.
    assert!(!browser.get(saved.header("location")).await.expect_page().contains(SAVED));
    assert!(!browser.get("/tasks?state=failed").await.expect_page().contains(SAVED));
}

async fn two_tabs_have_their_own_results(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let draft = server.create_draft("Of the other tab").await;
    let article = draft["id"].as_str().unwrap();
    let saved = save_view(&browser, "One").await;
    let form = [("id", article), ("seen_revision", "1"), ("from", "/articles")];
    let deleted = browser.form("/fn/delete_article", &form).await;
    assert_ne!(saved.result_cookie(), deleted.result_cookie());
    // Pages without an id take nothing.
    assert!(!browser.get("/tasks").await.expect_page().contains(SAVED));
    let other = browser.get(deleted.header("location")).await.expect_page();
    assert!(other.contains("in the trash") && !other.contains(SAVED), "{other}");
    assert_contains(&browser.get(saved.header("location")).await.expect_page(), &[SAVED]);
}

async fn a_forged_or_old_result_is_not_shown(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let (one, two) = (save_view(&browser, "One").await, save_view(&browser, "Two").await);
    let (of_one, of_two) = (one.result_cookie().unwrap().1, two.result_cookie().unwrap().1);
    let session = server.session_cookie(&server.creator).await;
    let page = async |value: &str| {
        let cookie = format!("{session}; __Host-result-{}={value}", id(&one));
        let request = server.as_anonymous().request(Method::GET, one.header("location"));
        Reply::of(request.header("cookie", cookie)).await.expect_page()
    };
    assert_contains(&page(&of_one).await, &[SAVED]);
    let (text, signature) = of_one.rsplit_once('.').unwrap();
    let forged = [
        of_one.replace("view-saved", "view-renamed"),
        format!("{text}.{}", "0".repeat(signature.len())),
        text.to_owned(),
        format!("9{of_one}"),
        of_two,
        String::new(),
    ];
    for value in forged {
        assert!(!page(&value).await.contains("The view is"), "{value}");
    }
    server.advance_without_loops(119_000);
    assert_contains(&page(&of_one).await, &[SAVED]);
    server.advance_without_loops(1_000);
    assert!(!page(&of_one).await.contains(SAVED), "it is older than two minutes");
}

async fn a_browser_keeps_eight_results(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let mut locations = Vec::new();
    for number in 0..9 {
        let saved = save_view(&browser, &format!("View {number}")).await;
        locations.push(saved.header("location").to_owned());
        server.advance_without_loops(1_000);
    }
    for (number, location) in locations.iter().enumerate() {
        let page = browser.get(location).await.expect_page();
        assert_eq!(page.contains(SAVED), number > 0, "{number}");
    }
}

async fn a_script_gets_the_result_in_a_cookie_too(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let saved = browser.script_form("/fn/save_view", &fields("One")).await;
    assert_eq!((saved.status, saved.headers.contains_key("serverfnredirect")), (200, true));
    let cookie = saved.header("set-cookie");
    assert!(cookie.starts_with(&format!("__Host-result-{}=", id(&saved))), "{cookie}");
    assert!(cookie.ends_with("; Path=/; SameSite=Lax; Max-Age=120; Secure"), "{cookie}");
    assert_contains(&browser.get(saved.header("location")).await.expect_page(), &[SAVED]);
}

async fn words_in_a_url_are_no_result(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    for url in ["/tasks?done=view-saved", "/tasks?r=0123456789abcdef01234567&done=view-saved", "/tasks?r="] {
        assert!(!browser.get(url).await.expect_page().contains(SAVED), "{url}");
    }
    // The id is no filter: it is neither saved with the view nor kept in links.
    let saved = save_view(&browser, "One").await;
    let page = browser.get(saved.header("location")).await.expect_page();
    assert!(!page.contains(&format!("={}", id(&saved))), "{page}");
}
