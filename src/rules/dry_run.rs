//! What a rule would have done with the signals of the last days.

use super::{due, read};
use crate::{
    server::app_state::AppState,
    services::{Presenter, internal_error},
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
    drop(lease);
    let mut simulation = Simulation::of(id, settings);
    for signal in &signals {
        simulation.signal(signal);
    }
    simulation.act_until(now);
    let Simulation { rule, waits, mut acted, closed, .. } = simulation;
    acted.sort_by_key(|(at, wait)| (*at, wait.id));
    if let Some(cap) = rule.settings.cap {
        keep_capped(&mut acted, cap);
    }
    let item = |(at, wait): &(Timestamp, OpenWait)| DryRunItem {
        subject: wait.subject.clone(),
        key: wait.key.clone(),
        at: presenter.moment(*at),
    };
    Ok(DryRun {
        signals: signals.len() as u64,
        would_send: acted.len() as u64,
        would_close: closed,
        would_wait: waits.values().map(|waits| waits.len() as u64).sum(),
        items: acted.iter().take(MAX_ITEMS).map(item).collect(),
    })
}

/// Keeps the times at which a rule acts although it has a cap. They are in order.
fn keep_capped(acted: &mut Vec<(Timestamp, OpenWait)>, cap: Cap) {
    let times = usize::try_from(cap.times).unwrap_or(0);
    let mut done: HashMap<String, Vec<Timestamp>> = HashMap::new();
    acted.retain(|(at, wait)| {
        let done = done.entry(wait.subject.clone()).or_default();
        done.retain(|before| at.since(*before) < i64::from(cap.days) * DAY_MS);
        let acts = done.len() < times;
        if acts {
            done.push(*at);
        }
        acts
    });
}

/// The rule alone, with the moments of the signals as the clock.
struct Simulation {
    rule: RuleView,
    /// Open waits and when the rule acts, by subject and key.
    waits: HashMap<(String, String), Vec<(Timestamp, OpenWait)>>,
    newest: HashMap<decide::SignalKey, Timestamp>,
    acted: Vec<(Timestamp, OpenWait)>,
    closed: u64,
}

impl Simulation {
    fn of(id: RuleId, settings: RuleSettings) -> Self {
        let grace_ms = due::grace_ms(&settings);
        let rule = RuleView { id, settings, opens: true, grace_ms };
        Self { rule, waits: HashMap::new(), newest: HashMap::new(), acted: Vec::new(), closed: 0 }
    }

    fn signal(&mut self, signal: &Signal) {
        let group = (signal.subject.clone(), signal.key.clone());
        let mut waits = self.waits.remove(&group).unwrap_or_default();
        self.acted.extend(waits.extract_if(.., |(due_at, _)| *due_at <= signal.at));
        let key = |name: &String| (name.clone(), signal.subject.clone(), signal.key.clone());
        let newest = self.rule.settings.unless.iter().filter_map(|name| {
            let key = key(name);
            let at = self.newest.get(&key).copied()?;
            Some((key, at))
        });
        let known =
            Known { newest: newest.collect(), waits: waits.iter().map(|(_, wait)| wait.clone()).collect() };
        let rules = std::slice::from_ref(&self.rule);
        let due = |rule: &RuleView, signal: &Signal| due::due(rule, signal, signal.at);
        let decision = decide::decide(rules, std::slice::from_ref(signal), &known, signal.at, due);
        self.closed += decision.closings.len() as u64;
        waits.retain(|(_, wait)| decision.closings.iter().all(|(closed, _)| *closed != wait.id));
        for restart in decision.restarts {
            for (due_at, wait) in waits.iter_mut().filter(|(_, wait)| wait.id == restart.wait) {
                (*due_at, wait.opened_at) = (restart.due_at, signal.at);
            }
        }
        waits.extend(decision.openings.iter().map(|opening| {
            let (subject, key) = group.clone();
            let (id, rule, opened_at) = (WaitId::generate(), self.rule.id, signal.at);
            (opening.due_at, OpenWait { id, rule, subject, key, opened_at })
        }));
        if !waits.is_empty() {
            self.waits.insert(group, waits);
        }
        let newest = self.newest.entry(key(&signal.name)).or_insert(signal.at);
        *newest = signal.at.max(*newest);
    }

    fn act_until(&mut self, now: Timestamp) {
        for waits in self.waits.values_mut() {
            self.acted.extend(waits.extract_if(.., |(due_at, _)| *due_at <= now));
        }
        self.waits.retain(|_, waits| !waits.is_empty());
    }
}
