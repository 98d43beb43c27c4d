//! Decides what signals do to the waits of rules. Pure: what is known and the time are parameters.
//!
//! Signals are processed one after another. A signal closes the waits that it names and whose
//! opening is not later than itself. It opens a wait unless a signal that closes it is known and is
//! not earlier. So the result does not depend on which of two signals arrives first.

use super::{
    rule::{Repeat, RuleSettings},
    signal::Signal,
};
use crate::{RuleId, Timestamp, WaitId};
use std::collections::HashMap;

/// A rule as far as signals are concerned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleView {
    /// Id.
    pub id: RuleId,
    /// Its settings.
    pub settings: RuleSettings,
    /// Whether it opens waits.
    pub opens: bool,
    /// How late it may still act, milliseconds.
    pub grace_ms: i64,
}

/// An open wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenWait {
    /// Id.
    pub id: WaitId,
    /// Its rule.
    pub rule: RuleId,
    /// Whom or what it is about.
    pub subject: String,
    /// Part of the subject.
    pub key: String,
    /// Moment of the newest signal that opened it.
    pub opened_at: Timestamp,
}

/// Name, subject and key of a signal.
pub type SignalKey = (String, String, String);

/// What is known before the signals are processed.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// The open waits of the rules, for the subjects and keys of the signals.
    pub waits: Vec<OpenWait>,
    /// Moment of the newest signal of each name, subject and key.
    pub newest: HashMap<SignalKey, Timestamp>,
}

/// A wait to open. `signal` is the index of the signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opening {
    /// Index of the rule.
    pub rule: usize,
    /// Index of the newest signal that opened it.
    pub signal: usize,
    /// When the rule acts.
    pub due_at: Timestamp,
}

/// An open wait that starts again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Restart {
    /// The wait.
    pub wait: WaitId,
    /// Index of the rule.
    pub rule: usize,
    /// Index of the signal.
    pub signal: usize,
    /// When the rule acts.
    pub due_at: Timestamp,
}

/// What the signals do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decision {
    /// Waits to open. What the same signals close again is left out.
    pub openings: Vec<Opening>,
    /// Open waits that start again.
    pub restarts: Vec<Restart>,
    /// Open waits to close, and the index of the signal that closes each.
    pub closings: Vec<(WaitId, usize)>,
    /// Number of waits that each signal opened or started again, and closed.
    pub counts: Vec<(u32, u32)>,
}

/// A wait while the signals are processed.
struct Current {
    /// `None`: these signals open it.
    id: Option<WaitId>,
    opened_at: Timestamp,
    /// The signal that opened it or started it again, and when the rule acts.
    start: Option<(usize, Timestamp)>,
    closed_by: Option<usize>,
}

/// Rule, subject and key of a group of waits.
type Group<'s> = (usize, &'s str, &'s str);

/// Decides what these signals do. `due` returns when a rule acts after a signal; `None`: the data
/// of the signal does not say.
pub fn decide<'s>(
    rules: &[RuleView],
    signals: &'s [Signal],
    known: &'s Known,
    now: Timestamp,
    due: impl Fn(&RuleView, &Signal) -> Option<Timestamp>,
) -> Decision {
    let mut newest: HashMap<(&str, &str, &str), Timestamp> = known
        .newest
        .iter()
        .map(|((name, subject, key), at)| ((name.as_str(), subject.as_str(), key.as_str()), *at))
        .collect();
    let mut groups: HashMap<Group<'s>, Vec<Current>> = HashMap::new();
    for wait in &known.waits {
        let Some(rule) = rules.iter().position(|rule| rule.id == wait.rule) else { continue };
        let current = Current { id: Some(wait.id), opened_at: wait.opened_at, start: None, closed_by: None };
        groups.entry((rule, &wait.subject, &wait.key)).or_default().push(current);
    }
    let mut counts = Vec::with_capacity(signals.len());
    for (place, signal) in signals.iter().enumerate() {
        let (mut opened, mut closed) = (0, 0);
        for (index, rule) in rules.iter().enumerate() {
            let group = (index, signal.subject.as_str(), signal.key.as_str());
            if rule.settings.unless.contains(&signal.name) {
                closed += close(groups.entry(group).or_default(), place, signal.at);
            }
            let opens = rule.opens
                && rule.settings.after == signal.name
                && rule.settings.is_about(&signal.subject)
                && !is_closed(rule, signal, &newest);
            if !opens {
                continue;
            }
            // What is older than the grace was missed before it was known.
            let due_at = due(rule, signal).filter(|at| at.plus(rule.grace_ms) >= now);
            let Some(due_at) = due_at else { continue };
            let waits = groups.entry(group).or_default();
            opened += open(waits, rule.settings.repeat, (place, due_at), signal.at);
        }
        let place = newest.entry((&signal.name, &signal.subject, &signal.key)).or_insert(signal.at);
        *place = signal.at.max(*place);
        counts.push((opened, closed));
    }
    collect(groups, counts)
}

/// Whether a signal that closes the wait is known and is not earlier.
fn is_closed(rule: &RuleView, signal: &Signal, newest: &HashMap<(&str, &str, &str), Timestamp>) -> bool {
    rule.settings.unless.iter().any(|name| {
        let closing = newest.get(&(name.as_str(), signal.subject.as_str(), signal.key.as_str()));
        closing.is_some_and(|at| *at >= signal.at)
    })
}

fn close(waits: &mut [Current], place: usize, at: Timestamp) -> u32 {
    let mut closed = 0;
    for wait in waits.iter_mut().filter(|wait| wait.closed_by.is_none() && wait.opened_at <= at) {
        wait.closed_by = Some(place);
        closed += 1;
    }
    closed
}

fn open(waits: &mut Vec<Current>, repeat: Repeat, start: (usize, Timestamp), at: Timestamp) -> u32 {
    let current = waits.iter_mut().find(|wait| wait.closed_by.is_none());
    match (current, repeat) {
        (Some(_), Repeat::Ignore) => 0,
        // An earlier signal that arrives late does not bring the wait forward.
        (Some(wait), Repeat::Restart) if wait.opened_at >= at => 0,
        (Some(wait), Repeat::Restart) => {
            (wait.opened_at, wait.start) = (at, Some(start));
            1
        }
        (None, _) | (_, Repeat::Another) => {
            waits.push(Current { id: None, opened_at: at, start: Some(start), closed_by: None });
            1
        }
    }
}

fn collect(groups: HashMap<Group<'_>, Vec<Current>>, counts: Vec<(u32, u32)>) -> Decision {
    let mut decision = Decision { counts, ..Decision::default() };
    for ((rule, ..), waits) in groups {
        for wait in waits {
            match wait {
                Current { id: None, start: Some((signal, due_at)), closed_by: None, .. } => {
                    decision.openings.push(Opening { rule, signal, due_at });
                }
                Current { id: Some(wait), closed_by: Some(signal), .. } => {
                    decision.closings.push((wait, signal));
                }
                Current { id: Some(wait), start: Some((signal, due_at)), closed_by: None, .. } => {
                    decision.restarts.push(Restart { wait, rule, signal, due_at });
                }
                _ => {}
            }
        }
    }
    // A hash map has no order.
    decision.openings.sort_by_key(|opening| (opening.signal, opening.rule, opening.due_at));
    decision.restarts.sort_by_key(|restart| (restart.signal, restart.wait));
    decision.closings.sort_by_key(|(wait, signal)| (*signal, *wait));
    decision
}
