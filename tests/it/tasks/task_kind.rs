//! A kind of task that only this file knows: scheduled, moved, cancelled, undone, retried, missed
//! and executed like every other.

use crate::{
    on_both,
    test_server::{Account, TestServer},
};
use async_trait::async_trait;
use domain::{
    DomainError, Kind, State, Timestamp,
    task::{Change, NewTask, TaskRow},
};
use presstime::kinds::{self, Planned, Reversal, TaskKind};
use serde_json::{Value, json};
use store::{
    Conn, PoolRole, StoreError, Tx,
    execute::{ClaimedTask, SideEffects, Verdict},
    setting,
    task_list::TaskListRow,
};
use uuid::Uuid;

on_both!(
    a_task_is_moved_and_executed,
    a_task_is_cancelled_and_the_cancellation_undone,
    a_missed_task_is_retried,
    a_task_run_now_is_undone,
    a_task_is_refused_by_its_kind,
);

/// Rings a bell: counts in the setting `bell:TARGET`.
struct Ring;

const GRACE_MS: i64 = 60_000;
/// No bell rings within this time.
const QUIET_MS: i64 = 500;

fn counter(bell: Uuid) -> String {
    format!("bell:{bell}")
}

async fn count(conn: Conn<'_>, bell: Uuid) -> Result<i64, StoreError> {
    Ok(setting::find(conn, &counter(bell)).await?.and_then(|count| count.parse().ok()).unwrap_or(0))
}

#[async_trait]
impl TaskKind for Ring {
    fn word(&self) -> &'static str {
        "bell.ring"
    }

    fn target_kind(&self) -> &'static str {
        "bell"
    }

    fn grace_ms(&self) -> i64 {
        GRACE_MS
    }

    async fn check(&self, tx: &mut Tx, request: &[Planned]) -> Result<Vec<(usize, DomainError)>, StoreError> {
        let quiet_until = setting::find(tx.conn(), "bell:quiet_until").await?;
        let quiet_until = quiet_until.and_then(|at| at.parse().ok()).unwrap_or(i64::MIN);
        let refused = |one: &Planned| {
            one.kind.as_str() == self.word() && one.due_at < Timestamp::from_millis(quiet_until)
        };
        let places = request.iter().enumerate().filter(|(_, one)| refused(one));
        Ok(places.map(|(place, one)| (place, DomainError::past(one.due_at))).collect())
    }

    async fn execute(
        &self,
        tx: &mut Tx,
        tasks: &[ClaimedTask],
        _at: Timestamp,
        _after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        for task in tasks {
            let next = count(tx.conn(), task.target_id).await? + 1;
            setting::put(tx.conn(), &counter(task.target_id), &next.to_string()).await?;
        }
        Ok(vec![Verdict::Done; tasks.len()])
    }

    async fn state_before(&self, tx: &mut Tx, bell: Uuid) -> Result<Option<Value>, StoreError> {
        Ok(Some(json!(count(tx.conn(), bell).await?)))
    }

    async fn undo(
        &self,
        tx: &mut Tx,
        task: &TaskListRow,
        before: Option<&Value>,
    ) -> Result<Option<Reversal>, StoreError> {
        let Some(before) = before else { return Ok(None) };
        setting::put(tx.conn(), &counter(task.target_id), &before.to_string()).await?;
        Ok(Some(Reversal { kind: self.word(), revision_id: None, verb: "ring", message: None }))
    }
}

/// A bell of the creator, and the kind that rings it.
struct Bell<'s> {
    server: &'s TestServer,
    id: Uuid,
    kind: Kind,
}

impl<'s> Bell<'s> {
    async fn new(server: &'s TestServer) -> Self {
        let (id, owner) = (Uuid::now_v7(), server.creator.actor.account.0);
        let text = "insert into target (id, kind, title, owner_id) values ($1, 'bell', 'Big bell', $2)";
        let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
        match tx.conn() {
            Conn::Sqlite(c) => drop(sqlx::query(text).bind(id).bind(owner).execute(c).await.unwrap()),
            Conn::Postgres(c) => drop(sqlx::query(text).bind(id).bind(owner).execute(c).await.unwrap()),
        }
        tx.commit().await.unwrap();
        Self { server, id, kind: kinds::register(&Ring) }
    }

    async fn schedule(&self, by: &Account, millis: i64) -> Result<TaskRow, DomainError> {
        let when = self.server.now().plus(millis).into();
        let new = NewTask { kind: self.kind, target_id: self.id, when, priority: None, revision: None };
        self.server.app.services.tasks.schedule(&by.actor, new).await
    }

    async fn scheduled(&self, millis: i64) -> TaskRow {
        self.schedule(&self.server.creator, millis).await.unwrap()
    }

