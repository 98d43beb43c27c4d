//! What a rule would have done with the signals of the last days.

use super::{due, read, trial};
use crate::rules::{action, action::Effect};
use crate::{
    app_state::AppState,
    services::{Presenter, internal_error, run_blocking},
};
use domain::{
    Actor, DomainError, RuleId, Timestamp, WaitId,
    error::ValidationError,
    rule::{Cap, DryRun, DryRunItem, RuleSettings},
    rules::decide::{self, Known, OpenWait, RuleView},
    signal::Signal,
};
use std::collections::HashMap;
use store::{PoolRole, signal};
use uuid::Uuid;

/// Maximum number of days: signals are not kept longer.
const MAX_DAYS: u32 = 30;
/// Maximum number of signals that are read.
const MAX_SIGNALS: i64 = 100_000;
/// Maximum number of times that are listed.
const MAX_ITEMS: usize = 1_000;
const DAY_MS: i64 = 24 * 3_600_000;

/// Runs a rule over stored signals. Changes nothing.
pub async fn run(parts: &AppState, actor: &Actor, id: RuleId, days: u32) -> Result<DryRun, DomainError> {
    if !(1..=MAX_DAYS).contains(&days) {
        let why = format!("must be between 1 and {MAX_DAYS}");
        return Err(DomainError::invalid("days", ValidationError::Unreadable { why }));
    }
    let now = parts.clock.now();
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, now).await?;
    let settings = read::record(&mut lease, id).await?.settings().map_err(internal_error)?;
    let names: Vec<&str> =
        settings.unless.iter().map(String::as_str).chain([settings.after.as_str()]).collect();
    let since = now.plus(-i64::from(days) * DAY_MS);
    let signals = signal::since(lease.conn(), &names, since, MAX_SIGNALS).await.map_err(internal_error)?;
    let mail = trial::mail_channel(lease.conn(), &settings).await?;
    drop(lease);
    let count = signals.len() as u64;
    let outcome = run_blocking(move || outcome((id, settings), &signals, mail, now)).await?;
    let item = |acted: &Acted| DryRunItem {
        subject: acted.subject.clone(),
        key: acted.key.clone(),
        at: presenter.moment(acted.at),
    };
    Ok(DryRun {
        signals: count,
        would_send: outcome.acted.len() as u64,
        would_fail: outcome.failed,
        would_close: outcome.closed,
        would_wait: outcome.waiting,
        items: outcome.acted.iter().take(MAX_ITEMS).map(item).collect(),
    })
}

/// A time at which the rule would have acted.
struct Acted {
    at: Timestamp,
    subject: String,
    key: String,
}

/// What the rule would have done.
struct Outcome {
    acted: Vec<Acted>,
    /// Number of times at which it could not have acted, by its templates.
    failed: u64,
    closed: u64,
    waiting: u64,
}

/// Runs the rule over signals, each with the moment at which it arrived.
fn outcome(
    (id, settings): (RuleId, RuleSettings),
    signals: &[(Timestamp, Signal)],
    mail: Option<Uuid>,
    now: Timestamp,
) -> Outcome {
    let mut simulation = Simulation::of(id, settings);
    for (received_at, signal) in signals {
        simulation.signal(signal, *received_at);
    }
    simulation.act_until(now);
    let Simulation { rule, waits, mut due, closed, .. } = simulation;
    due.sort_by_key(|wait| (wait.acts_at, wait.wait.id));
    let waiting = waits.values().map(|waits| waits.len() as u64).sum();
    let mut outcome = Outcome { acted: Vec::new(), failed: 0, closed, waiting };
    let mut done: HashMap<&str, Vec<Timestamp>> = HashMap::new();
    for SimulatedWait { wait, signal, acts_at, .. } in &due {
        let done = done.entry(signal.subject.as_str()).or_default();
        if rule.settings.cap.is_some_and(|cap| is_capped(done, cap, *acts_at)) {
            continue;
        }
        let unstored = action::unstored_wait(rule.id, signal);
        match action::effect_by(&rule.settings, &unstored, *acts_at, mail) {
            Effect::Dead(_) => outcome.failed += 1,
            Effect::Message(_) | Effect::Signal(_) => {
                done.push(*acts_at);
                let (subject, key) = (wait.subject.clone(), wait.key.clone());
                outcome.acted.push(Acted { at: *acts_at, subject, key });
            }
        }
    }
    outcome
}

