//! A PostgreSQL server.

use crate::{
    clock::FakeSystemClock,
    folder,
    port::{free_port, wait_for_port},
};
use std::{
    ffi::OsStr,
    os::unix::process::CommandExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
};
use tempfile::TempDir;
use tokio::sync::OnceCell;

/// Settings that turn durability off.
const NOT_DURABLE: &str = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off";

/// Waits until a standby streams.
// Without pg_stat_clear_snapshot() a transaction sees only the state at its first look.
const WAIT_FOR_STANDBY: &str = "do $$ begin
    for look in 1..3000 loop
        if exists (select from pg_stat_replication where state = 'streaming') then return; end if;
        perform pg_sleep(0.02), pg_stat_clear_snapshot();
    end loop;
    raise exception 'the standby does not stream';
end $$";

/// Number of databases after which the shared server is replaced: some 1.5 GB.
const MANY_DATABASES: u32 = 120;
/// Waits until its input is closed, then runs a command and deletes a folder.
const GUARD: &str = "cat >/dev/null; \"$@\"; rm -rf \"$0\"";

/// A running PostgreSQL server. Stops when dropped.
#[derive(Debug)]
pub struct Postgres {
    port: u16,
    folder: TempDir,
    environment: Vec<(String, String)>,
    databases: AtomicU32,
    template: OnceCell<String>,
    guard: Option<Child>,
}

impl Postgres {
    /// Starts a server without durability on a free port. It runs as the user `postgres` if this
    /// process is root.
    ///
    /// # Panics
    /// If PostgreSQL is not installed or does not start.
    pub async fn start() -> Self {
        Self::start_with(folder::fast(), NOT_DURABLE, Vec::new()).await
    }

    /// Starts a server without durability that also stops when this process ends, however it ends: nothing is dropped
    /// then, but the input of another process is closed.
    pub(crate) async fn start_guarded() -> Self {
        let mut server = Self::start().await;
        let stop = server.stop_command();
        let mut guard = Command::new("sh");
        guard.args(["-c", GUARD]).arg(server.folder.path()).arg(stop.get_program()).args(stop.get_args());
        // A group of its own: an interrupt from the terminal ends the tests, not the guard.
        guard
            .process_group(0)
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        server.guard = Some(guard.spawn().expect("a shell"));
        server
    }

    /// Whether the shared server should be replaced.
    pub(crate) fn has_many_databases(&self) -> bool {
        self.databases.load(Ordering::SeqCst) >= MANY_DATABASES
    }

    /// Starts a server without durability that reads this clock.
    ///
    /// # Panics
    /// If PostgreSQL is not installed or does not start.
    pub async fn start_with_clock(clock: &FakeSystemClock) -> Self {
        Self::start_with(folder::fast(), NOT_DURABLE, clock.environment()).await
    }

    /// Starts a durable server with its data in this folder and as little WAL as possible.
    ///
    /// # Panics
    /// If PostgreSQL is not installed or does not start.
    pub async fn start_in(folder: &Path) -> Self {
        Self::start_with(folder, "-c min_wal_size=32MB -c max_wal_size=32MB", Vec::new()).await
    }

    /// Starts a server with PostgreSQL's default durability, for measurements.
    ///
    /// # Panics
    /// If PostgreSQL is not installed or does not start.
    pub async fn start_durable() -> Self {
        Self::start_with(Path::new("/tmp"), "", Vec::new()).await
    }

    async fn start_with(parent: &Path, more: &str, environment: Vec<(String, String)>) -> Self {
        let server = Self {
            port: free_port(),
            folder: tempfile::Builder::new().prefix("pg").tempdir_in(parent).expect("a temporary folder"),
            environment,
            databases: AtomicU32::new(0),
            template: OnceCell::new(),
            guard: None,
        };
        let folder = server.folder.path();
        if is_root() {
            run(Command::new("chown").arg("postgres").arg(folder));
        }
        let data = server.data();
        run(tool("initdb").arg("-D").arg(&data).args([
            "-U",
            "postgres",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--no-sync",
            "--locale=C",
        ]));
        server.launch(more).await;
        server
    }