    /// How often it has rung.
    async fn rings(&self) -> i64 {
        let mut lease = self.server.app.parts.store.read(PoolRole::Web).await.unwrap();
        count(lease.conn(), self.id).await.unwrap()
    }
}

async fn a_task_is_moved_and_executed(server: TestServer) {
    let bell = Bell::new(&server).await;
    let row = bell.scheduled(10_000).await;
    assert_eq!(
        (row.kind.as_str(), row.title.as_str(), row.state),
        ("bell.ring", "Big bell", State::Scheduled)
    );
    let moved =
        server.change(&row, Change::Reschedule { when: server.now().plus(20_000).into() }).await.unwrap();
    server.advance(10_000).await;
    assert_eq!((bell.rings().await, server.find_task(row.id).await.state), (0, State::Scheduled));
    server.advance(10_000).await;
    let done = server.find_task(row.id).await;
    assert_eq!((bell.rings().await, done.state), (1, State::Executed));
    assert_eq!(done.executed.unwrap().at, moved.due.at);
    assert_eq!(server.timeline_verbs(row.id).await, ["schedule", "reschedule", "execute"]);
    server.assert_execution_records_match().await;
}

async fn a_task_is_cancelled_and_the_cancellation_undone(server: TestServer) {
    let bell = Bell::new(&server).await;
    let row = bell.scheduled(10_000).await;
    let cancelled = server.change(&row, Change::Cancel).await.unwrap();
    assert_eq!(cancelled.state, State::Cancelled);
    let again = server.change(&cancelled, Change::Undo).await.unwrap();
    assert_eq!((again.id, again.state, again.due.at), (row.id, State::Scheduled, row.due.at));
    let cancelled = server.change(&again, Change::Cancel).await.unwrap();
    server.advance(10_000).await;
    assert_eq!((bell.rings().await, server.find_task(cancelled.id).await.state), (0, State::Cancelled));
}

async fn a_missed_task_is_retried(server: TestServer) {
    let bell = Bell::new(&server).await;
    let row = bell.scheduled(1_000).await;
    server.advance_without_loops(1_000 + GRACE_MS + 60_000);
    server.tick().await;
    let missed = server.find_task(row.id).await;
    assert_eq!((bell.rings().await, missed.state), (0, State::Missed));
    let groups = server.app.services.tasks.attention(&server.creator.actor).await.unwrap();
    assert_eq!(groups.len(), 1);
    server.change(&missed, Change::Retry).await.unwrap();
    server.advance(1_000).await;
    assert_eq!((bell.rings().await, server.find_task(row.id).await.state), (1, State::Executed));
    assert_eq!(server.timeline_verbs(row.id).await, ["schedule", "miss", "retry", "execute"]);
}

async fn a_task_run_now_is_undone(server: TestServer) {
    let bell = Bell::new(&server).await;
    let row = bell.scheduled(60_000).await;
    server.change(&row, Change::PublishNow).await.unwrap();
    server.tick().await;
    let done = server.find_task(row.id).await;
    assert_eq!((bell.rings().await, done.state), (1, State::Executed));
    let again = server.change(&done, Change::Undo).await.unwrap();
    assert_eq!((bell.rings().await, again.state, again.due.at), (0, State::Scheduled, row.due.at));
    server.assert_execution_records_match().await;
    server.advance(60_000).await;
    assert_eq!((bell.rings().await, server.find_task(again.id).await.state), (1, State::Executed));
}

async fn a_task_is_refused_by_its_kind(server: TestServer) {
    let bell = Bell::new(&server).await;
    let quiet_until = server.now().plus(QUIET_MS).millis().to_string();
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    setting::put(tx.conn(), "bell:quiet_until", &quiet_until).await.unwrap();
    tx.commit().await.unwrap();
    let early = bell.schedule(&server.creator, QUIET_MS - 1).await;
    assert!(matches!(early, Err(DomainError::Past { .. })), "{early:?}");
    assert_eq!(bell.schedule(&server.colleague, QUIET_MS).await, Err(DomainError::NotAllowed));
    let row = bell.scheduled(QUIET_MS).await;
    let second = bell.schedule(&server.creator, 5_000).await;
    assert!(matches!(second, Err(DomainError::AlreadyScheduled { task }) if task.id == row.id));
    let wrong = NewTask {
        kind: Kind::ArticlePublish,
        target_id: bell.id,
        when: server.now().plus(5_000).into(),
        priority: None,
        revision: None,
    };
    let refused = server.app.services.tasks.schedule(&server.creator.actor, wrong).await;
    assert_eq!(refused, Err(DomainError::no_such("article")));
}
