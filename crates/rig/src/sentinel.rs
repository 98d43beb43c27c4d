//! A Redis server watched by a sentinel.

use crate::{
    port::{answers, free_port},
    redis::Redis,
};
use std::process::Stdio;
use tempfile::TempDir;
use tokio::process::{Child, Command};

/// A running master and the sentinel that knows it as `desk`; both end when dropped.
#[derive(Debug)]
pub struct Sentinel {
    master: Redis,
    port: u16,
    _folder: TempDir,
    _watcher: Child,
}

impl Sentinel {
    /// Starts both on free ports.
    ///
    /// # Panics
    /// If Redis is not installed or does not start.
    pub async fn start() -> Self {
        let (master, port) = (Redis::start().await, free_port());
        let folder = tempfile::tempdir().expect("a temporary folder");
        let settings = folder.path().join("sentinel.conf");
        let text = format!(
            "port {port}\nbind 127.0.0.1\ndir {}\nsentinel monitor desk 127.0.0.1 {} 1\n",
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
        Self { master, port, _folder: folder, _watcher: watcher }
    }

    /// The address that leads to the master.
    #[must_use]
    pub fn url(&self) -> String {
        format!("redis+sentinel://127.0.0.1:{}/desk", self.port)
    }

    /// The master itself.
    #[must_use]
    pub fn master(&self) -> &Redis {
        &self.master
    }
}
