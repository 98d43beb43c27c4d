//! Nodes of the built program on one database; each is started, killed and called by its name.

use super::REQUEST_TIMEOUT;
use domain::{Clock as _, Timestamp, clock::SystemClock};
use reqwest::{Client, Method};
use serde_json::{Value, json};
use sqlx::PgPool;
use std::{collections::BTreeMap, fs::File, path::Path, process::Stdio, sync::OnceLock, time::Duration};
use tempfile::TempDir;
use test_support::{Redis, free_port, wait_for_port};
use tokio::{
    io::AsyncWriteExt as _,
    process::{Child, Command},
    sync::Mutex,
    time::{Instant, interval},
};

/// A cluster of nodes. They stop when it is dropped.
pub struct Cluster {
    /// URL of PostgreSQL; `None`: each node has SQLite in its data folder.
    pub database: Option<String>,
    /// URL of Redis for nodes that start. Initially that of `_redis`.
    pub redis_url: Option<String>,
    _redis: Option<Redis>,
    pool: OnceLock<PgPool>,
    /// An admin's API token.
    pub token: String,
    pub client: Client,
    /// Data folders (named like their nodes) and logs.
    pub folder: TempDir,
    nodes: Mutex<BTreeMap<String, Node>>,
}

struct Node {
    port: u16,
    child: Child,
}

impl Cluster {
    /// Creates a cluster without running nodes, and an admin in the database or in the data folder
    /// `data`.
    pub async fn open(database: Option<String>, redis: Option<Redis>, data: &str) -> Self {
        let mut cluster = Self::without_admin(tempfile::tempdir().unwrap(), database, redis);
        cluster.create_admin(data).await;
        cluster
    }

    /// Creates the admin and the token.
    pub async fn create_admin(&mut self, data: &str) {
        let add = ["user", "add", "--email", "ann@desk.test", "--name", "Ann", "--role", "admin"];
        self.run(data, &[&add[..], &["--password-stdin"]].concat(), "a good long word\n").await;
        let token = self.run(data, &["token", "create", "--user", "ann@desk.test"], "").await;
        self.token = token.trim().to_owned();
    }

    /// Creates a cluster without an admin in this folder.
    pub fn without_admin(folder: TempDir, database: Option<String>, redis: Option<Redis>) -> Self {
        // Fails if it is already installed.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder().no_proxy().timeout(REQUEST_TIMEOUT).build().unwrap();
        let redis_url = redis.as_ref().map(Redis::url);
        let (pool, token, nodes) = (OnceLock::new(), String::new(), Mutex::default());
        Self { database, redis_url, _redis: redis, pool, token, client, folder, nodes }
    }

    /// Direct connections to PostgreSQL.
    pub fn pool(&self) -> &PgPool {
        let url = self.database.as_deref().expect("PostgreSQL");
        self.pool.get_or_init(|| PgPool::connect_lazy(url).unwrap())
    }

    /// Starts a node and waits until it listens. Its data folder has its name unless `more` says
    /// otherwise.
    pub async fn start(&self, name: &str, more: &[&str], environment: &[(String, String)]) {
        let port = free_port();
        let log =
            File::options().create(true).append(true).open(self.folder.path().join(format!("{name}.log")));
        let mut command = self.command(name, &["serve", "--node", name]);
        command.args(["--listen", &format!("127.0.0.1:{port}")]).args(more);
        // All requests use one token.
        command.args(["--requests-per-second", "0", "--mib-per-day", "0", "--clients-per-address", "4096"]);
        command.args(["--webhook-allow-private", "--webhook-allow-http"]).envs(environment.iter().cloned());
        let child = command.stdout(Stdio::null()).stderr(log.unwrap()).spawn();
        let node = Node { port, child: child.expect("the program is built") };
        self.nodes.lock().await.insert(name.to_owned(), node);
        wait_for_port(port).await;
    }

    /// Waits until a node is ready (`/readyz`).
    pub async fn wait_until_ready(&self, name: &str) {
        let (mut polls, end) = (interval(Duration::from_millis(50)), Instant::now() + REQUEST_TIMEOUT);
        while !matches!(self.get(name, "/readyz").await, Some((200, _))) {
            assert!(Instant::now() < end, "{name} is not ready:\n{}", self.log(name));
            polls.tick().await;
        }
    }

    /// Kills a node (SIGKILL).
    pub async fn kill(&self, name: &str) {
        if let Some(mut node) = self.nodes.lock().await.remove(name) {
            node.child.kill().await.expect("the node can be killed");
        }
    }

    /// Returns a node's port.
    pub async fn port(&self, name: &str) -> u16 {
        self.nodes.lock().await[name].port
    }

