//! The audit is shared by all nodes and survives every restart.

use crate::{engine_page::assert_contains, on_both, test_server::TestServer};
use domain::{Timestamp, engine::AuditReport};
use engine::Loop as _;
use presstime::server::Server;
use store::{Conn, PoolRole};

on_both!(
    two_nodes_and_a_restarted_node_show_the_same_audit,
    concurrent_audits_count_each_execution_once,
    a_missing_execution_record_is_counted_once_and_stays,
    the_audit_continues_after_the_clock_is_set_back,
    an_unmonitored_gap_is_counted_once_for_all_nodes,
);

/// PostgreSQL's clock advances between two readings of a test.
fn is_near(one: Timestamp, other: Timestamp) -> bool {
    one.since(other).abs() < 5_000
}

impl TestServer {
    /// The audit as a node shows it, without the values that each node measures for itself.
    async fn audit_report_of(&self, node: &Server) -> AuditReport {
        let report = node.services.engine.report(&self.admin.actor).await.unwrap();
        AuditReport { overdue: 0, overdue_checked_at: None, ..report.audit }
    }

    async fn run_maintenance(&self, node: &Server) {
        self.align_database_clock(node);
        node.loops.maintenance.tick(self.now()).await;
    }

    async fn execute_task(&self, title: &str) -> domain::TaskId {
        let task = self.create_task(title, 1_000).await;
        self.advance(1_000).await;
        assert_eq!(self.find_task(task.id).await.state, domain::State::Executed);
        task.id
    }
}

async fn two_nodes_and_a_restarted_node_show_the_same_audit(server: TestServer) {
    server.tick().await;
    let begun = server.now();
    server.execute_task("First").await;
    server.execute_task("Second").await;
    server.advance(180_000).await;
    let (one, other) = (&server.app, server.open_second_node().await);
    server.align_database_clock(&other);
    let audit = server.audit_report_of(one).await;
    assert_eq!((audit.audited, audit.lost, audit.early, audit.duplicates), (2, 0, 0, 0));
    assert!(is_near(audit.since.unwrap().at, begun.plus(-3_660_000)), "{audit:?}");
    assert_eq!(server.audit_report_of(&other).await, audit, "the other node has not run an audit");
    // The first node to run audits the next minute.
    server.execute_task("Third").await;
    server.advance_without_loops(180_000);
    server.run_maintenance(&other).await;
    server.run_maintenance(one).await;
    let audit = server.audit_report_of(one).await;
    assert_eq!(audit.audited, 3);
    assert_eq!(server.audit_report_of(&other).await, audit);
    other.close().await;
    let restarted = server.open_second_node().await;
    assert_eq!(server.audit_report_of(&restarted).await, audit);
    server.run_maintenance(&restarted).await;
    assert_eq!(server.audit_report_of(&restarted).await, audit);
    let page = server.page(&server.admin, "/engine").await;
    assert_contains(
        &page,
        &[
            "Audits: all nodes, since Mon 1 Mar, 06:59 UTC",
            "Executions audited: 3 · ",
            // And as much as PostgreSQL's clock has advanced in between.
            "Longest gap between checks: 18",
        ],
    );
    restarted.close().await;
}

async fn concurrent_audits_count_each_execution_once(server: TestServer) {
    server.tick().await;
    let other = server.open_second_node().await;
    for round in 1..=5 {
        server.execute_task(&format!("Number {round}")).await;
        server.advance_without_loops(180_000);
        tokio::join!(server.run_maintenance(&server.app), server.run_maintenance(&other));
        assert_eq!(server.audit_report_of(&other).await.audited, round);
    }
    other.close().await;
}

async fn a_missing_execution_record_is_counted_once_and_stays(server: TestServer) {
    server.tick().await;
    let (task, _) = (server.execute_task("Forgotten").await, server.execute_task("Well").await);
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    let forget = "delete from execution where task_id = $1";
    match tx.conn() {
        Conn::Sqlite(c) => sqlx::query(forget).bind(task.0).execute(c).await.unwrap().rows_affected(),
        Conn::Postgres(c) => sqlx::query(forget).bind(task.0).execute(c).await.unwrap().rows_affected(),
    };
    tx.commit().await.unwrap();
    let other = server.open_second_node().await;
    for _ in 0..3 {
        server.advance(180_000).await;
        server.run_maintenance(&other).await;
    }
    other.close().await;
    let restarted = server.open_second_node().await;
    server.run_maintenance(&restarted).await;
    for node in [&*server.app, &restarted] {
        let audit = server.audit_report_of(node).await;
        assert_eq!((audit.audited, audit.lost, audit.early, audit.duplicates), (1, 1, 0, 0));
        let report = node.services.engine.report(&server.admin.actor).await.unwrap();
        let error =
            report.loops.iter().find_map(|one| one.error.as_ref().filter(|_| one.name == "maintenance"));
        let error = error.unwrap();
        for part in [
            "of 1 executions audited since 2027-03-01 06:59:",
            "1 do not match their execution record, 0 were",
        ] {
            assert!(error.issue.message.contains(part), "{error:?}");
        }
    }
    assert_contains(&server.page(&server.admin, "/engine").await, &["broken", "1 without a record"]);
    restarted.close().await;
}

async fn the_audit_continues_after_the_clock_is_set_back(server: TestServer) {
    server.tick().await;
    server.execute_task("Before").await;
    server.advance(180_000).await;
    assert_eq!(server.audit_report_of(&server.app).await.audited, 1);
    server.advance(-7_200_000).await;
    server.execute_task("Again").await;
    // Advances past the period that was already counted.
    for _ in 0..70 {
        server.advance_without_loops(120_000);
        server.run_maintenance(&server.app).await;
    }
    let audit = server.audit_report_of(&server.app).await;
    assert_eq!((audit.audited, audit.lost, audit.early, audit.duplicates), (2, 0, 0, 0));
}

async fn an_unmonitored_gap_is_counted_once_for_all_nodes(server: TestServer) {
    let other = server.open_second_node().await;
    let check = async |node: &Server| {
        server.run_maintenance(node).await;
        node.loops.heartbeat.tick(server.now()).await;
    };
    check(&server.app).await;
    check(&other).await;
    // One node stops while the other one checks.
    for _ in 0..8 {
        server.advance_without_loops(1_000);
        check(&server.app).await;
    }
    check(&other).await;
    let audit = server.audit_report_of(&other).await;
    assert_eq!((audit.unmonitored_gaps, audit.last_gap_at, audit.longest_gap_ms), (0, None, 0));
    // Both nodes stop.
    server.advance_without_loops(7_000);
    check(&server.app).await;
    check(&other).await;
    let audit = server.audit_report_of(&server.app).await;
    assert_eq!(audit.unmonitored_gaps, 1);
    assert!(
        (6_000..=7_000).contains(&audit.longest_gap_ms) && is_near(audit.last_gap_at.unwrap(), server.now())
    );
    assert_eq!(server.audit_report_of(&other).await, audit);
    let page = server.page(&server.admin, "/engine").await;
    assert_contains(
        &page,
        &["unmonitored gaps of more than 5 s: 1", "at risk", "Longest gap between checks: 7 s"],
    );
    other.close().await;
}
