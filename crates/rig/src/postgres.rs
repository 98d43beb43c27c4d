//! A PostgreSQL server of one's own.

use crate::{
    clock::FalseClock,
    port::{answers, free_port},
};
use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
};
use tempfile::TempDir;

/// Durability off.
const QUICK: &str = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off";

/// Waits until a standby follows.
// A transaction sees those who follow as they were when it first looked, unless it forgets that.
const FOLLOWED: &str = "do $$ begin
    for look in 1..3000 loop
        if exists (select from pg_stat_replication where state = 'streaming') then return; end if;
        perform pg_sleep(0.02), pg_stat_clear_snapshot();
    end loop;
    raise exception 'the standby does not follow';
end $$";

/// Memory that must be free for the data to lie in it: hundreds of databases of 8 MB.
const ROOM_KIB: u64 = 8 << 20;

/// Where data lies that need not outlive the machine: in memory where there is room. Each new database is three hundred files, and
/// to make them on a disk costs more than all that the tests ask of it.
fn quick_place() -> &'static Path {
    let memory = Path::new("/dev/shm");
    let facts = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let free = facts.lines().find_map(|line| line.strip_prefix("MemAvailable:")?.trim().strip_suffix(" kB"));
    let has_room = free.and_then(|free| free.parse().ok()).is_some_and(|free: u64| free > ROOM_KIB);
    if has_room && memory.is_dir() { memory } else { Path::new("/tmp") }
}

/// A running PostgreSQL server; ends when dropped.
#[derive(Debug)]
pub struct Postgres {
    port: u16,
    folder: TempDir,
    environment: Vec<(String, String)>,
    databases: AtomicU32,
}

impl Postgres {
    /// Starts a server on a free port, as the user `postgres` if this process is root. Durability is off: tests lose nothing
    /// that matters.
    ///
    /// # Panics
    /// If PostgreSQL is not installed or does not start.
    pub async fn start() -> Self {
        Self::start_with(quick_place(), QUICK, Vec::new()).await
    }

    /// The same, and it reads that clock.
    ///
    /// # Panics
    /// If PostgreSQL is not installed or does not start.
    pub async fn start_by(clock: &FalseClock) -> Self {
        Self::start_with(quick_place(), QUICK, clock.environment()).await
    }

    /// Starts a durable server whose data lies in that folder, and which keeps as little as it can of what it has written.
    ///
    /// # Panics
    /// If PostgreSQL is not installed or does not start.
    pub async fn start_in(folder: &Path) -> Self {
        Self::start_with(folder, "-c min_wal_size=32MB -c max_wal_size=32MB", Vec::new()).await
    }

    /// Starts a server with the durability a fresh installation has. For measuring.
    ///
    /// # Panics
    /// If PostgreSQL is not installed or does not start.
    pub async fn start_durable() -> Self {
        Self::start_with(Path::new("/tmp"), "", Vec::new()).await
    }

