//! Redis servers watched by a sentinel.

use crate::{
    port::{answers, free_port},
    proxy::Proxy,
    redis::Redis,
};
use std::{process::Stdio, time::Duration};
use tempfile::TempDir;
use tokio::process::{Child, Command};

/// A running master and the sentinel that knows it as `desk`, and a replica if it was asked for; all end when dropped.
#[derive(Debug)]
pub struct Sentinel {
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
        Self::watch(Redis::start().await, None).await
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
        for _ in 0..400 {
            if replica.ask(&["info", "replication"]).await.contains("master_link_status:up") {
                return Self::watch(master, Some((replica, way))).await;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("the replica does not follow");
    }

    async fn watch(master: Redis, replica: Option<(Redis, Proxy)>) -> Self {
        let port = free_port();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let settings = folder.path().join("sentinel.conf");
        let text = format!(
            "port {port}\nbind 127.0.0.1\ndir {}\nsentinel monitor desk 127.0.0.1 {} 1\n\
             sentinel down-after-milliseconds desk 500\nsentinel failover-timeout desk 3000\n",
            folder.path().display(),
            master.port()
        );
        std::fs::write(&settings, text).expect("the settings of the sentinel");
        let watcher = Command::new("redis-server")
            .arg(&settings)
            .arg("--sentinel")
            .stdout(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("redis-server is installed: apt-get install redis-server");
        answers(port).await;
        Self { master: Some(master), replica, port, _folder: folder, _watcher: watcher }
    }

    /// The address that leads to the master.
    #[must_use]
    pub fn url(&self) -> String {
        format!("redis+sentinel://127.0.0.1:{}/desk", self.port)
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
