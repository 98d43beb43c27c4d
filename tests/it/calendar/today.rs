//! Today: whose things it lists, and in which words.

use crate::{engine::engine_page::assert_contains, on_both, test_server::TestServer};
use serde_json::json;

on_both!(
    today_lists_own_things_of_a_creator_until_everyones_are_asked_for,
    today_has_one_line_for_each_thing,
    a_day_of_which_all_is_done_says_so,
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