    /// Returns a node's resident memory in KiB.
    pub async fn memory_kib(&self, name: &str) -> u64 {
        let pid = self.nodes.lock().await[name].child.id().expect("it runs");
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("Linux has /proc");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its memory");
        line.trim().trim_end_matches(" kB").parse().expect("a number")
    }

    /// Returns a node's log.
    pub fn log(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(format!("{name}.log"))).unwrap_or_default()
    }

    /// Sends a GET request for any path. Returns status and body; `None`: no response.
    pub async fn get(&self, name: &str, path: &str) -> Option<(u16, String)> {
        let url = format!("http://127.0.0.1:{}{path}", self.port(name).await);
        let answer = self.client.get(url).bearer_auth(&self.token).send().await.ok()?;
        Some((answer.status().as_u16(), answer.text().await.ok()?))
    }

    /// Sends a request with further headers to the API. Returns status and body; `None`: no
    /// response.
    pub async fn request(
        &self,
        name: &str,
        method: Method,
        path: &str,
        body: &Value,
        headers: &[(&str, &str)],
    ) -> Option<(u16, String)> {
        let url = format!("http://127.0.0.1:{}/api/v1{path}", self.port(name).await);
        let mut request = self.client.request(method, url).bearer_auth(&self.token).json(body);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let answer = request.send().await.ok()?;
        Some((answer.status().as_u16(), answer.text().await.ok()?))
    }

    /// Sends a POST request to the API. Returns status and JSON; status 0: no response.
    pub async fn try_post(&self, name: &str, path: &str, body: &Value) -> (u16, Value) {
        let answer = self.request(name, Method::POST, path, body, &[]).await;
        answer.map_or((0, Value::Null), |(status, text)| {
            (status, serde_json::from_str(&text).unwrap_or_default())
        })
    }

    /// Sends a POST request that must succeed.
    pub async fn post(&self, name: &str, path: &str, body: &Value) -> Value {
        let (status, answer) = self.try_post(name, path, body).await;
        assert!((200..300).contains(&status), "{path}: {status} {answer}\n{}", self.log(name));
        answer
    }

    /// Creates an article.
    pub async fn create_article(&self, name: &str, title: &str, body: &str) -> Article {
        let made = self.post(name, "/articles", &json!({"title": title, "body": body})).await;
        Article { id: text(&made["id"]) }
    }

    /// Schedules a task for an article and returns the task's id.
    pub async fn schedule(&self, name: &str, article: &Article, kind: &str, due: Timestamp) -> String {
        let task = json!({"kind": kind, "target_id": article.id, "due_at": due.to_string()});
        text(&self.post(name, "/tasks", &task).await["id"])
    }

    /// Runs a command with this data folder and returns its output.
    pub async fn run(&self, data: &str, arguments: &[&str], input: &str) -> String {
        let mut command = self.command(data, arguments);
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = piped.spawn().expect("the program is built");
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).await.unwrap();
        drop(stdin);
        let output = child.wait_with_output().await.unwrap();
        assert!(output.status.success(), "{arguments:?} failed");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs a command that must exit with status 1 and returns its output.
    pub async fn run_failing(
        &self,
        data: &str,
        arguments: &[&str],
        environment: &[(String, String)],
    ) -> String {
        let mut command = self.command(data, arguments);
        let output = command.envs(environment.iter().cloned()).output().await.expect("the program is built");
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn command(&self, data: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_presstime"));
        command.args(arguments).args(["--secret-key", "a long text that seals what is secret"]);
        command.env_clear().env("PATH", "/usr/bin:/bin").env("PRESSTIME_DATA", data);
        command.current_dir(self.folder.path()).stdin(Stdio::null()).kill_on_drop(true);
        if let Some(url) = &self.database {
            command.env("PRESSTIME_DATABASE_URL", url);
        }
        if let Some(url) = &self.redis_url {
            command.env("PRESSTIME_REDIS_URL", url);
        }
        command
    }

    /// Returns the path of the SQLite file in a data folder.
    pub fn sqlite_file(&self, data: &str) -> String {
        self.folder.path().join(data).join("presstime.db").display().to_string()
    }
}

/// A created article.
#[derive(Debug, Clone)]
pub struct Article {
    pub id: String,
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Returns the time by this computer's real clock.
pub fn now() -> Timestamp {
    SystemClock.now()
}

/// Copies a folder with `cp -r`.
pub fn copy_folder(from: &Path, to: &Path) {
    let copied = std::process::Command::new("cp").arg("-r").arg(from).arg(to).status();
    assert!(copied.unwrap().success(), "cp");
}
