//! Checker: compares what must agree, measures the clocks, and forgets what is old.

use super::{
    Loop, Name,
    index_fill::IndexFill,
    journal::Journal,
    sheet::{self, AUDIT_MS, Turn},
    trash, wrong,
};
use crate::parts::{Parts, SETTLE_MARGIN_MS};
use async_trait::async_trait;
use domain::{Timestamp, fault::Fault};
use queue::bucket_of;
use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicI64, Ordering::Relaxed},
    },
    time::Duration,
};
use store::{
    Store, StoreError, Who, buckets, canary, check,
    dispatch::{self, Stuck},
    overdue, point,
    sheet::Sheet,
    takeover,
};
use tokio_util::sync::CancellationToken;

/// Overdue, for people, is what should have happened so long ago, milliseconds.
pub const OVERDUE_MS: i64 = 5_000;
/// Clocks so far apart are told, milliseconds.
const OFF_MS: i64 = 2_000;
const EACH_SECOND: Duration = Duration::from_secs(1);
const CLOCKS_MS: i64 = 5_000;
const CHECKPOINT_MS: i64 = 5_000;
/// What is due for so long, and at the second look still, is stuck, milliseconds.
const STUCK_MS: i64 = 60_000;
/// So many hints on the publish lists are a crowd on its way.
const CROWD: u64 = 1_000;

/// The checker.
pub struct Checker {
    parts: Parts,
    clocks_at: AtomicI64,
    checkpoint_at: AtomicI64,
    audit_at: AtomicI64,
    messages_at: AtomicI64,
    journal: Journal,
    index: IndexFill,
    found: Mutex<Found>,
}

/// What is wrong, until it is looked at again.
#[derive(Debug, Clone, Default)]
struct Found {
    clocks: Option<Fault>,
    audit: Option<Fault>,
    messages: Option<Fault>,
    /// What did not move at the last look.
    stuck: Stuck,
}

