//! The parts of the wasm: each page names the one that it needs.

use crate::test_server::{Backend, TestServer};

#[tokio::test]
async fn a_page_names_the_part_of_the_wasm_that_it_needs() {
    let server = TestServer::start(Backend::Embedded).await;
    let browser = server.log_in_browser(&server.admin).await;
    for (path, part) in [
        ("/articles/new", Some("article_pages")),
        ("/", Some("today_pages")),
        ("/meetings", Some("meeting_pages")),
        ("/rooms", Some("meeting_pages")),
        ("/articles", Some("library_pages")),
        ("/media", Some("library_pages")),
        ("/releases", Some("library_pages")),
        ("/settings/import", Some("library_pages")),
        ("/articles/import", Some("library_pages")),
        ("/calendar", Some("calendar_pages")),
        ("/reminders", Some("task_pages")),
        ("/activity", Some("review_pages")),
        ("/messages", Some("message_pages")),
        ("/rules", Some("message_pages")),
        ("/review", Some("review_pages")),
        ("/settings/words", Some("review_pages")),
        ("/engine", Some("engine_pages")),
        ("/help", Some("help_pages")),
        ("/help/calendar", Some("help_pages")),
        ("/settings/channels", Some("engine_pages")),
        ("/settings/rooms", Some("settings_pages")),
        ("/settings/feeds", Some("settings_pages")),
        ("/settings/tags", Some("settings_pages")),
        ("/nowhere", None),
    ] {
        let page = browser.get(path).await.text;
        let named =
            page.split("<meta name=\"part\" content=\"").nth(1).and_then(|rest| rest.split('"').next());
        assert_eq!(named, part, "{path}: {page}");
    }
}

#[tokio::test]
async fn the_former_page_of_attention_leads_to_the_first_page_with_its_parameters() {
    let server = TestServer::start(Backend::Embedded).await;
    let browser = server.log_in_browser(&server.admin).await;
    for (from, to) in [("/attention", "/"), ("/attention?retried=3&refused=0", "/?retried=3&refused=0")] {
        let reply = browser.get(from).await;
        assert_eq!((reply.status, reply.header("location")), (303, to));
    }
}

#[tokio::test]
async fn pages_before_the_log_in_name_none() {
    let server = TestServer::start(Backend::Embedded).await;
    let page = server.as_anonymous().get("/login").await;
    assert!(page.status == 200 && !page.text.contains("name=\"part\""), "{}", page.text);
}
