//! Some nodes of the built program on one database, each started, signalled and asked by its name.

use super::LIMIT;
use domain::{Clock as _, Timestamp, clock::SystemClock};
use reqwest::{Client, Method};
use rig::{Redis, answers, free_port};
use serde_json::{Value, json};
use sqlx::PgPool;
use std::{collections::BTreeMap, fs::File, path::Path, process::Stdio, sync::OnceLock, time::Duration};
use tempfile::TempDir;
use tokio::{
    io::AsyncWriteExt as _,
    process::{Child, Command},
    sync::Mutex,
    time::{Instant, interval},
};

/// The nodes; they end when it is dropped.
pub struct Hall {
    /// PostgreSQL's address; `None`: each node has SQLite in its data folder.
    pub database: Option<String>,
    /// Where hints are: at the Redis it was given, until somebody says otherwise.
    pub redis_url: Option<String>,
    _redis: Option<Redis>,
    past: OnceLock<PgPool>,
    /// An admin's.
    pub token: String,
    pub client: Client,
    /// Data folders (by the names of nodes) and logs.
    pub folder: TempDir,
    nodes: Mutex<BTreeMap<String, Node>>,
}

struct Node {
    port: u16,
    child: Child,
}

impl Hall {
    /// Nobody runs yet; in the database, or in the data folder `data`, there is one admin.
    pub async fn open(database: Option<String>, redis: Option<Redis>, data: &str) -> Self {
        let mut hall = Self::over(tempfile::tempdir().unwrap(), database, redis);
        hall.furnish(data).await;
        hall
    }

    /// Adds the admin.
    pub async fn furnish(&mut self, data: &str) {
        let add = ["user", "add", "--email", "ann@desk.test", "--name", "Ann", "--role", "admin"];
        self.run(data, &[&add[..], &["--password-stdin"]].concat(), "a good long word\n").await;
        let token = self.run(data, &["token", "create", "--user", "ann@desk.test"], "").await;
        self.token = token.trim().to_owned();
    }

    /// The same without the admin, in that folder.
    pub fn over(folder: TempDir, database: Option<String>, redis: Option<Redis>) -> Self {
        // The second time it is there already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder().no_proxy().timeout(LIMIT).build().unwrap();
        let redis_url = redis.as_ref().map(Redis::url);
        let (past, token, nodes) = (OnceLock::new(), String::new(), Mutex::default());
        Self { database, redis_url, _redis: redis, past, token, client, folder, nodes }
    }

    /// Connections to PostgreSQL past the program.
    pub fn past(&self) -> &PgPool {
        let url = self.database.as_deref().expect("PostgreSQL");
        self.past.get_or_init(|| PgPool::connect_lazy(url).unwrap())
    }

    /// Starts a node and waits until it listens. Its data folder has its name unless `more` says otherwise.
    pub async fn start(&self, name: &str, more: &[&str], environment: &[(String, String)]) {
        let port = free_port();
        let log =
            File::options().create(true).append(true).open(self.folder.path().join(format!("{name}.log")));
        let mut command = self.command(name, &["serve", "--node", name]);
        command.args(["--listen", &format!("127.0.0.1:{port}")]).args(more);
        // One token asks for everybody.
        command.args(["--requests-per-second", "0", "--mib-per-day", "0", "--clients-per-address", "4096"]);
        command.args(["--webhook-allow-private", "--webhook-allow-http"]).envs(environment.iter().cloned());
        let child = command.stdout(Stdio::null()).stderr(log.unwrap()).spawn();
        let node = Node { port, child: child.expect("the program is built") };
        self.nodes.lock().await.insert(name.to_owned(), node);
        answers(port).await;
    }

    /// Waits until a node says that it works.
    pub async fn is_ready(&self, name: &str) {
        let (mut looks, end) = (interval(Duration::from_millis(50)), Instant::now() + LIMIT);
        while !matches!(self.get(name, "/readyz").await, Some((200, _))) {
            assert!(Instant::now() < end, "{name} is not ready:\n{}", self.log(name));
            looks.tick().await;
        }
    }

    /// Kills a node where it stands.
    pub async fn kill(&self, name: &str) {
        if let Some(mut node) = self.nodes.lock().await.remove(name) {
            node.child.kill().await.expect("it is killed");
        }
    }

    /// Where a node is reached.
    pub async fn port(&self, name: &str) -> u16 {
        self.nodes.lock().await[name].port
    }

    /// How much memory a node has, KiB.
    pub async fn resident(&self, name: &str) -> u64 {
        let pid = self.nodes.lock().await[name].child.id().expect("it runs");
        let status =
            std::fs::read_to_string(format!("/proc/{pid}/status")).expect("Linux tells of processes");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its memory");
        line.trim().trim_end_matches(" kB").parse().expect("a number")
    }

    /// What a node logged.
    pub fn log(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(format!("{name}.log"))).unwrap_or_default()
    }

    /// Asks a node for any path. `None`: no answer.
    pub async fn get(&self, name: &str, path: &str) -> Option<(u16, String)> {
        let url = format!("http://127.0.0.1:{}{path}", self.port(name).await);
        let answer = self.client.get(url).bearer_auth(&self.token).send().await.ok()?;
        Some((answer.status().as_u16(), answer.text().await.ok()?))
    }

    /// Asks a node's API with further headers: status and text. `None`: no answer.
    pub async fn ask(
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

    /// Posts something: status and JSON. A lost answer is status 0.
    pub async fn post(&self, name: &str, path: &str, body: &Value) -> (u16, Value) {
        let answer = self.ask(name, Method::POST, path, body, &[]).await;
        answer.map_or((0, Value::Null), |(status, text)| {
            (status, serde_json::from_str(&text).unwrap_or_default())
        })
    }

    /// Posts something that must be done.
    pub async fn have(&self, name: &str, path: &str, body: &Value) -> Value {
        let (status, answer) = self.post(name, path, body).await;
        assert!((200..300).contains(&status), "{path}: {status} {answer}\n{}", self.log(name));
        answer
    }

    /// Writes an article.
    pub async fn write(&self, name: &str, title: &str, body: &str) -> Article {
        let made = self.have(name, "/articles", &json!({"title": title, "body": body})).await;
        Article { id: text(&made["id"]) }
    }

    /// Plans what shall happen to an article: the task.
    pub async fn plan(&self, name: &str, article: &Article, kind: &str, due: Timestamp) -> String {
        let task = json!({"kind": kind, "target_id": article.id, "due_at": due.to_string()});
        text(&self.have(name, "/tasks", &task).await["id"])
    }

    /// Runs a verb with that data folder; what it printed.
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

    /// Runs a verb that finds fault; what it printed.
    pub async fn fails(&self, data: &str, arguments: &[&str], environment: &[(String, String)]) -> String {
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

    /// SQLite's file in a data folder.
    pub fn file(&self, data: &str) -> String {
        self.folder.path().join(data).join("presstime.db").display().to_string()
    }
}

/// An article, as its writer knows it.
#[derive(Debug, Clone)]
pub struct Article {
    pub id: String,
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// By this machine's clock, which nobody sets.
pub fn now() -> Timestamp {
    SystemClock.now()
}

/// Copies a folder as any program that copies files would.
pub fn copy_folder(from: &Path, to: &Path) {
    let copied = std::process::Command::new("cp").arg("-r").arg(from).arg(to).status();
    assert!(copied.unwrap().success(), "cp");
}
