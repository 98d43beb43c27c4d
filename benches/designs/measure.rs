//! Three measurements of a design: steady load, a burst, and a kill.

use crate::{
    designs::Design,
    sandbox::{self, Sandbox, Task},
};
use std::{
    collections::BTreeMap,
    path::Path,
    process::Stdio,
    time::{Duration, Instant},
};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
};

/// A design with its own Redis and folder.
struct Run<'a> {
    design: &'a dyn Design,
    redis: test_support::Redis,
    folder: tempfile::TempDir,
    work_ms: u64,
}

/// Measures a design and returns its row of the table.
pub async fn row(design: &dyn Design) -> String {
    let (steady, burst) = (steady(design).await, burst(design).await);
    let (lost, double) = killed(design).await;
    let at = |share: f64| {
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "an index below 10^4"
        )]
        let index = (steady.len() as f64 * share).ceil() as usize;
        steady[index.clamp(1, steady.len()) - 1]
    };
    let (p50, p99, max) = (at(0.5), at(0.99), at(1.0));
    format!(
        "| {} {} | {p50} | {p99} | {max} | {burst:.0} | {lost} | {double} |",
        design.name(),
        design.description()
    )
}

/// Returns the sorted lateness of 500 tasks, one every 20 ms, in milliseconds.
async fn steady(design: &dyn Design) -> Vec<i64> {
    let run = Run::new(design, 0).await;
    let from = sandbox::now() + 2_000;
    let tasks: Vec<Task> = (0..500).map(|n| (format!("t{n}"), from + n * 20)).collect();
    run.schedule(&tasks);
    let _worker = run.start().await;
    let done = run.wait(tasks.len(), Duration::from_secs(90)).await;
    let due: BTreeMap<&str, i64> = tasks.iter().map(|(name, due)| (name.as_str(), *due)).collect();
    let mut lateness: Vec<i64> = done.iter().map(|(name, at)| at / 1_000 - due[name.as_str()]).collect();
    lateness.sort_unstable();
    lateness
}

/// Returns the tasks per second when 5,000 are due at the same time.
async fn burst(design: &dyn Design) -> f64 {
    let run = Run::new(design, 0).await;
    let due = sandbox::now() + 3_000;
    let tasks: Vec<Task> = (0..5_000).map(|n| (format!("t{n}"), due)).collect();
    run.schedule(&tasks);
    let _worker = run.start().await;
    let done = run.wait(tasks.len(), Duration::from_secs(90)).await;
    let last = done.iter().map(|(_, at)| *at).max().unwrap_or_default();
    let took = last - due * 1_000;
    #[expect(clippy::cast_precision_loss, reason = "microseconds of a minute")]
    let seconds = took as f64 / 1e6;
    tasks.len() as f64 / seconds
}

/// Returns how many of 2,000 due tasks of 5 ms were lost and how many were executed twice. The process is
/// killed after 600 tasks and another one starts immediately.
async fn killed(design: &dyn Design) -> (usize, usize) {
    let run = Run::new(design, 5).await;
    let due = sandbox::now() + 1_000;
    let tasks: Vec<Task> = (0..2_000).map(|n| (format!("t{n}"), due)).collect();
    run.schedule(&tasks);
    let mut worker = run.start().await;
    run.wait(600, Duration::from_secs(90)).await;
    worker.kill().await.expect("the process can be killed");
    let _next = run.start().await;
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for (name, _) in run.wait(tasks.len(), Duration::from_secs(70)).await {
        *times.entry(name).or_default() += 1;
    }
    (tasks.len() - times.len(), times.values().filter(|count| **count > 1).count())
}

impl<'a> Run<'a> {
    async fn new(design: &'a dyn Design, work_ms: u64) -> Self {
        Self {
            design,
            redis: test_support::Redis::start().await,
            folder: tempfile::tempdir().expect("a folder"),
            work_ms,
        }
    }

    fn schedule(&self, tasks: &[Task]) {
        self.design.schedule(&Sandbox::new(&self.redis.url(), self.folder.path().to_owned(), 0), tasks);
    }

    async fn start(&self) -> Child {
        let mut worker = Command::new(std::env::current_exe().expect("this program"))
            .args(["--work", self.design.name(), &self.redis.url()])
            .arg(self.folder.path())
            .arg(self.work_ms.to_string())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("the program starts");
        let output = worker.stdout.take().expect("its output");
        let ready = BufReader::new(output).lines().next_line().await.expect("a line");
        assert_eq!(ready.as_deref(), Some("READY"));
        worker
    }

    /// Waits until `count` different tasks are executed, or until none is for `timeout`. Returns all executions.
    async fn wait(&self, count: usize, timeout: Duration) -> Vec<(String, i64)> {
        let (mut seen, mut since) = (0, Instant::now());
        loop {
            tokio::time::sleep(Duration::from_millis(50)).await;
            let done = executions(self.folder.path());
            let names: std::collections::BTreeSet<&str> =
                done.iter().map(|(name, _)| name.as_str()).collect();
            if names.len() >= count || since.elapsed() > timeout {
                return done;
            }
            if names.len() > seen {
                (seen, since) = (names.len(), Instant::now());
            }
        }
    }
}

/// Returns the recorded executions: task and time in microseconds.
fn executions(folder: &Path) -> Vec<(String, i64)> {
    let text = std::fs::read_to_string(folder.join("done")).unwrap_or_default();
    text.lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(name, at)| (name.to_owned(), at.parse().expect("microseconds")))
        .collect()
}
