//! Task handler of the benchmark driver: writes lines to a file that survive a crash.

use super::{KINDS, kind_of, name};
use async_trait::async_trait;
use domain::{KindClass, Timestamp};
use futures::future::join_all;
use std::{
    collections::HashSet,
    fs::{File, OpenOptions},
    io::{self, Write},
    path::Path,
    time::{Duration, SystemTime, UNIX_EPOCH},
};
use store::{
    PoolRole, Store, StoreError, Tx, bench,
    execute::{ClaimedTask, SideEffects, TaskHandler, Verdict},
};
use uuid::Uuid;

/// Handles tasks: writes `S` before it works on a task and `E` after its execution was committed,
/// each line with one write.
pub struct Handler {
    log: File,
    work: Duration,
}

impl Handler {
    /// Appends to the file at `path`; each task takes `work`.
    pub fn new(path: &Path, work: Duration) -> io::Result<Self> {
        KindClass::ALL.iter().for_each(|class| _ = kind_of(*class));
        Ok(Self { log: OpenOptions::new().create(true).append(true).open(path)?, work })
    }

    /// Writes the missing lines of tasks that were executed by a process that died before it could
    /// write them.
    pub async fn catch_up(&self, store: &Store, path: &Path) -> Result<(), StoreError> {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        if text.is_empty() {
            return Ok(());
        }
        let written: HashSet<&str> =
            text.lines().filter_map(|line| line.strip_prefix("E ")?.split(' ').next()).collect();
        let mut lease = store.read(PoolRole::Engine).await?;
        for kind in KINDS {
            for target in bench::executed_targets(lease.conn(), kind).await? {
                if !written.contains(name::read(target).as_str()) {
                    self.line('E', target);
                }
            }
        }
        Ok(())
    }

    fn line(&self, letter: char, target: Uuid) {
        let line = format!("{letter} {} {}\n", name::read(target), micros());
        if let Err(error) = (&self.log).write_all(line.as_bytes()) {
            tracing::error!("the log of the driver was not written: {error}");
        }
    }
}

#[async_trait]
impl TaskHandler for Handler {
    fn kinds(&self) -> &'static [&'static str] {
        &KINDS
    }

    async fn apply(
        &self,
        _tx: &mut Tx,
        _kind: &'static str,
        tasks: &[ClaimedTask],
        _at: Timestamp,
        _after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        if !self.work.is_zero() {
            let work = tasks.iter().map(|task| async {
                self.line('S', task.target_id);
                tokio::time::sleep(self.work).await;
            });
            join_all(work).await;
        }
        Ok(vec![Verdict::Done; tasks.len()])
    }

    fn after_commit(&self, tasks: &[ClaimedTask]) {
        for task in tasks {
            self.line('E', task.target_id);
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a measurement reads the machine's clock, and finer than the product's"
)]
fn micros() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_micros())
}
