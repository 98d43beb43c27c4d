//! Three measures of a design: steady, a burst, and a kill.

use crate::{
    designs::Design,
    place::{self, Place, Task},
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

/// A design at work with a Redis and a folder of its own.
struct Stage<'a> {
    design: &'a dyn Design,
    redis: rig::Redis,
    folder: tempfile::TempDir,
    work_ms: u64,
}

/// One line of the table.
pub async fn line(design: &dyn Design) -> String {
    let (steady, burst) = (steady(design).await, burst(design).await);
    let (lost, twice) = killed(design).await;
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
    let (p50, p99, most) = (at(0.5), at(0.99), at(1.0));
    format!(
        "| {} {} | {p50} | {p99} | {most} | {burst:.0} | {lost} | {twice} |",
        design.name(),
        design.shape()
    )
}

/// Lags of 500 tasks, one every 20 ms, in order; milliseconds.
async fn steady(design: &dyn Design) -> Vec<i64> {
    let stage = Stage::new(design, 0).await;
    let from = place::now() + 2_000;
    let tasks: Vec<Task> = (0..500).map(|n| (format!("t{n}"), from + n * 20)).collect();
    stage.plan(&tasks);
    let _worker = stage.start().await;
    let done = stage.wait(tasks.len(), Duration::from_secs(90)).await;
    let due: BTreeMap<&str, i64> = tasks.iter().map(|(name, due)| (name.as_str(), *due)).collect();
    let mut lags: Vec<i64> = done.iter().map(|(name, at)| at / 1_000 - due[name.as_str()]).collect();
    lags.sort_unstable();
    lags
}

/// Tasks a second when 5,000 are due at one instant.
async fn burst(design: &dyn Design) -> f64 {
    let stage = Stage::new(design, 0).await;
    let due = place::now() + 3_000;
    let tasks: Vec<Task> = (0..5_000).map(|n| (format!("t{n}"), due)).collect();
    stage.plan(&tasks);
    let _worker = stage.start().await;
    let done = stage.wait(tasks.len(), Duration::from_secs(90)).await;
    let last = done.iter().map(|(_, at)| *at).max().unwrap_or_default();
    let took = last - due * 1_000;
    #[expect(clippy::cast_precision_loss, reason = "microseconds of a minute")]
    let seconds = took as f64 / 1e6;
    tasks.len() as f64 / seconds
}

/// How many of 2,000 due tasks of 5 ms were lost, and how many done twice, when the process was killed once 600 were done and another
/// one started at once.
async fn killed(design: &dyn Design) -> (usize, usize) {
    let stage = Stage::new(design, 5).await;
    let due = place::now() + 1_000;
    let tasks: Vec<Task> = (0..2_000).map(|n| (format!("t{n}"), due)).collect();
    stage.plan(&tasks);
    let mut worker = stage.start().await;
    stage.wait(600, Duration::from_secs(90)).await;
    worker.kill().await.expect("it can be killed");
    let _next = stage.start().await;
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for (name, _) in stage.wait(tasks.len(), Duration::from_secs(70)).await {
        *times.entry(name).or_default() += 1;
    }
    (tasks.len() - times.len(), times.values().filter(|count| **count > 1).count())
}

impl<'a> Stage<'a> {
    async fn new(design: &'a dyn Design, work_ms: u64) -> Self {
        Self {
            design,
            redis: rig::Redis::start().await,
            folder: tempfile::tempdir().expect("a folder"),
            work_ms,
        }
    }

    fn plan(&self, tasks: &[Task]) {
        self.design.plan(&Place::new(&self.redis.url(), self.folder.path().to_owned(), 0), tasks);
    }

    async fn start(&self) -> Child {
        let mut worker = Command::new(std::env::current_exe().expect("this program"))
            .args(["--work", self.design.name(), &self.redis.url()])
            .arg(self.folder.path())
            .arg(self.work_ms.to_string())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("it starts");
        let output = worker.stdout.take().expect("its output");
        let ready = BufReader::new(output).lines().next_line().await.expect("a line");
        assert_eq!(ready.as_deref(), Some("READY"));
        worker
    }

    /// What was done once `count` different tasks were, or when nothing more is for `patience`.
    async fn wait(&self, count: usize, patience: Duration) -> Vec<(String, i64)> {
        let (mut seen, mut since) = (0, Instant::now());
        loop {
            tokio::time::sleep(Duration::from_millis(50)).await;
            let done = done(self.folder.path());
            let names: std::collections::BTreeSet<&str> =
                done.iter().map(|(name, _)| name.as_str()).collect();
            if names.len() >= count || since.elapsed() > patience {
                return done;
            }
            if names.len() > seen {
                (seen, since) = (names.len(), Instant::now());
            }
        }
    }
}

/// What the witness was told: task and microsecond, line by line.
fn done(folder: &Path) -> Vec<(String, i64)> {
    let text = std::fs::read_to_string(folder.join("done")).unwrap_or_default();
    text.lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(name, at)| (name.to_owned(), at.parse().expect("microseconds")))
        .collect()
}
