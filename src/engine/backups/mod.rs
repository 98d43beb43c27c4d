//! Backups that the server writes by itself: written, thinned out and verified by one of the nodes.

mod decide;
mod files;
mod keep;
mod report;
mod verify;
mod write;

use crate::{
    app_state::AppState,
    files::BackupFiles,
    process::{cli_error::CliError, config::Config},
    services::run_blocking,
};
use domain::{
    Timestamp,
    engine::backups::{BackupProblem, BackupRun, BackupState, BackupsReport},
};
pub use files::{newest_first, scratch_folder};
use metrics::gauge;
use report::present;
use std::{sync::Arc, time::Duration};
use store::{
    PoolRole, StoreError,
    backup_run::{self, RunEnd},
};
use tokio::{runtime::Handle, sync::Mutex};
use tokio_util::sync::{CancellationToken, DropGuard};

/// Interval between two checks; the first one is an interval after the start of the node.
const TICK_INTERVAL: Duration = Duration::from_secs(60);
/// Interval between two checks whether a node without backups has asked for one.
const REQUEST_CHECK_INTERVAL: Duration = Duration::from_secs(5);
/// Number of these checks between two ticks.
const REQUEST_CHECKS: u32 = 12;
/// How long a node without backups waits for the one that it has asked for.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(60);
/// Interval between two looks at it.
const REQUEST_POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Number of runs from which problems are derived.
const EXAMINED_RUNS: u16 = 50;
/// Number of runs in a report.
const REPORTED_RUNS: u16 = 30;

/// Why a backup failed whose thread ended.
const INTERRUPTED: &str = "the work was interrupted";

/// The backups of this node. Cheap to clone.
#[derive(Clone)]
pub struct Backups {
    parts: AppState,
    config: Arc<Config>,
    /// Where they are stored.
    place: BackupFiles,
    /// Held while this process writes or verifies a backup.
    in_flight: Arc<Mutex<()>>,
}

impl Backups {
    /// Creates the service. It writes nothing by itself until [`Backups::start`].
    pub fn new(parts: AppState, config: &Config) -> Result<Self, CliError> {
        let place = BackupFiles::open(config)?;
        Ok(Self { parts, config: Arc::new(config.clone()), place, in_flight: Arc::default() })
    }

    /// Writes and verifies backups when they are due, until `stop` is cancelled or the guard is
    /// dropped.
    #[must_use]
    pub fn start(&self, stop: CancellationToken) -> DropGuard {
        #[expect(clippy::disallowed_methods, reason = "a background task: each run may be interrupted")]
        tokio::spawn(self.clone().repeat(stop.clone()));
        stop.drop_guard()
    }

    async fn repeat(self, stop: CancellationToken) {
        loop {
            tokio::select! {
                () = stop.cancelled() => return,
                () = self.wait_for_tick() => {}
            }
            if let Err(error) = self.watched_tick().await {
                tracing::warn!("the check of the backups failed and will be retried: {error:?}");
            }
        }
    }

    /// Waits an interval, or until a node without backups has asked for one.
    async fn wait_for_tick(&self) {
        for _ in 0..REQUEST_CHECKS {
            tokio::time::sleep(REQUEST_CHECK_INTERVAL).await;
            if self.is_requested().await.unwrap_or(false) {
                return;
            }
        }
    }

    async fn is_requested(&self) -> Result<bool, StoreError> {
        backup_run::is_requested(self.parts.store.read(PoolRole::Web).await?.conn()).await
    }

    /// Does [`Backups::tick`]. A disk that does not answer may block it for ever: meanwhile what is
    /// wrong is recorded too.
    async fn watched_tick(&self) -> Result<(), StoreError> {
        let done = CancellationToken::new();
        let tick = async {
            let ended = self.tick().await;
            done.cancel();
            ended
        };
        let (ended, ()) = tokio::join!(tick, self.watch(&done));
        ended
    }

    async fn watch(&self, done: &CancellationToken) {
        loop {
            tokio::select! {
                () = done.cancelled() => return,
                () = tokio::time::sleep(TICK_INTERVAL) => {}
            }
            if let Err(error) = self.record_problem(self.parts.clock.now()).await {
                tracing::warn!("what is wrong with the backups was not recorded: {error:?}");
            }
        }
    }

