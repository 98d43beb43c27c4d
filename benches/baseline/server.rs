//! The measured server: the optimised binary with its database and hint store.

use std::{
    fmt,
    process::Stdio,
    time::{Duration, Instant},
};
use tokio::{io::AsyncWriteExt, process::Command};

/// Databases and hint stores to measure.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// SQLite, hints in memory.
    Embedded,
    /// PostgreSQL with its default durability, Redis.
    Servers,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Embedded => "SQLite, in memory",
            Self::Servers => "PostgreSQL, Redis",
        })
    }
}

/// A running server and an API token.
pub struct Server {
    /// Its database and hint store.
    pub size: Size,
    /// Its URL.
    pub url: String,
    /// Time from its start until it listened.
    pub started_in: Duration,
    http: reqwest::Client,
    token: String,
    process: tokio::process::Child,
    _data: tempfile::TempDir,
    _redis: Option<test_support::Redis>,
    _postgres: Option<test_support::Postgres>,
}

impl Server {
    /// Starts a server with one admin.
    pub async fn start(size: Size) -> Self {
        let data = tempfile::tempdir().expect("a temporary folder");
        let mut storage = vec!["--data".to_owned(), data.path().display().to_string()];
        let (mut redis, mut postgres) = (None, None);
        if size == Size::Servers {
            let server = test_support::Postgres::start_durable().await;
            storage.extend(["--database-url".to_owned(), server.create_database()]);
            postgres = Some(server);
            let server = test_support::Redis::start().await;
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
        let port = test_support::free_port();
        let begun = Instant::now();
        let process = program()
            .args(["serve", "--listen", &format!("127.0.0.1:{port}")])
            .args(["--requests-per-second", "0", "--mib-per-day", "0"])
            .args(&storage)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("the server starts");
        test_support::wait_for_port(port).await;
        let started_in = begun.elapsed();
        let (url, http) = (format!("http://127.0.0.1:{port}"), reqwest::Client::new());
        Self { size, url, started_in, http, token, process, _data: data, _redis: redis, _postgres: postgres }
    }

    /// Sends a POST request with JSON to the API. Panics unless the status is 2xx.
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

    /// Sends a GET request to the API. Panics unless the status is 2xx.
    pub async fn get(&self, path: &str) -> serde_json::Value {
        read(self.http.get(format!("{}/api/v1{path}", self.url)).bearer_auth(&self.token).send().await).await
    }

    /// Returns the server's resident memory in MiB.
    pub fn resident_mib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id().unwrap_or(0)))
            .unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0");
        line.split_whitespace().next().and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0) / 1024
    }
}

async fn read(answer: Result<reqwest::Response, reqwest::Error>) -> serde_json::Value {
    let answer = answer.expect("the server responds");
    let status = answer.status();
    let text = answer.text().await.unwrap_or_default();
    assert!(status.is_success(), "{status}: {text}");
    serde_json::from_str(&text).expect("JSON")
}

async fn run(arguments: &[&str], storage: &[String], input: &str) -> String {
    let mut child = program()
        .args(arguments)
        .args(storage)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command line starts");
    let mut stdin = child.stdin.take().expect("an open input");
    stdin.write_all(input.as_bytes()).await.expect("the program reads its input");
    drop(stdin);
    let done = child.wait_with_output().await.expect("the program ends");
    assert!(done.status.success(), "{arguments:?} failed");
    String::from_utf8_lossy(&done.stdout).into_owned()
}

/// Returns a command for the optimised binary, or for the one in `PRESSTIME_BIN`.
#[expect(clippy::disallowed_methods, reason = "a measurement has no configuration to read this from")]
fn program() -> Command {
    let named = std::env::var("PRESSTIME_BIN");
    Command::new(named.unwrap_or_else(|_| env!("CARGO_BIN_EXE_presstime").to_owned()))
}
