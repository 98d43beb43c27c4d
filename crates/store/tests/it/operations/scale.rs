//! The queries of the engine loops cost the same however many tasks are scheduled or executed: none
//! reads a whole table.

use crate::test_database::{START, TestDatabase, claim, sql};
use domain::{Kind, TaskId, Timestamp};
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::Relaxed},
};
use store::{
    Conn, PoolRole, Tx,
    audit_summary::{self, AuditSpan, AuditSummary},
    change_watch, dispatch, feed, in_flight, overdue, report, task, task_list,
};

/// Number of scheduled tasks, and of tasks executed a day ago.
const TASKS: u64 = 100_000;
/// Collects PostgreSQL's statistics. Of all tables it would also lock those that all databases of the server share,
/// and other tests collect theirs at the same time.
const ANALYZE: &str = "analyze task, execution, event, delivery, article, revision, account";
/// Maximum number of rows that one query may read.
const MAX_ROWS: u64 = 200;

/// Counter of rows read by one query.
pub enum Meter {
    /// Instructions of SQLite's virtual machine. A row takes several.
    Sqlite(Arc<AtomicU64>),
    /// Rows read by this transaction before the query.
    Postgres(i64),
}

/// Number of instructions between two callbacks of SQLite.
const CALLBACK_INTERVAL: i32 = 50;

impl Meter {
    pub async fn start(conn: Conn<'_>) -> Self {
        match conn {
            Conn::Sqlite(c) => {
                let steps = Arc::new(AtomicU64::new(0));
                let counter = Arc::clone(&steps);
                c.lock_handle().await.unwrap().set_progress_handler(CALLBACK_INTERVAL, move || {
                    counter.fetch_add(1, Relaxed);
                    true
                });
                Self::Sqlite(steps)
            }
            Conn::Postgres(c) => Self::Postgres(rows_read(c).await),
        }
    }

    /// Returns roughly how many rows were read since the start.
    pub async fn rows(self, conn: Conn<'_>) -> u64 {
        match (self, conn) {
            (Self::Sqlite(steps), Conn::Sqlite(c)) => {
                c.lock_handle().await.unwrap().remove_progress_handler();
                steps.load(Relaxed) * u64::from(CALLBACK_INTERVAL.unsigned_abs()) / 8
            }
            (Self::Postgres(before), Conn::Postgres(c)) => (rows_read(c).await - before).unsigned_abs(),
            _ => unreachable!(),
        }
    }
}

async fn rows_read(c: &mut store::PgConn) -> i64 {
    sqlx::query_scalar(
        "select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::bigint from pg_stat_xact_user_tables",
    )
    .fetch_one(c)
    .await
    .unwrap()
}

/// Inserts many copies of a scheduled task and of one executed a day before, then the execution
/// records. PostgreSQL collects its statistics after step `analyzed` of the three.
async fn fill(db: &TestDatabase, states: [&str; 2], analyzed: usize) -> TaskId {
    let texts = db.texts(2).await;
    let waiting = db.publish(&texts[0], START.plus(90_000_000)).await.task;
    let done = db.publish(&texts[1], START.plus(-86_400_000)).await;
    let late = db.run(&[done]).await;
    assert_eq!(late.executed.len() + late.missed.len(), 1);
    let mut tx = db.tx().await;
    for step in 0..3 {
        match states.get(step) {
            Some(&"executed") => copy(&mut tx, waiting, "executed", START.plus(-86_400_000)).await,
            Some(state) => copy(&mut tx, waiting, state, START.plus(90_000_000)).await,
            None => insert_executions(&mut tx).await,
        }
        if let Conn::Postgres(c) = tx.conn()
            && step == analyzed
        {
            sqlx::query(ANALYZE).execute(c).await.unwrap();
        }
    }
    tx.commit().await.unwrap();
    waiting
}

/// Inserts many copies of a task, in another state and with targets of their own, due one after the
/// other.
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
    let columns = "kind, priority, bucket, local_time, time_zone, version, approved_version, grace_ms, owner_id, created_at";
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

/// Inserts execution rows and events of all executed tasks.
async fn insert_executions(tx: &mut Tx) {
    let ledger = "insert into execution (task_id, version, node, due_at, started_at, executed_at)
         select id, version, 'node', due_at, executed_at, executed_at from task
          where state = 'executed' and id not in (select task_id from execution)";
    sql!(tx.conn(), sqlx::query(ledger)).unwrap();
    let log = "insert into event (at, actor, entity, entity_id, verb, from_state, to_state, version)
         select executed_at, 'engine', 'task', id, 'execute', 'scheduled', state, version from task
          where state = 'executed' and id not in (select entity_id from event where verb = 'execute')";
    sql!(tx.conn(), sqlx::query(log)).unwrap();
}

async fn queries_of_the_loops_read_few_rows(db: &TestDatabase) {
    let waiting = fill(db, ["scheduled", "executed"], 2).await;
    run_queries(db, waiting).await;
}

#[tokio::test]
async fn queries_read_few_rows_with_stale_statistics() {
    for states in [["scheduled", "executed"], ["executed", "scheduled"]] {
        println!("of when all were {}", states[0]);
        let db = TestDatabase::postgres().await;
        let waiting = fill(&db, states, 0).await;
        run_queries(&db, waiting).await;
    }
}

