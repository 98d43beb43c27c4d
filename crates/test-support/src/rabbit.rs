//! A RabbitMQ broker with its own node name, ports, cookie, folder and port mapper (epmd).

use crate::{
    port::{free_port, wait_for_port},
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

/// A running broker. Stops when dropped.
#[derive(Debug)]
pub struct Rabbit {
    port: u16,
    tls_port: u16,
    authority: Authority,
    epmd_port: u16,
    distribution_port: u16,
    folder: TempDir,
    node: Child,
    _epmd: Child,
}

impl Rabbit {
    /// User name.
    pub const USER: &'static str = "desk";
    /// Password of the user.
    pub const PASSWORD: &'static str = "open sesame";

    /// Starts a broker on a free port. That takes seconds, so share it.
    ///
    /// # Panics
    /// If RabbitMQ is not installed or does not start.
    pub async fn start() -> Self {
        let folder = tempfile::Builder::new().prefix("mq").tempdir_in("/tmp").expect("a temporary folder");
        let (port, tls_port, epmd_port, distribution_port) =
            (free_port(), free_port(), free_port(), free_port());
        let authority = Authority::generate();
        let certificates = authority.folder().display();
        let settings = format!(
            "[{{rabbit, [{{tcp_listeners, [{{\"127.0.0.1\", {port}}}]}}, {{ssl_listeners, [{{\"127.0.0.1\", {tls_port}}}]}}, \
             {{ssl_options, [{{certfile, \"{certificates}/server.pem\"}}, {{keyfile, \"{certificates}/server.key\"}}]}}, \
             {{default_user, <<\"{}\">>}}, {{default_pass, <<\"{}\">>}}, {{disk_free_limit, 1000000}}]}}].\n",
            Self::USER,
            Self::PASSWORD
        );
        std::fs::write(folder.path().join("rabbit.config"), settings).expect("its settings");
        std::fs::write(folder.path().join("plugins"), "[].\n").expect("its plugins: none");
        let epmd = Command::new("epmd")
            .args(["-port", &epmd_port.to_string(), "-address", "127.0.0.1"])
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("RabbitMQ is installed: apt-get install rabbitmq-server");
        wait_for_port(epmd_port).await;
        let node = launch(folder.path(), port, epmd_port, distribution_port);
        let mut rabbit =
            Self { port, tls_port, authority, epmd_port, distribution_port, folder, node, _epmd: epmd };
        rabbit.wait().await;
        rabbit
    }

    /// Returns its port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns its TLS port.
    #[must_use]
    pub fn tls_port(&self) -> u16 {
        self.tls_port
    }

    /// Returns the authority that signed its certificate.
    #[must_use]
    pub fn authority(&self) -> &Authority {
        &self.authority
    }

    /// Returns its URL without user and password.
    #[must_use]
    pub fn url(&self) -> String {
        format!("amqp://127.0.0.1:{}", self.port)
    }

    /// Kills it (SIGKILL). [`Rabbit::restart`] starts it again.
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
    pub async fn restart(&mut self) {
        self.node = launch(self.folder.path(), self.port, self.epmd_port, self.distribution_port);
        self.wait().await;
    }

    /// Waits until it accepts connections: up to two minutes, because a build may run at the same
    /// time.
    async fn wait(&mut self) {
        for _ in 0..2_400 {
            if TcpStream::connect(("127.0.0.1", self.port)).await.is_ok() {
                return;
            }
            if let Ok(Some(status)) = self.node.try_wait() {
                panic!("RabbitMQ ended ({status}): {}", self.log());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("RabbitMQ did not start: {}", self.log());
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("output")).unwrap_or_default()
    }
}

/// Starts the node directly, without a shell around it: this process is the one to kill.
fn launch(folder: &Path, port: u16, epmd_port: u16, distribution_port: u16) -> Child {
    let stdout = File::options().create(true).append(true).open(folder.join("output")).expect("its log");
    let stderr = stdout.try_clone().expect("its log, a second time");
    let set = |name: &str| folder.join(name).into_os_string();
    Command::new(script())
        // One scheduler without busy waiting: other tests run at the same time.
        .args(["-noinput", "+S", "1", "+sbwt", "none", "+sbwtdcpu", "none", "+sbwtdio", "none"])
        .args(["-kernel", "inet_dist_use_interface", "{127,0,0,1}"])
        .env_clear()
        .envs([("PATH", "/usr/bin:/bin"), ("LANG", "C.UTF-8"), ("RABBITMQ_ALLOW_INPUT", "1")])
        .envs([("HOME", set("")), ("RABBITMQ_CONFIG_FILE", set("rabbit.config"))])
        .envs([("RABBITMQ_ENABLED_PLUGINS_FILE", set("plugins")), ("RABBITMQ_MNESIA_BASE", set("data"))])
        .envs([("RABBITMQ_LOG_BASE", set("log")), ("RABBITMQ_CONF_ENV_FILE", set("none"))])
        .envs([("RABBITMQ_PID_FILE", set("pid")), ("RABBITMQ_GENERATED_CONFIG_DIR", set("made"))])
        .env("RABBITMQ_NODENAME", format!("test{port}@localhost"))
        .env("RABBITMQ_DIST_PORT", distribution_port.to_string())
        .env("ERL_EPMD_PORT", epmd_port.to_string())
        .env("ERL_EPMD_ADDRESS", "127.0.0.1")
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(stdout)
        .stderr(stderr)
        .kill_on_drop(true)
        .spawn()
        .expect("RabbitMQ is installed: apt-get install rabbitmq-server")
}

/// Returns RabbitMQ's own script instead of Debian's wrapper, which requires another user.
fn script() -> PathBuf {
    let installed = Path::new("/usr/lib/rabbitmq/bin/rabbitmq-server");
    if installed.exists() { installed.to_path_buf() } else { PathBuf::from("rabbitmq-server") }
}
