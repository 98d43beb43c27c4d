//! What the loops ask all day costs the same, however much waits and has happened: none of it reads a whole table.

use crate::memory::{Memory, START, claim, sql};
use domain::{Kind, TaskId, Timestamp};
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

/// Many tasks like one that waits and one that was executed a day before, and last all that stands beside them. PostgreSQL makes its
/// statistics after this step of the three.
async fn fill(memory: &Memory, states: [&str; 2], analyzed: usize) -> TaskId {
    let texts = memory.texts(2).await;
    let waiting = memory.publish(&texts[0], START.plus(90_000_000)).await.task;
    let done = memory.publish(&texts[1], START.plus(-86_400_000)).await;
    let late = memory.run(&[done]).await;
    assert_eq!(late.executed.len() + late.missed.len(), 1);
    let mut tx = memory.tx().await;
    for step in 0..3 {
        match states.get(step) {
            Some(&"executed") => copy(&mut tx, waiting, "executed", START.plus(-86_400_000)).await,
            Some(state) => copy(&mut tx, waiting, state, START.plus(90_000_000)).await,
            None => book(&mut tx).await,
        }
        if let Conn::Postgres(c) = tx.conn()
            && step == analyzed
        {
            sqlx::query("analyze").execute(c).await.unwrap();
        }
    }
    tx.commit().await.unwrap();
    waiting
}

/// Many tasks like this one, in another state and of targets of their own, due one after the other.
async fn copy(tx: &mut Tx, task: TaskId, state: &str, from: Timestamp) {
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
    let many = || sqlx::AssertSqlSafe(many.clone());
    let made = sql!(tx.conn(), sqlx::query(many()).bind(task.0).bind(from.millis()).bind(state));
    assert_eq!(made.unwrap(), TASKS);
}

/// The ledger and the log of all that was executed.
async fn book(tx: &mut Tx) {
    let ledger = "insert into execution (task_id, version, node, due_at, started_at, executed_at)
         select id, version, 'node', due_at, executed_at, executed_at from task
          where state = 'executed' and id not in (select task_id from execution)";
    sql!(tx.conn(), sqlx::query(ledger)).unwrap();
    let log = "insert into event (at, actor, entity, entity_id, verb, from_state, to_state, version)
         select executed_at, 'engine', 'task', id, 'execute', 'scheduled', state, version from task
          where state = 'executed' and id not in (select entity_id from event where verb = 'execute')";
    sql!(tx.conn(), sqlx::query(log)).unwrap();
}

async fn what_the_loops_ask_reads_no_more_than_it_needs(memory: &Memory) {
    let waiting = fill(memory, ["scheduled", "executed"], 2).await;
    ask(memory, waiting).await;
}

#[tokio::test]
async fn it_reads_no_more_whatever_hour_the_statistics_are_of() {
    for states in [["scheduled", "executed"], ["executed", "scheduled"]] {
        println!("of when all were {}", states[0]);
        let memory = Memory::postgres().await;
        let waiting = fill(&memory, states, 0).await;
        ask(&memory, waiting).await;
    }
}

/// Asks what the loops ask.
async fn ask(memory: &Memory, waiting: TaskId) {
    let mut tx = memory.store.begin(Who::Engine).await.unwrap();
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

/// A server whose statistics are of a moment at which all tasks stood in one state, and what then became of them.
async fn analyzed_then(state: &str, then: &'static str) -> Memory {
    let memory = Memory::postgres().await;
    let text = memory.text().await;
    let like = memory.publish(&text, START.plus(90_000_000)).await.task;
    let mut tx = memory.tx().await;
    copy(&mut tx, like, state, START.plus(-120_000)).await;
    sql!(tx.conn(), sqlx::query("delete from task where id = $1").bind(like.0)).unwrap();
    sql!(tx.conn(), sqlx::query("analyze")).unwrap();
    sql!(tx.conn(), sqlx::query(then)).unwrap();
    tx.commit().await.unwrap();
    memory
}

#[tokio::test]
async fn a_batch_reads_its_tasks_alone_though_the_statistics_know_of_none_that_waits() {
    let then = "update task set state = 'scheduled', executed_at = null";
    let memory = analyzed_then("executed", then).await;
    let mut lease = memory.store.read(Who::People).await.unwrap();
    let Conn::Postgres(c) = lease.conn() else { unreachable!() };
    let ids: Vec<(uuid::Uuid,)> =
        sqlx::query_as("select id from task order by due_at limit 200").fetch_all(c).await.unwrap();
    drop(lease);
    let claims: Vec<_> = ids.into_iter().map(|(id,)| claim(TaskId(id), 1)).collect();
    let before = memory.rows_ever_read().await;
    let memory = memory.again().await;
    // Nobody knows what they are about: they fail.
    assert_eq!(memory.run(&claims).await.failed.len(), claims.len());
    let read = memory.rows_ever_read().await - before;
    assert!(read < 20 * 200, "{read} rows for {} tasks", claims.len());
}

#[tokio::test]
async fn an_audit_comes_to_its_end_though_the_statistics_know_of_nothing_executed() {
    let memory = analyzed_then("scheduled", "update task set state = 'executed', executed_at = due_at").await;
    let mut tx = memory.tx().await;
    book(&mut tx).await;
    tx.commit().await.unwrap();
    let mut lease = memory.store.read(Who::Engine).await.unwrap();
    let span = Span { until: Timestamp::LAST, ..Span::default() };
    // To compare each with each takes longer than the server may work on a statement.
    let audit = store::check::ledger(lease.conn(), &span).await.unwrap();
    assert!(audit.is_clean() && audit.rows == TASKS, "{audit:?}");
}

crate::on_both!(what_the_loops_ask_reads_no_more_than_it_needs);
