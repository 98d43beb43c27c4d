//! A channel with many waiting messages: it is deleted and resumed in batches, and what is due is on time
//! meanwhile.

use super::super::text;
use crate::{
    engine_page::assert_contains,
    on_both,
    test_server::{Backend, TestServer},
};
use domain::{ChannelId, channel::Channel};
use engine::Loop as _;
use serde_json::{Value, json};
use store::{Conn, PoolRole, channel, dispatch::unfinished};
use test_support::{Sink, until};

on_both!(
    a_channel_with_many_waiting_messages_is_deleted_in_batches,
    many_held_messages_are_released_in_batches,
    a_channel_that_is_being_deleted_is_not_deleted_again,
    undelivered_messages_of_one_channel_hide_none_of_another,
);

/// Number of runs after which all batches must have been made, however slow the machine is.
const MAX_RUNS: usize = 200;

impl TestServer {
    /// Stores deliveries of a channel in this state, as if they had waited for long.
    async fn insert_deliveries(&self, channel: ChannelId, count: i64, state: &'static str) {
        let columns = "insert into delivery
            (id, version, channel_id, channel, event, title, body, state, not_before, max_attempts, created_at,
             ended_at)";
        let values = "1, $1, 'Sink', 'message', 'Order', 'x', $2, $3, 3, $3,
            case when $2 in ('pending', 'held') then null else $3 end";
        let mut tx = self.app.parts.store.begin(PoolRole::Web).await.unwrap();
        match tx.conn() {
            Conn::Sqlite(c) => {
                let query = format!(
                    "{columns} with recursive number (n) as (select 1 union all select n + 1 from number where n < $4)
                     select randomblob(16), {values} from number"
                );
                let query = sqlx::query(sqlx::AssertSqlSafe(query));
                query.bind(channel.0).bind(state).bind(1_i64).bind(count).execute(c).await.unwrap();
            }
            Conn::Postgres(c) => {
                let query = format!(
                    "{columns} select gen_random_uuid(), {values} from generate_series(1, $4::bigint)"
                );
                let query = sqlx::query(sqlx::AssertSqlSafe(query));
                query.bind(channel.0).bind(state).bind(1_i64).bind(count).execute(c).await.unwrap();
            }
        }
        tx.commit().await.unwrap();
    }

    /// Counts the deliveries of a channel in this state.
    async fn count_deliveries(&self, channel: ChannelId, state: &str) -> i64 {
        let text = "select count(*) from delivery where channel_id = $1 and state = $2";
        let mut lease = self.app.parts.store.read(PoolRole::Web).await.unwrap();
        match lease.conn() {
            Conn::Sqlite(c) => {
                sqlx::query_scalar(text).bind(channel.0).bind(state).fetch_one(c).await.unwrap()
            }
            Conn::Postgres(c) => {
                sqlx::query_scalar(text).bind(channel.0).bind(state).fetch_one(c).await.unwrap()
            }
        }
    }

    /// Counts the pending deliveries of a channel behind the first one that is held.
    async fn count_behind_held(&self, channel: ChannelId) -> i64 {
        let text = "select count(*) from delivery
                     where channel_id = $1 and state = 'pending'
                       and id > (select id from delivery where channel_id = $1 and state = 'held' order by id limit 1)";
        let mut lease = self.app.parts.store.read(PoolRole::Web).await.unwrap();
        match lease.conn() {
            Conn::Sqlite(c) => sqlx::query_scalar(text).bind(channel.0).fetch_one(c).await.unwrap(),
            Conn::Postgres(c) => sqlx::query_scalar(text).bind(channel.0).fetch_one(c).await.unwrap(),
        }
    }

    /// Runs the maintenance loop once.
    async fn make_batches(&self) {
        self.align_database_clock(&self.app);
        self.app.loops.maintenance.tick(self.now()).await;
    }

    /// Begins a batch in a transaction that is not committed, as by a process that dies.
    async fn interrupt_batch(&self, channel: ChannelId) {
        let store = &self.app.parts.store;
        let mut lease = store.read(PoolRole::Dispatcher).await.unwrap();
        let batch = unfinished::next(lease.conn(), channel).await.unwrap().unwrap();
        drop(lease);
        let mut tx = store.begin(PoolRole::Dispatcher).await.unwrap();
        assert!(unfinished::apply(tx.conn(), &batch, self.now()).await.unwrap());
    }

