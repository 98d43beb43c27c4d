//! Start of an execution: a node records its tasks in flight in SQL before it claims them, and row
//! locks of others do not block unrelated tasks.

use crate::test_database::{START, TestDatabase, TestHandler};
use domain::{Kind, clock::SystemClock, engine::NodeRole};
use serde_json::json;
use std::{sync::Arc, time::Duration};
use store::{
    Conn, PoolRole, StoreError,
    article_list::{self, ArticleListQuery},
    event::{self, NewEvent},
    execute::{self, Claim, ExecutionContext, Outcome},
    in_flight::{self, InFlightWrite},
    node::{self, HeartbeatInput},
    target,
};
use tokio::{sync::Mutex, time::timeout};
use uuid::Uuid;

/// A node and the in-flight record it wrote last.
struct Node {
    id: Uuid,
    noted: Arc<Mutex<Vec<u8>>>,
}

impl Node {
    async fn of(db: &TestDatabase) -> Self {
        let id = Uuid::now_v7();
        let beat = HeartbeatInput {
            id,
            name: "here",
            role: NodeRole::All,
            version: "1",
            is_engine_alive: Some(true),
            overdue_checked_ago_ms: None,
            timeline: None,
        };
        node::heartbeat(&db.store, beat, &SystemClock).await.unwrap();
        Self { id, noted: Arc::default() }
    }

    async fn run(&self, db: &TestDatabase, claims: &[Claim]) -> Result<Outcome, StoreError> {
        let handler = TestHandler::default();
        let terms = ExecutionContext { node: "here", clock: &db.clock, handler: &handler, limits: &[] };
        let note =
            InFlightWrite::new(self.id, 0, in_flight::encode(claims), self.noted.clone().lock_owned().await);
        execute::run(&db.store, claims, terms, note).await
    }

    /// Returns the in-flight record in SQL.
    async fn stored(&self, db: &TestDatabase) -> Vec<u8> {
        let sql = "select tasks from in_flight where node_id = $1";
        match db.tx().await.conn() {
            Conn::Sqlite(c) => sqlx::query_scalar(sql).bind(self.id).fetch_one(c).await.unwrap(),
            Conn::Postgres(c) => sqlx::query_scalar(sql).bind(self.id).fetch_one(c).await.unwrap(),
        }
    }
}

async fn tasks_in_flight_are_recorded_first(db: &TestDatabase) {
    let (node, text) = (Node::of(db).await, db.text().await);
    let claim = db.publish(&text, START).await;
    assert_eq!(node.run(db, &[claim]).await.unwrap().executed.len(), 1);
    let noted = in_flight::encode([&claim]);
    assert_eq!(node.stored(db).await, noted);
    assert_eq!(*node.noted.lock().await, noted);
    // The same tasks again write no record.
    assert!(InFlightWrite::new(node.id, 0, noted, node.noted.clone().lock_owned().await).is_none());
}

async fn user_text_is_recorded_unchanged(db: &TestDatabase) {
    let words = "O'Brien \\ \"said\" {NULL, $1} \\' E'\\n'; -- \u{1F5DE}\n\t";
    let claim = db.publish(&db.text().await, START).await;
    let event = NewEvent {
        from_state: Some(""),
        detail: json!({ "words": words }).to_string(),
        ..NewEvent::simple(START, None, "task", claim.task.0, "say")
    };
    let handler = TestHandler { events: vec![event.clone(), event], ..TestHandler::default() };
    let terms = ExecutionContext { node: words, clock: &db.clock, handler: &handler, limits: &[] };
    execute::run(&db.store, &[claim], terms, None).await.unwrap();
    let node = "select node from execution where task_id = $1";
    assert_eq!(db.one::<(String,)>(node, claim.task.0).await.unwrap().0, words);
    let mut lease = db.store.read(PoolRole::Web).await.unwrap();
    let log = event::history(lease.conn(), claim.task.0, 9).await.unwrap();
    let said: Vec<_> = log.iter().filter(|event| event.verb == "say").collect();
    assert_eq!(said.len(), 2);
    for event in said {
        assert_eq!(event.detail, json!({ "words": words }).to_string());
        assert_eq!((event.from_state.as_deref(), event.to_state.as_deref()), (Some(""), None));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn text_is_not_executed_as_sql_when_backslash_escapes() {
    let db = TestDatabase::postgres_with("standard_conforming_strings", "off").await;
    user_text_is_recorded_unchanged(&db).await;
    let wanted = ArticleListQuery { q: Some("\\' _ %".to_owned()), limit: 9, ..ArticleListQuery::default() };
    let mut lease = db.store.read(PoolRole::Web).await.unwrap();
    assert_eq!(article_list::page(lease.conn(), &wanted).await.unwrap(), []);
}

crate::on_both!(tasks_in_flight_are_recorded_first, user_text_is_recorded_unchanged);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_article_does_not_block_other_tasks() {
    let db = TestDatabase::postgres().await;
    let (node, texts) = (Node::of(&db).await, db.texts(2).await);
    let claims = db.plan(Kind::ArticlePublish, &texts, START).await;
    let mut person = db.tx().await;
    target::lock(person.conn(), &[texts[0].id.0]).await.unwrap();
    let waits = node.run(&db, &claims[..1]);
    let others = async {
        // Each on another connection: at first none has prepared the statements, then all have.
        for _ in 0..3 {
            node.run(&db, &claims[1..]).await.unwrap();
        }
        assert_eq!(node.stored(&db).await, in_flight::encode(&claims[1..]));
        person.commit().await.unwrap();
    };
    let both = async { tokio::join!(waits, others) };
    let (waited, ()) = timeout(Duration::from_secs(8), both).await.unwrap();
    assert_eq!(waited.unwrap().executed.len(), 1);
}