    /// Writes a backup if one is due, verifies the newest one if that is due, and records what is
    /// wrong.
    pub async fn tick(&self) -> Result<(), StoreError> {
        let _in_flight = self.in_flight.lock().await;
        let now = self.parts.clock.now();
        self.end_interrupted(now).await?;
        if let Some(number) = self.due_number(now).await? {
            self.write(number, now).await?;
        }
        if self.config.backup.enabled {
            self.verify_if_due(now).await?;
        }
        self.record_problem(now).await
    }

    /// Asks a node that writes backups for one, for a node that does not, and waits until it is written. If one is
    /// being written, or is still after the timeout, returns that one. `None`: no node has begun one.
    pub async fn request(&self) -> Result<Option<BackupRun>, StoreError> {
        let mut tx = self.parts.store.begin(PoolRole::Web).await?;
        let newest = backup_run::newest(tx.conn(), 1).await?.pop().map(present).transpose()?;
        if let Some(running) = newest.as_ref().filter(|run| run.state == BackupState::Running) {
            return Ok(Some(running.clone()));
        }
        if !backup_run::has_writer(tx.conn()).await? {
            return Ok(None);
        }
        let number = number_after(newest.map(|run| run.number));
        backup_run::request(tx.conn(), number).await?;
        tx.commit().await?;
        let mut found = None;
        let ended = async {
            loop {
                let mut lease = self.parts.store.read(PoolRole::Web).await?;
                found = backup_run::find(lease.conn(), number).await?.map(present).transpose()?;
                drop(lease);
                if found.as_ref().is_some_and(|run| run.state != BackupState::Running) {
                    return Ok::<_, StoreError>(());
                }
                tokio::time::sleep(REQUEST_POLL_INTERVAL).await;
            }
        };
        if let Ok(ended) = tokio::time::timeout(REQUEST_TIMEOUT, ended).await {
            ended?;
        }
        if found.is_none() {
            let mut tx = self.parts.store.begin(PoolRole::Web).await?;
            backup_run::delete_request(tx.conn()).await?;
            tx.commit().await?;
        }
        Ok(found)
    }

    /// Writes a backup now. If another node is writing one, returns that one.
    pub async fn write_now(&self) -> Result<BackupRun, StoreError> {
        let _in_flight = self.in_flight.lock().await;
        let now = self.parts.clock.now();
        // Otherwise one that has ended without a word would prevent this one.
        self.end_interrupted(now).await?;
        let newest = backup_run::newest(self.parts.store.read(PoolRole::Web).await?.conn(), 1).await?;
        let number = number_after(newest.first().map(|run| run.number));
        let has_run = self.write(number, now).await?;
        self.record_problem(now).await?;
        let mut lease = self.parts.store.read(PoolRole::Web).await?;
        let row = match has_run {
            true => backup_run::find(lease.conn(), number).await?,
            false => backup_run::newest(lease.conn(), 1).await?.pop(),
        };
        row.map(present).transpose()?.ok_or_else(|| StoreError::Corrupt("the backup is gone".to_owned()))
    }

    /// Returns the backups, their settings, and what is wrong.
    pub async fn report(&self) -> Result<BackupsReport, StoreError> {
        let settings = &self.config.backup;
        let mut lease = self.parts.store.read(PoolRole::Web).await?;
        let problem = backup_run::find_problem(lease.conn()).await?;
        let runs = backup_run::newest(lease.conn(), REPORTED_RUNS).await?;
        Ok(BackupsReport {
            is_enabled: settings.enabled,
            every_ms: settings.every_ms(),
            keep_daily: settings.keep.daily,
            keep_weekly: settings.keep.weekly,
            keep_monthly: settings.keep.monthly,
            folder: self.place.name(),
            problem_since: problem.as_ref().map(|(_, since)| Timestamp::from_millis(*since)),
            problem: problem.and_then(|(cause, _)| cause.parse().ok()),
            last_written: backup_run::last_written(lease.conn()).await?.map(present).transpose()?,
            last_verified: backup_run::last_verified(lease.conn()).await?.map(present).transpose()?,
            runs: runs.into_iter().map(present).collect::<Result<_, _>>()?,
        })
    }

