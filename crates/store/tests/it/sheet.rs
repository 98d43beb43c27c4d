//! The promise sheet: each execution is counted once, whoever audits and whatever the clock does.

use crate::memory::{Memory, START};
use domain::{Clock as _, Kind, Timestamp, engine::NodeRole};
use store::{
    check,
    node::{self, Beat},
    sheet::{self, Sheet, Span},
};
use uuid::Uuid;

crate::on_both!(
    whoever_moves_the_mark_first_has_audited,
    a_long_time_is_audited_in_bites,
    a_clock_that_is_set_back_stops_no_audit_and_counts_nothing_twice,
    a_sheet_begins_once,
    a_gap_is_noted_once_and_only_if_no_node_looked,
);

impl Memory {
    async fn sheet(&self) -> Sheet {
        let mut tx = self.tx().await;
        let found = sheet::find(tx.conn()).await.unwrap();
        tx.rollback().await.unwrap();
        found.unwrap()
    }

    async fn begin_sheet(&self, from: Timestamp) {
        let mut tx = self.tx().await;
        sheet::begin(tx.conn(), from).await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn span(&self, until: Timestamp, most: u32) -> Span {
        let held = self.sheet().await;
        let mut tx = self.tx().await;
        let span = sheet::next(tx.conn(), &held, until, most).await.unwrap();
        tx.rollback().await.unwrap();
        span
    }

    /// Whether this audit counted.
    async fn add(&self, span: &Span) -> bool {
        let mut tx = self.tx().await;
        let found = check::ledger(tx.conn(), span).await.unwrap();
        let is_ours = sheet::add(tx.conn(), span, &found, span.until).await.unwrap();
        tx.commit().await.unwrap();
        is_ours
    }

    /// Executes so many tasks now.
    async fn execute(&self, count: usize) {
        let texts = self.texts(count).await;
        let claims = self.plan(Kind::ArticlePublish, &texts, self.clock.now()).await;
        assert_eq!(self.run(&claims).await.executed.len(), count);
    }
}

async fn whoever_moves_the_mark_first_has_audited(memory: &Memory) {
    memory.begin_sheet(START).await;
    memory.execute(2).await;
    let until = memory.advance(60_000);
    let (one, other) = (memory.span(until, 100).await, memory.span(until.plus(1_000), 100).await);
    assert!(memory.add(&one).await);
    assert!(!memory.add(&other).await, "it began where the first one did");
    let held = memory.sheet().await;
    assert_eq!((held.since, held.audited_until, held.audited), (START.millis(), until.millis(), 2));
    assert_eq!(held.disagreements(), 0);
}

async fn a_long_time_is_audited_in_bites(memory: &Memory) {
    memory.begin_sheet(START).await;
    for _ in 0..5 {
        memory.execute(2).await;
        memory.advance(1_000);
    }
    let until = memory.clock.now();
    let mut bites = 0;
    while memory.sheet().await.audited_until < until.millis() {
        let span = memory.span(until, 4).await;
        assert!(memory.add(&span).await);
        bites += 1;
    }
    assert_eq!((bites, memory.sheet().await.audited), (3, 10));
    // More of them at one moment than a bite holds.
    memory.execute(6).await;
    let until = memory.advance(1_000);
    assert_eq!(memory.span(until, 4).await.until, memory.span(until, 4).await.from.plus(1));
}

async fn a_clock_that_is_set_back_stops_no_audit_and_counts_nothing_twice(memory: &Memory) {
    let noon = START.plus(4 * 3_600_000);
    memory.begin_sheet(START).await;
    memory.advance(4 * 3_600_000);
    memory.execute(3).await;
    let span = memory.span(memory.advance(60_000), 100).await;
    assert!(memory.add(&span).await);
    // Not audited yet when the clock is set back.
    memory.execute(1).await;
    memory.advance(-7_260_000);
    memory.execute(2).await;
    let (former, back) = (memory.sheet().await, memory.clock.now().plus(-60_000));
    let mut tx = memory.tx().await;
    assert!(sheet::turn_back(tx.conn(), &former, back).await.unwrap());
    assert!(!sheet::turn_back(tx.conn(), &former, back).await.unwrap(), "another node has");
    tx.commit().await.unwrap();
    let span = memory.span(memory.advance(60_000), 100).await;
    assert!(memory.add(&span).await);
    assert_eq!(memory.sheet().await.audited, 5);
    // Past the moment of the first three, where one more is executed now.
    memory.advance(noon.since(memory.clock.now()));
    memory.execute(1).await;
    for _ in 0..3 {
        let span = memory.span(memory.advance(60_000), 100).await;
        assert!(memory.add(&span).await);
    }
    let held = memory.sheet().await;
    assert_eq!((held.audited, held.disagreements()), (7, 0), "{held:?}");
    assert_eq!(memory.count("select count(*) from execution").await, held.audited);
}

async fn a_sheet_begins_once(memory: &Memory) {
    memory.begin_sheet(START).await;
    memory.begin_sheet(START.plus(1_000)).await;
    assert_eq!(memory.sheet().await.since, START.millis());
}

async fn a_gap_is_noted_once_and_only_if_no_node_looked(memory: &Memory) {
    let note = async |now: Timestamp, gap: i64| {
        let mut tx = memory.tx().await;
        let is_noted = sheet::note_gap(tx.conn(), now, gap, 5_000).await.unwrap();
        tx.commit().await.unwrap();
        is_noted
    };
    memory.begin_sheet(START).await;
    let now = memory.advance(20_000);
    assert!(note(now, 8_000).await);
    assert!(!note(now.plus(500), 8_400).await, "the second node tells of the same time");
    assert!(note(now.plus(10_000), 9_900).await);
    let held = memory.sheet().await;
    assert_eq!((held.blind, held.blind_at, held.longest_ms), (2, Some(now.plus(10_000).millis()), 9_900));
    // Another node looked two seconds ago.
    let now = memory.advance(20_000);
    let beat = Beat {
        id: Uuid::from_u128(1),
        name: "other",
        role: NodeRole::All,
        version: "1",
        works: None,
        looked: Some(2_000),
        timeline: None,
    };
    node::beat(&memory.store, beat, &memory.clock).await.unwrap();
    assert!(!note(now, 9_000).await);
    // It fell silent, too: only what is left since then counts.
    assert!(note(now.plus(6_000), 15_000).await);
    let held = memory.sheet().await;
    assert_eq!((held.blind, held.longest_ms), (3, 9_900));
    // The clock was set back.
    assert!(note(START.plus(-3_600_000), 6_000).await);
}
