//! One node of the built program on its own database and Redis.

use crate::faults::{
    cluster::{Cluster, Environment, now},
    observer,
};
use domain::{Hint, KindClass, Priority, TaskId, Timestamp, Version};
use queue::{DEFAULT_BUCKETS, PublishList as _, RedisHints, bucket_of};
use reqwest::Client;
use serde_json::Value;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, Row as _};
use std::{sync::Arc, time::Duration};
use test_support::{Postgres, Redis};
use tokio::time::{Instant, interval};

/// Timeout for everything that must happen, and for requests: other scenes may use all processors.
const WAIT_TIMEOUT: Duration = Duration::from_secs(60);
/// Timeout for a publication after its due time, in milliseconds.
pub const PUBLISH_TIMEOUT_MS: i64 = 60_000;
/// Time before the due time at which a change is tried, in milliseconds: longer after each failed
/// try.
const LEADS_MS: [i64; 3] = [1_000, 5_000, 20_000];
/// Name of the node.
pub const NODE: &str = "a";

/// A database with an admin and the observer's trigger. Each node gets a copy.
pub struct Template {
    postgres: Arc<Postgres>,
    name: String,
    token: String,
}

impl Template {
    pub async fn prepare() -> Self {
        let postgres = test_support::postgres().await;
        let database = postgres.create_database();
        let name = database.rsplit('/').next().unwrap_or_default().to_owned();
        let cluster = Cluster::open(Some(database), None).await;
        observer::install(&cluster).await;
        // A database with connections cannot be copied.
        cluster.pool().close().await;
        Self { postgres, name, token: cluster.token }
    }

    /// Starts a node with this mutant on a copy of the database.
    pub async fn start_node(&self, mutant: Option<&'static str>) -> TestNode {
        let environment = mutant.map(|name| ("PRESSTIME_MUTANT".to_owned(), name.to_owned()));
        let node = self.create_node(environment.into_iter().collect()).await;
        node.start().await;
        node
    }

    /// Creates a node with these environment variables on a copy of the database, without starting
    /// it.
    pub async fn create_node(&self, environment: Environment) -> TestNode {
        let database = self.postgres.clone_database(&self.name);
        let (redis, folder) = (Redis::start().await, tempfile::tempdir().unwrap());
        let hints = RedisHints::new(&redis.url(), "pt", DEFAULT_BUCKETS).unwrap();
        let mut cluster = Cluster::without_admin(folder, Some(database), Some(redis));
        cluster.client = Client::builder().no_proxy().timeout(WAIT_TIMEOUT).build().unwrap();
        cluster.environment = environment;
        cluster.token.clone_from(&self.token);
        TestNode { cluster, hints }
    }
}

/// A cluster of one node with its database and Redis.
pub struct TestNode {
    pub cluster: Cluster,
    pub hints: RedisHints,
}

/// An article and the task that publishes it.
pub struct Scheduled {
    pub article: String,
    pub task: TaskId,
    pub due: Timestamp,
}

impl TestNode {
    /// Starts the node and waits until it listens.
    pub async fn start(&self) {
        self.cluster.start(NODE).await;
    }

    /// Kills the node (SIGKILL).
    pub async fn kill(&self) {
        self.cluster.kill(NODE).await;
    }

    /// Waits until the node has exited by itself. False: the timeout passed.
    pub async fn wait_until_exited(&self) -> bool {
        self.cluster.wait_until_exited(NODE, WAIT_TIMEOUT).await
    }

    /// Sends a POST request that must succeed.
    pub async fn post(&self, path: &str, body: &Value) -> Value {
        self.cluster.post(NODE, path, body).await
    }

    /// Schedules an article for `millis` from now or somewhat later.
    pub async fn schedule(&self, millis: i64) -> Scheduled {
        let article = self.cluster.create_article(NODE, "A title").await;
        let (task, due) = self.cluster.schedule_in(NODE, &article, millis).await;
        Scheduled { article, task: task.parse().unwrap(), due }
    }

    /// Schedules an article and changes it before its due time. If the change comes too late, it
    /// tries another article.
    pub async fn schedule_and(&self, change: impl AsyncFn(&Scheduled) -> bool) -> Scheduled {
        for lead in LEADS_MS {
            let scheduled = self.schedule(lead).await;
            if change(&scheduled).await {
                return scheduled;
            }
        }
        panic!("void: nothing could be changed before its due time");
    }

    /// Puts a hint on the publish list that the program would not write.
    pub async fn forge_hint(&self, scheduled: &Scheduled, version: i32) {
        let (task, bucket) = (scheduled.task, bucket_of(scheduled.task, DEFAULT_BUCKETS));
        let hint = Hint {
            task,
            version: Version(version),
            due_at: scheduled.due,
            priority: Priority::Normal,
            class: KindClass::Content,
            bucket,
        };
        self.hints.add_due(&[hint], now()).await.expect("Redis accepts it");
    }

    /// Opens a direct connection to the database.
    pub async fn connect(&self) -> PgConnection {
        PgConnection::connect(self.cluster.database.as_deref().unwrap()).await.expect("PostgreSQL responds")
    }

    /// Runs statements directly and returns the number of changed rows.
    pub async fn sql(&self, statements: String) -> u64 {
        let done = sqlx::raw_sql(AssertSqlSafe(statements)).execute(self.cluster.pool()).await;
        done.expect("the statements are valid").rows_affected()
    }

    /// Repeats a query until it returns a row, and returns its first column.
    pub async fn wait_for_row(&self, query: String) -> i64 {
        self.wait_for_row_within(query, WAIT_TIMEOUT).await
    }

    /// The same with another timeout.
    pub async fn wait_for_row_within(&self, query: String, timeout: Duration) -> i64 {
        let mut polls = interval(Duration::from_millis(100));
        let end = Instant::now() + timeout;
        loop {
            // PostgreSQL sends no notification for this.
            polls.tick().await;
            let row = sqlx::query(AssertSqlSafe(query.clone())).fetch_optional(self.cluster.pool()).await;
            if let Some(row) = row.expect("PostgreSQL responds") {
                return row.get(0);
            }
            assert!(Instant::now() < end, "no row for {query}");
        }
    }

    /// Returns when the article was published, once for each publication.
    pub async fn publications(&self, scheduled: &Scheduled) -> Vec<Timestamp> {
        observer::publications(&self.cluster).await.remove(&scheduled.article).unwrap_or_default()
    }

    /// Waits until the article is published. False: it was not within `timeout_ms` after its due
    /// time.
    pub async fn is_published(&self, scheduled: &Scheduled, timeout_ms: i64) -> bool {
        let mut polls = interval(Duration::from_millis(100));
        loop {
            polls.tick().await;
            if !self.publications(scheduled).await.is_empty() {
                return true;
            }
            if now() > scheduled.due.plus(timeout_ms) {
                return false;
            }
        }
    }

    /// Waits until the engine has finished its tasks in flight: until newer tasks are published.
    pub async fn wait_until_idle(&self) {
        for _ in 0..2 {
            let marker = self.schedule(500).await;
            assert!(self.is_published(&marker, PUBLISH_TIMEOUT_MS).await, "the engine publishes");
        }
    }
}