    async fn launch(&self, more: &str) {
        let folder = self.folder.path();
        let settings = format!(
            "-c port={} -c listen_addresses=127.0.0.1 -c unix_socket_directories={} -c max_connections=500 \
             -c shared_buffers=64MB {more}",
            self.port,
            folder.display()
        );
        run(tool("pg_ctl")
            .envs(self.environment.iter().cloned())
            .arg("-D")
            .arg(self.data())
            .args(["-w", "-l"])
            .arg(folder.join("log"))
            .args(["-o", &settings, "start"]));
        wait_for_port(self.port).await;
    }

    /// Starts a standby that has this server's data and streams through the proxy on port
    /// `proxy_port`.
    ///
    /// # Panics
    /// If the server does not run, or the standby does not start.
    pub async fn start_standby(&self, proxy_port: u16) -> Self {
        let standby = Self {
            port: free_port(),
            folder: tempfile::Builder::new().prefix("pg").tempdir_in("/tmp").expect("a temporary folder"),
            environment: self.environment.clone(),
            databases: AtomicU32::new(0),
            template: OnceCell::new(),
            guard: None,
        };
        if is_root() {
            run(Command::new("chown").arg("postgres").arg(standby.folder.path()));
        }
        let primary = format!("host=127.0.0.1 port={proxy_port} user=postgres application_name=standby");
        let copy = ["--write-recovery-conf", "--checkpoint=fast", "--wal-method=stream", "--no-sync"];
        let mut backup = tool("pg_basebackup");
        backup.args(["-d", &primary]).args(copy).arg("-D").arg(standby.data());
        run_blocking(backup).await;
        standby.launch("").await;
        run_blocking(self.psql("postgres", WAIT_FOR_STANDBY)).await;
        standby
    }

    /// Makes replication synchronous: a commit waits until the standby has it on disk.
    ///
    /// # Panics
    /// If the server refuses.
    pub fn wait_for_standby(&self) {
        self.sql("postgres", "alter system set synchronous_standby_names = 'standby'");
        self.sql("postgres", "select pg_reload_conf()");
    }

    /// Promotes the standby: it accepts writes from now on.
    ///
    /// # Panics
    /// If it cannot.
    pub fn promote(&self) {
        run(tool("pg_ctl").arg("-D").arg(self.data()).args(["-w", "promote"]));
    }

    /// Creates an empty database and returns its URL.
    ///
    /// # Panics
    /// If the server does not run.
    pub fn create_database(&self) -> String {
        self.clone_database("template1")
    }

    /// Creates a copy of a database that `fill` has filled, once per server, and returns its URL. `fill` gets the URL of
    /// an empty database and closes its connections.
    ///
    /// # Panics
    /// If the server does not run.
    pub async fn create_filled<F: Future<Output = ()>>(&self, fill: impl FnOnce(String) -> F) -> String {
        let template = self.template.get_or_init(async || {
            let url = self.create_database();
            let name = url.rsplit('/').next().unwrap_or_default().to_owned();
            fill(url).await;
            name
        });
        self.clone_database(template.await)
    }

    /// Creates a copy of the named database, which must have no connections, and returns its URL.
    ///
    /// # Panics
    /// If the server does not run, or the template has connections.
    pub fn clone_database(&self, template: &str) -> String {
        let name = format!("fresh{}", self.databases.fetch_add(1, Ordering::SeqCst));
        // Half the work of the default, which writes each page to the log too.
        let create = format!("create database {name} template {template} strategy file_copy");
        self.sql("postgres", &create);
        format!("postgres://postgres@127.0.0.1:{}/{name}", self.port)
    }

