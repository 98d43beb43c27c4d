//! A RabbitMQ broker of one's own: node, ports, cookie, folder and the map of its ports (epmd).

use crate::{
    port::{answers, free_port},
    tls::Authority,
};
use std::{
    fs::File,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};
use tempfile::TempDir;
use tokio::{
    net::TcpStream,
    process::{Child, Command},
};

/// A running broker; ends when dropped.
#[derive(Debug)]
pub struct Rabbit {
    port: u16,
    tls_port: u16,
    authority: Authority,
    map_port: u16,
    far_port: u16,
    folder: TempDir,
    node: Child,
    _map: Child,
}

impl Rabbit {
    /// Who may log in.
    pub const USER: &'static str = "desk";
    /// With which password.
    pub const PASSWORD: &'static str = "open sesame";

    /// Starts a broker on a free port. It takes seconds: share it.
    ///
    /// # Panics
    /// If RabbitMQ is not installed or does not start.
    pub async fn start() -> Self {
        let folder = tempfile::Builder::new().prefix("mq").tempdir_in("/tmp").expect("a temporary folder");
        let (port, tls_port, map_port, far_port) = (free_port(), free_port(), free_port(), free_port());
        let authority = Authority::fresh();
        let certificates = authority.folder().display();
        let terms = format!(
            "[{{rabbit, [{{tcp_listeners, [{{\"127.0.0.1\", {port}}}]}}, {{ssl_listeners, [{{\"127.0.0.1\", {tls_port}}}]}}, \
             {{ssl_options, [{{certfile, \"{certificates}/server.pem\"}}, {{keyfile, \"{certificates}/server.key\"}}]}}, \
             {{default_user, <<\"{}\">>}}, {{default_pass, <<\"{}\">>}}, {{disk_free_limit, 1000000}}]}}].\n",
            Self::USER,
            Self::PASSWORD
        );
        std::fs::write(folder.path().join("rabbit.config"), terms).expect("its settings");
        std::fs::write(folder.path().join("plugins"), "[].\n").expect("its plugins: none");
        let map = Command::new("epmd")
            .args(["-port", &map_port.to_string(), "-address", "127.0.0.1"])
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("RabbitMQ is installed: apt-get install rabbitmq-server");
        answers(map_port).await;
        let node = launch(folder.path(), port, map_port, far_port);
        let mut rabbit = Self { port, tls_port, authority, map_port, far_port, folder, node, _map: map };
        rabbit.wait().await;
        rabbit
    }

    /// Its port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Its port for encrypted connections.
    #[must_use]
    pub fn tls_port(&self) -> u16 {
        self.tls_port
    }

    /// Who says that it is who it says.
    #[must_use]
    pub fn authority(&self) -> &Authority {
        &self.authority
    }

    /// Its address, without user and password.
    #[must_use]
    pub fn url(&self) -> String {
        format!("amqp://127.0.0.1:{}", self.port)
    }

    /// Kills it at once (SIGKILL); [`Rabbit::start_again`] brings it back.
    ///
    /// # Panics
    /// If it cannot be killed.
    pub async fn kill(&mut self) {
        self.node.kill().await.expect("it can be killed");
    }

    /// Starts it again after [`Rabbit::kill`], with the same node, port and data.
    ///
    /// # Panics
    /// If it does not start.
    pub async fn start_again(&mut self) {
        self.node = launch(self.folder.path(), self.port, self.map_port, self.far_port);
        self.wait().await;
    }

    /// Waits until it takes connections: up to two minutes, on a machine that builds meanwhile.
    async fn wait(&mut self) {
        for _ in 0..2_400 {
            if TcpStream::connect(("127.0.0.1", self.port)).await.is_ok() {
                return;
            }
            if let Ok(Some(status)) = self.node.try_wait() {
                panic!("RabbitMQ ended ({status}): {}", self.said());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("RabbitMQ did not start: {}", self.said());
    }

    fn said(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("said")).unwrap_or_default()
    }
}

/// Starts the node as a process of its own, which is the one to kill: no shell stays around it.
fn launch(folder: &Path, port: u16, map_port: u16, far_port: u16) -> Child {
    let said = File::options().create(true).append(true).open(folder.join("said")).expect("its log");
    let loud = said.try_clone().expect("its log, a second time");
    let set = |name: &str| folder.join(name).into_os_string();
    Command::new(script())
        // One scheduler that does not wait busily: others test beside it.
        .args(["-noinput", "+S", "1", "+sbwt", "none", "+sbwtdcpu", "none", "+sbwtdio", "none"])
        .args(["-kernel", "inet_dist_use_interface", "{127,0,0,1}"])
        .env_clear()
        .envs([("PATH", "/usr/bin:/bin"), ("LANG", "C.UTF-8"), ("RABBITMQ_ALLOW_INPUT", "1")])
        .envs([("HOME", set("")), ("RABBITMQ_CONFIG_FILE", set("rabbit.config"))])
        .envs([("RABBITMQ_ENABLED_PLUGINS_FILE", set("plugins")), ("RABBITMQ_MNESIA_BASE", set("data"))])
        .envs([("RABBITMQ_LOG_BASE", set("log")), ("RABBITMQ_CONF_ENV_FILE", set("none"))])
        .envs([("RABBITMQ_PID_FILE", set("pid")), ("RABBITMQ_GENERATED_CONFIG_DIR", set("made"))])
        .env("RABBITMQ_NODENAME", format!("rig{port}@localhost"))
        .env("RABBITMQ_DIST_PORT", far_port.to_string())
        .env("ERL_EPMD_PORT", map_port.to_string())
        .env("ERL_EPMD_ADDRESS", "127.0.0.1")
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(said)
        .stderr(loud)
        .kill_on_drop(true)
        .spawn()
        .expect("RabbitMQ is installed: apt-get install rabbitmq-server")
}

/// The program itself, not what Debian puts before it: that one wants another user.
fn script() -> PathBuf {
    let installed = Path::new("/usr/lib/rabbitmq/bin/rabbitmq-server");
    if installed.exists() { installed.to_path_buf() } else { PathBuf::from("rabbitmq-server") }
}
