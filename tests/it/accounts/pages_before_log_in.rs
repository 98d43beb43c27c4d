//! The pages before the log-in, the first page after it, and their forms.

use crate::{
    engine_page::assert_contains,
    http_client::Reply,
    on_both,
    test_server::{Backend, TestServer},
};
use domain::account::{Language, ProfileEdit};
use reqwest::Method;
use serde_json::json;
use test_support::SmtpSink;
use texts::{accounts::AccountTexts, layout::LayoutTexts, mail::announcement::AnnouncementWords};

on_both!(
    the_log_in_page_uses_the_language_of_the_browser,
    a_german_account_gets_german_pages_mails_and_refusals,
    only_pages_of_the_desk_load_the_app,
    a_refused_profile_names_all_problems_at_their_fields,
);

async fn page(server: &TestServer, path: &str, language: &str) -> String {
    let request = server.as_anonymous().request(Method::GET, path).header("accept-language", language);
    Reply::of(request).await.expect_page()
}

async fn the_log_in_page_uses_the_language_of_the_browser(server: TestServer) {
    assert_contains(&page(&server, "/login", "zh-CN,zh;q=0.9").await, &["lang=\"zh\"", "天内保持登录"]);
    assert_contains(&page(&server, "/login", "fr").await, &["lang=\"en\"", "Stay logged in for 30 days"]);
    // The account's own language comes first.
    let browser = server.log_in_browser(&server.creator).await;
    let desk = browser.request(Method::GET, "/articles").header("accept-language", "zh-CN");
    assert_contains(&Reply::of(desk).await.expect_page(), &["lang=\"en\""]);
    let edit = ProfileEdit { language: Some(Language::Zh), ..Default::default() };
    server.app.services.accounts.change_profile(&server.creator.actor, edit).await.unwrap();
    let desk = browser.request(Method::GET, "/articles").header("accept-language", "en");
    assert_contains(&Reply::of(desk).await.expect_page(), &["lang=\"zh\""]);
}

async fn a_german_account_gets_german_pages_mails_and_refusals(server: TestServer) {
    let stay = AccountTexts(Language::De).stay_logged_in(30);
    assert_contains(&page(&server, "/login", "de-AT,en;q=0.5").await, &["lang=\"de\"", &stay]);
    let edit = ProfileEdit { language: Some(Language::De), ..Default::default() };
    server.app.services.accounts.change_profile(&server.creator.actor, edit).await.unwrap();
    let browser = server.log_in_browser(&server.creator).await;
    for (path, label) in [
        ("/articles", LayoutTexts(Language::De).articles()),
        ("/calendar", LayoutTexts(Language::De).calendar()),
        ("/settings/profile", LayoutTexts(Language::De).profile_and_language()),
    ] {
        let page = browser.get(path).await.expect_page();
        assert_contains(&page, &["lang=\"de\"", label]);
    }
    // A profile offers each language in its own name.
    let profile = browser.get("/settings/profile").await.expect_page();
    assert_contains(&profile, &["English", "中文", "Deutsch"]);
    let form = [("name", ""), ("zone", "Mars/Base"), ("language", "de"), ("theme", "auto")];
    let form = form.into_iter().chain([("from", "/settings/profile")]).collect::<Vec<_>>();
    let reply = browser.form("/fn/change_profile", &form).await;
    assert_eq!(reply.status, 422);
    assert_contains(&reply.text, &["lang=\"de\"", "id=\"name-problem\""]);
    // A mail of the desk.
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let daily = json!({"went_out": {"bell": true, "mail": "daily", "push": false}});
    server.choose(&server.as_creator(), daily).await;
    let mut announcer = server.announcer().await;
    for title in ["Eins", "Zwei"] {
        server.schedule_new_article(title, 60_000).await;
        server.advance(60_000).await;
        server.announce(&mut announcer).await;
    }
    server.advance(24 * 3_600_000).await;
    server.announce(&mut announcer).await;
    let [mail] = &smtp.received()[..] else { panic!("{:?}", smtp.received()) };
    assert_eq!(mail.header("Subject"), AnnouncementWords(Language::De).subject(2));
}

async fn only_pages_of_the_desk_load_the_app(server: TestServer) {
    for path in ["/login", "/setup", "/invite?token=spent"] {
        let reply = server.as_anonymous().get(path).await;
        assert!(!reply.text.contains("import("), "{path} loads scripts");
    }
    let browser = server.log_in_browser(&server.creator).await;
    for path in ["/", "/login"] {
        let reply = browser.get(path).await;
        // Without the wasm, which these tests do not build, the scripts of the desk alone.
        assert_contains(&reply.text, &["import(\"/pkg/desk.", "still being built"]);
        // On a slow line a preloaded script or wasm would delay the stylesheet, and with it the text.
        assert!(!reply.text.contains("preload"), "{path} preloads more than its stylesheet");
        let links = reply.header("link");
        assert!(!links.contains("wasm") && !links.contains("modulepreload"), "{path}: {links}");
    }
}

async fn a_refused_profile_names_all_problems_at_their_fields(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let form = [
        ("name", ""),
        ("zone", "Mars/Base"),
        ("language", "en"),
        ("theme", "auto"),
        ("from", "/settings/profile"),
    ];
    let reply = browser.form("/fn/change_profile", &form).await;
    assert_eq!(reply.status, 422);
    assert_contains(&reply.text, &["id=\"name-problem\"", "id=\"zone-problem\"", "Mars/Base"]);
    assert!(!reply.text.contains("class=\"alert\""), "a problem is said once, at its field");
}

#[tokio::test]
async fn an_empty_desk_shows_how_to_begin() {
    let server = TestServer::start(Backend::Embedded).await;
    let admin = server.log_in_browser(&server.admin).await.get("/").await.expect_page();
    assert_contains(&admin, &["Your first article", "Bring your old blog", "href=\"/site\""]);
    let browser = server.log_in_browser(&server.creator).await;
    let creator = browser.get("/").await.expect_page();
    assert_contains(&creator, &["Write an article", "See the public site"]);
    assert!(!creator.contains("Bring your old blog"), "only admins can import");
    server.schedule_new_article("First", 60_000).await;
    let begun = browser.get("/").await.expect_page();
    assert!(!begun.contains("See the public site"), "the desk is in use");
}