    /// Waits until PostgreSQL lets a statement wait for a lock in whose text this stands.
    pub(super) async fn until_locked(&self, statement: &str) {
        let waiting = "select count(*) from pg_stat_activity
                        where datname = current_database() and wait_event_type = 'Lock' and query like $1";
        let is_locked = async || {
            let mut lease = self.app.parts.store.read(PoolRole::Web).await.unwrap();
            let Conn::Postgres(c) = lease.conn() else { panic!("not PostgreSQL") };
            let query = sqlx::query_scalar::<_, i64>(waiting).bind(format!("%{statement}%"));
            query.fetch_one(c).await.unwrap() > 0
        };
        until("a statement waits for a lock", is_locked).await;
    }
}

pub(super) async fn run_on_postgres(conn: Conn<'_>, channel: ChannelId, text: &'static str) {
    let Conn::Postgres(c) = conn else { panic!("not PostgreSQL") };
    sqlx::query(text).bind(channel.0).execute(c).await.unwrap();
}

pub(super) fn id_of(channel: &Value) -> ChannelId {
    ChannelId(text(&channel["id"]).parse().unwrap())
}

async fn a_channel_with_many_waiting_messages_is_deleted_in_batches(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let (id, path) = (id_of(&channel), format!("/api/v1/channels/{}", text(&channel["id"])));
    server.insert_deliveries(id, 20_000, "pending").await;
    assert_eq!(server.get_channel(&channel).await["waiting"], json!(10_001), "more than 10,000");
    server.as_admin().delete(&path).await.expect(204);
    let shown = server.get_channel(&channel).await;
    assert_eq!(text(&shown["state"]), "deleting");
    assert_eq!((&shown["remaining"], &shown["total"]), (&json!(20_000), &json!(20_000)));
    assert_eq!(server.as_admin().delete(&path).await.refused(409), "wrong_state");
    let resume = server.as_admin().post(&format!("{path}/resume"), &Value::Null).await;
    assert!((400..500).contains(&resume.status), "{}", resume.text);
    let new = json!({"channel_id": channel["id"], "delay": "PT0S", "body": "x"});
    let refused = server.as_admin().post("/api/v1/messages", &new).await;
    assert!((400..500).contains(&refused.status), "{}", refused.text);
    let (_, task) = server.schedule_new_article("On time", 1_000).await;

    server.interrupt_batch(id).await;
    assert_eq!(server.count_deliveries(id, "cancelled").await, 0, "nothing was committed");
    for _ in 0..MAX_RUNS {
        server.make_batches().await;
        if server.count_deliveries(id, "cancelled").await > 0 {
            break;
        }
    }
    let done = server.count_deliveries(id, "cancelled").await;
    assert!((1..20_000).contains(&done), "{done}");
    let left = server.get_channel(&channel).await["remaining"].as_i64();
    assert_eq!(left, Some(20_000 - done));
    for page in ["/settings/channels", &*format!("/settings/channels/{}", text(&channel["id"]))] {
        assert_contains(&server.page(&server.admin, page).await, &["of 20,000 messages still to cancel"]);
    }
    // The node is not seen again; another one continues.
    let other = server.open_second_node().await;
    server.align_database_clock(&other);
    other.loops.maintenance.tick(server.now()).await;
    server.advance(1_000).await;
    let published = server.task(&task).await;
    assert_eq!(text(&published["state"]), "executed", "it is not delayed");
    for _ in 0..MAX_RUNS {
        other.loops.maintenance.tick(server.now()).await;
        if server.as_admin().get(&path).await.status == 404 {
            break;
        }
    }
    assert_eq!(server.as_admin().get(&path).await.status, 404);
    assert_eq!(server.count_deliveries(id, "cancelled").await, 20_000);
    assert!(sink.received().is_empty());
    other.close().await;
    server.assert_execution_records_match().await;
}

