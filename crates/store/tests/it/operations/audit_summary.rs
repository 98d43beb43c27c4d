//! The audit summary counts each execution once, whichever node audits and however its clock is
//! set.

use crate::test_database::{START, TestDatabase};
use domain::{Clock as _, Kind, Timestamp, engine::NodeRole};
use store::{
    audit,
    audit_summary::{self, AuditSpan, AuditSummary},
    node::{self, HeartbeatInput},
};
use uuid::Uuid;

crate::on_both!(
    the_first_node_to_move_the_mark_has_audited,
    a_long_period_is_audited_in_parts,
    a_clock_set_back_neither_stops_audits_nor_counts_twice,
    a_summary_is_started_once,
    a_gap_is_recorded_once_and_only_if_no_node_checked,
);

impl TestDatabase {
    async fn summary(&self) -> AuditSummary {
        let mut tx = self.tx().await;
        let found = audit_summary::find(tx.conn()).await.unwrap();
        tx.rollback().await.unwrap();
        found.unwrap()
    }

    async fn start_summary(&self, from: Timestamp) {
        let mut tx = self.tx().await;
        audit_summary::create(tx.conn(), from).await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn span(&self, until: Timestamp, most: u32) -> AuditSpan {
        let held = self.summary().await;
        let mut tx = self.tx().await;
        let span = audit_summary::next_span(tx.conn(), &held, until, most).await.unwrap();
        tx.rollback().await.unwrap();
        span
    }

    /// Records an audit; false: another node was first.
    async fn add(&self, span: &AuditSpan) -> bool {
        let mut tx = self.tx().await;
        let found = audit::audit_executions(tx.conn(), span).await.unwrap();
        let is_ours = audit_summary::add_findings(tx.conn(), span, &found, span.until).await.unwrap();
        tx.commit().await.unwrap();
        is_ours
    }

    /// Executes `count` tasks now.
    async fn execute(&self, count: usize) {
        let texts = self.texts(count).await;
        let claims = self.plan(Kind::ArticlePublish, &texts, self.clock.now()).await;
        assert_eq!(self.run(&claims).await.executed.len(), count);
    }
}

async fn the_first_node_to_move_the_mark_has_audited(db: &TestDatabase) {
    db.start_summary(START).await;
    db.execute(2).await;
    let until = db.advance(60_000);
    let (one, other) = (db.span(until, 100).await, db.span(until.plus(1_000), 100).await);
    assert!(db.add(&one).await);
    assert!(!db.add(&other).await, "it began where the first one did");
    let held = db.summary().await;
    assert_eq!((held.since, held.audited_until, held.audited), (START.millis(), until.millis(), 2));
    assert_eq!(held.disagreements(), 0);
}

async fn a_long_period_is_audited_in_parts(db: &TestDatabase) {
    db.start_summary(START).await;
    for _ in 0..5 {
        db.execute(2).await;
        db.advance(1_000);
    }
    let until = db.clock.now();
    let mut parts = 0;
    while db.summary().await.audited_until < until.millis() {
        let span = db.span(until, 4).await;
        assert!(db.add(&span).await);
        parts += 1;
    }
    assert_eq!((parts, db.summary().await.audited), (3, 10));
    // More executions at one instant than an audit covers.
    db.execute(6).await;
    let until = db.advance(1_000);
    assert_eq!(db.span(until, 4).await.until, db.span(until, 4).await.from.plus(1));
}

async fn a_clock_set_back_neither_stops_audits_nor_counts_twice(db: &TestDatabase) {
    let noon = START.plus(4 * 3_600_000);
    db.start_summary(START).await;
    db.advance(4 * 3_600_000);
    db.execute(3).await;
    let span = db.span(db.advance(60_000), 100).await;
    assert!(db.add(&span).await);
    // Not audited yet when the clock is set back.
    db.execute(1).await;
    db.advance(-7_260_000);
    db.execute(2).await;
    let (former, back) = (db.summary().await, db.clock.now().plus(-60_000));
    let mut tx = db.tx().await;
    assert!(audit_summary::rewind(tx.conn(), &former, back).await.unwrap());
    assert!(!audit_summary::rewind(tx.conn(), &former, back).await.unwrap(), "another node has");
    tx.commit().await.unwrap();
    let span = db.span(db.advance(60_000), 100).await;
    assert!(db.add(&span).await);
    assert_eq!(db.summary().await.audited, 5);
    // Past the instant of the first three, at which one more is executed now.
    db.advance(noon.since(db.clock.now()));
    db.execute(1).await;
    for _ in 0..3 {
        let span = db.span(db.advance(60_000), 100).await;
        assert!(db.add(&span).await);
    }
    let held = db.summary().await;
    assert_eq!((held.audited, held.disagreements()), (7, 0), "{held:?}");
    assert_eq!(db.count("select count(*) from execution").await, held.audited);
}

async fn a_summary_is_started_once(db: &TestDatabase) {
    db.start_summary(START).await;
    db.start_summary(START.plus(1_000)).await;
    assert_eq!(db.summary().await.since, START.millis());
}

async fn a_gap_is_recorded_once_and_only_if_no_node_checked(db: &TestDatabase) {
    let note = async |now: Timestamp, gap: i64| {
        let mut tx = db.tx().await;
        let is_noted = audit_summary::record_gap(tx.conn(), now, gap, 5_000).await.unwrap();
        tx.commit().await.unwrap();
        is_noted
    };
    db.start_summary(START).await;
    let now = db.advance(20_000);
    assert!(note(now, 8_000).await);
    assert!(!note(now.plus(500), 8_400).await, "the second node reports the same gap");
    assert!(note(now.plus(10_000), 9_900).await);
    let held = db.summary().await;
    assert_eq!(
        (held.unmonitored_gaps, held.last_gap_at, held.longest_gap_ms),
        (2, Some(now.plus(10_000).millis()), 9_900)
    );
    // Another node checked two seconds ago.
    let now = db.advance(20_000);
    let beat = HeartbeatInput {
        id: Uuid::from_u128(1),
        name: "other",
        role: NodeRole::All,
        version: "1",
        is_engine_alive: None,
        overdue_checked_ago_ms: Some(2_000),
        timeline: None,
    };
    node::heartbeat(&db.store, beat, &db.clock).await.unwrap();
    assert!(!note(now, 9_000).await);
    // It stopped, too: only the time since then counts.
    assert!(note(now.plus(6_000), 15_000).await);
    let held = db.summary().await;
    assert_eq!((held.unmonitored_gaps, held.longest_gap_ms), (3, 9_900));
    // The clock was set back.
    assert!(note(START.plus(-3_600_000), 6_000).await);
}