    /// Ends the runs of processes that have ended, and own ones. The caller holds `in_flight`.
    async fn end_interrupted(&self, now: Timestamp) -> Result<(), StoreError> {
        let mut tx = self.parts.store.begin(PoolRole::Web).await?;
        backup_run::end_interrupted(tx.conn(), self.parts.node.id, now).await?;
        tx.commit().await
    }

    /// Returns the number of the backup that is due or was asked for; `None`: none is.
    async fn due_number(&self, now: Timestamp) -> Result<Option<i64>, StoreError> {
        let mut lease = self.parts.store.read(PoolRole::Web).await?;
        let newest = backup_run::newest(lease.conn(), 1).await?.pop().map(present).transpose()?;
        let first_account = backup_run::first_account_at(lease.conn()).await?;
        let settings = &self.config.backup;
        let is_due =
            settings.enabled && decide::is_due(newest.as_ref(), first_account, now, settings.every_ms());
        let is_needed = is_due || backup_run::is_requested(lease.conn()).await?;
        Ok(is_needed.then(|| number_after(newest.map(|run| run.number))))
    }

    /// Writes the backup of this number and deletes those that are no longer kept. False: another
    /// node has begun it, or is writing another one.
    async fn write(&self, number: i64, now: Timestamp) -> Result<bool, StoreError> {
        let (store, node) = (&self.parts.store, &self.parts.node);
        let mut tx = store.begin(PoolRole::Web).await?;
        let has_begun = backup_run::begin(tx.conn(), number, node.id, &node.name, now).await?;
        if has_begun {
            backup_run::delete_request(tx.conn()).await?;
        }
        tx.commit().await?;
        if !has_begun {
            return Ok(false);
        }
        let Self { parts, config, place, .. } = self.clone();
        let end = on_thread(move || async move { write::write(&parts, &config, &place, now).await }).await;
        let end = end.unwrap_or_else(|| RunEnd {
            state: "failed",
            file: None,
            bytes: None,
            detail: Some(INTERRUPTED.to_owned()),
        });
        let mut tx = store.begin(PoolRole::Web).await?;
        backup_run::finish(tx.conn(), number, &end, self.parts.clock.now()).await?;
        backup_run::delete_old(tx.conn(), number).await?;
        tx.commit().await?;
        match (&end.file, &end.detail) {
            (Some(file), _) => {
                tracing::info!(file, "a backup was written");
                self.thin_out(file, now).await?;
            }
            (None, Some(detail)) => tracing::warn!("no backup was written: {detail}"),
            (None, None) => tracing::warn!("no backup was written: too little space is free"),
        }
        Ok(true)
    }

    /// Deletes the backups that are not kept. The one just written stays whatever the clock said, and
    /// the last one that could be restored.
    async fn thin_out(&self, written: &str, now: Timestamp) -> Result<(), StoreError> {
        let mut lease = self.parts.store.read(PoolRole::Web).await?;
        let restored = backup_run::last_restored(lease.conn()).await?.and_then(|run| run.file);
        drop(lease);
        let needed: Vec<String> = restored.into_iter().chain([written.to_owned()]).collect();
        let removed = self.remove_those_not_kept(&needed).await;
        if removed.is_empty() {
            return Ok(());
        }
        let mut tx = self.parts.store.begin(PoolRole::Web).await?;
        for file in &removed {
            backup_run::mark_removed(tx.conn(), file, now).await?;
        }
        tx.commit().await
    }

    /// Returns the names of those it deleted. Another try follows the next backup.
    async fn remove_those_not_kept(&self, needed: &[String]) -> Vec<String> {
        let mut removed = Vec::new();
        let names = self.place.names().await.unwrap_or_default();
        for name in files::not_kept(names, self.config.backup.keep, needed) {
            match self.place.remove(&name).await {
                Ok(()) => removed.push(name),
                Err(why) => tracing::warn!(name, "an old backup was not deleted: {why}"),
            }
        }
        removed
    }

