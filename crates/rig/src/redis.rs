//! A Redis server of one's own.

use crate::port::{answers, free_port};
use std::process::Stdio;
use tempfile::TempDir;
use tokio::process::{Child, Command};

/// A running Redis server; ends when dropped.
#[derive(Debug)]
pub struct Redis {
    port: u16,
    folder: TempDir,
    server: Child,
}

impl Redis {
    /// Starts a server on a free port.
    ///
    /// # Panics
    /// If `redis-server` is not installed or does not start.
    pub async fn start() -> Self {
        Self::start_with(free_port(), &[]).await
    }

    /// Starts a server on `port` with further settings, e.g. `["--maxmemory", "10mb"]`.
    ///
    /// # Panics
    /// If `redis-server` is not installed or does not start.
    pub async fn start_with(port: u16, settings: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let server = Command::new("redis-server")
            .args([
                "--port",
                &port.to_string(),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no",
                "--dir",
            ])
            .arg(folder.path())
            .args(settings)
            .stdout(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("redis-server is installed: apt-get install redis-server");
        answers(port).await;
        Self { port, folder, server }
    }

    /// Its address, `redis://127.0.0.1:PORT`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Its port, for starting another one in its place.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Where it keeps its data.
    #[must_use]
    pub fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// Wipes it: FLUSHALL.
    ///
    /// # Panics
    /// If it does not answer.
    pub async fn wipe(&self) {
        self.tell(&["flushall"]).await;
    }

    /// Has it do something that it answers with OK, e.g. `["config", "set", "maxmemory", "1"]`.
    ///
    /// # Panics
    /// If it does not.
    pub async fn tell(&self, command: &[&str]) {
        let told =
            Command::new("redis-cli").args(["-p", &self.port.to_string()]).args(command).output().await;
        assert_eq!(told.expect("redis-cli is installed").stdout, b"OK\n", "{command:?}");
    }

    /// Kills it at once (SIGKILL) and waits until it is gone.
    ///
    /// # Panics
    /// If it cannot be killed.
    pub async fn kill(mut self) {
        self.server.kill().await.expect("it can be killed");
    }

    /// Its process, for signals.
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        self.server.id()
    }
}
