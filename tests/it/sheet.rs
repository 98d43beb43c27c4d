//! The engine as people see it: its page, the promise sheet, why a task was late, and the numbers behind the dashboard.

use crate::{
    caller::Reply,
    house::{Account, Flavour, Story},
    on_both,
};
use domain::{
    State,
    engine::EngineReport,
    late::{Cause, Hindrance},
};
use reqwest::Method;
use std::collections::BTreeSet;

on_both!(
    the_engine_page_shows_what_went_out,
    the_promise_sheet_counts_what_was_audited,
    a_task_that_was_late_says_why,
    minutes_that_are_over_stay_counted,
    what_takes_long_to_count_is_counted_once_a_second,
);

impl Story {
    /// A page as an account's browser gets it, with scripts off.
    pub async fn page(&self, account: &Account, path: &str) -> String {
        let cookie = self.cookie(account).await;
        let request = self.as_nobody().request(Method::GET, path).header("cookie", cookie);
        Reply::of(request).await.expect_page()
    }

    /// All the engine knows of itself.
    pub async fn report(&self) -> EngineReport {
        self.house.desk.engine.report(&self.admin.actor).await.expect("admins may read it")
    }
}

/// Every one of these stands on the page.
#[track_caller]
pub fn says(page: &str, sentences: &[&str]) {
    for sentence in sentences {
        assert!(page.contains(sentence), "{sentence:?} is not in {page}");
    }
}

async fn the_engine_page_shows_what_went_out(story: Story) {
    let empty = story.page(&story.admin, "/engine").await;
    says(&empty, &["Nothing was executed in the last hour.", "the whole budget is left", "Never lost"]);
    story.waiting("On time", 1_000).await;
    story.waiting("Late", 2_000).await;
    story.advance(1_000).await;
    story.wait_without_loops(4_000);
    story.tick().await;
    let report = story.report().await;
    assert_eq!((report.lag.count, report.lag.late, report.lag.max), (2, 1, 3_000));
    assert_eq!(report.throughput.iter().sum::<u32>(), 2);
    assert_eq!(report.throughput.len(), 60);
    assert!(!report.stages.is_empty());
    assert_eq!(report.hints.memory.is_some(), story.flavour == Flavour::Servers);
    let page = story.page(&story.admin, "/engine").await;
    says(&page, &["2 executed in the last hour, 1 of them more than 500 ms", "0 % of the budget is left"]);
    says(&page, &["up to 5 s", "2 in the last 60 minutes", "Moved to the publish list", "Buckets"]);
    assert!(!page.contains("style="), "the policy of the page forbids styles in elements");
}

async fn the_promise_sheet_counts_what_was_audited(story: Story) {
    story.waiting("Audited", 1_000).await;
    story.advance(1_000).await;
    story.advance(70_000).await;
    let sheet = story.report().await.promises;
    assert_eq!((sheet.audited, sheet.lost, sheet.early, sheet.twice, sheet.overdue), (1, 0, 0, 0, 0));
    assert!(sheet.audited_at.is_some() && sheet.looked_at == Some(story.now()));
    // Each execution is audited once.
    story.advance(70_000).await;
    assert_eq!(story.report().await.promises.audited, 1);
    let page = story.page(&story.admin, "/engine").await;
    says(&page, &["Executions audited: 1 · ", "Never early", "Never twice", "Never silent"]);
}

async fn a_task_that_was_late_says_why(story: Story) {
    let (on_time, paused) = (story.waiting("On time", 1_000).await, story.waiting("Paused", 2_000).await);
    story.advance(1_000).await;
    let switch = |is_paused| story.house.desk.engine.pause(&story.admin.actor, is_paused);
    switch(true).await.unwrap();
    story.advance(61_000).await;
    switch(false).await.unwrap();
    // What was given back waits a quarter of a second.
    story.advance(500).await;
    story.advance(500).await;
    let task = story.house.desk.tasks.find(&story.creator.actor, paused.id).await.unwrap();
    assert_eq!(task.row.state, State::Executed);
    let late = task.late.unwrap();
    assert_eq!(late.cause, Cause::Hindered(Hindrance::Paused));
    assert!((60_000..62_000).contains(&late.lag), "{late:?}");
    let page = story.page(&story.creator, &format!("/tasks/{}", paused.id)).await;
    says(&page, &["Why was this late?", "An admin had paused publishing", "Most of the time passed before"]);
    let page = story.page(&story.creator, &format!("/tasks/{}", on_time.id)).await;
    says(&page, &["It was on time."]);
    assert!(!page.contains("Why was this late?"));
}

async fn minutes_that_are_over_stay_counted(story: Story) {
    for (minute, tasks) in [1_u32, 2, 3].into_iter().enumerate() {
        for _ in 0..tasks {
            story.waiting(&format!("In minute {minute}"), 1_000).await;
        }
        story.advance(60_000).await;
        story.report().await;
    }
    let minutes = story.report().await.throughput;
    assert_eq!(minutes[56..], [0, 1, 2, 3]);
}

async fn what_takes_long_to_count_is_counted_once_a_second(story: Story) {
    let counted = async || {
        let report = story.report().await;
        (report.lag.count, report.totals.executed, report.throughput.iter().sum::<u32>())
    };
    story.waiting("Counted", 1_000).await;
    story.advance(1_000).await;
    assert_eq!(counted().await, (1, 1, 1));
    story.waiting("Counted later", 400).await;
    story.advance(400).await;
    assert_eq!(counted().await, (1, 1, 1));
    story.advance(600).await;
    assert_eq!(counted().await, (2, 2, 2));
}

#[tokio::test]
async fn every_number_of_the_dashboard_is_exported() {
    let story = Story::begin(Flavour::Embedded).await;
    story.waiting("Counted", 1_000).await;
    story.advance(1_000).await;
    let dashboard = include_str!("../../docs/grafana/presstime.json");
    assert!(serde_json::from_str::<serde_json::Value>(dashboard).is_ok());
    let is_name = |c: char| c.is_ascii_lowercase() || c == '_';
    let names: BTreeSet<&str> =
        dashboard.split(|c: char| !is_name(c)).filter(|name| name.starts_with("presstime_")).collect();
    assert!(names.len() > 15, "{names:?}");
    let exported = story.as_nobody().get("/metrics").await;
    let exported: BTreeSet<&str> =
        exported.text.lines().filter_map(|line| line.split(['{', ' ']).next()).collect();
    let missing: Vec<_> = names.difference(&exported).collect();
    assert!(missing.is_empty(), "{missing:?} of {exported:?}");
}