    /// Whether a backup exists where this node looks for it.
    async fn has(&self, file: &str) -> bool {
        let found = self.place.size(file).await;
        let found = found.inspect_err(|why| tracing::warn!("{file} is not verified yet: {why}"));
        matches!(found, Ok(Some(_)))
    }

    async fn verify_if_due(&self, now: Timestamp) -> Result<(), StoreError> {
        let (store, node) = (&self.parts.store, self.parts.node.id);
        let mut lease = store.read(PoolRole::Web).await?;
        let last_verified = backup_run::last_verified(lease.conn()).await?.map(present).transpose()?;
        let Some(row) = backup_run::last_written(lease.conn()).await? else { return Ok(()) };
        drop(lease);
        let is_begun = row.verification.is_some();
        let run = present(row)?;
        let Some(file) = run.file.clone().filter(|_| !is_begun) else { return Ok(()) };
        // A node that has the file verifies it.
        if !decide::is_verification_due(&run, last_verified.as_ref(), now) || !self.has(&file).await {
            return Ok(());
        }
        let mut tx = store.begin(PoolRole::Web).await?;
        let has_begun = backup_run::begin_verification(tx.conn(), run.number, node).await?;
        tx.commit().await?;
        if !has_begun {
            return Ok(());
        }
        let (Self { parts, config, place, .. }, name) = (self.clone(), file.clone());
        let verify = move || async move { verify::verify(&parts, &place, &config.backup.to, &name).await };
        let end = on_thread(verify).await;
        // One that was interrupted is verified again.
        let Some(end) = end else { return Ok(()) };
        match &end.problem {
            None => tracing::info!(file, restore_ms = end.restore_ms, "a backup was verified"),
            Some(problem) => tracing::error!(file, "a backup cannot be restored: {problem}"),
        }
        let mut tx = store.begin(PoolRole::Web).await?;
        backup_run::finish_verification(tx.conn(), run.number, node, &end).await?;
        tx.commit().await
    }

    /// Records what is wrong, for Attention and the metrics.
    async fn record_problem(&self, now: Timestamp) -> Result<(), StoreError> {
        let store = &self.parts.store;
        let mut lease = store.read(PoolRole::Web).await?;
        let runs = backup_run::newest(lease.conn(), EXAMINED_RUNS).await?;
        let runs: Vec<BackupRun> = runs.into_iter().map(present).collect::<Result<_, _>>()?;
        let last_written = backup_run::last_written(lease.conn()).await?;
        let last_verified = backup_run::last_verified(lease.conn()).await?.map(present).transpose()?;
        let recorded = backup_run::find_problem(lease.conn()).await?;
        drop(lease);
        let settings = &self.config.backup;
        let problem = match settings.enabled {
            true => decide::problem(&runs, last_verified.as_ref(), now, settings.every_ms()),
            false => None,
        };
        if let Some(run) = last_written {
            let age = Duration::from_millis(now.millis().abs_diff(run.started_at));
            gauge!("presstime_backup_age_seconds").set(age.as_secs_f64());
        }
        for kind in BackupProblem::ALL {
            let is_current = problem.is_some_and(|(current, _)| current == *kind);
            gauge!("presstime_backup_problem", "problem" => kind.as_str())
                .set(f64::from(u8::from(is_current)));
        }
        let found = problem.map(|(problem, since)| (problem.as_str(), since));
        if found.map(|(cause, since)| (cause.to_owned(), since.millis())) == recorded {
            return Ok(());
        }
        let mut tx = store.begin(PoolRole::Web).await?;
        backup_run::set_problem(tx.conn(), found).await?;
        tx.commit().await
    }
}

/// Returns the number of the run after the newest one.
fn number_after(newest: Option<i64>) -> i64 {
    newest.map_or(1, |number| number.saturating_add(1))
}

/// Does the work on a thread of its own: it may take minutes. `None`: the thread was interrupted.
async fn on_thread<F>(work: impl FnOnce() -> F + Send + 'static) -> Option<F::Output>
where
    F: Future<Output: Send + 'static>,
{
    let runtime = Handle::current();
    run_blocking(move || runtime.block_on(work())).await.ok()
}
