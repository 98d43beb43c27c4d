//! Nodes of the built program on one database; each is started, killed and called by its name.

mod api;

pub use api::{publish_task, text};

use crate::faults::REQUEST_TIMEOUT;
use domain::{Clock as _, Timestamp, clock::SystemClock};
use reqwest::Client;
use sqlx::PgPool;
use std::{
    collections::BTreeMap,
    fs::File,
    process::Stdio,
    sync::{Mutex, MutexGuard, OnceLock, PoisonError},
    time::Duration,
};
use tempfile::TempDir;
use test_support::{Redis, free_port, wait_for_port};
use tokio::{
    io::AsyncWriteExt as _,
    process::{Child, Command},
    time::timeout,
};

/// Data folder of SQLite: that of the node with this name.
const SQLITE_NODE: &str = "a";

/// Environment variables of a node.
pub type Environment = Vec<(String, String)>;

/// A cluster of nodes. They stop when it is dropped.
pub struct Cluster {
    /// URL of PostgreSQL; `None`: the node `a` has SQLite in its data folder.
    pub database: Option<String>,
    /// URL of PostgreSQL for nodes that start, if it is another one, e.g. that of a proxy.
    pub node_database: Option<String>,
    /// URL of Redis for nodes that start. Initially that of `redis`.
    pub redis_url: Option<String>,
    /// Environment variables of all nodes that start.
    pub environment: Environment,
    /// An admin's API token.
    pub token: String,
    pub client: Client,
    /// Data folders (named like their nodes) and logs.
    pub folder: TempDir,
    redis: Option<Redis>,
    pool: OnceLock<PgPool>,
    nodes: Mutex<BTreeMap<String, Node>>,
}

/// A node, which keeps its port, arguments and variables when it is killed.
struct Node {
    port: u16,
    child: Option<Child>,
    more: Vec<String>,
    environment: Environment,
}

impl Cluster {
    /// Creates a cluster without running nodes, and an admin.
    pub async fn open(database: Option<String>, redis: Option<Redis>) -> Self {
        let mut cluster = Self::without_admin(tempfile::tempdir().unwrap(), database, redis);
        cluster.create_admin().await;
        cluster
    }

    /// Creates a cluster on a new database of the shared PostgreSQL server and on a new Redis. Its
    /// nodes run this mutant.
    pub async fn open_on(postgres: &test_support::Postgres, mutant: Option<&str>) -> Self {
        let mut cluster = Self::open(Some(postgres.create_database()), Some(Redis::start().await)).await;
        cluster.use_mutant(mutant);
        cluster
    }

    /// Creates a cluster without an admin in this folder.
    pub fn without_admin(folder: TempDir, database: Option<String>, redis: Option<Redis>) -> Self {
        // Fails if it is already installed.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder().no_proxy().timeout(REQUEST_TIMEOUT).build().unwrap();
        let redis_url = redis.as_ref().map(Redis::url);
        Self {
            database,
            node_database: None,
            redis_url,
            environment: Vec::new(),
            token: String::new(),
            client,
            folder,
            redis,
            pool: OnceLock::new(),
            nodes: Mutex::default(),
        }
    }

    /// Creates the admin and the token.
    pub async fn create_admin(&mut self) {
        let add = ["user", "add", "--email", "ann@desk.test", "--name", "Ann", "--role", "admin"];
        self.run(&[&add[..], &["--password-stdin"]].concat(), "a good long word\n").await;
        let token = self.run(&["token", "create", "--user", "ann@desk.test"], "").await;
        self.token = token.trim().to_owned();
    }

    /// Nodes that start run this mutant.
    pub fn use_mutant(&mut self, mutant: Option<&str>) {
        self.environment.extend(mutant.map(|name| ("PRESSTIME_MUTANT".to_owned(), name.to_owned())));
    }

    /// Direct connections to PostgreSQL.
    pub fn pool(&self) -> &PgPool {
        let url = self.database.as_deref().expect("PostgreSQL");
        self.pool.get_or_init(|| PgPool::connect_lazy(url).unwrap())
    }

    /// Starts a node with further arguments and variables and waits until it listens.
    pub async fn start_with(&self, name: &str, more: &[&str], environment: Environment) {
        let more = more.iter().map(|&one| one.to_owned()).collect();
        let node = Node { port: free_port(), child: None, more, environment };
        self.nodes().insert(name.to_owned(), node);
        self.start(name).await;
    }

    /// Starts a node, the second time with the same port and arguments, and waits until it listens.
    pub async fn start(&self, name: &str) {
        self.spawn(name);
        wait_for_port(self.port(name)).await;
    }

