//! A desk to measure: the optimised binary with its parts.

use std::{
    fmt,
    process::Stdio,
    time::{Duration, Instant},
};
use tokio::{io::AsyncWriteExt, process::Command};

/// What the desk stands on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// SQLite, hints in process.
    Embedded,
    /// PostgreSQL with its default durability, Redis.
    Servers,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Embedded => "SQLite, in process",
            Self::Servers => "PostgreSQL, Redis",
        })
    }
}

/// A running desk and somebody who may use it.
pub struct Desk {
    /// What it stands on.
    pub size: Size,
    /// Where it is reached.
    pub url: String,
    /// How long it took from its start until it answered.
    pub started_in: Duration,
    http: reqwest::Client,
    token: String,
    server: tokio::process::Child,
    _data: tempfile::TempDir,
    _redis: Option<rig::Redis>,
    _postgres: Option<rig::Postgres>,
}

impl Desk {
    /// Starts it with one admin.
    pub async fn start(size: Size) -> Self {
        let data = tempfile::tempdir().expect("a temporary folder");
        let mut storage = vec!["--data".to_owned(), data.path().display().to_string()];
        let (mut redis, mut postgres) = (None, None);
        if size == Size::Servers {
            let server = rig::Postgres::start_durable().await;
            storage.extend(["--database-url".to_owned(), server.fresh_database()]);
            postgres = Some(server);
            let server = rig::Redis::start().await;
            storage.extend(["--redis-url".to_owned(), server.url()]);
            redis = Some(server);
        }
        let add = [
            "user",
            "add",
            "--email",
            "ada@example.org",
            "--name",
            "Ada",
            "--role",
            "admin",
            "--password-stdin",
        ];
        run(&add, &storage, "correct horse battery").await;
        let token =
            run(&["token", "create", "--user", "ada@example.org"], &storage, "").await.trim().to_owned();
        let port = rig::free_port();
        let begun = Instant::now();
        let server = program()
            .args(["serve", "--listen", &format!("127.0.0.1:{port}")])
            .args(["--requests-per-second", "0", "--mib-per-day", "0"])
            .args(&storage)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("the server starts");
        rig::answers(port).await;
        let started_in = begun.elapsed();
        let (url, http) = (format!("http://127.0.0.1:{port}"), reqwest::Client::new());
        Self { size, url, started_in, http, token, server, _data: data, _redis: redis, _postgres: postgres }
    }

    /// POSTs JSON to the API; panics unless it says 2xx.
    pub async fn post(&self, path: &str, body: &serde_json::Value) -> serde_json::Value {
        let answer = self
            .http
            .post(format!("{}/api/v1{path}", self.url))
            .bearer_auth(&self.token)
            .json(body)
            .send()
            .await;
        read(answer).await
    }

    /// GETs JSON from the API; panics unless it says 2xx.
    pub async fn get(&self, path: &str) -> serde_json::Value {
        read(self.http.get(format!("{}/api/v1{path}", self.url)).bearer_auth(&self.token).send().await).await
    }

    /// Resident memory of the server.
    pub fn resident_mib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.server.id().unwrap_or(0)))
            .unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0");
        line.split_whitespace().next().and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0) / 1024
    }
}

async fn read(answer: Result<reqwest::Response, reqwest::Error>) -> serde_json::Value {
    let answer = answer.expect("the desk answers");
    let status = answer.status();
    let text = answer.text().await.unwrap_or_default();
    assert!(status.is_success(), "{status}: {text}");
    serde_json::from_str(&text).expect("JSON")
}

async fn run(verb: &[&str], storage: &[String], input: &str) -> String {
    let mut child = program()
        .args(verb)
        .args(storage)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command line starts");
    let mut stdin = child.stdin.take().expect("an open input");
    stdin.write_all(input.as_bytes()).await.expect("it reads");
    drop(stdin);
    let done = child.wait_with_output().await.expect("it ends");
    assert!(done.status.success(), "{verb:?} failed");
    String::from_utf8_lossy(&done.stdout).into_owned()
}

/// The optimised binary, or the one that `PRESSTIME_BIN` names.
#[expect(clippy::disallowed_methods, reason = "a measurement has no configuration to read this from")]
fn program() -> Command {
    let named = std::env::var("PRESSTIME_BIN");
    Command::new(named.unwrap_or_else(|_| env!("CARGO_BIN_EXE_presstime").to_owned()))
}