    /// Runs one statement in a database.
    ///
    /// # Panics
    /// If the server refuses it.
    pub fn sql(&self, database: &str, statement: &str) {
        run(&mut self.psql(database, statement));
    }

    fn psql(&self, database: &str, statement: &str) -> Command {
        let port = self.port.to_string();
        let mut psql = tool("psql");
        psql.args(["-q", "-h", "127.0.0.1", "-p", &port, "-U", "postgres", "-d", database, "-c", statement]);
        psql
    }

    /// Returns its port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Stops it immediately, like a crash. [`Postgres::restart`] starts it again.
    ///
    /// # Panics
    /// If it does not stop.
    pub fn stop(&self) {
        run(&mut self.stop_command());
    }

    fn stop_command(&self) -> Command {
        let mut stop = tool("pg_ctl");
        stop.arg("-D").arg(self.data()).args(["-m", "immediate", "-w", "stop"]);
        stop
    }

    /// Starts it again after [`Postgres::stop`], with the same data, port and settings.
    ///
    /// # Panics
    /// If it does not start.
    pub async fn restart(&self) {
        let log = self.folder.path().join("log");
        run(tool("pg_ctl")
            .envs(self.environment.iter().cloned())
            .arg("-D")
            .arg(self.data())
            .args(["-w", "-l"])
            .arg(log)
            .arg("restart"));
        wait_for_port(self.port).await;
    }

    /// Whether it runs.
    #[must_use]
    pub fn is_running(&self) -> bool {
        let status = tool("pg_ctl").arg("-D").arg(self.data()).arg("status").stdout(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    }

    /// Dumps a database while clients use it, restores it into a new one and returns the new URL.
    ///
    /// # Panics
    /// If the server does not run.
    pub fn copy(&self, database: &str) -> String {
        let (copy, name) = (self.create_database(), database.rsplit('/').next().unwrap_or_default());
        let file = self.folder.path().join(name).display().to_string();
        let connection =
            ["-q", "-h", "127.0.0.1", "-p", &self.port.to_string(), "-U", "postgres"].map(String::from);
        run(tool("pg_dump").args(&connection[1..]).args(["-f", &file, name]));
        let to = copy.rsplit('/').next().unwrap_or_default();
        run(tool("psql").args(connection).args(["-d", to, "-f", &file]));
        copy
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if let Some(mut guard) = self.guard.take() {
            drop((guard.kill(), guard.wait()));
        }
        let stop = self.stop_command().stdout(Stdio::null()).status();
        if !stop.is_ok_and(|status| status.success()) {
            eprintln!("PostgreSQL in {} did not stop", self.folder.path().display());
        }
    }
}

/// Returns a program of the newest installed PostgreSQL, run as the user `postgres` if this process
/// is root.
fn tool(name: &str) -> Command {
    let mut versions: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .map(|entries| {
            entries
                .flatten()
                .map(|entry| entry.path().join("bin").join(name))
                .filter(|path| path.exists())
                .collect()
        })
        .unwrap_or_default();
    versions.sort();
    let program = versions.pop().unwrap_or_else(|| PathBuf::from(name));
    let mut command = if is_root() {
        let mut command = Command::new("runuser");
        command.args([OsStr::new("-u"), OsStr::new("postgres"), OsStr::new("--"), program.as_os_str()]);
        command
    } else {
        Command::new(program)
    };
    command.current_dir("/").stdin(Stdio::null());
    command
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|me| std::os::unix::fs::MetadataExt::uid(&me) == 0)
}

/// Runs a command that connects through a proxy of this process, without blocking that proxy.
async fn run_blocking(mut command: Command) {
    tokio::task::spawn_blocking(move || run(&mut command)).await.expect("the command succeeds");
}

fn run(command: &mut Command) {
    // Files, not pipes: the server inherits them and would keep a pipe open.
    let status = command.stdout(Stdio::null()).status().expect("PostgreSQL's programs are installed");
    assert!(status.success(), "{command:?} failed");
}
