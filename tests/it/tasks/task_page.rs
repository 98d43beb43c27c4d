//! The task page: a sentence for each state in both languages, and only states that are true.

use super::restore_schedule::set_deleted_at;
use crate::{engine_page::assert_contains, on_both, test_server::TestServer};
use app::tasks::page::sentence::{Reader, paragraph};
use domain::{
    State,
    task::{Change, TaskRow},
};
use texts::Language;

on_both!(
    a_scheduled_task_says_what_it_will_do,
    after_cancel_and_undo_only_what_is_true_is_drawn,
    an_executed_task_says_how_late_it_was,
    a_missed_task_says_by_how_much_and_what_to_do,
    a_failed_task_says_why_and_what_to_do,
    a_missed_task_is_offered_a_moment_to_come,
);

const DAY_MS: i64 = 24 * 3_600_000;

impl TestServer {
    /// The sentence in English and Chinese, for a user in Shanghai; the desk is in Berlin.
    async fn paragraphs(&self, row: &TaskRow) -> [String; 2] {
        let task = self.app.services.tasks.find(&self.creator.actor, row.id).await.unwrap();
        [Language::En, Language::Zh].map(|language| {
            let reader =
                Reader { language, zone: "Asia/Shanghai", desk_zone: "Europe/Berlin", now: self.now() };
            paragraph(reader, &task)
        })
    }

    async fn task_page(&self, row: &TaskRow) -> String {
        self.page(&self.creator, &format!("/tasks/{}", row.id)).await
    }
}

/// Whether the page draws this state in its strip.
fn draws(page: &str, phase: &str) -> bool {
    let strip = page.split_once("state-strip").and_then(|(_, rest)| rest.split_once("</ol>"));
    strip.expect("the page has a strip").0.contains(&format!("data-phase=\"{phase}\""))
}

async fn a_scheduled_task_says_what_it_will_do(server: TestServer) {
    let row = server.create_task("Spring", 3_600_000).await;
    let [english, chinese] = server.paragraphs(&row).await;
    assert!(english.starts_with("Publishes on Mon 1 Mar, "), "{english}");
    assert!(english.ends_with(", revision 1, skipped if more than 1 d late."), "{english}");
    assert!(
        chinese.starts_with("将于 3月1日 周一") && chinese.ends_with("，修订版 1，迟到超过 1 天 则跳过。"),
        "{chinese}"
    );
    let page = server.task_page(&row).await;
    assert_contains(
        &page,
        &["In 01:00:00.", "revision 1, skipped if more than 1 d late.", "Publish now", "Open article"],
    );
    assert_eq!(
        ["executed", "failed", "missed", "cancelled"].map(|phase| draws(&page, phase)),
        [true, false, false, false]
    );
    server.advance_without_loops(3_600_000);
    assert!(server.paragraphs(&row).await[0].starts_with("Due since "));
}

async fn after_cancel_and_undo_only_what_is_true_is_drawn(server: TestServer) {
    let row = server.create_task("Back again", 3_600_000).await;
    let cancelled = server.change(&row, Change::Cancel).await.unwrap();
    let [english, chinese] = server.paragraphs(&row).await;
    assert!(english.starts_with("Cancelled by ") && english.contains(" It was due on "), "{english}");
    assert!(chinese.contains("取消。原定 3月1日"), "{chinese}");
    let page = server.task_page(&row).await;
    assert!(draws(&page, "cancelled") && !draws(&page, "executed") && !draws(&page, "due"), "{page}");
    server.change(&cancelled, Change::Undo).await.unwrap();
    let page = server.task_page(&row).await;
    assert!(!draws(&page, "cancelled") && draws(&page, "due") && draws(&page, "executed"), "{page}");
    assert_contains(&page, &["Publishes on ", "undid “Unschedule”", "unscheduled it"]);
}

async fn an_executed_task_says_how_late_it_was(server: TestServer) {
    let [on_time, late] =
        [server.create_task("On time", 1_000).await, server.create_task("Late", 2_000).await];
    server.advance(1_000).await;
    server.advance_without_loops(61_000);
    server.tick().await;
    let [english, chinese] = server.paragraphs(&on_time).await;
    assert!(english.starts_with("Published on Mon 1 Mar, "), "{english}");
    let rest = ", revision 1, on time (0 ms after the due time). To take it down, unpublish the article.";
    assert!(english.ends_with(rest), "{english}");
    assert!(chinese.contains("发布，修订版 1，准时（预定时间后 0 ms）。如需下线，请撤下文章。"), "{chinese}");
    let [english, chinese] = server.paragraphs(&late).await;
    assert!(english.contains(", revision 1, 1 min late. "), "{english}");
    assert!(chinese.contains("，修订版 1，延迟 1 分钟。"), "{chinese}");
    let page = server.task_page(&late).await;
    assert_contains(&page, &["The engine published it", "1 min late", "Why was it late?"]);
    assert_eq!(
        ["due", "executed", "failed", "cancelled"].map(|phase| draws(&page, phase)),
        [true, true, false, false]
    );
}

async fn a_missed_task_says_by_how_much_and_what_to_do(server: TestServer) {
    let row = server.create_task("Too late", 1_000).await;
    server.advance_without_loops(DAY_MS + 2 * 3_600_000 + 2_000);
    server.tick().await;
    assert_eq!(server.find_task(row.id).await.state, State::Missed);
    let [english, chinese] = server.paragraphs(&row).await;
    assert!(english.starts_with("Missed: 1 d 2 h late, the limit is 1 d. It was due on "), "{english}");
    assert!(english.ends_with("Publish it now, reschedule it, or dismiss it."), "{english}");
    assert!(chinese.starts_with("已错过：迟到 1 天 2 小时，上限为 1 天。原定"), "{chinese}");
    let page = server.task_page(&row).await;
    assert!(draws(&page, "missed") && !draws(&page, "executed"), "{page}");
    let theirs = server.page(&server.colleague, &format!("/tasks/{}", row.id)).await;
    assert!(!theirs.contains("or dismiss it") && theirs.contains("Only the owner or an admin"), "{theirs}");
}

async fn a_failed_task_says_why_and_what_to_do(server: TestServer) {
    let row = server.create_task("Without an article", 1_000).await;
    set_deleted_at(&server, row.target_id, Some(server.now().millis())).await;
    server.advance(1_000).await;
    set_deleted_at(&server, row.target_id, None).await;
    assert_eq!(server.find_task(row.id).await.state, State::Failed);
    let [english, chinese] = server.paragraphs(&row).await;
    assert!(english.starts_with("Failed on Mon 1 Mar, "), "{english}");
    assert!(
        english.contains("Its article no longer exists.") && english.ends_with("Dismiss it."),
        "{english}"
    );
    assert!(chinese.contains("失败：文章已不存在。") && chinese.ends_with("请忽略此任务。"), "{chinese}");
    assert!(draws(&server.task_page(&row).await, "failed"));
}

async fn a_missed_task_is_offered_a_moment_to_come(server: TestServer) {
    let row = server.create_task("Late", 1_000).await;
    server.advance_without_loops(DAY_MS + DAY_MS / 24);
    server.tick().await;
    let browser = server.log_in_browser(&server.creator).await;
    for path in [format!("/?move={}", row.id), format!("/tasks?state=missed&move={}", row.id)] {
        let page = browser.get(&path).await.expect_page();
        // It is 2027-03-02, 09:00 in UTC.
        assert_contains(&page, &["value=\"2027-03-03\"", "value=\"09:00\""]);
        assert!(!page.contains("value=\"2027-03-01\""), "the moment that has passed: {page}");
    }
}