    async fn start_with(place: &Path, more: &str, environment: Vec<(String, String)>) -> Self {
        let server = Self {
            port: free_port(),
            folder: tempfile::Builder::new().prefix("pg").tempdir_in(place).expect("a temporary folder"),
            environment,
            databases: AtomicU32::new(0),
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
        answers(self.port).await;
    }

    /// Starts a standby that follows this server over a way, which leads to it, and has all it has so far.
    ///
    /// # Panics
    /// If the server is gone, or the standby does not start.
    pub async fn start_standby(&self, way: u16) -> Self {
        let standby = Self {
            port: free_port(),
            folder: tempfile::Builder::new().prefix("pg").tempdir_in("/tmp").expect("a temporary folder"),
            environment: self.environment.clone(),
            databases: AtomicU32::new(0),
        };
        if is_root() {
            run(Command::new("chown").arg("postgres").arg(standby.folder.path()));
        }
        let primary = format!("host=127.0.0.1 port={way} user=postgres application_name=standby");
        let copy = ["--write-recovery-conf", "--checkpoint=fast", "--wal-method=stream", "--no-sync"];
        let mut backup = tool("pg_basebackup");
        backup.args(["-d", &primary]).args(copy).arg("-D").arg(standby.data());
        apart(backup).await;
        standby.launch("").await;
        apart(self.psql("postgres", FOLLOWED)).await;
        standby
    }

    /// Says that a change counts as done only once the standby has it on its disk.
    ///
    /// # Panics
    /// If the server refuses.
    pub fn wait_for_standby(&self) {
        self.sql("postgres", "alter system set synchronous_standby_names = 'standby'");
        self.sql("postgres", "select pg_reload_conf()");
    }

    /// The standby takes over: from now on it can be written.
    ///
    /// # Panics
    /// If it cannot.
    pub fn promote(&self) {
        run(tool("pg_ctl").arg("-D").arg(self.data()).args(["-w", "promote"]));
    }

    /// A new empty database: its address.
    ///
    /// # Panics
    /// If the server is gone.
    pub fn fresh_database(&self) -> String {
        self.database_like("template1")
    }

    /// A new database with all that is in the named one, to which nobody is connected: its address.
    ///
    /// # Panics
    /// If the server is gone, or somebody is connected.
    pub fn database_like(&self, template: &str) -> String {
        let name = format!("fresh{}", self.databases.fetch_add(1, Ordering::SeqCst));
        self.sql("postgres", &format!("create database {name} template {template}"));
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

    /// Its port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Stops it at once, as a crash would; [`Postgres::start_again`] brings it back.
    ///
    /// # Panics
    /// If it does not stop.
    pub fn stop(&self) {
        run(tool("pg_ctl").arg("-D").arg(self.data()).args(["-m", "immediate", "-w", "stop"]));
    }

    /// Starts it again after [`Postgres::stop`], with the same data, port and settings.
    ///
    /// # Panics
    /// If it does not start.
    pub async fn start_again(&self) {
        let log = self.folder.path().join("log");
        run(tool("pg_ctl")
            .envs(self.environment.iter().cloned())
            .arg("-D")
            .arg(self.data())
            .args(["-w", "-l"])
            .arg(log)
            .arg("restart"));
        answers(self.port).await;
    }

    /// Whether it still runs.
    #[must_use]
    pub fn runs(&self) -> bool {
        let asked = tool("pg_ctl").arg("-D").arg(self.data()).arg("status").stdout(Stdio::null()).status();
        asked.is_ok_and(|status| status.success())
    }

    /// A copy of a database as it is now, made while others work on it: its address.
    ///
    /// # Panics
    /// If the server is gone.
    pub fn copy(&self, database: &str) -> String {
        let (copy, name) = (self.fresh_database(), database.rsplit('/').next().unwrap_or_default());
        let file = self.folder.path().join(name).display().to_string();
        let place =
            ["-q", "-h", "127.0.0.1", "-p", &self.port.to_string(), "-U", "postgres"].map(String::from);
        run(tool("pg_dump").args(&place[1..]).args(["-f", &file, name]));
        let to = copy.rsplit('/').next().unwrap_or_default();
        run(tool("psql").args(place).args(["-d", to, "-f", &file]));
        copy
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let stop = tool("pg_ctl")
            .arg("-D")
            .arg(self.data())
            .args(["-m", "immediate", "stop"])
            .stdout(Stdio::null())
            .status();
        if !stop.is_ok_and(|status| status.success()) {
            eprintln!("PostgreSQL in {} did not stop", self.folder.path().display());
        }
    }
}

/// A program of PostgreSQL: the newest installed, as the user `postgres` if this process is root.
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

/// Runs what waits for a way of this process, beside it.
async fn apart(mut command: Command) {
    tokio::task::spawn_blocking(move || run(&mut command)).await.expect("it ends well");
}

fn run(command: &mut Command) {
    // Files, not pipes: the server inherits them and would keep a pipe open.
    let status = command.stdout(Stdio::null()).status().expect("PostgreSQL's programs are installed");
    assert!(status.success(), "{command:?} failed");
}