/// Whether the rule has acted often enough at `at`. Removes what the cap no longer counts from `done`.
fn is_capped(done: &mut Vec<Timestamp>, cap: Cap, at: Timestamp) -> bool {
    done.retain(|before| at.since(*before) < i64::from(cap.days) * DAY_MS);
    done.len() >= usize::try_from(cap.times).unwrap_or(0)
}

/// An open wait of the simulation.
struct SimulatedWait<'s> {
    wait: OpenWait,
    /// The signal that opened it or started it again.
    signal: &'s Signal,
    /// When that signal arrived.
    received_at: Timestamp,
    /// When the rule acts: never before the signal arrived.
    acts_at: Timestamp,
}

impl SimulatedWait<'_> {
    /// Whether the rule has acted before a signal that arrives at `at`. Signals of the same moment may be of
    /// one request, which is processed as a whole.
    fn is_over(&self, at: Timestamp) -> bool {
        self.acts_at <= at && self.received_at < at
    }
}

/// The rule alone, with the moments at which the signals arrived as the clock.
struct Simulation<'s> {
    rule: RuleView,
    /// Open waits by subject and key.
    waits: HashMap<(&'s str, &'s str), Vec<SimulatedWait<'s>>>,
    newest: HashMap<decide::SignalKey, Timestamp>,
    /// Waits whose moment has come.
    due: Vec<SimulatedWait<'s>>,
    closed: u64,
}

impl<'s> Simulation<'s> {
    fn of(id: RuleId, settings: RuleSettings) -> Self {
        let grace_ms = due::grace_ms(&settings);
        let rule = RuleView { id, settings, opens: true, grace_ms };
        Self { rule, waits: HashMap::new(), newest: HashMap::new(), due: Vec::new(), closed: 0 }
    }

    fn signal(&mut self, signal: &'s Signal, received_at: Timestamp) {
        let group = (signal.subject.as_str(), signal.key.as_str());
        let mut waits = self.waits.remove(&group).unwrap_or_default();
        self.due.extend(waits.extract_if(.., |wait| wait.is_over(received_at)));
        let key = |name: &String| (name.clone(), signal.subject.clone(), signal.key.clone());
        let newest = self.rule.settings.unless.iter().filter_map(|name| {
            let key = key(name);
            let at = self.newest.get(&key).copied()?;
            Some((key, at))
        });
        let known =
            Known { newest: newest.collect(), waits: waits.iter().map(|open| open.wait.clone()).collect() };
        let rules = std::slice::from_ref(&self.rule);
        let due = |rule: &RuleView, signal: &Signal| due::due(rule, signal, received_at);
        let decision = decide::decide(rules, std::slice::from_ref(signal), &known, received_at, due);
        self.closed += decision.closings.len() as u64;
        waits.retain(|open| decision.closings.iter().all(|(closed, _)| *closed != open.wait.id));
        for restart in decision.restarts {
            for open in waits.iter_mut().filter(|open| open.wait.id == restart.wait) {
                open.wait.opened_at = signal.at;
                (open.signal, open.received_at) = (signal, received_at);
                open.acts_at = restart.due_at.max(received_at);
            }
        }
        waits.extend(decision.openings.iter().map(|opening| {
            let (subject, key) = (signal.subject.clone(), signal.key.clone());
            let (id, rule, opened_at) = (WaitId::generate(), self.rule.id, signal.at);
            let wait = OpenWait { id, rule, subject, key, opened_at };
            SimulatedWait { wait, signal, received_at, acts_at: opening.due_at.max(received_at) }
        }));
        if !waits.is_empty() {
            self.waits.insert(group, waits);
        }
        let newest = self.newest.entry(key(&signal.name)).or_insert(signal.at);
        *newest = signal.at.max(*newest);
    }

    fn act_until(&mut self, now: Timestamp) {
        for waits in self.waits.values_mut() {
            self.due.extend(waits.extract_if(.., |wait| wait.acts_at <= now));
        }
        self.waits.retain(|_, waits| !waits.is_empty());
    }
}
