//! One node of the built program on a database and a Redis of its own.

use crate::witness;
use domain::{Clock as _, Hint, Lane, TaskId, Timestamp, Version, clock::SystemClock};
use queue::{BUCKETS, Hints as _, RedisHints, bucket_of};
use reqwest::{Client, Method};
use rig::{Postgres, Redis, answers, free_port};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, PgPool, Row as _};
use std::{fs::File, process::Stdio, sync::Arc, time::Duration};
use tempfile::TempDir;
use tokio::{
    process::{Child, Command},
    sync::Mutex,
    time::{Instant, interval, timeout},
};

/// How long something that must come is waited for, and an answer: other scenes may keep all processors.
const PATIENCE: Duration = Duration::from_secs(60);
/// The same for what must go out, milliseconds after its moment.
pub const OUT_AT_LAST: i64 = 60_000;
/// So long before its moment something is changed: first hardly, then long enough for whoever was too late.
const LEADS: [i64; 3] = [1_000, 5_000, 20_000];

/// A database with an admin and the witness in it, from which each desk gets its copy.
pub struct Ground {
    postgres: Arc<Postgres>,
    template: String,
    token: String,
    _folder: TempDir,
}

impl Ground {
    pub async fn prepare() -> Self {
        // The second time it is there already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let (postgres, folder) = (rig::postgres().await, tempfile::tempdir().expect("a temporary folder"));
        let database = postgres.fresh_database();
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
        let template = database.rsplit('/').next().unwrap_or_default().to_owned();
        witness::watch(&postgres, &database);
        Self { postgres, template, token, _folder: folder }
    }

    /// A desk of its own whose node runs this mutant.
    pub async fn desk(&self, mutant: Option<&'static str>) -> Desk {
        let environment = mutant.map(|name| ("PRESSTIME_MUTANT", name.to_owned()));
        let desk = self.desk_in(environment.into_iter().collect()).await;
        desk.revive().await;
        desk
    }

