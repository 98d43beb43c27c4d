//! Threads: the engine's loops have their own runtime, so that page requests cannot delay them.
//!
//! Each runtime drives the connections that were opened on it. The engine's connections to the
//! database and Redis are opened on the engine's runtime; those for pages and the API on the web
//! runtime.

use crate::process::cli_error::CliError;
use std::{thread::available_parallelism, time::Duration};
use tokio::runtime::{Builder, Handle, Runtime};

/// Threads of the web runtime in addition to those that may render pages: for connections and
/// transactions.
const SPARE_THREADS: usize = 2;
/// How long threads that are still busy at shutdown are waited for.
const LEFT_BEHIND: Duration = Duration::from_millis(500);

/// The runtimes of the process.
pub struct Threads {
    engine: Runtime,
    web: Option<Runtime>,
}

impl Threads {
    /// Starts the engine's runtime, and the web runtime if this process serves pages.
    pub fn start(serves: bool) -> Result<Self, CliError> {
        let broken = |why: std::io::Error| CliError::Broken(why.to_string());
        let engine = Builder::new_multi_thread().enable_all().build().map_err(broken)?;
        let cores = available_parallelism().map_or(1, usize::from);
        let web = || {
            let mut builder = Builder::new_multi_thread();
            builder.worker_threads(cores + SPARE_THREADS).thread_name("web").enable_all().build()
        };
        let web = serves.then(web).transpose().map_err(broken)?;
        Ok(Self { engine, web })
    }

    /// Runtime for pages and the API.
    pub fn web(&self) -> Option<Handle> {
        self.web.as_ref().map(|web| web.handle().clone())
    }

    /// Runs the future on the engine's runtime. Returns soon after it ends, even if other work is
    /// still running.
    pub fn run<T>(self, work: impl Future<Output = T>) -> T {
        let done = self.engine.block_on(work);
        // The web runtime first: its remaining work may hold connections of the engine's.
        if let Some(web) = self.web {
            web.shutdown_timeout(LEFT_BEHIND);
        }
        self.engine.shutdown_timeout(LEFT_BEHIND);
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn the_process_exits_while_blocking_work_hangs() {
        let threads = Threads::start(true).unwrap();
        let (hold, held) = mpsc::channel::<()>();
        let (hold_web, held_web) = mpsc::channel::<()>();
        let web = threads.web().unwrap();
        threads.run(async move {
            let (starts, started) = tokio::sync::oneshot::channel();
            tokio::task::spawn_blocking(move || {
                _ = starts.send(());
                _ = held.recv();
            });
            started.await.unwrap();
            let (starts, started) = tokio::sync::oneshot::channel();
            web.spawn_blocking(move || {
                _ = starts.send(());
                _ = held_web.recv();
            });
            started.await.unwrap();
        });
        drop((hold, hold_web));
    }
}
