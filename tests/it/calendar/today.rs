//! Today: whose things it lists, and in which words.

use crate::{engine::engine_page::assert_contains, on_both, test_server::TestServer};
use domain::accounts::first_week::{FirstStep, FirstWeek};
use serde_json::json;
use test_support::SmtpSink;

on_both!(
    today_lists_own_things_of_a_creator_until_everyones_are_asked_for,
    today_has_one_line_for_each_thing,
    a_meeting_that_one_attends_is_on_the_own_day,
    a_day_of_which_all_is_done_says_so,
    first_steps_are_ticked_off_by_what_the_desk_has,
    first_steps_are_closed_by_an_admin_and_found_again_in_help,
    the_first_article_goes_out_from_today,
    a_refused_first_article_is_kept_on_a_desk_that_others_use,
);

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;

/// An article that the admin has scheduled.
async fn schedule_as_admin(server: &TestServer, title: &str, millis: i64) {
    let admin = server.as_admin();
    let article = admin.post("/api/v1/articles", &json!({"title": title, "body": "Text"})).await.expect(201);
    let due_at = server.time_after(millis);
    let task = json!({"kind": "article.publish", "target_id": article["id"], "due_at": due_at});
    admin.post("/api/v1/tasks", &task).await.expect(201);
}

async fn today_lists_own_things_of_a_creator_until_everyones_are_asked_for(server: TestServer) {
    schedule_as_admin(&server, "Lighthouse", HOUR).await;
    server.schedule_new_article("Harbour", 2 * HOUR).await;
    let has = |page: &str| (page.contains("Harbour"), page.contains("Lighthouse"));
    let creator = server.log_in_browser(&server.creator).await;
    for (path, expected) in [("/", (true, false)), ("/?of=me", (true, false)), ("/?of=all", (true, true))] {
        let page = creator.get(path).await.expect_page();
        assert_eq!(has(&page), expected, "{path}");
        assert_contains(&page, &["href=\"/?of=me\"", "href=\"/?of=all\""]);
    }
    let own = server.app.services.tasks.dashboard(&server.creator.actor, true).await.unwrap();
    assert_eq!((own.next.len(), own.scheduled), (1, 1), "the numbers are of the same things");
    let admin = server.log_in_browser(&server.admin).await;
    for (path, expected) in [("/", (true, true)), ("/?of=me", (false, true))] {
        assert_eq!(has(&admin.get(path).await.expect_page()), expected, "{path}");
    }
}

async fn today_has_one_line_for_each_thing(server: TestServer) {
    let (admin, tasks) = (server.as_admin(), &server.app.services.tasks);
    let meeting = json!({"title": "Editorial", "starts_at": server.time_after(HOUR), "ends_at": server.time_after(2 * HOUR)});
    admin.post("/api/v1/meetings", &meeting).await.expect(201);
    let reminder = json!({"text": "Call the mayor", "due_at": server.time_after(3 * HOUR)});
    admin.post("/api/v1/reminders", &reminder).await.expect(201);
    let mut found = Vec::new();
    for account in [&server.admin, &server.creator] {
        let next = tasks.dashboard(&account.actor, false).await.unwrap().next;
        found.push(next.iter().map(|row| row.kind.as_str()).collect::<Vec<_>>());
    }
    assert_eq!(found, [vec!["meeting.start", "reminder.send"], vec!["meeting.start"]]);
    assert_contains(&server.page(&server.creator, "/?of=all").await, &["Next: meeting "]);
}

async fn a_meeting_that_one_attends_is_on_the_own_day(server: TestServer) {
    let (starts_at, ends_at) = (server.time_after(HOUR), server.time_after(2 * HOUR));
    let page = async || server.page(&server.creator, "/").await;
    for (attendees, expected) in [
        (json!([]), "Nothing more is planned today."),
        (json!([{"email": server.creator.email}]), "One thing is planned today, at "),
    ] {
        let new =
            json!({"title": "Editorial", "starts_at": starts_at, "ends_at": ends_at, "attendees": attendees});
        server.as_admin().post("/api/v1/meetings", &new).await.expect(201);
        assert_contains(&page().await, &[expected]);
    }
}

async fn a_day_of_which_all_is_done_says_so(server: TestServer) {
    for title in ["Harbour", "Quay"] {
        server.schedule_new_article(title, MINUTE).await;
    }
    assert_contains(&server.page(&server.creator, "/").await, &["2 planned"]);
    server.advance(MINUTE).await;
    let page = server.page(&server.creator, "/").await;
    assert_contains(&page, &["2 done today. Nothing more is planned."]);
    assert!(page.contains("2 done") && !page.contains("2 planned"), "{page}");
}

