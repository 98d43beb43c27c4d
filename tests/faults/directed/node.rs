//! One node of the built program on its own database and Redis.

use crate::observers;
use domain::{Clock as _, Hint, Priority, TaskId, Timestamp, Version, clock::SystemClock};
use queue::{DEFAULT_BUCKETS, Hints as _, RedisHints, bucket_of};
use reqwest::{Client, Method};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, PgPool, Row as _};
use std::{fs::File, process::Stdio, sync::Arc, time::Duration};
use tempfile::TempDir;
use test_support::{Postgres, Redis, free_port, wait_for_port};
use tokio::{
    process::{Child, Command},
    sync::Mutex,
    time::{Instant, interval, timeout},
};

/// Timeout for everything that must happen, and for requests: other scenes may use all processors.
const WAIT_TIMEOUT: Duration = Duration::from_secs(60);
/// Timeout for a publication after its due time, in milliseconds.
pub const PUBLISH_TIMEOUT_MS: i64 = 60_000;
/// Time before the due time at which a change is tried, in milliseconds: longer after each failed
/// try.
const LEADS_MS: [i64; 3] = [1_000, 5_000, 20_000];

/// A database with an admin and the observer's trigger. Each node gets a copy.
pub struct Template {
    postgres: Arc<Postgres>,
    name: String,
    token: String,
    _folder: TempDir,
}

impl Template {
    pub async fn prepare() -> Self {
        // Fails if it is already installed.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let (postgres, folder) =
            (test_support::postgres().await, tempfile::tempdir().expect("a temporary folder"));
        let database = postgres.create_database();
        let run = async |arguments: &[&str], input: &'static str| {
            let mut command = program(&database, &folder);
            let mut child =
                command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
            let mut stdin = child.stdin.take().unwrap();
            tokio::io::AsyncWriteExt::write_all(&mut stdin, input.as_bytes()).await.unwrap();
            drop(stdin);
            let output = child.wait_with_output().await.unwrap();
            assert!(output.status.success(), "{arguments:?} failed");
            String::from_utf8(output.stdout).unwrap().trim().to_owned()
        };
        let add = ["user", "add", "--email", "ann@desk.test", "--name", "Ann", "--role", "admin"];
        run(&[&add[..], &["--password-stdin"]].concat(), "a good long word\n").await;
        let token = run(&["token", "create", "--user", "ann@desk.test"], "").await;
        let name = database.rsplit('/').next().unwrap_or_default().to_owned();
        observers::install(&postgres, &database);
        Self { postgres, name, token, _folder: folder }
    }

    /// Starts a node with this mutant on a copy of the database.
    pub async fn start_node(&self, mutant: Option<&'static str>) -> TestNode {
        let environment = mutant.map(|name| ("PRESSTIME_MUTANT", name.to_owned()));
        let node = self.create_node(environment.into_iter().collect()).await;
        node.start().await;
        node
    }

    /// Creates a node with these environment variables on a copy of the database, without starting
    /// it.
    pub async fn create_node(&self, environment: Vec<(&'static str, String)>) -> TestNode {
        let database = self.postgres.clone_database(&self.name);
        let redis = Redis::start().await;
        TestNode {
            pool: PgPool::connect_lazy(&database).unwrap(),
            hints: RedisHints::new(&redis.url(), "pt", DEFAULT_BUCKETS).unwrap(),
            client: Client::builder().no_proxy().timeout(WAIT_TIMEOUT).build().unwrap(),
            folder: tempfile::tempdir().unwrap(),
            child: Mutex::new(None),
            port: free_port(),
            token: self.token.clone(),
            database,
            redis_url: redis.url(),
            redis: Some(redis),
            environment,
        }
    }
}

fn program(database: &str, folder: &TempDir) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_presstime"));
    command.env_clear().env("PATH", "/usr/bin:/bin").current_dir(folder.path());
    command.env("PRESSTIME_DATABASE_URL", database).kill_on_drop(true);
    command
}

/// A node with its database and Redis. Stops when dropped.
pub struct TestNode {
    pub hints: RedisHints,
    pub database: String,
    /// Direct connections to the database.
    pub pool: PgPool,
    /// `None`: it was killed.
    redis: Option<Redis>,
    redis_url: String,
    client: Client,
    token: String,
    port: u16,
    child: Mutex<Option<Child>>,
    environment: Vec<(&'static str, String)>,
    folder: TempDir,
}

/// An article and the task that publishes it.
pub struct Scheduled {
    pub article: String,
    pub task: TaskId,
    pub due: Timestamp,
}

impl TestNode {
    /// Returns the URL of its Redis.
    pub fn redis_url(&self) -> String {
        self.redis_url.clone()
    }

    /// Kills Redis.
    pub async fn kill_redis(&mut self) {
        if let Some(redis) = self.redis.take() {
            redis.kill().await;
        }
    }

