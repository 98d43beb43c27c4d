//! The pulse of the engine: what each loop last did, counters, and what all loops must agree on (pause, clock offset).
//!
//! Atomics only: a page may look at it at any moment without waiting for anybody.

use super::{Name, counts::Counts, servers::Servers, sheet::Sheet};
use domain::{
    Clock, Timestamp,
    engine::{LoopReport, NodeRole, Trouble, Weather},
    fault::Fault,
};
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, AtomicI32, AtomicI64, AtomicU64, Ordering::Relaxed},
};
use store::{canary, execute::Limit, node, overdue::Vitals};

/// Clocks further apart than this stop the consumer, milliseconds.
const OFF_TIME_MS: i64 = 30_000;
/// Silence for so long is a dead engine, milliseconds.
const SILENT_MS: i64 = 5_000;
/// A disk that was full so long ago may have room, milliseconds.
const FULL_MS: i64 = 10_000;
/// What one loop last did.
#[derive(Debug, Default)]
struct Beat {
    /// Milliseconds of UTC; 0: never.
    at: AtomicI64,
    rounds: AtomicU64,
    trouble: Mutex<Option<(Timestamp, Fault)>>,
}

/// The pulse of this process. One per process, shared.
#[derive(Debug)]
pub struct Pulse {
    started_at: Timestamp,
    beats: [Beat; Name::ALL.len()],
    offset_ms: AtomicI64,
    is_paused: AtomicBool,
    resumed_at: AtomicI64,
    sung_at: AtomicI64,
    overdue: AtomicU64,
    attention: AtomicU64,
    vitals_at: AtomicI64,
    hints_away: AtomicBool,
    hints_shut: AtomicBool,
    fed_until: AtomicI64,
    /// What became of hints.
    pub counts: Counts,
    database: Mutex<Option<Weather>>,
    full_at: AtomicI64,
    newer: AtomicBool,
    /// Whether messages are held until an admin confirms.
    pub held: AtomicBool,
    /// 0: not known.
    timeline: AtomicI32,
    limits: Mutex<Arc<[Limit]>>,
    /// The promise sheet.
    pub sheet: Sheet,
    /// What is known of the servers although they answer.
    pub servers: Servers,
}

impl Pulse {
    /// The pulse of a process that starts now.
    #[must_use]
    pub fn new(started_at: Timestamp) -> Self {
        Self {
            started_at,
            beats: Default::default(),
            offset_ms: AtomicI64::new(0),
            is_paused: AtomicBool::new(false),
            resumed_at: AtomicI64::new(started_at.millis()),
            sung_at: AtomicI64::new(0),
            overdue: AtomicU64::new(0),
            attention: AtomicU64::new(0),
            vitals_at: AtomicI64::new(started_at.millis()),
            hints_away: AtomicBool::new(false),
            hints_shut: AtomicBool::new(false),
            fed_until: AtomicI64::new(0),
            counts: Counts::default(),
            database: Mutex::new(None),
            full_at: AtomicI64::new(0),
            newer: AtomicBool::new(false),
            held: AtomicBool::new(false),
            servers: Servers::default(),
            timeline: AtomicI32::new(0),
            limits: Mutex::default(),
            sheet: Sheet::default(),
        }
    }

    /// When this process started.
    #[must_use]
    pub fn started_at(&self) -> Timestamp {
        self.started_at
    }

