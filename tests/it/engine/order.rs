//! What is executed first when much is due: content, while other classes keep a share.

use crate::{
    deliveries::text,
    on_both,
    rules::top_up,
    test_server::{Backend, TestServer},
};
use domain::{Hint, KindClass, Priority, TaskId, Version};
use engine::{Loop as _, Loops};
use serde_json::{Value, json};
use store::{Conn, PoolRole};
use uuid::Uuid;

on_both!(
    an_article_is_published_before_rules_that_were_due_earlier,
    an_article_is_published_before_rules_without_hints_too,
);

const MINUTE: i64 = 60_000;
/// Number of tasks of a rule: more than a batch.
const MANY: usize = 1_200;
/// Maximum number of hints in a future set, as in the feeder.
const MAX_FUTURE_HINTS: u64 = 150_000;

impl TestServer {
    /// Schedules an article, and many tasks of a rule a second before it. Returns the task of the article.
    async fn schedule_behind_rules(&self) -> Uuid {
        let action = json!({"type": "signal", "name": "done"});
        self.create_rule(&top_up(&Value::Null, json!({"wait": "PT1M", "action": action}))).await;
        let items: Vec<Value> =
            (0..MANY).map(|n| json!({"name": "top_up.clicked", "subject": format!("u{n}")})).collect();
        self.as_creator().post("/api/v1/signals/bulk", &json!({"items": items})).await.expect(202);
        let (_, task) = self.schedule_new_article("Behind rules", MINUTE + 1_000).await;
        text(&task["id"]).parse().unwrap()
    }

    /// Returns the ids of executed tasks in the order in which they were executed.
    async fn executed_in_order(&self) -> Vec<Uuid> {
        let mut lease = self.app.parts.store.read(PoolRole::Web).await.unwrap();
        let executed = "select entity_id from event where entity = 'task' and verb = 'execute' order by seq";
        match lease.conn() {
            Conn::Sqlite(c) => sqlx::query_scalar(executed).fetch_all(c).await.unwrap(),
            Conn::Postgres(c) => sqlx::query_scalar(executed).fetch_all(c).await.unwrap(),
        }
    }
}

fn assert_first(executed: &[Uuid], article: Uuid) {
    let place = executed.iter().position(|task| *task == article).expect("the article was published");
    // The canary may come before it.
    assert!(place <= 1 && executed.len() >= MANY, "{place} of {}", executed.len());
}

async fn an_article_is_published_before_rules_that_were_due_earlier(server: TestServer) {
    let article = server.schedule_behind_rules().await;
    server.advance(MINUTE + 1_000).await;
    assert_first(&server.executed_in_order().await, article);
}

async fn an_article_is_published_before_rules_without_hints_too(server: TestServer) {
    let article = server.schedule_behind_rules().await;
    server.advance_without_loops(MINUTE + 1_000);
    server.align_database_clock(&server.app);
    Loops::new(&server.app.parts).sweeper.tick(server.now()).await;
    assert_first(&server.executed_in_order().await, article);
}

#[tokio::test]
async fn content_gets_its_hint_while_others_fill_the_future_set() {
    let server = TestServer::start(Backend::Embedded).await;
    let (hints, now) = (&server.app.parts.hints, server.now());
    let waiting = |_| Hint {
        task: TaskId::generate(),
        version: Version::FIRST,
        due_at: now.plus(60 * MINUTE),
        priority: Priority::Normal,
        class: KindClass::Machines,
        bucket: 0,
    };
    hints.add(&(0..MAX_FUTURE_HINTS).map(waiting).collect::<Vec<_>>()).await.unwrap();
    let before = hints.depth().await.unwrap().content;
    // Beyond the window: the feeder brings its hint.
    server.schedule_new_article("Later", 20 * MINUTE).await;
    assert_eq!(hints.depth().await.unwrap().content, before);
    server.advance_without_loops(17 * MINUTE);
    Loops::new(&server.app.parts).feeder.tick(server.now()).await;
    let depth = hints.depth().await.unwrap();
    assert!(depth.content > before, "{depth:?}");
    assert!(depth.future >= MAX_FUTURE_HINTS);
}
