//! How execution begins: what a node takes into its hands stands in SQL before anything is taken, and nobody waits for others' locks.

use crate::memory::{Memory, START, Site};
use domain::{Kind, clock::SystemClock, engine::NodeRole};
use serde_json::json;
use std::{sync::Arc, time::Duration};
use store::{
    Conn, StoreError, Who,
    article_list::{self, Wanted},
    event::{self, NewEvent},
    execute::{self, Claim, Outcome, Terms},
    hands::{self, Note},
    node::{self, Beat},
    target,
};
use tokio::{sync::Mutex, time::timeout};
use uuid::Uuid;

/// A node with what it noted last.
struct Node {
    id: Uuid,
    noted: Arc<Mutex<Vec<u8>>>,
}

impl Node {
    async fn of(memory: &Memory) -> Self {
        let id = Uuid::now_v7();
        let beat = Beat {
            id,
            name: "here",
            role: NodeRole::All,
            version: "1",
            works: Some(true),
            looked: None,
            timeline: None,
        };
        node::beat(&memory.store, beat, &SystemClock).await.unwrap();
        Self { id, noted: Arc::default() }
    }

    async fn run(&self, memory: &Memory, claims: &[Claim]) -> Result<Outcome, StoreError> {
        let site = Site::default();
        let terms = Terms { node: "here", clock: &memory.clock, effects: &site, limits: &[] };
        let note = Note::new(self.id, 0, hands::packed(claims), self.noted.clone().lock_owned().await);
        execute::run(&memory.store, claims, terms, note).await
    }

    /// What stands in SQL.
    async fn in_hand(&self, memory: &Memory) -> Vec<u8> {
        let sql = "select tasks from in_hand where node_id = $1";
        match memory.tx().await.conn() {
            Conn::Sqlite(c) => sqlx::query_scalar(sql).bind(self.id).fetch_one(c).await.unwrap(),
            Conn::Postgres(c) => sqlx::query_scalar(sql).bind(self.id).fetch_one(c).await.unwrap(),
        }
    }
}

async fn what_is_begun_is_noted_first(memory: &Memory) {
    let (node, text) = (Node::of(memory).await, memory.text().await);
    let claim = memory.publish(&text, START).await;
    assert_eq!(node.run(memory, &[claim]).await.unwrap().executed.len(), 1);
    let noted = hands::packed([&claim]);
    assert_eq!(node.in_hand(memory).await, noted);
    assert_eq!(*node.noted.lock().await, noted);
    // The same again is no note.
    assert!(Note::new(node.id, 0, noted, node.noted.clone().lock_owned().await).is_none());
}

async fn what_anybody_wrote_is_booked_as_it_was_written(memory: &Memory) {
    let words = "O'Brien \\ \"said\" {NULL, $1} \\' E'\\n'; -- \u{1F5DE}\n\t";
    let claim = memory.publish(&memory.text().await, START).await;
    let event = NewEvent {
        from_state: Some(""),
        detail: json!({ "words": words }).to_string(),
        ..NewEvent::plain(START, None, "task", claim.task.0, "say")
    };
    let site = Site { says: vec![event.clone(), event], ..Site::default() };
    let terms = Terms { node: words, clock: &memory.clock, effects: &site, limits: &[] };
    execute::run(&memory.store, &[claim], terms, None).await.unwrap();
    let node = "select node from execution where task_id = $1";
    assert_eq!(memory.one::<(String,)>(node, claim.task.0).await.unwrap().0, words);
    let mut lease = memory.store.read(Who::People).await.unwrap();
    let log = event::of(lease.conn(), claim.task.0, 9).await.unwrap();
    let said: Vec<_> = log.iter().filter(|event| event.verb == "say").collect();
    assert_eq!(said.len(), 2);
    for event in said {
        assert_eq!(event.detail, json!({ "words": words }).to_string());
        assert_eq!((event.from_state.as_deref(), event.to_state.as_deref()), (Some(""), None));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn words_are_no_sql_where_a_backslash_escapes() {
    let memory = Memory::postgres_with("standard_conforming_strings", "off").await;
    what_anybody_wrote_is_booked_as_it_was_written(&memory).await;
    let wanted = Wanted { q: Some("\\' _ %".to_owned()), limit: 9, ..Wanted::default() };
    let mut lease = memory.store.read(Who::People).await.unwrap();
    assert_eq!(article_list::page(lease.conn(), &wanted).await.unwrap(), []);
}

crate::on_both!(what_is_begun_is_noted_first, what_anybody_wrote_is_booked_as_it_was_written);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_waits_for_a_text_that_somebody_holds_lets_others_begin() {
    let memory = Memory::postgres().await;
    let (node, texts) = (Node::of(&memory).await, memory.texts(2).await);
    let claims = memory.plan(Kind::ArticlePublish, &texts, START).await;
    let mut person = memory.tx().await;
    target::lock(person.conn(), &[texts[0].id.0]).await.unwrap();
    let waits = node.run(&memory, &claims[..1]);
    let others = async {
        // Each over another connection: none knows the statements yet, then all do.
        for _ in 0..3 {
            node.run(&memory, &claims[1..]).await.unwrap();
        }
        assert_eq!(node.in_hand(&memory).await, hands::packed(&claims[1..]));
        person.commit().await.unwrap();
    };
    let both = async { tokio::join!(waits, others) };
    let (waited, ()) = timeout(Duration::from_secs(8), both).await.unwrap();
    assert_eq!(waited.unwrap().executed.len(), 1);
}