    /// Notes that a loop finished a round well; its trouble is over.
    pub fn beat(&self, name: Name, now: Timestamp) {
        let beat = &self.beats[name as usize];
        beat.at.store(now.millis(), Relaxed);
        beat.rounds.fetch_add(1, Relaxed);
        *beat.trouble.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Notes why a round of a loop did not succeed. Logged once, when that changes.
    pub fn trouble(&self, name: Name, now: Timestamp, fault: Fault) {
        let mut trouble = self.beats[name as usize].trouble.lock().unwrap_or_else(PoisonError::into_inner);
        if trouble.as_ref().is_none_or(|(_, old)| *old != fault) {
            tracing::warn!(name = name.as_str(), "a loop is in trouble: {fault}");
        }
        *trouble = Some((now, fault));
        metrics::counter!("presstime_loop_troubles_total", "loop" => name.as_str()).increment(1);
    }

    /// When a loop last finished a round; `None`: never.
    #[must_use]
    pub fn beat_at(&self, name: Name) -> Option<Timestamp> {
        Some(self.beats[name as usize].at.load(Relaxed)).filter(|at| *at != 0).map(Timestamp::from_millis)
    }

    /// Notes what was heard of a loop that runs on another node.
    pub fn hear(&self, name: Name, at: Timestamp) {
        self.beats[name as usize].at.store(at.millis(), Relaxed);
    }

    /// The timeline of the database's server on which this node has compared what it was told; `None`: not known.
    #[must_use]
    pub fn timeline(&self) -> Option<i32> {
        Some(self.timeline.load(Relaxed)).filter(|timeline| *timeline != 0)
    }

    /// Notes it.
    pub fn set_timeline(&self, timeline: i32) {
        self.timeline.store(timeline, Relaxed);
    }

    /// Each loop of a node of that role, as the engine page shows it.
    #[must_use]
    pub fn loops(&self, role: NodeRole) -> Vec<LoopReport> {
        let report = |name: Name| {
            let beat = &self.beats[name as usize];
            let trouble = beat.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone();
            LoopReport {
                name: name.as_str().to_owned(),
                beat_at: self.beat_at(name),
                rounds: beat.rounds.load(Relaxed),
                trouble: trouble.map(|(at, fault)| Trouble { at, told: fault.into() }),
            }
        };
        Name::ALL.into_iter().filter(|name| name.runs_on(role)).map(report).collect()
    }

    /// Milliseconds the database's clock is ahead of this process's.
    #[must_use]
    pub fn offset_ms(&self) -> i64 {
        self.offset_ms.load(Relaxed)
    }

    /// Notes a measured offset.
    pub fn set_offset_ms(&self, offset: i64) {
        self.offset_ms.store(offset, Relaxed);
        metrics::gauge!("presstime_clock_offset_seconds").set(offset as f64 / 1_000.0);
    }

    /// Whether the clocks are so far apart that nothing may be executed.
    #[must_use]
    pub fn is_off_time(&self) -> bool {
        self.offset_ms().abs() > OFF_TIME_MS
    }

    /// What is to be added to this process's clock while it and the database's are too far apart: then the earlier of them
    /// counts, for nobody can know which is right; else 0, milliseconds.
    #[must_use]
    pub fn correction_ms(&self) -> i64 {
        if self.is_off_time() { self.offset_ms().min(0) } else { 0 }
    }

    /// The moment by which loops decide what is due: the earlier of this process's clock and the database's.
    #[must_use]
    pub fn now(&self, clock: &dyn Clock) -> Timestamp {
        clock.now().plus(self.offset_ms().min(0))
    }

    /// Whether an admin has paused the engine.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.is_paused.load(Relaxed)
    }