async fn first_week(server: &TestServer) -> FirstWeek {
    server.app.services.settings.first_week(&server.admin.actor).await.unwrap().unwrap()
}

async fn first_steps_are_ticked_off_by_what_the_desk_has(server: TestServer) {
    let (admin, smtp) = (server.as_admin(), SmtpSink::start().await);
    assert_eq!(first_week(&server).await.done, [FirstStep::Invite], "there are other accounts");
    server.create_draft("Of the creator").await;
    assert_eq!(first_week(&server).await.done, [FirstStep::Invite], "it is not the admin's");
    admin.post("/api/v1/articles", &json!({"title": "First", "body": "Text"})).await.expect(201);
    server.set_mail_server(&smtp).await;
    let days: Vec<_> = (0..7).map(|_| json!({"times": ["09:00"]})).collect();
    let plan = json!({"seen_version": 0, "zone": "UTC", "days": days, "holidays": []});
    admin.put("/api/v1/slots", &plan).await.expect(200);
    let done = [FirstStep::Write, FirstStep::Invite, FirstStep::Mail, FirstStep::Slots];
    assert_eq!(first_week(&server).await, FirstWeek { done: done.to_vec(), is_over: false });
    let page = server.page(&server.admin, "/").await;
    assert_contains(&page, &["First week", "4 of 7 done", "data-step=\"look\"", "/settings/import"]);
    assert!(!server.page(&server.creator, "/").await.contains("First week"), "only admins can do them");
    server.advance_without_loops(31 * 24 * HOUR);
    assert!(first_week(&server).await.is_over, "the desk is no longer new");
}

async fn first_steps_are_closed_by_an_admin_and_found_again_in_help(server: TestServer) {
    let form = [("from", "/")];
    let creator = server.log_in_browser(&server.creator).await;
    assert_eq!(creator.form("/fn/close_first_week", &form).await.status, 403);
    assert!(!creator.get("/help/today").await.expect_page().contains("/?steps=first"));
    let admin = server.log_in_browser(&server.admin).await;
    let closed = admin.form("/fn/close_first_week", &form).await;
    assert_eq!((closed.status, closed.header("location")), (303, "/"));
    assert!(!admin.get("/").await.expect_page().contains("First week"));
    assert_contains(&admin.get("/help/today").await.expect_page(), &["/?steps=first"]);
    let shown = admin.get("/?steps=first").await.expect_page();
    assert!(shown.contains("1 of 7 done") && !shown.contains("/fn/close_first_week"), "{shown}");
}

async fn the_first_article_goes_out_from_today(server: TestServer) {
    let browser = server.log_in_browser(&server.admin).await;
    let page = browser.get("/").await.expect_page();
    assert_contains(&page, &["Your first article", "/fn/publish_first", "/settings/import"]);
    assert!(
        !server.page(&server.creator, "/").await.contains("Your first article"),
        "only admins set up a desk"
    );
    let form = |title: &'static str| [("title", title), ("body", "Kept text"), ("from", "/")];
    let refused = browser.form("/fn/publish_first", &form("")).await;
    assert_eq!(refused.status, 422);
    assert_contains(&refused.text, &["id=\"title-problem\"", "Kept text"]);
    let sent = browser.form("/fn/publish_first", &form("Hello")).await;
    assert_eq!(sent.status, 303, "{}", sent.text);
    assert!(sent.result_location().starts_with("/?changed="), "{}", sent.result_location());
    let page = browser.get(sent.header("location")).await.expect_page();
    assert!(page.contains("Hello") && !page.contains("/fn/publish_first"), "{page}");
    server.advance(19_000).await;
    assert_eq!(server.as_anonymous().get("/site/hello").await.status, 404);
    server.advance(1_000).await;
    assert_eq!(server.as_anonymous().get("/site/hello").await.status, 200);
    assert_contains(&browser.get("/").await.expect_page(), &["See the public site"]);
}

async fn a_refused_first_article_is_kept_on_a_desk_that_others_use(server: TestServer) {
    let browser = server.log_in_browser(&server.admin).await;
    assert_contains(&browser.get("/").await.expect_page(), &["/fn/publish_first"]);
    server.schedule_new_article("Of the creator", HOUR).await;
    let form = [("title", ""), ("body", "Kept text"), ("from", "/")];
    let refused = browser.form("/fn/publish_first", &form).await;
    assert_eq!(refused.status, 422);
    assert_contains(&refused.text, &["id=\"title-problem\"", "Kept text"]);
    assert!(!browser.get("/").await.expect_page().contains("/fn/publish_first"), "the desk is in use");
}