impl Checker {
    /// Over `parts`; nothing runs yet.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self {
            parts,
            clocks_at: AtomicI64::new(0),
            checkpoint_at: AtomicI64::new(0),
            audit_at: AtomicI64::new(0),
            messages_at: AtomicI64::new(0),
            journal: Journal::default(),
            index: IndexFill::default(),
            found: Mutex::default(),
        }
    }

    /// What is wrong; `None`: nothing.
    async fn check(&self, now: Timestamp) -> Result<Option<Fault>, StoreError> {
        let now = now.plus(self.parts.pulse.correction_ms());
        self.follow_server(now).await?;
        self.read_vitals(now).await?;
        self.follow_buckets(now).await?;
        if is_time(&self.clocks_at, now, CLOCKS_MS) {
            let clocks = self.compare_clocks().await?;
            self.note(|found| found.clocks = clocks);
            self.parts.memory.keep(&self.parts.store).await?;
        }
        self.checkpoint(now).await?;
        if is_time(&self.audit_at, now, AUDIT_MS) {
            self.audit(now).await?;
        }
        if is_time(&self.messages_at, now, STUCK_MS) {
            self.follow_messages(now).await?;
        }
        self.journal.write(&self.parts, now).await?;
        if let Err(error) = self.index.go_on(&self.parts, now).await {
            tracing::warn!("the search index is filled later: {error:?}");
        }
        point::pass("checker.checked").await?;
        let found = self.note(|_| {});
        Ok(found.clocks.or(found.audit).or(found.messages))
    }

    fn note(&self, change: impl FnOnce(&mut Found)) -> Found {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut found);
        found.clone()
    }

    async fn read_vitals(&self, now: Timestamp) -> Result<(), StoreError> {
        let mut lease = self.parts.store.read(Who::Engine).await?;
        let before = now.plus(-OVERDUE_MS);
        let vitals = overdue::vitals(lease.conn(), before, now).await?;
        let kinds = match vitals.overdue {
            0 => Vec::new(),
            _ => overdue::kinds(lease.conn(), before, now).await?,
        };
        drop(lease);
        let known = self.parts.effects.kinds();
        self.parts.pulse.set_newer(kinds.iter().any(|kind| !known.contains(&kind.as_str())));
        self.parts.pulse.set_vitals(&vitals, self.parts.clock.now());
        if let Err(error) = sheet::note_gap(&self.parts).await {
            tracing::debug!("that nobody looked is noted later: {error:?}");
        }
        self.keep_canary(vitals.canary, now).await
    }

    /// Sees to it that the canary waits, and that a hint brings it: the sweeper does not, unless there are no hints.
    async fn keep_canary(&self, due: Option<Timestamp>, now: Timestamp) -> Result<(), StoreError> {
        let is_known = self.parts.effects.kinds().contains(&canary::KIND);
        // Far ahead it was put by a node whose clock was.
        let due = due.filter(|due| due.since(now) < canary::ASTRAY_MS);
        let is_well = due.is_some_and(|due| now.since(due) < canary::EVERY_MS);
        if is_well || !is_known || !self.parts.role.works() || self.parts.pulse.is_off_time() {
            return Ok(());
        }
        let bucket = bucket_of(canary::ID, self.parts.hints.buckets());
        if due.is_none() {
            let mut tx = self.parts.store.begin(Who::Engine).await?;
            canary::plant(tx.conn(), bucket, now).await?;
            tx.commit().await?;
        }
        // Without hints the sweeper carries it.
        if let Err(error) = self.parts.hints.add(&[canary::hint(due.unwrap_or(now), bucket)]).await {
            tracing::debug!("the canary has no hint: {error}");
        }
        Ok(())
    }

    /// Takes over another number of buckets.
    async fn follow_buckets(&self, now: Timestamp) -> Result<(), StoreError> {
        if !self.parts.hints.is_shared() {
            return Ok(());
        }
        let mut lease = self.parts.store.read(Who::Engine).await?;
        if let Some(held) = buckets::find(lease.conn()).await? {
            let served = held.served(now, self.parts.window_ms + SETTLE_MARGIN_MS);
            self.parts.hints.resize(held.count, served);
        }
        Ok(())
    }

    /// Sees whether another server has taken the database over, and then whether it has all that this node was told is committed.
    async fn follow_server(&self, now: Timestamp) -> Result<(), StoreError> {
        let parts = &self.parts;
        let timeline = takeover::timeline(parts.store.read(Who::Engine).await?.conn()).await?;
        match (parts.pulse.timeline(), timeline) {
            (Some(known), Some(timeline)) if known != timeline => {
                let gap = takeover::compare(&parts.store, &parts.node, parts.node_id.0, now).await?;
                parts.pulse.set_timeline(gap.timeline);
                let lost = gap.lost;
                tracing::warn!(lost, timeline, "another server has taken the database over");
                parts.live.forget();
                parts.committed.notify_waiters();
                parts.posted.notify_one();
            }
            (None, Some(timeline)) => parts.pulse.set_timeline(timeline),
            _ => {}
        }
        Ok(())
    }

    /// Sees whether messages that may leave do not, twice in a row: at a channel that was just let go nothing has moved yet.
    async fn follow_messages(&self, now: Timestamp) -> Result<(), StoreError> {
        let is_held = self.parts.pulse.is_paused() || self.parts.pulse.is_off_time();
        let mut lease = self.parts.store.read(Who::Engine).await?;
        let stuck = match is_held {
            true => Stuck::default(),
            false => dispatch::stuck(lease.conn(), now.plus(-STUCK_MS)).await?,
        };
        drop(lease);
        metrics::gauge!("presstime_channels_stuck").set(stuck.channels.len() as f64);
        self.note(|found| {
            found.messages = unmoved(&found.stuck, &stuck);
            found.stuck = stuck;
        });
        Ok(())
    }

    async fn compare_clocks(&self) -> Result<Option<Fault>, StoreError> {
        let clocks = self.parts.store.clocks(self.parts.clock.as_ref()).await?;
        let offset_ms = clocks.database.since(clocks.node);
        self.parts.pulse.set_offset_ms(offset_ms);
        if self.parts.pulse.is_off_time() {
            return Ok(Some(Fault::ClocksApart { offset_ms }));
        }
        Ok((offset_ms.abs() > OFF_MS).then_some(Fault::ClockAhead { offset_ms }))
    }

    /// Moves the log of SQLite into its file. The commits of a crowd would wait for the disk with it: a crowd goes first, unless it
    /// takes as long as two turns.
    async fn checkpoint(&self, now: Timestamp) -> Result<(), StoreError> {
        let since = (now.millis() - self.checkpoint_at.load(Relaxed)).abs();
        if since < CHECKPOINT_MS || !matches!(self.parts.store, Store::Sqlite { .. }) {
            return Ok(());
        }
        let crowd = self.parts.hints.waiting().await.map_or(0, |waiting| waiting.publish);
        if crowd >= CROWD && since < 2 * CHECKPOINT_MS {
            return Ok(());
        }
        self.checkpoint_at.store(now.millis(), Relaxed);
        self.parts.store.checkpoint().await
    }

    async fn audit(&self, now: Timestamp) -> Result<(), StoreError> {
        let turn = sheet::audit(&self.parts).await?;
        let fault = self.parts.pulse.sheet.row().and_then(told);
        self.note(|found| found.audit = fault);
        match turn {
            Turn::Done => self.forget(now).await?,
            Turn::More => self.audit_at.store(now.millis() - AUDIT_MS, Relaxed),
            // Two nodes that began at the same moment must not do so each minute.
            Turn::Lost => self.audit_at.store(now.millis() - AUDIT_MS / 2, Relaxed),
        }
        Ok(())
    }

    async fn forget(&self, now: Timestamp) -> Result<(), StoreError> {
        let mut tx = self.parts.store.begin(Who::Engine).await?;
        check::forget(tx.conn(), now).await?;
        tx.commit().await?;
        trash::empty(&self.parts, now).await
    }
}