    /// The kinds of which only so many tasks may be executed at once.
    #[must_use]
    pub fn limits(&self) -> Arc<[Limit]> {
        Arc::clone(&self.limits.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Notes the limits that SQL holds.
    pub fn set_limits(&self, limits: Vec<Limit>) {
        *self.limits.lock().unwrap_or_else(PoisonError::into_inner) = limits.into();
    }

    /// Pauses the engine, or lets it go on.
    pub fn set_paused(&self, is_paused: bool, now: Timestamp) {
        if self.is_paused.swap(is_paused, Relaxed) && !is_paused {
            self.resumed_at.store(now.millis(), Relaxed);
        }
    }

    /// When the canary last came through, as SQL said a second ago at most; `None`: not known.
    #[must_use]
    pub fn sung_at(&self) -> Option<Timestamp> {
        Some(self.sung_at.load(Relaxed)).filter(|at| *at != 0).map(Timestamp::from_millis)
    }

    /// When the consumer last showed life.
    fn worked_at(&self) -> Timestamp {
        self.beat_at(Name::Consumer).unwrap_or(self.started_at)
    }

    /// Why the canary did not come through although the consumer lives: the database, if the roster does not reach it either.
    fn stuck(&self, now: Timestamp) -> Option<Weather> {
        if now.since(self.worked_at()) >= SILENT_MS {
            return None;
        }
        let resumed_at = Timestamp::from_millis(self.resumed_at.load(Relaxed));
        let is_late = |at: Timestamp| now.since(at.max(resumed_at)) > self.servers.canary_ms();
        let is_away = self.beat_at(Name::Roster).is_some_and(|at| now.since(at) > node::SILENT_MS);
        let why = if is_away { Weather::DatabaseAway } else { Weather::Stuck };
        (!self.is_paused() && self.sung_at().is_some_and(is_late)).then_some(why)
    }

    /// Notes what SQL said each second.
    pub fn set_vitals(&self, vitals: &Vitals, now: Timestamp) {
        self.set_paused(vitals.is_paused, now);
        self.held.store(vitals.is_held, Relaxed);
        if let Some(due) = vitals.canary {
            self.sung_at.store(due.millis() - canary::EVERY_MS, Relaxed);
        }
        self.overdue.store(vitals.overdue, Relaxed);
        self.attention.store(vitals.attention, Relaxed);
        let last = self.vitals_at.swap(now.millis(), Relaxed);
        self.sheet.look(now, now.millis() - last);
        metrics::gauge!("presstime_tasks_overdue").set(vitals.overdue as f64);
        metrics::gauge!("presstime_tasks_attention").set(vitals.attention as f64);
    }

    /// How many tasks need a person.
    #[must_use]
    pub fn attention(&self) -> u64 {
        self.attention.load(Relaxed)
    }

    /// How many tasks were overdue at the last look.
    #[must_use]
    pub fn overdue(&self) -> u64 {
        self.overdue.load(Relaxed)
    }

    /// Notes what is wrong with the database; `None`: nothing.
    pub fn set_database(&self, weather: Option<Weather>) {
        *self.database.lock().unwrap_or_else(PoisonError::into_inner) = weather;
    }

    /// Notes that the database is reached. Where it was away, the canary begins anew.
    pub fn reach_database(&self, now: Timestamp) {
        let is_silent = self.beat_at(Name::Roster).is_some_and(|at| now.since(at) > node::SILENT_MS);
        if is_silent || self.database().is_some() {
            self.resumed_at.store(now.millis(), Relaxed);
        }
        self.set_database(None);
    }

    /// What is wrong with the database; `None`: nothing.
    #[must_use]
    pub fn database(&self) -> Option<Weather> {
        *self.database.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that the database had no room for what a person wrote: it may have some for the little that the engine writes.
    pub fn refuse(&self, weather: Option<Weather>, now: Timestamp) {
        if weather == Some(Weather::DatabaseFull) {
            self.full_at.store(now.millis(), Relaxed);
        }
    }

    /// Notes whether something overdue is of a kind that only a newer release knows.
    pub fn set_newer(&self, is_newer: bool) {
        self.newer.store(is_newer, Relaxed);
    }

    /// Whether it had no room a moment ago.
    fn was_full(&self, now: Timestamp) -> Option<Weather> {
        (now.millis() - self.full_at.load(Relaxed) < FULL_MS).then_some(Weather::DatabaseFull)
    }

    /// What keeps the engine from working as it should, the gravest.
    #[must_use]
    pub fn weather(&self, now: Timestamp) -> Option<Weather> {
        let clock = self.is_off_time().then_some(Weather::ClockOff);
        let hints = self.lacks_hints().then_some(Weather::HintsAway);
        let if_so = |flag: &AtomicBool, weather| flag.load(Relaxed).then_some(weather);
        self.database()
            .or(self.was_full(now))
            .or(clock)
            .or(self.stuck(now))
            .or(if_so(&self.newer, Weather::NewerRelease))
            .or(hints)
            .or(self.servers.weather(now))
            .or(if_so(&self.held, Weather::MessagesHeld))
    }

    /// Whether the engine publishes: the consumer and the database showed life within the last 5 s, nothing is overdue by more
    /// than 5 s, the canary comes through, the database takes what is written, and the clocks agree.
    #[must_use]
    pub fn is_healthy(&self, now: Timestamp) -> bool {
        let is_fresh = |at: i64| now.millis() - at < SILENT_MS;
        is_fresh(self.worked_at().millis())
            && is_fresh(self.vitals_at.load(Relaxed))
            && self.overdue.load(Relaxed) == 0
            && !self.weather(now).is_some_and(Weather::stops)
    }

    /// Whether the hint store does not answer.
    #[must_use]
    pub fn are_hints_away(&self) -> bool {
        self.hints_away.load(Relaxed)
    }

    /// Whether hints bring nothing: their store does not answer, or takes none, as a Redis that is full and tells the mover that
    /// nothing is due. The sweeper carries everything.
    #[must_use]
    pub fn lacks_hints(&self) -> bool {
        self.are_hints_away() || self.hints_shut.load(Relaxed)
    }

    /// Notes whether the hint store answers. True if that is news.
    pub fn set_hints_away(&self, away: bool) -> bool {
        let was_away = self.hints_away.swap(away, Relaxed);
        self.gauge_hints();
        was_away != away
    }

    /// Notes whether the hint store takes no hints.
    pub fn set_hints_shut(&self, shut: bool) {
        self.hints_shut.store(shut, Relaxed);
        self.gauge_hints();
    }

    fn gauge_hints(&self) {
        metrics::gauge!("presstime_hints_away").set(f64::from(u8::from(self.lacks_hints())));
    }

    /// How far the feeder has loaded all buckets; `None`: not yet.
    #[must_use]
    pub fn fed_until(&self) -> Option<Timestamp> {
        Some(self.fed_until.load(Relaxed)).filter(|at| *at != 0).map(Timestamp::from_millis)
    }

    /// Notes how far the feeder has loaded all buckets.
    pub fn set_fed_until(&self, until: Timestamp) {
        self.fed_until.store(until.millis(), Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_the_database_was_away_the_canary_is_given_time() {
        let begin = Timestamp::from_millis(1_803_888_000_000);
        let pulse = Pulse::new(begin);
        let sings = Vitals { canary: Some(begin.plus(canary::EVERY_MS)), ..Vitals::default() };
        pulse.set_vitals(&sings, begin);
        let weather = |now: Timestamp| {
            pulse.beat(Name::Consumer, now);
            pulse.weather(now)
        };
        pulse.beat(Name::Roster, begin);
        pulse.set_database(Some(Weather::DatabaseAway));
        let back = begin.plus(10_000);
        assert_eq!(weather(back), Some(Weather::DatabaseAway));
        pulse.reach_database(back);
        pulse.beat(Name::Roster, back);
        assert_eq!(weather(back), None);
        // Reached each second from then on: no more time is given.
        let later = back.plus(4_001);
        for at in [1_000, 2_000, 3_000, 4_000].map(|after| back.plus(after)) {
            pulse.reach_database(at);
            pulse.beat(Name::Roster, at);
        }
        assert_eq!(weather(later), Some(Weather::Stuck));
    }
}
