//! Where a design works: its Redis, its folder, and the witness that is told of each task that was done.

use redis::Connection;
use std::{
    fs::{File, OpenOptions},
    io::Write,
    path::PathBuf,
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// A task: its name and when it is due, epoch milliseconds.
pub type Task = (String, i64);

/// Hands for the work of all designs.
pub const HANDS: usize = 50;

/// A place to work in. Cheap to clone.
#[derive(Clone)]
pub struct Place {
    url: String,
    /// For a design that keeps a database.
    pub folder: PathBuf,
    work: Duration,
    witness: Arc<File>,
}

impl Place {
    /// On the Redis at `url`; a task takes `work_ms`.
    pub fn new(url: &str, folder: PathBuf, work_ms: u64) -> Self {
        let witness = OpenOptions::new().create(true).append(true).open(folder.join("done")).expect("a file");
        Self { url: url.to_owned(), folder, work: Duration::from_millis(work_ms), witness: Arc::new(witness) }
    }

    /// A connection of one's own.
    pub fn redis(&self) -> Connection {
        let client = redis::Client::open(self.url.as_str()).expect("an address");
        client.get_connection().expect("Redis answers")
    }

    /// Does a task. One write a line: a kill loses none that was done.
    pub fn work(&self, task: &str) {
        std::thread::sleep(self.work);
        let line = format!("{task} {}\n", micros());
        self.witness.as_ref().write_all(line.as_bytes()).expect("the file takes it");
    }

    /// Starts `count` threads that do the same.
    pub fn hands(&self, count: usize, work: impl Fn(&Self) + Clone + Send + 'static) {
        for _ in 0..count {
            let (place, work) = (self.clone(), work.clone());
            std::thread::spawn(move || work(&place));
        }
    }
}

/// Now, epoch microseconds.
pub fn micros() -> i64 {
    #[expect(clippy::disallowed_methods, reason = "a witness has a clock of its own")]
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970");
    i64::try_from(since.as_micros()).expect("before the year 290000")
}

/// Now, epoch milliseconds.
pub fn now() -> i64 {
    micros() / 1_000
}
