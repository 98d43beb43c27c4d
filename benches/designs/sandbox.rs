//! The environment of a design: its Redis, its folder, and the file that records executions.

use redis::Connection;
use std::{
    fs::{File, OpenOptions},
    io::Write,
    path::PathBuf,
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// A task: its name and its due time in epoch milliseconds.
pub type Task = (String, i64);

/// Number of worker threads in each design.
pub const WORKERS: usize = 50;

/// The environment of a design. Cheap to clone.
#[derive(Clone)]
pub struct Sandbox {
    url: String,
    /// For designs with a database.
    pub folder: PathBuf,
    task_duration: Duration,
    executions: Arc<File>,
}

impl Sandbox {
    /// Uses the Redis at `url`; a task takes `work_ms`.
    pub fn new(url: &str, folder: PathBuf, work_ms: u64) -> Self {
        let executions =
            OpenOptions::new().create(true).append(true).open(folder.join("done")).expect("a file");
        Self {
            url: url.to_owned(),
            folder,
            task_duration: Duration::from_millis(work_ms),
            executions: Arc::new(executions),
        }
    }

    /// Opens a connection.
    pub fn redis(&self) -> Connection {
        let client = redis::Client::open(self.url.as_str()).expect("an address");
        client.get_connection().expect("Redis responds")
    }

    /// Executes a task and records it with one write, so that a kill loses no record.
    pub fn execute(&self, task: &str) {
        std::thread::sleep(self.task_duration);
        let line = format!("{task} {}\n", micros());
        self.executions.as_ref().write_all(line.as_bytes()).expect("the file is writable");
    }

    /// Starts `count` threads that run the same function.
    pub fn spawn_workers(&self, count: usize, work: impl Fn(&Self) + Clone + Send + 'static) {
        for _ in 0..count {
            let (sandbox, work) = (self.clone(), work.clone());
            std::thread::spawn(move || work(&sandbox));
        }
    }
}

/// Returns the current time in epoch microseconds.
pub fn micros() -> i64 {
    #[expect(clippy::disallowed_methods, reason = "a measurement reads the real clock")]
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970");
    i64::try_from(since.as_micros()).expect("before the year 290000")
}

/// Returns the current time in epoch milliseconds.
pub fn now() -> i64 {
    micros() / 1_000
}