/// What the audits found; `None`: all is as it must be.
fn told(sheet: Sheet) -> Option<Fault> {
    let Sheet { audited, lost, early, twice, .. } = sheet;
    let since = Timestamp::from_millis(sheet.since);
    (sheet.disagreements() > 0).then_some(Fault::Audit { since, audited, lost, early, twice })
}

/// Whether `every` ms have passed since the last time; then this is the last time.
fn is_time(last: &AtomicI64, now: Timestamp, every: i64) -> bool {
    let is_time = (now.millis() - last.load(Relaxed)).abs() >= every;
    if is_time {
        last.store(now.millis(), Relaxed);
    }
    is_time
}

/// What did not move at two looks.
fn unmoved(before: &Stuck, now: &Stuck) -> Option<Fault> {
    let channels: Vec<&str> = now.channels.intersection(&before.channels).map(String::as_str).collect();
    if !channels.is_empty() {
        return Some(Fault::MessagesStuck { channels: channels.join(", ") });
    }
    let count = now.claims.min(before.claims);
    (count > 0).then_some(Fault::AttemptsLost { count })
}

#[async_trait]
impl Loop for Checker {
    fn name(&self) -> Name {
        Name::Checker
    }

    async fn tick(&self, now: Timestamp) {
        let fault = match self.check(now).await {
            Ok(None) => {
                self.parts.pulse.beat(Name::Checker, now);
                return;
            }
            Ok(Some(fault)) => fault,
            Err(error) => {
                tracing::warn!("the check did not run: {error:?}");
                self.journal.miss(now);
                wrong(&error)
            }
        };
        self.parts.pulse.trouble(Name::Checker, now, fault);
    }

    async fn run(&self, stop: CancellationToken) {
        while !stop.is_cancelled() {
            self.tick(self.parts.clock.now()).await;
            tokio::select! {
                () = stop.cancelled() => {}
                () = tokio::time::sleep(EACH_SECOND) => {}
            }
        }
    }
}
