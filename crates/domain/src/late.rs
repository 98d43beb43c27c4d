//! Why a task was late: its way, stage by stage, laid beside the bad weather of the time.

use crate::{
    Timestamp,
    engine::StageReport,
    lag::{ON_TIME_MS, percentile},
    task::Stages,
};
use serde::{Deserialize, Serialize};

/// A part of the way of a task, named by what ends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Its hint entered the future set (only where that was after its moment).
    Hinted,
    /// Its hint was moved to the publish list.
    Moved,
    /// A consumer took it.
    Popped,
    /// No hint brought it: the sweeper found it in SQL and began its transaction.
    Swept,
    /// Its transaction began.
    Started,
    /// Its transaction executed it.
    Executed,
}

impl Stage {
    /// All of them, in the order of the way.
    pub const ALL: [Self; 6] =
        [Self::Hinted, Self::Moved, Self::Popped, Self::Swept, Self::Started, Self::Executed];
}

/// One stage of a way and how long it took after the task's moment, milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Which.
    pub stage: Stage,
    /// From the stage before, or from the moment if that was later.
    pub took: i64,
}

/// The stages of a way from the task's moment on. They add up to its lag.
#[must_use]
pub fn steps(due: Timestamp, stages: &Stages) -> Vec<Step> {
    let first = if stages.moved_at.is_none() { Stage::Swept } else { Stage::Started };
    let known = [
        (Stage::Hinted, stages.hinted_at.filter(|at| *at > due)),
        (Stage::Moved, stages.moved_at),
        (Stage::Popped, stages.moved_at.and(stages.popped_at)),
        (first, Some(stages.started_at)),
        (Stage::Executed, Some(stages.executed_at)),
    ];
    let mut last = due;
    let mut steps = Vec::with_capacity(known.len());
    for (stage, at) in known {
        if let Some(at) = at {
            steps.push(Step { stage, took: at.since(last).max(0) });
            last = last.max(at);
        }
    }
    steps
}

/// How long each stage of these ways (moment and stages) took.
#[must_use]
pub fn times(ways: &[(Timestamp, Stages)]) -> Vec<StageReport> {
    let steps: Vec<Step> = ways.iter().flat_map(|(due, stages)| steps(*due, stages)).collect();
    let report = |stage: Stage| {
        let mut took: Vec<(i64, u64)> =
            steps.iter().filter(|step| step.stage == stage).map(|step| (step.took, 1)).collect();
        took.sort_unstable();
        let count = u64::try_from(took.len()).unwrap_or(u64::MAX);
        let at = |percent| percentile(&took, count, percent);
        StageReport { stage, count, p50: at(50), p99: at(99) }
    };
    Stage::ALL.into_iter().map(report).filter(|report| report.count > 0).collect()
}

/// What held the engine up for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hindrance {
    /// No engine ran.
    Off,
    /// The database did not answer.
    Database,
    /// The clocks were too far apart.
    Clock,
    /// An admin had paused it.
    Paused,
    /// Redis was away, or had been wiped: what it did not bring went out from SQL.
    Hints,
}

/// A hindrance and how long it lasted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spell {
    /// What it was.
    pub hindrance: Hindrance,
    /// From when.
    pub from: Timestamp,
    /// Until when.
    pub until: Timestamp,
}

/// A line of the log about the engine as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// When it was written.
    pub at: Timestamp,
    /// What happened.
    pub verb: String,
    /// When what is over now began.
    pub since: Option<Timestamp>,
}

/// The spells that these notes, oldest first, tell of. What has not ended lasts until `until`.
#[must_use]
pub fn spells(notes: &[Note], until: Timestamp) -> Vec<Spell> {
    let mut open: Vec<(Hindrance, Timestamp)> = Vec::new();
    let mut found = Vec::new();
    for note in notes {
        let (hindrance, begins) = match note.verb.as_str() {
            "start" => (Hindrance::Off, false),
            "regain_database" => (Hindrance::Database, false),
            "lose_clock" => (Hindrance::Clock, true),
            "regain_clock" => (Hindrance::Clock, false),
            "pause" => (Hindrance::Paused, true),
            "resume" => (Hindrance::Paused, false),
            "lose_hints" => (Hindrance::Hints, true),
            "regain_hints" => (Hindrance::Hints, false),
            // Whole in itself: Redis may be away from another node meanwhile.
            "forget_hints" => {
                found.extend(note.since.map(|from| Spell {
                    hindrance: Hindrance::Hints,
                    from,
                    until: note.at,
                }));
                continue;
            }
            _ => continue,
        };
        let place = open.iter().position(|(other, _)| *other == hindrance);
        match (begins, place) {
            (true, None) => open.push((hindrance, note.at)),
            (true, Some(_)) => {}
            (false, place) => {
                let began = place.map(|place| open.remove(place).1).or(note.since);
                found.extend(began.map(|from| Spell { hindrance, from, until: note.at }));
            }
        }
    }
    found.extend(open.into_iter().map(|(hindrance, from)| Spell { hindrance, from, until }));
    found
}

/// Why a task was late.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The engine could not work.
    Hindered(Hindrance),
    /// It broke down before and was tried again.
    Retried,
    /// The engine could work; the longest stage says where the time went.
    Stage,
}

/// A task's lateness, explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Late {
    /// Executed − due, milliseconds.
    pub lag: i64,
    /// The stage that took longest.
    pub stage: Stage,
    /// How long, milliseconds.
    pub took: i64,
    /// Why.
    pub cause: Cause,
}

/// Why a task that was executed in its `attempts`-th attempt was late; `None`: it was on time.
#[must_use]
pub fn why(due: Timestamp, stages: &Stages, attempts: i32, spells: &[Spell]) -> Option<Late> {
    let lag = stages.executed_at.since(due);
    if lag <= ON_TIME_MS {
        return None;
    }
    let longest = steps(due, stages).into_iter().max_by_key(|step| step.took)?;
    let shared = |spell: &Spell| spell.until.min(stages.executed_at).since(spell.from.max(due));
    // Of equally long ones the graver: an engine that is off has no Redis either.
    let worst = spells.iter().max_by_key(|spell| (shared(spell), std::cmp::Reverse(spell.hindrance)));
    let cause = match worst.filter(|spell| shared(spell) * 2 >= lag) {
        Some(spell) => Cause::Hindered(spell.hindrance),
        None if attempts > 1 => Cause::Retried,
        None => Cause::Stage,
    };
    Some(Late { lag, stage: longest.stage, took: longest.took, cause })
}

#[cfg(test)]
#[path = "late_tests.rs"]
mod tests;
