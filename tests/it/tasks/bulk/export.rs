//! Lists as CSV and JSON.

use crate::{on_both, test_server::TestServer};
use serde_json::Value;

on_both!(
    a_list_is_exported_with_its_filters_and_no_cell_is_a_formula,
    an_export_has_all_pages_of_the_list,
    an_export_is_in_the_log,
);

async fn a_list_is_exported_with_its_filters_and_no_cell_is_a_formula(server: TestServer) {
    server.create_task("=HYPERLINK(\"http://x\")", 3_600_000).await;
    server.create_task("会议, 纪要", 7_200_000).await;
    let browser = server.log_in_browser(&server.creator).await;
    let csv = browser.get("/export/tasks.csv").await;
    assert_eq!(csv.header("content-type"), "text/csv; charset=utf-8");
    assert_eq!(csv.header("content-disposition"), "attachment; filename=\"tasks.csv\"");
    let text = csv.expect_page();
    assert!(
        text.starts_with("\u{feff}id,title,kind,state,due_at,executed_at,priority,owner,reason\r\n"),
        "{text}"
    );
    assert!(
        text.contains(
            ",\"'=HYPERLINK(\"\"http://x\"\")\",article.publish,scheduled,2027-03-01T09:00:00.000Z,,"
        )
    );
    assert!(text.contains("\"会议, 纪要\""), "{text}");
    let none = browser.get("/export/tasks.csv?state=failed").await.expect_page();
    assert_eq!(none.lines().count(), 1, "{none}");
    let found = browser.get("/export/tasks.json?state=all&q=HYPERLINK").await.expect_page();
    let found: Value = serde_json::from_str(&found).unwrap();
    assert_eq!((found.as_array().unwrap().len(), found[0]["state"].as_str()), (1, Some("scheduled")));
    let articles = browser.get("/export/articles.csv?state=scheduled").await.expect_page();
    assert_eq!(articles.lines().count(), 3, "{articles}");
    assert_eq!(server.as_anonymous().get("/export/articles.json").await.status, 303);
}

async fn an_export_has_all_pages_of_the_list(server: TestServer) {
    server.create_articles(450).await;
    let browser = server.log_in_browser(&server.creator).await;
    let found: Value =
        serde_json::from_str(&browser.get("/export/articles.json").await.expect_page()).unwrap();
    assert_eq!(found.as_array().unwrap().len(), 450);
}

async fn an_export_is_in_the_log(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    browser.get("/export/tasks.csv").await.expect_page();
    let log = server.as_admin().get("/api/v1/events?limit=1000").await.expect(200);
    let items = log["items"].as_array().unwrap();
    let exports: Vec<&Value> = items.iter().filter(|event| event["verb"] == "export").collect();
    assert_eq!(exports.len(), 1, "{log}");
    assert_eq!(exports[0]["entity"], "account");
    assert_eq!(exports[0]["detail"]["file"], "tasks.csv");
    assert_eq!(exports[0]["actor_id"], server.creator.actor.account.to_string());
}
