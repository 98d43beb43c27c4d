//! The promise sheet: one for the desk, whichever node one asks, and after every restart.

use crate::{house::Story, on_both, sheet::says};
use domain::{Timestamp, engine::Promises};
use presstime::{house::House, worker::Loop as _};
use store::{Conn, Who};

on_both!(
    two_nodes_and_a_restart_show_one_sheet,
    two_audits_at_once_count_once,
    a_disagreement_is_counted_once_and_stays,
    a_clock_set_back_is_followed,
    a_time_without_a_look_is_counted_once_for_all_nodes,
);

/// PostgreSQL's clock goes on between two moments of a story.
fn is_near(one: Timestamp, other: Timestamp) -> bool {
    one.since(other).abs() < 5_000
}

impl Story {
    /// The sheet as a node shows it, without what each has seen for itself a second ago.
    async fn sheet_of(&self, node: &House) -> Promises {
        let report = node.desk.engine.report(&self.admin.actor).await.unwrap();
        Promises { overdue: 0, looked_at: None, ..report.promises }
    }

    async fn check(&self, node: &House) {
        self.align(node);
        node.loops.checker.tick(self.now()).await;
    }

    async fn execute_one(&self, title: &str) -> domain::TaskId {
        let task = self.waiting(title, 1_000).await;
        self.advance(1_000).await;
        assert_eq!(self.look(task.id).await.state, domain::State::Executed);
        task.id
    }
}

async fn two_nodes_and_a_restart_show_one_sheet(story: Story) {
    story.tick().await;
    let begun = story.now();
    story.execute_one("First").await;
    story.execute_one("Second").await;
    story.advance(180_000).await;
    let (one, other) = (&story.house, story.another().await);
    story.align(&other);
    let sheet = story.sheet_of(one).await;
    assert_eq!((sheet.audited, sheet.lost, sheet.early, sheet.twice), (2, 0, 0, 0));
    assert!(is_near(sheet.since.unwrap().at, begun.plus(-3_660_000)), "{sheet:?}");
    assert_eq!(story.sheet_of(&other).await, sheet, "it has done nothing yet");
    // Whoever comes first audits the next minute.
    story.execute_one("Third").await;
    story.wait_without_loops(180_000);
    story.check(&other).await;
    story.check(one).await;
    let sheet = story.sheet_of(one).await;
    assert_eq!(sheet.audited, 3);
    assert_eq!(story.sheet_of(&other).await, sheet);
    other.close().await;
    let restarted = story.another().await;
    assert_eq!(story.sheet_of(&restarted).await, sheet);
    story.check(&restarted).await;
    assert_eq!(story.sheet_of(&restarted).await, sheet);
    let page = story.page(&story.admin, "/engine").await;
    says(
        &page,
        &[
            "of all nodes, since Mon 1 Mar, 06:59 UTC",
            "Executions audited: 3 · ",
            "Never for more than 180 s without a look.",
        ],
    );
    restarted.close().await;
}

async fn two_audits_at_once_count_once(story: Story) {
    story.tick().await;
    let other = story.another().await;
    for round in 1..=5 {
        story.execute_one(&format!("Number {round}")).await;
        story.wait_without_loops(180_000);
        tokio::join!(story.check(&story.house), story.check(&other));
        assert_eq!(story.sheet_of(&other).await.audited, round);
    }
    other.close().await;
}

async fn a_disagreement_is_counted_once_and_stays(story: Story) {
    story.tick().await;
    let (task, _) = (story.execute_one("Forgotten").await, story.execute_one("Well").await);
    let mut tx = story.house.parts.store.begin(Who::People).await.unwrap();
    let forget = "delete from execution where task_id = $1";
    match tx.conn() {
        Conn::Sqlite(c) => sqlx::query(forget).bind(task.0).execute(c).await.unwrap().rows_affected(),
        Conn::Postgres(c) => sqlx::query(forget).bind(task.0).execute(c).await.unwrap().rows_affected(),
    };
    tx.commit().await.unwrap();
    let other = story.another().await;
    for _ in 0..3 {
        story.advance(180_000).await;
        story.check(&other).await;
    }
    other.close().await;
    let restarted = story.another().await;
    story.check(&restarted).await;
    for node in [&*story.house, &restarted] {
        let sheet = story.sheet_of(node).await;
        assert_eq!((sheet.audited, sheet.lost, sheet.early, sheet.twice), (1, 1, 0, 0));
        let report = node.desk.engine.report(&story.admin.actor).await.unwrap();
        let trouble =
            report.loops.iter().find_map(|one| one.trouble.as_ref().filter(|_| one.name == "checker"));
        let trouble = trouble.unwrap();
        for told in
            ["of 1 executions audited since 2027-03-01 06:59:", "in 1 task and ledger disagree, 0 were"]
        {
            assert!(trouble.told.words.contains(told), "{trouble:?}");
        }
    }
    says(&story.page(&story.admin, "/engine").await, &["broken", "1 without a record"]);
    restarted.close().await;
}

async fn a_clock_set_back_is_followed(story: Story) {
    story.tick().await;
    story.execute_one("Before").await;
    story.advance(180_000).await;
    assert_eq!(story.sheet_of(&story.house).await.audited, 1);
    story.advance(-7_200_000).await;
    story.execute_one("Again").await;
    // Past what is counted already.
    for _ in 0..70 {
        story.wait_without_loops(120_000);
        story.check(&story.house).await;
    }
    let sheet = story.sheet_of(&story.house).await;
    assert_eq!((sheet.audited, sheet.lost, sheet.early, sheet.twice), (2, 0, 0, 0));
}

async fn a_time_without_a_look_is_counted_once_for_all_nodes(story: Story) {
    let other = story.another().await;
    let look = async |node: &House| {
        story.check(node).await;
        node.loops.roster.tick(story.now()).await;
    };
    look(&story.house).await;
    look(&other).await;
    // One stands still, and the other one looks.
    for _ in 0..8 {
        story.wait_without_loops(1_000);
        look(&story.house).await;
    }
    look(&other).await;
    let sheet = story.sheet_of(&other).await;
    assert_eq!((sheet.blind, sheet.blind_at, sheet.longest_ms), (0, None, 0));
    // Both stand still.
    story.wait_without_loops(7_000);
    look(&story.house).await;
    look(&other).await;
    let sheet = story.sheet_of(&story.house).await;
    assert_eq!(sheet.blind, 1);
    assert!((6_000..=7_000).contains(&sheet.longest_ms) && is_near(sheet.blind_at.unwrap(), story.now()));
    assert_eq!(story.sheet_of(&other).await, sheet);
    let page = story.page(&story.admin, "/engine").await;
    says(
        &page,
        &["times without a look for more than 5 s while a node ran: 1", "at risk", "Never for more than 7 s"],
    );
    other.close().await;
}
