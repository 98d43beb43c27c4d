//! The engine as users see it: its page, the audit, causes of lateness, and the metrics of the
//! dashboard.

use crate::{
    http_client::Reply,
    on_both,
    test_server::{Account, Backend, TestServer},
};
use domain::{
    State,
    engine::EngineReport,
    late_cause::{Impairment, LateCause},
};
use presstime::http::pages::result_cookie;
use reqwest::Method;
use std::collections::BTreeSet;

on_both!(
    the_engine_page_shows_executions_and_lateness,
    the_audit_counts_each_execution_once,
    a_late_task_shows_its_cause,
    completed_minutes_keep_their_counts,
    expensive_counts_are_cached_for_a_second,
);

impl TestServer {
    /// Returns a page as the account's browser gets it without JavaScript.
    pub async fn page(&self, account: &Account, path: &str) -> String {
        let cookie = self.session_cookie(account).await;
        let request = self.as_anonymous().request(Method::GET, path).header("cookie", cookie);
        Reply::of(request).await.expect_page()
    }

    /// Returns the page to which a form leads, as the account's browser gets it.
    pub async fn page_after(&self, account: &Account, reply: &Reply) -> String {
        let session = self.session_cookie(account).await;
        let cookie = match reply.result_cookie() {
            Some((name, value)) => format!("{session}; {name}={value}"),
            None => session,
        };
        let request = self.as_anonymous().request(Method::GET, reply.header("location"));
        Reply::of(request.header("cookie", cookie)).await.expect_page()
    }

    /// Returns a page of the creator with a result of these words.
    pub async fn page_with_result(&self, path: &str, words: &str) -> String {
        let (id, vault) = ("0123456789abcdef01234567", &self.app.parts.senders.vault);
        let value = result_cookie::signed(vault, id, self.now(), words);
        let session = self.session_cookie(&self.creator).await;
        let request = self.as_anonymous().request(Method::GET, &format!("{path}?r={id}"));
        let cookie = format!("{session}; __Host-result-{id}={value}");
        Reply::of(request.header("cookie", cookie)).await.expect_page()
    }

    /// Returns the engine's report.
    pub async fn engine_report(&self) -> EngineReport {
        self.app.services.engine.report(&self.admin.actor).await.expect("admins may read it")
    }
}

/// Asserts that the page contains all of these texts.
#[track_caller]
pub fn assert_contains(page: &str, sentences: &[&str]) {
    for sentence in sentences {
        assert!(page.contains(sentence), "{sentence:?} is not in {page}");
    }
}

async fn the_engine_page_shows_executions_and_lateness(server: TestServer) {
    let empty = server.page(&server.admin, "/engine").await;
    assert_contains(
        &empty,
        &["Nothing was executed in the last hour.", "the whole budget is left", "Never lost"],
    );
    server.create_task("On time", 1_000).await;
    server.create_task("Late", 2_000).await;
    server.advance(1_000).await;
    server.advance_without_loops(4_000);
    server.tick().await;
    let report = server.engine_report().await;
    assert_eq!((report.lateness.count, report.lateness.late, report.lateness.max), (2, 1, 3_000));
    assert_eq!(report.throughput.iter().sum::<u32>(), 2);
    assert_eq!(report.throughput.len(), 60);
    assert!(!report.stages.is_empty());
    assert_eq!(report.hints.memory.is_some(), server.backend == Backend::Servers);
    let page = server.page(&server.admin, "/engine").await;
    assert_contains(
        &page,
        &["2 executed in the last hour, 1 of them more than 500 ms", "0 % of the budget is left"],
    );
    assert_contains(
        &page,
        &["up to 5 s", "2 in the last 60 minutes", "Moved to the publish list", "Buckets"],
    );
    assert!(!page.contains("style="), "the policy of the page forbids style attributes");
}