/// Runs the queries of the loops.
async fn run_queries(db: &TestDatabase, waiting: TaskId) {
    let mut tx = db.store.begin(PoolRole::Engine).await.unwrap();
    let last = store::event::last_seq(tx.conn()).await.unwrap();
    let row = AuditSummary { audited_until: START.plus(-120_000).millis(), ..AuditSummary::default() };
    let span = AuditSpan { from: START.plus(-120_000), until: START.plus(-60_000), ..AuditSpan::default() };
    let (before, hour) = (START.plus(-5_000), START.plus(-3_600_000));
    macro_rules! reads_little {
        ($($name:literal: $query:expr,)+) => {$(
            let meter = Meter::start(tx.conn()).await;
            $query;
            let rows = meter.rows(tx.conn()).await;
            println!("{}: {rows} rows", $name);
            assert!(rows <= MAX_ROWS, "{}: {rows} rows", $name);
        )+};
    }
    let tasks = [waiting.0];
    let target = task::target_of(tx.conn(), waiting).await.unwrap().unwrap();
    reads_little! {
        "health snapshot": overdue::health_snapshot(tx.conn(), before, START).await.unwrap(),
        "overdue": overdue::page(tx.conn(), Kind::NAMES, (None, before), START, 500).await.unwrap(),
        "window": feed::page(tx.conn(), feed::Cursor::start(), START.plus(60_000), 1_000).await.unwrap(),
        "rest of the window": feed::page(tx.conn(), feed::Cursor::after(START), START.plus(60_000), 1_000).await.unwrap(),
        "some of the window": feed::find(tx.conn(), &tasks, START.plus(60_000)).await.unwrap(),
        "quarantined": in_flight::quarantined(tx.conn()).await.unwrap(),
        "log": change_watch::events_after(tx.conn(), last, 1_000).await.unwrap(),
        "gaps of the log": change_watch::find_by_seq(tx.conn(), &[last]).await.unwrap(),
        "next audit span": audit_summary::next_span(tx.conn(), &row, START.plus(-60_000), 50_000).await.unwrap(),
        "audit": store::audit::audit_executions(tx.conn(), &span).await.unwrap(),
        "channels": dispatch::channel_queues(tx.conn()).await.unwrap(),
        "lateness": report::lateness(tx.conn(), hour).await.unwrap(),
        "stage times": report::stage_times(tx.conn(), hour).await.unwrap(),
        "scheduled tasks of a target": task_list::waiting_of_targets(tx.conn(), &[target]).await.unwrap(),
        "whether it is scheduled before": task_list::is_scheduled_before(tx.conn(), Kind::ArticlePublish, target, START).await.unwrap(),
        "throughput": report::throughput(tx.conn(), hour.millis() / 60_000, 60).await.unwrap(),
    }
    tx.rollback().await.unwrap();
}

/// Returns a server whose statistics were collected when all tasks had one state, before `then`
/// changed them. Nothing collects them again in the background, which would also read rows.
async fn analyzed_then(state: &str, then: &'static str) -> TestDatabase {
    let db = TestDatabase::postgres().await;
    let text = db.text().await;
    let like = db.publish(&text, START.plus(90_000_000)).await.task;
    let mut tx = db.tx().await;
    sql!(tx.conn(), sqlx::query("alter table task set (autovacuum_enabled = false)")).unwrap();
    copy(&mut tx, like, state, START.plus(-120_000)).await;
    sql!(tx.conn(), sqlx::query("delete from task where id = $1").bind(like.0)).unwrap();
    sql!(tx.conn(), sqlx::query(ANALYZE)).unwrap();
    sql!(tx.conn(), sqlx::query(then)).unwrap();
    tx.commit().await.unwrap();
    db
}

#[tokio::test]
async fn a_batch_reads_only_its_tasks_with_stale_statistics() {
    let then = "update task set state = 'scheduled', executed_at = null";
    let db = analyzed_then("executed", then).await;
    let mut lease = db.store.read(PoolRole::Web).await.unwrap();
    let Conn::Postgres(c) = lease.conn() else { unreachable!() };
    let ids: Vec<(uuid::Uuid,)> =
        sqlx::query_as("select id from task order by due_at limit 200").fetch_all(c).await.unwrap();
    drop(lease);
    let claims: Vec<_> = ids.into_iter().map(|(id,)| claim(TaskId(id), 1)).collect();
    let before = db.total_rows_read().await;
    let db = db.reopen().await;
    // Their targets do not exist: they fail.
    assert_eq!(db.run(&claims).await.failed.len(), claims.len());
    let read = db.total_rows_read().await - before;
    assert!(read < 20 * 200, "{read} rows for {} tasks", claims.len());
}

#[tokio::test]
async fn an_audit_finishes_with_stale_statistics() {
    let db = analyzed_then("scheduled", "update task set state = 'executed', executed_at = due_at").await;
    let mut tx = db.tx().await;
    insert_executions(&mut tx).await;
    tx.commit().await.unwrap();
    let mut lease = db.store.read(PoolRole::Engine).await.unwrap();
    let span = AuditSpan { until: Timestamp::LATEST, ..AuditSpan::default() };
    // A nested loop over all pairs takes longer than the statement timeout.
    let audit = store::audit::audit_executions(lease.conn(), &span).await.unwrap();
    assert!(audit.is_clean() && audit.rows == TASKS, "{audit:?}");
}

crate::on_both!(queries_of_the_loops_read_few_rows);