async fn many_held_messages_are_released_in_batches(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let id = id_of(&channel);
    server.insert_deliveries(id, 2_500, "held").await;
    server.post_channel_action(&channel, "pause").await;
    server.post_channel_action(&channel, "resume").await;
    assert_eq!(server.count_deliveries(id, "held").await, 1_500, "the first batch at once");
    assert_eq!(server.count_behind_held(id).await, 0, "in the order of the following batches");
    server.post_channel_action(&channel, "pause").await;
    for _ in 0..MAX_RUNS {
        server.make_batches().await;
        if server.count_deliveries(id, "held").await == 0 {
            break;
        }
    }
    assert_eq!(server.count_deliveries(id, "pending").await, 2_500);
    let few = server.create_webhook(&sink, json!({"name": "Few"})).await;
    server.insert_deliveries(id_of(&few), 1_000, "pending").await;
    let path = format!("/api/v1/channels/{}", text(&few["id"]));
    server.as_admin().delete(&path).await.expect(204);
    assert_eq!(server.as_admin().get(&path).await.status, 404, "a few are cancelled at once");
    assert!(sink.received().is_empty());
}

async fn a_channel_that_is_being_deleted_is_not_deleted_again(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let (id, path) = (id_of(&channel), format!("/api/v1/channels/{}", text(&channel["id"])));
    server.insert_deliveries(id, 2, "pending").await;
    // Only these are left of many.
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    assert!(unfinished::begin_deletion(tx.conn(), id, 2).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!(server.as_admin().delete(&path).await.refused(409), "wrong_state");
    assert_eq!(server.count_deliveries(id, "pending").await, 2, "its batches cancel them");
    for _ in 0..MAX_RUNS {
        server.make_batches().await;
        if server.as_admin().get(&path).await.status == 404 {
            break;
        }
    }
    assert_eq!(server.as_admin().delete(&path).await.status, 404);
    assert_eq!(server.count_deliveries(id, "cancelled").await, 2);
}

async fn undelivered_messages_of_one_channel_hide_none_of_another(server: TestServer) {
    let sink = Sink::start().await;
    let many = server.create_webhook(&sink, json!({"name": "Many"})).await;
    let few = server.create_webhook(&sink, json!({"name": "Few"})).await;
    server.insert_deliveries(id_of(&few), 3, "failed").await;
    server.insert_deliveries(id_of(&many), 20_000, "failed").await;
    let counts = async |channel: &Value| {
        let mut lease = server.app.parts.store.read(PoolRole::Web).await.unwrap();
        let record = channel::find(lease.conn(), id_of(channel)).await.unwrap().unwrap();
        Channel::try_from(record).unwrap().health.unresolved
    };
    assert_eq!((counts(&many).await, counts(&few).await), (10_001, 3));
}

#[tokio::test]
async fn a_deletion_and_a_recorded_result_lock_in_one_order() {
    let server = TestServer::start(Backend::Servers).await;
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let (id, path) = (id_of(&channel), format!("/api/v1/channels/{}", text(&channel["id"])));
    server.insert_deliveries(id, 3, "pending").await;
    let mut tx = server.app.parts.store.begin(PoolRole::Dispatcher).await.unwrap();
    run_on_postgres(
        tx.conn(),
        id,
        "insert into failing_delivery (delivery_id, channel_id, first_failed_at, shown_at)
         select id, channel_id, 1, 1 from delivery where channel_id = $1",
    )
    .await;
    tx.commit().await.unwrap();
    // As a result that is recorded: first the deliveries, then what hangs on them.
    let mut tx = server.app.parts.store.begin(PoolRole::Dispatcher).await.unwrap();
    run_on_postgres(tx.conn(), id, "update delivery set title = title where channel_id = $1").await;
    let deleting = async { server.as_admin().delete(&path).await.expect(204) };
    let recording = async {
        server.until_locked("delivery").await;
        run_on_postgres(
            tx.conn(),
            id,
            "update failing_delivery set shown_at = shown_at where channel_id = $1",
        )
        .await;
        tx.commit().await.unwrap();
    };
    let (_, ()) = tokio::join!(deleting, recording);
    assert_eq!(server.as_admin().get(&path).await.status, 404);
}