async fn the_audit_counts_each_execution_once(server: TestServer) {
    server.create_task("Audited", 1_000).await;
    server.advance(1_000).await;
    server.advance(70_000).await;
    let audit = server.engine_report().await.audit;
    assert_eq!((audit.audited, audit.lost, audit.early, audit.duplicates, audit.overdue), (1, 0, 0, 0, 0));
    assert!(audit.audited_at.is_some() && audit.overdue_checked_at == Some(server.now()));
    // Each execution is audited once.
    server.advance(70_000).await;
    assert_eq!(server.engine_report().await.audit.audited, 1);
    let page = server.page(&server.admin, "/engine").await;
    assert_contains(&page, &["Executions audited: 1 · ", "Never early", "Never twice", "Never silent"]);
}

async fn a_late_task_shows_its_cause(server: TestServer) {
    let (on_time, paused) =
        (server.create_task("On time", 1_000).await, server.create_task("Paused", 2_000).await);
    server.advance(1_000).await;
    let (engine, admin) = (&server.app.services.engine, &server.admin.actor);
    engine.pause(admin, None).await.unwrap();
    server.advance(61_000).await;
    engine.resume(admin).await.unwrap();
    // A requeued task waits 250 ms.
    server.advance(500).await;
    server.advance(500).await;
    let task = server.app.services.tasks.find(&server.creator.actor, paused.id).await.unwrap();
    assert_eq!(task.row.state, State::Executed);
    let late = task.late.unwrap();
    assert_eq!(late.cause, LateCause::Impaired(Impairment::Paused));
    assert!((60_000..62_000).contains(&late.late_ms), "{late:?}");
    let page = server.page(&server.creator, &format!("/tasks/{}", paused.id)).await;
    assert_contains(&page, &["Why was it late?", "Publishing was paused by an admin", "Longest step"]);
    let page = server.page(&server.creator, &format!("/tasks/{}", on_time.id)).await;
    assert_contains(&page, &["It was on time."]);
    assert!(!page.contains("Why was it late?"));
}

async fn completed_minutes_keep_their_counts(server: TestServer) {
    for (minute, tasks) in [1_u32, 2, 3].into_iter().enumerate() {
        for _ in 0..tasks {
            server.create_task(&format!("In minute {minute}"), 1_000).await;
        }
        server.advance(60_000).await;
        server.engine_report().await;
    }
    let minutes = server.engine_report().await.throughput;
    assert_eq!(minutes[56..], [0, 1, 2, 3]);
}

async fn expensive_counts_are_cached_for_a_second(server: TestServer) {
    let counted = async || {
        let report = server.engine_report().await;
        (report.lateness.count, report.totals.executed, report.throughput.iter().sum::<u32>())
    };
    server.create_task("Counted", 1_000).await;
    server.advance(1_000).await;
    assert_eq!(counted().await, (1, 1, 1));
    server.create_task("Counted later", 400).await;
    server.advance(400).await;
    assert_eq!(counted().await, (1, 1, 1));
    server.advance(600).await;
    assert_eq!(counted().await, (2, 2, 2));
}

#[tokio::test]
async fn every_metric_of_the_grafana_dashboard_is_exported() {
    let server = TestServer::start(Backend::Embedded).await;
    server.create_task("Counted", 1_000).await;
    server.advance(1_000).await;
    let dashboard = include_str!("../../../docs/files/grafana.json");
    assert!(serde_json::from_str::<serde_json::Value>(dashboard).is_ok());
    let is_name = |c: char| c.is_ascii_lowercase() || c == '_';
    let names: BTreeSet<&str> =
        dashboard.split(|c: char| !is_name(c)).filter(|name| name.starts_with("presstime_")).collect();
    assert!(names.len() > 15, "{names:?}");
    let exported = server.as_anonymous().get("/metrics").await;
    let exported: BTreeSet<&str> =
        exported.text.lines().filter_map(|line| line.split(['{', ' ']).next()).collect();
    let missing: Vec<_> = names.difference(&exported).collect();
    assert!(missing.is_empty(), "{missing:?} of {exported:?}");
}