    /// Kills the node (SIGKILL).
    pub async fn kill(&self) {
        if let Some(mut child) = self.child.lock().await.take() {
            child.kill().await.expect("the node can be killed");
        }
    }

    /// Waits until the node has exited by itself. False: the timeout passed.
    pub async fn wait_until_exited(&self) -> bool {
        let mut guard = self.child.lock().await;
        let Some(child) = guard.as_mut() else { return true };
        let has_ended = timeout(WAIT_TIMEOUT, child.wait()).await.is_ok();
        *guard = None;
        has_ended
    }

    /// Sends a POST request to the API, with or without an idempotency key. Returns status and
    /// JSON; `None`: no response.
    pub async fn try_post(&self, path: &str, body: &Value, key: Option<&str>) -> Option<(u16, Value)> {
        let url = format!("http://127.0.0.1:{}/api/v1{path}", self.port);
        let mut request = self.client.post(url).bearer_auth(&self.token).json(body);
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        let answer = request.send().await.ok()?;
        Some((answer.status().as_u16(), answer.json().await.ok()?))
    }

    /// Starts the node and waits until it listens.
    pub async fn start(&self) {
        self.spawn().await;
        wait_for_port(self.port).await;
    }

    /// Starts the node, which may exit before it listens.
    pub async fn spawn(&self) {
        let log = File::options().create(true).append(true).open(self.folder.path().join("log")).unwrap();
        let mut command = program(&self.database, &self.folder);
        command.args(["serve", "--listen", &format!("127.0.0.1:{}", self.port), "--data", "data"]);
        command.args(["--redis-url", &self.redis_url, "--webhook-allow-private", "--webhook-allow-http"]);
        // All requests use one token.
        command.args(["--requests-per-second", "0", "--mib-per-day", "0", "--clients-per-address", "4096"]);
        command.envs(self.environment.iter().cloned());
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn();
        *self.child.lock().await = Some(child.expect("the program is built"));
    }

    /// Sends a request to the API.
    pub async fn request(&self, method: Method, path: &str, body: &Value) -> (u16, Value) {
        let url = format!("http://127.0.0.1:{}/api/v1{path}", self.port);
        let request = self.client.request(method, url).bearer_auth(&self.token);
        let request = if body.is_null() { request } else { request.json(body) };
        let answer = request.send().await.expect("the node responds");
        (answer.status().as_u16(), answer.json().await.unwrap_or_default())
    }

    /// Sends a POST request that must succeed.
    pub async fn post(&self, path: &str, body: &Value) -> Value {
        let (status, answer) = self.request(Method::POST, path, body).await;
        assert!((200..300).contains(&status), "{path}: {status} {answer}");
        answer
    }

    /// Schedules an article for `millis` from now. If that time has passed when the node handles
    /// the request, it tries later due times.
    pub async fn schedule(&self, millis: i64) -> Scheduled {
        let article = self.post("/articles", &json!({"title": "A title", "body": "A text."})).await;
        let text = |value: &Value| value["id"].as_str().unwrap().to_owned();
        for more in 0..10 {
            let due = SystemClock.now().plus(millis + more * 1_000);
            let task =
                json!({"kind": "article.publish", "target_id": article["id"], "due_at": due.to_string()});
            match self.request(Method::POST, "/tasks", &task).await {
                (200..300, task) => {
                    return Scheduled { article: text(&article), task: text(&task).parse().unwrap(), due };
                }
                (422, _) => {}
                (status, answer) => panic!("the task is scheduled: {status} {answer}"),
            }
        }
        panic!("void: the due time had passed each time")
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
            bucket,
        };
        self.hints.add_due(&[hint], SystemClock.now()).await.expect("Redis accepts it");
    }

    /// Opens a direct connection to the database.
    pub async fn connect(&self) -> PgConnection {
        PgConnection::connect(&self.database).await.expect("PostgreSQL responds")
    }

    /// Runs statements directly and returns the number of changed rows.
    pub async fn sql(&self, statements: String) -> u64 {
        let done = sqlx::raw_sql(AssertSqlSafe(statements)).execute(&self.pool).await;
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
            let row = sqlx::query(AssertSqlSafe(query.clone())).fetch_optional(&self.pool).await;
            if let Some(row) = row.expect("PostgreSQL responds") {
                return row.get(0);
            }
            assert!(Instant::now() < end, "no row for {query}");
        }
    }

    /// Returns when the article was published, once for each publication.
    pub async fn publications(&self, scheduled: &Scheduled) -> Vec<Timestamp> {
        observers::publications_on(&self.pool).await.remove(&scheduled.article).unwrap_or_default()
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
            if SystemClock.now() > scheduled.due.plus(timeout_ms) {
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