    /// Starts a node unless it runs. It may exit before it listens.
    pub fn spawn(&self, name: &str) {
        let mut nodes = self.nodes();
        let node = nodes.entry(name.to_owned()).or_insert_with(|| Node {
            port: free_port(),
            child: None,
            more: Vec::new(),
            environment: Environment::new(),
        });
        if node.child.as_mut().is_some_and(|child| matches!(child.try_wait(), Ok(None))) {
            return;
        }
        let log = File::options().create(true).append(true).open(self.log_file(name)).unwrap();
        let mut command = self.command(name, &["serve", "--node", name]);
        command.args(["--listen", &format!("127.0.0.1:{}", node.port)]).args(&node.more);
        // All requests use one token.
        command.args(["--requests-per-second", "0", "--mib-per-day", "0", "--clients-per-address", "4096"]);
        command.args(["--webhook-allow-private", "--webhook-allow-http"]);
        command.envs(self.environment.iter().cloned()).envs(node.environment.iter().cloned());
        let child = command.stdout(Stdio::null()).stderr(log).spawn();
        node.child = Some(child.expect("the program is built"));
    }

    /// Kills a node (SIGKILL).
    pub async fn kill(&self, name: &str) {
        if let Some(mut child) = self.take_child(name) {
            child.kill().await.expect("the node can be killed");
        }
    }

    /// Waits until a node has exited by itself. False: the timeout passed, and it was killed.
    pub async fn wait_until_exited(&self, name: &str, limit: Duration) -> bool {
        let Some(mut child) = self.take_child(name) else { return true };
        timeout(limit, child.wait()).await.is_ok()
    }

    /// Sends a node a signal, e.g. `STOP`.
    pub async fn signal(&self, name: &str, signal: &str) {
        if let Some(pid) = self.pid(name) {
            let status = Command::new("kill").args([&format!("-{signal}"), &pid.to_string()]).status().await;
            assert!(status.expect("kill").success());
        }
    }

    /// Kills Redis.
    pub async fn kill_redis(&mut self) {
        if let Some(redis) = self.redis.take() {
            redis.kill().await;
        }
    }

    /// Returns a node's port.
    pub fn port(&self, name: &str) -> u16 {
        self.nodes()[name].port
    }

    /// Returns a node's resident memory in KiB.
    pub fn memory_kib(&self, name: &str) -> u64 {
        let pid = self.pid(name).expect("it runs");
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("Linux has /proc");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its memory");
        line.trim().trim_end_matches(" kB").parse().expect("a number")
    }

    /// Returns a node's log.
    pub fn log(&self, name: &str) -> String {
        std::fs::read_to_string(self.log_file(name)).unwrap_or_default()
    }

    /// Returns the path of the SQLite file.
    pub fn sqlite_file(&self) -> String {
        self.folder.path().join(SQLITE_NODE).join("presstime.db").display().to_string()
    }

    /// Runs a command that must exit with status 1 with the data folder and variables of a node.
    /// Returns its output.
    pub async fn run_failing(&self, name: &str, arguments: &[&str]) -> String {
        let environment = self.nodes()[name].environment.clone();
        let output = self.command(name, arguments).envs(environment).output().await;
        let output = output.expect("the program is built");
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs a command and returns its output.
    async fn run(&self, arguments: &[&str], input: &str) -> String {
        let mut command = self.command(SQLITE_NODE, arguments);
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = piped.spawn().expect("the program is built");
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).await.unwrap();
        drop(stdin);
        let output = child.wait_with_output().await.unwrap();
        assert!(output.status.success(), "{arguments:?} failed");
        String::from_utf8(output.stdout).unwrap()
    }

    fn command(&self, data: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(test_support::program(env!("CARGO_BIN_EXE_presstime")));
        command.args(arguments).args(["--secret-key", "a long text that seals what is secret"]);
        command.env_clear().env("PATH", "/usr/bin:/bin").env("PRESSTIME_DATA", data);
        command.current_dir(self.folder.path()).stdin(Stdio::null()).kill_on_drop(true);
        if let Some(url) = self.node_database.as_ref().or(self.database.as_ref()) {
            command.env("PRESSTIME_DATABASE_URL", url);
        }
        if let Some(url) = &self.redis_url {
            command.env("PRESSTIME_REDIS_URL", url);
        }
        command
    }

    fn nodes(&self) -> MutexGuard<'_, BTreeMap<String, Node>> {
        self.nodes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take_child(&self, name: &str) -> Option<Child> {
        self.nodes().get_mut(name)?.child.take()
    }

    fn pid(&self, name: &str) -> Option<u32> {
        self.nodes().get(name)?.child.as_ref()?.id()
    }

    fn log_file(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(format!("{name}.log"))
    }
}

/// Returns the time by this computer's real clock.
pub fn now() -> Timestamp {
    SystemClock.now()
}

/// Returns the time until a timestamp.
pub fn time_until(at: Timestamp) -> Duration {
    Duration::from_millis(at.since(now()).max(0).unsigned_abs())
}