    /// A desk of its own whose node will find that in its environment; it does not run yet.
    pub async fn desk_in(&self, environment: Vec<(&'static str, String)>) -> Desk {
        let database = self.postgres.database_like(&self.template);
        let redis = Redis::start().await;
        Desk {
            past: PgPool::connect_lazy(&database).unwrap(),
            hints: RedisHints::new(&redis.url(), "pt", BUCKETS).unwrap(),
            client: Client::builder().no_proxy().timeout(PATIENCE).build().unwrap(),
            folder: tempfile::tempdir().unwrap(),
            node: Mutex::new(None),
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

/// A desk and its one node; they end when it is dropped.
pub struct Desk {
    pub hints: RedisHints,
    pub database: String,
    /// Connections past the program.
    pub past: PgPool,
    /// `None`: it is away for good.
    redis: Option<Redis>,
    redis_url: String,
    client: Client,
    token: String,
    port: u16,
    node: Mutex<Option<Child>>,
    environment: Vec<(&'static str, String)>,
    folder: TempDir,
}

/// An article that is to go out, and the task that publishes it.
pub struct Plan {
    pub article: String,
    pub task: TaskId,
    pub due: Timestamp,
}

impl Desk {
    /// Where its Redis is.
    pub fn redis_url(&self) -> String {
        self.redis_url.clone()
    }

    /// From now on there is no Redis.
    pub async fn lose_redis(&mut self) {
        if let Some(redis) = self.redis.take() {
            redis.kill().await;
        }
    }

    /// Kills the node where it stands.
    pub async fn kill(&self) {
        if let Some(mut node) = self.node.lock().await.take() {
            node.kill().await.expect("it is killed");
        }
    }

    /// Waits until the node has ended by itself. False: it did not, within the patience.
    pub async fn ends(&self) -> bool {
        let mut node = self.node.lock().await;
        let Some(child) = node.as_mut() else { return true };
        let has_ended = timeout(PATIENCE, child.wait()).await.is_ok();
        *node = None;
        has_ended
    }

    /// Asks the API, with a key or without: status and JSON. `None`: no answer.
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
    pub async fn revive(&self) {
        self.launch().await;
        answers(self.port).await;
    }

    /// Starts the node, which may die before it listens.
    pub async fn launch(&self) {
        let log = File::options().create(true).append(true).open(self.folder.path().join("log")).unwrap();
        let mut command = program(&self.database, &self.folder);
        command.args(["serve", "--listen", &format!("127.0.0.1:{}", self.port), "--data", "data"]);
        command.args(["--redis-url", &self.redis_url, "--webhook-allow-private", "--webhook-allow-http"]);
        // One token asks for everybody.
        command.args(["--requests-per-second", "0", "--mib-per-day", "0", "--clients-per-address", "4096"]);
        command.envs(self.environment.iter().cloned());
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn();
        *self.node.lock().await = Some(child.expect("the program is built"));
    }

    /// Asks the API.
    pub async fn ask(&self, method: Method, path: &str, body: &Value) -> (u16, Value) {
        let url = format!("http://127.0.0.1:{}/api/v1{path}", self.port);
        let request = self.client.request(method, url).bearer_auth(&self.token);
        let request = if body.is_null() { request } else { request.json(body) };
        let answer = request.send().await.expect("the node answers");
        (answer.status().as_u16(), answer.json().await.unwrap_or_default())
    }

    /// Asks for something that must be done.
    pub async fn have(&self, path: &str, body: &Value) -> Value {
        let (status, answer) = self.ask(Method::POST, path, body).await;
        assert!((200..300).contains(&status), "{path}: {status} {answer}");
        answer
    }

    /// Plans an article for `millis` from now, or as soon after that as its moment is still ahead when the node reads it.
    pub async fn plan(&self, millis: i64) -> Plan {
        let article = self.have("/articles", &json!({"title": "A title", "body": "A text."})).await;
        let text = |value: &Value| value["id"].as_str().unwrap().to_owned();
        for more in 0..10 {
            let due = SystemClock.now().plus(millis + more * 1_000);
            let task =
                json!({"kind": "article.publish", "target_id": article["id"], "due_at": due.to_string()});
            match self.ask(Method::POST, "/tasks", &task).await {
                (200..300, task) => {
                    return Plan { article: text(&article), task: text(&task).parse().unwrap(), due };
                }
                (422, _) => {}
                (status, answer) => panic!("it is planned: {status} {answer}"),
            }
        }
        panic!("void: its moment was past each time")
    }

    /// Plans an article and has that done before its moment. What came too late is left to go out, and another is planned.
    pub async fn plan_and(&self, change: impl AsyncFn(&Plan) -> bool) -> Plan {
        for lead in LEADS {
            let plan = self.plan(lead).await;
            if change(&plan).await {
                return plan;
            }
        }
        panic!("void: nothing could be changed before its moment");
    }

    /// Puts a hint on the publish list that the desk would not give.
    pub async fn forge(&self, plan: &Plan, version: i32) {
        let (task, bucket) = (plan.task, bucket_of(plan.task, BUCKETS));
        let hint = Hint { task, version: Version(version), due_at: plan.due, lane: Lane::Normal, bucket };
        self.hints.add_due(&[hint], SystemClock.now()).await.expect("Redis takes it");
    }

    /// A connection of one's own past the program.
    pub async fn stranger(&self) -> PgConnection {
        PgConnection::connect(&self.database).await.expect("PostgreSQL answers")
    }

    /// Runs statements past the program: how many rows they changed.
    pub async fn sql(&self, statements: String) -> u64 {
        let done = sqlx::raw_sql(AssertSqlSafe(statements)).execute(&self.past).await;
        done.expect("they are good").rows_affected()
    }

    /// Waits until a query past the program finds a row; its first column.
    pub async fn until(&self, query: String) -> i64 {
        self.until_within(query, PATIENCE).await
    }

    /// The same, for so long.
    pub async fn until_within(&self, query: String, patience: Duration) -> i64 {
        let mut looks = interval(Duration::from_millis(100));
        let end = Instant::now() + patience;
        loop {
            // In the server nobody tells of it: it is asked.
            looks.tick().await;
            let row = sqlx::query(AssertSqlSafe(query.clone())).fetch_optional(&self.past).await;
            if let Some(row) = row.expect("it answers") {
                return row.get(0);
            }
            assert!(Instant::now() < end, "nothing came of {query}");
        }
    }

    /// When the article went out, as often as it did.
    pub async fn went_out(&self, plan: &Plan) -> Vec<Timestamp> {
        witness::out(&self.past).await.remove(&plan.article).unwrap_or_default()
    }

    /// Whether it goes out within so long after its moment.
    pub async fn goes_out(&self, plan: &Plan, within: i64) -> bool {
        let mut looks = interval(Duration::from_millis(100));
        loop {
            looks.tick().await;
            if !self.went_out(plan).await.is_empty() {
                return true;
            }
            if SystemClock.now() > plan.due.plus(within) {
                return false;
            }
        }
    }

    /// Waits until all that the engine has in its hands now is behind it: until something newer has gone out.
    pub async fn has_gone_on(&self) {
        for _ in 0..2 {
            let marker = self.plan(500).await;
            assert!(self.goes_out(&marker, OUT_AT_LAST).await, "the engine goes on");
        }
    }
}
