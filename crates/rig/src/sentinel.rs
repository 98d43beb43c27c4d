//! Redis servers watched by a sentinel.

use crate::{
    port::{answers, free_port},
    proxy::Proxy,
    redis::{Redis, ask, tls_settings},
    tls::Authority,
};
use std::process::Stdio;
use tempfile::TempDir;
use tokio::process::{Child, Command};

/// A running master and the sentinel that knows it as `desk`, and a replica if it was asked for; all end when dropped.
#[derive(Debug)]
pub struct Sentinel {
    scheme: &'static str,
    master: Option<Redis>,
    replica: Option<(Redis, Proxy)>,
    port: u16,
    _folder: TempDir,
    _watcher: Child,
}

impl Sentinel {
    /// Starts a master and its sentinel on free ports.
    ///
    /// # Panics
    /// If Redis is not installed or does not start.
    pub async fn start() -> Self {
        let master = Redis::start().await;
        let port = master.port();
        Self::watch(master, None, port, &[]).await
    }

    /// The same where both are reached by encrypted ports, their certificates by `authority`.
    ///
    /// # Panics
    /// If Redis is not installed or does not start.
    pub async fn start_encrypted(authority: &Authority) -> Self {
        let (master, port) = Redis::start_encrypted(authority, &[]).await;
        let own = free_port();
        let mut settings = tls_settings(authority, own);
        settings.extend(["--tls-replication".to_owned(), "yes".to_owned()]);
        let sentinel = Self::watch(master, None, port, &settings).await;
        answers(own).await;
        Self { scheme: "rediss+sentinel", port: own, ..sentinel }
    }

    /// Starts a master, a replica that follows it through a way that can be held up, and a sentinel that promotes the
    /// replica when the master has been silent for half a second.
    ///
    /// # Panics
    /// If Redis is not installed, does not start, or the replica does not follow.
    pub async fn start_with_replica() -> Self {
        let master = Redis::start().await;
        let way = Proxy::to(master.port()).await;
        let follows = ["--replicaof", "127.0.0.1", &way.port().to_string()];
        let replica = Redis::start_with(free_port(), &follows).await;
        replica.wait_until(&["info", "replication"], "master_link_status:up").await;
        let port = master.port();
        let sentinel = Self::watch(master, Some((replica, way)), port, &[]).await;
        // Every ten seconds it would ask the replica whom it follows, and have it follow the master itself, past the way.
        let told = ask(sentinel.port, &["sentinel", "debug", "info-period", "3600000"]).await;
        assert_eq!(told, "OK\n", "a sentinel of Redis 7");
        sentinel
    }

    /// `at`: the port of the master that it watches and tells of.
    async fn watch(master: Redis, replica: Option<(Redis, Proxy)>, at: u16, further: &[String]) -> Self {
        let port = free_port();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let settings = folder.path().join("sentinel.conf");
        let text = format!(
            "port {port}\nbind 127.0.0.1\ndir {}\nsentinel monitor desk 127.0.0.1 {at} 1\n\
             sentinel down-after-milliseconds desk 500\nsentinel failover-timeout desk 3000\n",
            folder.path().display(),
        );
        std::fs::write(&settings, text).expect("the settings of the sentinel");
        let watcher = Command::new("redis-server")
            .arg(&settings)
            .arg("--sentinel")
            .args(further)
            .stdout(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("redis-server is installed: apt-get install redis-server");
        answers(port).await;
        let scheme = "redis+sentinel";
        Self { scheme, master: Some(master), replica, port, _folder: folder, _watcher: watcher }
    }

    /// The address that leads to the master.
    #[must_use]
    pub fn url(&self) -> String {
        format!("{}://127.0.0.1:{}/desk", self.scheme, self.port)
    }

    /// The master itself.
    ///
    /// # Panics
    /// If it was killed.
    #[must_use]
    pub fn master(&self) -> &Redis {
        self.master.as_ref().expect("it runs")
    }

    /// The replica; the master, once it was promoted.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn replica(&self) -> &Redis {
        &self.replica.as_ref().expect("there is one").0
    }

    /// From now on nothing reaches the replica: what the master says it keeps is lost with it.
    ///
    /// # Panics
    /// If there is no replica.
    pub fn leave_the_replica_behind(&self) {
        self.replica.as_ref().expect("there is one").1.hold(true);
    }

    /// Kills (SIGKILL) the master.
    ///
    /// # Panics
    /// If it was killed before.
    pub async fn kill_the_master(&mut self) {
        self.master.take().expect("it runs").kill().await;
    }
}
