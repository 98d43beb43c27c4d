//! Three nodes of the built program on one PostgreSQL and one Redis, each server behind a proxy.

use std::{fs::File, process::Stdio, time::Duration};
use tempfile::TempDir;
use test_support::{Postgres, Proxy, Redis, free_port, wait_for_port};
use tokio::{
    io::AsyncWriteExt as _,
    net::TcpStream,
    process::{Child, Command},
    sync::Mutex,
    time::{Instant, interval},
};

/// Timeout for the start of a node.
const START_TIMEOUT: Duration = Duration::from_secs(30);
/// Number of nodes.
pub const NODES: usize = 3;

/// A running cluster. Stops when dropped.
pub struct Cluster {
    pub postgres: Postgres,
    pub to_postgres: Proxy,
    pub to_redis: Proxy,
    /// URL of the database without the proxy.
    pub database: String,
    /// An admin's token.
    pub token: String,
    redis: Mutex<Option<Redis>>,
    redis_port: u16,
    nodes: Vec<Node>,
    mutant: Option<&'static str>,
    folder: TempDir,
}

struct Node {
    port: u16,
    child: Mutex<Option<Child>>,
}

impl Cluster {
    /// Starts servers and nodes. The nodes run this mutant.
    pub async fn start(mutant: Option<&'static str>) -> Self {
        let (postgres, redis) = (Postgres::start_durable().await, Redis::start().await);
        let redis_port = redis.port();
        let mut cluster = Self {
            to_postgres: Proxy::to(postgres.port()).await,
            to_redis: Proxy::to(redis_port).await,
            database: postgres.create_database(),
            postgres,
            token: String::new(),
            redis: Mutex::new(Some(redis)),
            redis_port,
            nodes: (0..NODES).map(|_| Node { port: free_port(), child: Mutex::new(None) }).collect(),
            mutant,
            folder: tempfile::tempdir().expect("a temporary folder"),
        };
        let add = [
            "user",
            "add",
            "--email",
            "ann@desk.test",
            "--name",
            "Ann",
            "--role",
            "admin",
            "--password-stdin",
        ];
        cluster.run(&add, "a good long word\n").await;
        cluster.token =
            cluster.run(&["token", "create", "--user", "ann@desk.test"], "").await.trim().to_owned();
        for number in 0..NODES {
            cluster.start_node(number).await;
        }
        for node in &cluster.nodes {
            wait_for_port(node.port).await;
        }
        cluster
    }

    /// Returns the URL of a node.
    pub fn url(&self, number: usize) -> String {
        format!("http://127.0.0.1:{}", self.nodes[number].port)
    }

    /// Waits until a node listens. A node that exited because of a fault during its start is
    /// restarted.
    pub async fn wait_until_listening(&self, number: usize) {
        let end = Instant::now() + START_TIMEOUT;
        let mut polls = interval(Duration::from_millis(50));
        while TcpStream::connect(("127.0.0.1", self.nodes[number].port)).await.is_err() {
            assert!(Instant::now() < end, "n{number} does not listen:\n{}", self.log_tails());
            polls.tick().await;
            self.start_node(number).await;
        }
    }

    /// Kills a node (SIGKILL).
    pub async fn kill(&self, number: usize) {
        if let Some(mut child) = self.nodes[number].child.lock().await.take() {
            child.kill().await.expect("the node can be killed");
        }
    }

    /// Starts a node unless it runs.
    pub async fn start_node(&self, number: usize) {
        let mut child = self.nodes[number].child.lock().await;
        if child.as_mut().is_some_and(|child| matches!(child.try_wait(), Ok(None))) {
            return;
        }
        let (listen, name) = (format!("127.0.0.1:{}", self.nodes[number].port), format!("n{number}"));
        let log = File::options().create(true).append(true).open(self.folder.path().join(&name));
        let mut command = self.command(&["serve", "--listen", &listen, "--node", &name, "--data", &name]);
        command.args(["--redis-url", &format!("redis://127.0.0.1:{}", self.to_redis.port())]);
        // All users share one token.
        command.args(["--requests-per-second", "0", "--mib-per-day", "0", "--clients-per-address", "4096"]);
        command.args(["--webhook-allow-private", "--webhook-allow-http"]).stdout(Stdio::null());
        *child = Some(command.stderr(log.expect("a log")).spawn().expect("the program is built"));
    }

    /// Sends a node a signal, e.g. `STOP`.
    pub async fn signal(&self, number: usize, name: &str) {
        let child = self.nodes[number].child.lock().await;
        if let Some(pid) = child.as_ref().and_then(Child::id) {
            let status = Command::new("kill").args([&format!("-{name}"), &pid.to_string()]).status().await;
            assert!(status.expect("kill").success());
        }
    }

    /// Deletes all keys in Redis (FLUSHALL).
    pub async fn wipe_redis(&self) {
        if let Some(redis) = self.redis.lock().await.as_ref() {
            redis.wipe().await;
        }
    }

    /// Runs a Redis command if Redis runs.
    pub async fn query_redis(&self, command: &[&str]) {
        if let Some(redis) = self.redis.lock().await.as_ref() {
            redis.query(command).await;
        }
    }

    /// Locks all tasks in another transaction for this time.
    pub fn lock_tasks(&self, millis: i64) {
        let database = self.database.rsplit('/').next().unwrap_or_default();
        let wait = format!("select pg_sleep({millis} / 1000.0)");
        self.postgres.sql(database, &format!("lock table task in access exclusive mode; {wait}"));
    }

    /// Kills Redis.
    pub async fn kill_redis(&self) {
        if let Some(redis) = self.redis.lock().await.take() {
            redis.kill().await;
        }
    }

    /// Starts an empty Redis on the same port unless Redis runs.
    pub async fn start_redis(&self) {
        let mut redis = self.redis.lock().await;
        if redis.is_none() {
            *redis = Some(Redis::start_with(self.redis_port, &[]).await);
        }
    }

    /// Returns the last log lines of each node.
    pub fn log_tails(&self) -> String {
        let last = |number: usize| {
            let text =
                std::fs::read_to_string(self.folder.path().join(format!("n{number}"))).unwrap_or_default();
            let lines: Vec<&str> = text.lines().rev().take(8).collect();
            format!("n{number}:\n  {}\n", lines.join("\n  "))
        };
        (0..NODES).map(last).collect()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_presstime"));
        let (direct, proxied) = (self.postgres.port().to_string(), self.to_postgres.port().to_string());
        let database = self.database.replace(&format!(":{direct}/"), &format!(":{proxied}/"));
        command.args(arguments).args(["--database-url", &database]);
        command.env_clear().env("PATH", "/usr/bin:/bin").current_dir(self.folder.path());
        if let Some(name) = self.mutant {
            command.env("PRESSTIME_MUTANT", name);
        }
        command.stdin(Stdio::null()).kill_on_drop(true);
        command
    }

    async fn run(&self, arguments: &[&str], input: &str) -> String {
        let mut command = self.command(arguments);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the program is built");
        let mut stdin = child.stdin.take().expect("its input");
        stdin.write_all(input.as_bytes()).await.expect("the program reads its input");
        drop(stdin);
        let output = child.wait_with_output().await.expect("the program ends");
        assert!(output.status.success(), "{arguments:?} failed");
        String::from_utf8(output.stdout).expect("its output is text")
    }
}
