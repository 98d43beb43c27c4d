//! Explains why a task was late: the duration of each stage, compared with the times when the
//! engine was impaired.

use crate::{
    Timestamp,
    engine::StageReport,
    lateness::{ON_TIME_MS, percentile},
};
use serde::{Deserialize, Serialize};

pub use crate::stage::{Stage, StageDuration, StageTimes, stage_durations};

/// Returns duration percentiles by stage for these tasks (due time and stage times).
#[must_use]
pub fn stage_reports(tasks: &[(Timestamp, StageTimes)]) -> Vec<StageReport> {
    let durations: Vec<StageDuration> =
        tasks.iter().flat_map(|(due, stages)| stage_durations(*due, stages)).collect();
    let report = |stage: Stage| {
        let mut sorted: Vec<(i64, u64)> =
            durations.iter().filter(|one| one.stage == stage).map(|one| (one.duration_ms, 1)).collect();
        sorted.sort_unstable();
        let count = u64::try_from(sorted.len()).unwrap_or(u64::MAX);
        let at = |percent| percentile(&sorted, count, percent);
        StageReport { stage, count, p50: at(50), p99: at(99) }
    };
    Stage::ALL.into_iter().map(report).filter(|report| report.count > 0).collect()
}

/// Condition that impaired the engine for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Impairment {
    /// No engine was running.
    Off,
    /// The database did not answer.
    Database,
    /// The clocks differed too much.
    Clock,
    /// An admin had paused the engine.
    Paused,
    /// Redis was unavailable, or had lost its data: the sweeper executed from SQL.
    Hints,
}

/// A period in which the engine was impaired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImpairedPeriod {
    /// The impairment.
    pub impairment: Impairment,
    /// Start.
    pub from: Timestamp,
    /// End.
    pub until: Timestamp,
}

/// A log entry about the engine as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineEvent {
    /// When it was written.
    pub at: Timestamp,
    /// Verb of the entry.
    pub verb: String,
    /// When the period that it ends began.
    pub since: Option<Timestamp>,
}

/// Returns the impaired periods described by these entries (oldest first). A period without an end
/// lasts until `until`.
#[must_use]
pub fn impaired_periods(events: &[EngineEvent], until: Timestamp) -> Vec<ImpairedPeriod> {
    let mut open: Vec<(Impairment, Timestamp)> = Vec::new();
    let mut found = Vec::new();
    for event in events {
        let (impairment, begins) = match event.verb.as_str() {
            "start" => (Impairment::Off, false),
            "regain_database" => (Impairment::Database, false),
            "lose_clock" => (Impairment::Clock, true),
            "regain_clock" => (Impairment::Clock, false),
            "pause" => (Impairment::Paused, true),
            "resume" => (Impairment::Paused, false),
            "lose_hints" => (Impairment::Hints, true),
            "regain_hints" => (Impairment::Hints, false),
            // Complete in itself: Redis may be unavailable from another node at the same time.
            "forget_hints" => {
                found.extend(event.since.map(|from| ImpairedPeriod {
                    impairment: Impairment::Hints,
                    from,
                    until: event.at,
                }));
                continue;
            }
            _ => continue,
        };
        let index = open.iter().position(|(other, _)| *other == impairment);
        match (begins, index) {
            (true, None) => open.push((impairment, event.at)),
            (true, Some(_)) => {}
            (false, index) => {
                let began = index.map(|index| open.remove(index).1).or(event.since);
                found.extend(began.map(|from| ImpairedPeriod { impairment, from, until: event.at }));
            }
        }
    }
    found.extend(open.into_iter().map(|(impairment, from)| ImpairedPeriod { impairment, from, until }));
    found
}

/// Why a task was late.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LateCause {
    /// The engine was impaired.
    Impaired(Impairment),
    /// An earlier attempt failed and was retried.
    Retried,
    /// The engine was not impaired; the longest stage shows where the time was spent.
    Stage,
}

/// Explanation of a task's lateness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LateExplanation {
    /// Executed − due, milliseconds.
    pub late_ms: i64,
    /// The longest stage.
    pub stage: Stage,
    /// Duration of that stage, milliseconds.
    pub duration_ms: i64,
    /// The cause.
    pub cause: LateCause,
}

/// Explains why a task that was executed in its `attempts`-th attempt was late; `None`: it was on
/// time.
#[must_use]
pub fn explain(
    due: Timestamp,
    stages: &StageTimes,
    attempts: i32,
    periods: &[ImpairedPeriod],
) -> Option<LateExplanation> {
    let late_ms = stages.executed_at.since(due);
    if late_ms <= ON_TIME_MS {
        return None;
    }
    let longest = stage_durations(due, stages).into_iter().max_by_key(|one| one.duration_ms)?;
    let overlap_ms =
        |period: &ImpairedPeriod| period.until.min(stages.executed_at).since(period.from.max(due));
    // Ties go to the more severe impairment: an engine that is not running has no Redis either.
    let worst =
        periods.iter().max_by_key(|period| (overlap_ms(period), std::cmp::Reverse(period.impairment)));
    let cause = match worst.filter(|period| overlap_ms(period) * 2 >= late_ms) {
        Some(period) => LateCause::Impaired(period.impairment),
        None if attempts > 1 => LateCause::Retried,
        None => LateCause::Stage,
    };
    Some(LateExplanation { late_ms, stage: longest.stage, duration_ms: longest.duration_ms, cause })
}

#[cfg(test)]
#[path = "late_cause_tests.rs"]
mod tests;
