//! The database of sites.

use std::{os::unix::fs::MetadataExt as _, path::Path, process::Stdio, time::Duration};
use tokio::{
    net::UnixStream,
    process::{Child, Command},
};

/// Starts MariaDB without a network, in this folder.
pub(super) async fn start_database(folder: &Path, socket: &Path) -> Child {
    let data = folder.join("db");
    let is_root = std::fs::metadata(folder).is_ok_and(|folder| folder.uid() == 0);
    let user = is_root.then_some("--user=root");
    let data = format!("--datadir={}", data.display());
    run(Command::new("mariadb-install-db")
        .args(["--no-defaults", "--auth-root-authentication-method=normal", "--skip-test-db", &data])
        .args(user))
    .await;
    let server = Command::new("/usr/sbin/mariadbd")
        .args(["--no-defaults", "--skip-networking", "--innodb-flush-log-at-trx-commit=0", &data])
        .arg(format!("--socket={}", socket.display()))
        .args(user)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .expect("MariaDB is installed: apt-get install mariadb-server-core");
    for _ in 0..6_000 {
        if UnixStream::connect(socket).await.is_ok() {
            return server;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("MariaDB does not listen");
}

/// Runs a command and returns what it prints.
pub(super) async fn run(command: &mut Command) -> String {
    let output = command.stdin(Stdio::null()).output().await.expect("it is installed: cargo xtask install");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}
