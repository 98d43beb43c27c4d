//! What the loops ask all day costs the same, however much waits and has happened: none of it reads a whole table.

use crate::memory::{Memory, START, sql};
use domain::{Kind, TaskId};
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::Relaxed},
};
use store::{
    Conn, Tx, Who, dispatch, feed, hands, overdue, report,
    sheet::{self, Sheet, Span},
    tail, task, task_list,
};

/// Tasks that wait, and as many of a day ago, executed.
const TASKS: u64 = 100_000;
/// Rows that one question may read.
const ROWS: u64 = 200;

/// Reads in the making of one question.
enum Meter {
    /// Instructions of SQLite's machine. A row takes several.
    Sqlite(Arc<AtomicU64>),
    /// Rows read by this transaction so far.
    Postgres(i64),
}

/// Every how many instructions SQLite tells.
const STEP: i32 = 50;

impl Meter {
    async fn start(conn: Conn<'_>) -> Self {
        match conn {
            Conn::Sqlite(c) => {
                let steps = Arc::new(AtomicU64::new(0));
                let counter = Arc::clone(&steps);
                c.lock_handle().await.unwrap().set_progress_handler(STEP, move || {
                    counter.fetch_add(1, Relaxed);
                    true
                });
                Self::Sqlite(steps)
            }
            Conn::Postgres(c) => Self::Postgres(rows_read(c).await),
        }
    }

    /// About so many rows were read since the start.
    async fn rows(self, conn: Conn<'_>) -> u64 {
        match (self, conn) {
            (Self::Sqlite(steps), Conn::Sqlite(c)) => {
                c.lock_handle().await.unwrap().remove_progress_handler();
                steps.load(Relaxed) * u64::from(STEP.unsigned_abs()) / 8
            }
            (Self::Postgres(before), Conn::Postgres(c)) => (rows_read(c).await - before).unsigned_abs(),
            _ => unreachable!(),
        }
    }
}

async fn rows_read(c: &mut store::Line) -> i64 {
    sqlx::query_scalar(
        "select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::bigint from pg_stat_xact_user_tables",
    )
    .fetch_one(c)
    .await
    .unwrap()
}

/// Many tasks like one that waits and one that was executed a day before, with all that stands beside them.
async fn fill(memory: &Memory) -> TaskId {
    let texts = memory.texts(2).await;
    let waiting = memory.publish(&texts[0], START.plus(90_000_000)).await.task;
    let done = memory.publish(&texts[1], START.plus(-86_400_000)).await;
    let late = memory.run(&[done]).await;
    assert_eq!(late.executed.len() + late.missed.len(), 1);
    let mut tx = memory.tx().await;
    let (id, numbers) = match tx {
        Tx::Sqlite(..) => (
            "randomblob(16)",
            format!(
                "(with recursive n (i) as (select 1 union all select i + 1 from n where i < {TASKS}) select i from n) as numbers"
            ),
        ),
        Tx::Postgres(_) => ("gen_random_uuid()", format!("generate_series(1, {TASKS}) as numbers (i)")),
    };
    let columns =
        "kind, lane, bucket, local, zone, version, approved_version, late_grace, owner_id, created_at";
    let many = format!(
        "insert into task (id, target_id, {columns}, due_at, state, executed_at)
         select {id}, {id}, {columns}, cast($2 as bigint) + i, cast($3 as text), case when $3 = 'executed' then $2 + i end
           from task cross join {numbers}
          where task.id = $1"
    );
    for (state, from) in [("scheduled", START.plus(90_000_000)), ("executed", START.plus(-86_400_000))] {
        let many = || sqlx::AssertSqlSafe(many.clone());
        let made = sql!(tx.conn(), sqlx::query(many()).bind(waiting.0).bind(from.millis()).bind(state));
        assert_eq!(made.unwrap(), TASKS);
    }
    let ledger = "insert into execution (task_id, version, node, due_at, started_at, executed_at)
         select id, version, 'node', due_at, executed_at, executed_at from task
          where state = 'executed' and id not in (select task_id from execution)";
    sql!(tx.conn(), sqlx::query(ledger)).unwrap();
    let log = "insert into event (at, actor, entity, entity_id, verb, from_state, to_state, version)
         select executed_at, 'engine', 'task', id, 'execute', 'scheduled', state, version from task
          where state = 'executed' and id not in (select entity_id from event where verb = 'execute')";
    sql!(tx.conn(), sqlx::query(log)).unwrap();
    tx.commit().await.unwrap();
    waiting
}

async fn what_the_loops_ask_reads_no_more_than_it_needs(memory: &Memory) {
    let waiting = fill(memory).await;
    let mut tx = memory.store.begin(Who::Engine).await.unwrap();
    if let Conn::Postgres(c) = tx.conn() {
        sqlx::query("analyze").execute(c).await.unwrap();
    }
    let last = store::event::last_seq(tx.conn()).await.unwrap();
    let row = Sheet { audited_until: START.plus(-120_000).millis(), ..Sheet::default() };
    let span = Span { from: START.plus(-120_000), until: START.plus(-60_000), ..Span::default() };
    let (before, hour) = (START.plus(-5_000), START.plus(-3_600_000));
    macro_rules! reads_little {
        ($($words:literal: $ask:expr,)+) => {$(
            let meter = Meter::start(tx.conn()).await;
            $ask;
            let rows = meter.rows(tx.conn()).await;
            println!("{}: {rows} rows", $words);
            assert!(rows <= ROWS, "{}: {rows} rows", $words);
        )+};
    }
    let tasks = [waiting.0];
    let target = task::target_of(tx.conn(), waiting).await.unwrap().unwrap();
    reads_little! {
        "vitals": overdue::vitals(tx.conn(), before, START).await.unwrap(),
        "overdue": overdue::page(tx.conn(), Kind::WORDS, before, START, None, 500).await.unwrap(),
        "window": feed::page(tx.conn(), feed::Place::start(), START.plus(60_000), 1_000).await.unwrap(),
        "window, on": feed::page(tx.conn(), feed::Place::after(START), START.plus(60_000), 1_000).await.unwrap(),
        "some of the window": feed::of(tx.conn(), &tasks, START.plus(60_000)).await.unwrap(),
        "suspects": hands::suspects(tx.conn()).await.unwrap(),
        "log": tail::after(tx.conn(), last, 1_000).await.unwrap(),
        "holes of the log": tail::among(tx.conn(), &[last]).await.unwrap(),
        "bite": sheet::next(tx.conn(), &row, START.plus(-60_000), 50_000).await.unwrap(),
        "audit": store::check::ledger(tx.conn(), &span).await.unwrap(),
        "channels": dispatch::lanes(tx.conn()).await.unwrap(),
        "lag": report::lag(tx.conn(), hour).await.unwrap(),
        "ways": report::ways(tx.conn(), hour).await.unwrap(),
        "what waits for a target": task_list::waiting_of_targets(tx.conn(), &[target]).await.unwrap(),
        "whether it is published": task_list::is_published_before(tx.conn(), target, START).await.unwrap(),
        "throughput": report::throughput(tx.conn(), hour.millis() / 60_000, 60).await.unwrap(),
    }
    tx.rollback().await.unwrap();
}

crate::on_both!(what_the_loops_ask_reads_no_more_than_it_needs);
