//! Redis servers that a sentinel monitors.

use crate::{
    port::{free_port, wait_for_port},
    proxy::Proxy,
    redis::{Redis, query, tls_settings},
    tls::Authority,
};
use std::process::Stdio;
use tempfile::TempDir;
use tokio::process::{Child, Command};

/// A running master, the sentinel that knows it as `desk`, and a replica if requested. All stop
/// when dropped.
#[derive(Debug)]
pub struct Sentinel {
    scheme: &'static str,
    master: Option<Redis>,
    replica: Option<(Redis, Proxy)>,
    port: u16,
    _folder: TempDir,
    _sentinel: Child,
}

impl Sentinel {
    /// Starts a master and its sentinel on free ports.
    ///
    /// # Panics
    /// If Redis is not installed or does not start.
    pub async fn start() -> Self {
        let master = Redis::start().await;
        let port = master.port();
        Self::monitor(master, None, port, &[]).await
    }

    /// Starts both with TLS ports whose certificates `authority` signed.
    ///
    /// # Panics
    /// If Redis is not installed or does not start.
    pub async fn start_encrypted(authority: &Authority) -> Self {
        let (master, port) = Redis::start_encrypted(authority, &[]).await;
        let tls_port = free_port();
        let mut settings = tls_settings(authority, tls_port);
        settings.extend(["--tls-replication".to_owned(), "yes".to_owned()]);
        let sentinel = Self::monitor(master, None, port, &settings).await;
        wait_for_port(tls_port).await;
        Self { scheme: "rediss+sentinel", port: tls_port, ..sentinel }
    }

    /// Starts a master, a replica that follows it through a proxy, and a sentinel that promotes the
    /// replica when the master has not responded for half a second.
    ///
    /// # Panics
    /// If Redis is not installed, does not start, or the replica does not follow.
    pub async fn start_with_replica() -> Self {
        let master = Redis::start().await;
        let proxy = Proxy::to(master.port()).await;
        let follows = ["--replicaof", "127.0.0.1", &proxy.port().to_string()];
        let replica = Redis::start_with(free_port(), &follows).await;
        replica.wait_until(&["info", "replication"], "master_link_status:up").await;
        let port = master.port();
        let sentinel = Self::monitor(master, Some((replica, proxy)), port, &[]).await;
        // By default the sentinel checks the replica every ten seconds and makes it follow the
        // master directly, without the proxy.
        let response = query(sentinel.port, &["sentinel", "debug", "info-period", "3600000"]).await;
        assert_eq!(response, "OK\n", "a sentinel of Redis 7");
        sentinel
    }

    /// `at`: the master's port, which the sentinel monitors and reports to clients.
    async fn monitor(master: Redis, replica: Option<(Redis, Proxy)>, at: u16, further: &[String]) -> Self {
        let port = free_port();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let settings = folder.path().join("sentinel.conf");
        let text = format!(
            "port {port}\nbind 127.0.0.1\ndir {}\nsentinel monitor desk 127.0.0.1 {at} 1\n\
             sentinel down-after-milliseconds desk 500\nsentinel failover-timeout desk 3000\n",
            folder.path().display(),
        );
        std::fs::write(&settings, text).expect("the settings of the sentinel");
        let sentinel = Command::new("redis-server")
            .arg(&settings)
            .arg("--sentinel")
            .args(further)
            .stdout(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("redis-server is installed: apt-get install redis-server");
        wait_for_port(port).await;
        let scheme = "redis+sentinel";
        Self { scheme, master: Some(master), replica, port, _folder: folder, _sentinel: sentinel }
    }

    /// Returns the URL under which clients find the master.
    #[must_use]
    pub fn url(&self) -> String {
        format!("{}://127.0.0.1:{}/desk", self.scheme, self.port)
    }

    /// Returns the master.
    ///
    /// # Panics
    /// If it was killed.
    #[must_use]
    pub fn master(&self) -> &Redis {
        self.master.as_ref().expect("it runs")
    }

    /// Returns the replica; after a promotion it is the master.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn replica(&self) -> &Redis {
        &self.replica.as_ref().expect("there is one").0
    }

    /// Stops replication: writes that the master acknowledges from now on are lost with it.
    ///
    /// # Panics
    /// If there is no replica.
    pub fn stop_replication(&self) {
        self.replica.as_ref().expect("there is one").1.hold(true);
    }

    /// Kills (SIGKILL) the master.
    ///
    /// # Panics
    /// If it was already killed.
    pub async fn kill_master(&mut self) {
        self.master.take().expect("it runs").kill().await;
    }
}
