//! Stores signals and applies what they do to the waits of rules, in one transaction.
//!
//! Signals about one subject are processed one after another: a lock per subject, then the targets
//! of the open waits, so that a rule and a signal that closes its wait cannot both win.

use super::descendants;
use crate::rules::{
    due,
    kinds::{FIRE, cancel_waits},
};
use domain::{
    AccountId, Hint, Priority, RuleId, SignalId, TaskId, Timestamp, Version, WaitId,
    rule::{Repeat, RuleState},
    rules::decide::{self, Decision, Known, OpenWait, RuleView, SignalKey},
    signal::Signal,
    task::reason,
};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    fmt::Write as _,
};
use store::{
    StoreError, Tx,
    event::NewEvent,
    rule::{self, RuleRecord},
    signal,
    task::NewTaskRow,
    wait::{self, MovedWait, NewWait, WaitKey},
};
use uuid::Uuid;

/// How signals are stored.
#[derive(Debug, Clone, Copy)]
pub struct Sending {
    /// Account that sends them.
    pub account: AccountId,
    /// The current time.
    pub now: Timestamp,
    /// Number of buckets of hints.
    pub buckets: u16,
    /// Whether to wait for locks.
    pub waits: bool,
}

/// What signals did, except for what must be written last.
#[derive(Debug, Default)]
pub struct Applied {
    /// For each signal: whether it is a duplicate, and the number of waits opened and closed.
    pub results: Vec<(bool, u32, u32)>,
    /// Tasks to insert.
    pub tasks: Vec<NewTaskRow>,
    /// Events to append.
    pub events: Vec<NewEvent>,
    /// Hints to publish after the commit.
    pub hints: Vec<Hint>,
    /// Number of waits opened, by the id of the rule, with its name.
    pub opened: BTreeMap<Uuid, (String, u32)>,
    /// Signals that were not stored, because they would have opened too many waits.
    pub refused: HashSet<SignalId>,
}

/// Stores the signals and changes the waits. `None`: another transaction holds a lock, and nothing
/// was written.
pub async fn apply(tx: &mut Tx, sending: Sending, signals: &[Signal]) -> Result<Option<Applied>, StoreError> {
    let subjects = signals.iter().map(|signal| signal.subject.as_str());
    if !signal::lock_subjects(tx.conn(), subjects, sending.waits).await? {
        return Ok(None);
    }
    let (fresh, is_fresh) = without_duplicates(tx, sending.account, signals).await?;
    let names: BTreeSet<&str> = fresh.iter().map(|signal| signal.name.as_str()).collect();
    let rules = rule::listening_to(tx.conn(), &names).await?;
    let views = rules.iter().map(view).collect::<Result<Vec<_>, _>>()?;
    let keys = keys(&views, &fresh);
    let Some((known, cancelled)) = known(tx, &rules, keys, sending).await? else { return Ok(None) };
    let mut decision = decide::decide(&views, &fresh, &known, sending.now, |rule, signal| {
        due::due(rule, signal, sending.now)
    });
    let refused = descendants::refuse_excess(tx, &fresh, &mut decision).await?;
    let mut counts = decision.counts.iter();
    let results = is_fresh.iter().map(|is_fresh| match is_fresh {
        true => counts.next().map_or((false, 0, 0), |(opened, closed)| (false, *opened, *closed)),
        false => (true, 0, 0),
    });
    let mut applied = Applied { results: results.collect(), events: cancelled, ..Applied::default() };
    for opening in &decision.openings {
        let name = || (views[opening.rule].settings.name.clone(), 0);
        applied.opened.entry(rules[opening.rule].id).or_insert_with(name).1 += 1;
    }
    applied.refused = refused.iter().map(|place| fresh[*place].id).collect();
    let stored: Cow<'_, [Signal]> = match applied.refused.is_empty() {
        true => Cow::Borrowed(&fresh),
        false => fresh.iter().filter(|signal| !applied.refused.contains(&signal.id)).cloned().collect(),
    };
    signal::insert(tx.conn(), sending.account, &stored, sending.now).await?;
    Writer { sending, rules: &rules, views: &views, signals: &fresh }
        .write(tx, &decision, &mut applied)
        .await?;
    Ok(Some(applied))
}

/// Returns the signals that were not stored before, and for each signal whether it is among them.
async fn without_duplicates(
    tx: &mut Tx,
    account: AccountId,
    signals: &[Signal],
) -> Result<(Vec<Signal>, Vec<bool>), StoreError> {
    let ids: Vec<&str> = signals.iter().filter_map(|signal| signal.sender_id.as_deref()).collect();
    let mut known = signal::known(tx.conn(), account, &ids).await?;
    let is_fresh: Vec<bool> = signals
        .iter()
        .map(|signal| signal.sender_id.as_ref().is_none_or(|id| known.insert(id.clone())))
        .collect();
    let fresh = signals.iter().zip(&is_fresh).filter(|(_, is_fresh)| **is_fresh);
    Ok((fresh.map(|(signal, _)| signal.clone()).collect(), is_fresh))
}

fn view(record: &RuleRecord) -> Result<RuleView, StoreError> {
    let settings = record.settings()?;
    Ok(RuleView {
        id: RuleId(record.id),
        opens: record.state()? == RuleState::Active && !record.is_held(),
        grace_ms: due::grace_ms(&settings),
        settings,
    })
}

/// Returns the waits that the signals may change, and the signals that may have closed what they open.
fn keys(views: &[RuleView], signals: &[Signal]) -> (HashSet<WaitKey>, HashSet<SignalKey>) {
    let (mut keys, mut closing) = (HashSet::<WaitKey>::new(), HashSet::<SignalKey>::new());
    for signal in signals {
        for rule in views {
            let opens = rule.settings.after == signal.name;
            if !opens && !rule.settings.unless.contains(&signal.name) {
                continue;
            }
            keys.insert((rule.id, signal.subject.clone(), signal.key.clone()));
            if opens {
                let key = |name: &String| (name.clone(), signal.subject.clone(), signal.key.clone());
                closing.extend(rule.settings.unless.iter().map(key));
            }
        }
    }
    (keys, closing)
}

/// Reads what decides about the signals, and locks the open waits. Those that their rules have cancelled
/// are cancelled now: returns the events of their tasks. `None`: some waits are locked.
async fn known(
    tx: &mut Tx,
    rules: &[RuleRecord],
    (keys, closing): (HashSet<WaitKey>, HashSet<SignalKey>),
    sending: Sending,
) -> Result<Option<(Known, Vec<NewEvent>)>, StoreError> {
    let newest = signal::newest(tx.conn(), &closing).await?;
    let mut open = wait::open(tx.conn(), &keys).await?;
    if !open.is_empty() {
        let ids: Vec<WaitId> = open.iter().map(|(wait, _)| wait.id).collect();
        if !wait::lock(tx.conn(), &ids, sending.waits).await? {
            return Ok(None);
        }
        // A rule may have acted before the lock was granted.
        open = wait::open(tx.conn(), &keys).await?;
    }
    // After the update, older waits that are open were scheduled again by a user.
    let updating = rules.iter().filter(|rule| rule.updated_to.is_some());
    let versions: HashMap<Uuid, i32> = updating.map(|rule| (rule.id, rule.cancelled_version)).collect();
    let is_cancelled = |(wait, version): &(OpenWait, i32)| {
        versions.get(&wait.rule.0).is_some_and(|cancelled| version < cancelled)
    };
    let (cancelled, open): (Vec<_>, Vec<_>) = open.into_iter().partition(is_cancelled);
    let cancelled: Vec<WaitId> = cancelled.into_iter().map(|(wait, _)| wait.id).collect();
    let events = cancel_waits::cancel(tx, &cancelled, (None, sending.now)).await?;
    let waits = open.into_iter().map(|(wait, _)| wait).collect();
    Ok(Some((Known { waits, newest }, events)))
}

/// Writes a decision.
struct Writer<'w> {
    sending: Sending,
    rules: &'w [RuleRecord],
    views: &'w [RuleView],
    signals: &'w [Signal],
}

impl Writer<'_> {
    async fn write(&self, tx: &mut Tx, decision: &Decision, applied: &mut Applied) -> Result<(), StoreError> {
        let closings: Vec<_> =
            decision.closings.iter().map(|(wait, place)| (*wait, self.signals[*place].id)).collect();
        let signals: HashMap<Uuid, Uuid> = closings.iter().map(|(wait, signal)| (wait.0, signal.0)).collect();
        for (task, version, wait) in wait::close(tx.conn(), &closings, self.sending.now).await? {
            let detail = json!({"signal_id": signals.get(&wait), "reason": reason::SIGNAL});
            applied.events.push(NewEvent {
                from_state: Some("scheduled"),
                to_state: Some("cancelled"),
                version: Some(version),
                detail: detail.to_string(),
                ..NewEvent::simple(self.sending.now, None, "task", task, "cancel")
            });
        }
        let restarts: Vec<MovedWait<'_>> = decision
            .restarts
            .iter()
            .map(|one| MovedWait {
                id: one.wait,
                rule_version: self.rules[one.rule].version,
                signal: &self.signals[one.signal],
                due_at: one.due_at,
            })
            .collect();
        for moved in wait::restart(tx.conn(), &restarts).await? {
            let (event, hint) = cancel_waits::moved_task(self.sending.now, &moved);
            applied.events.push(event);
            applied.hints.push(hint);
        }
        let (waits, tasks) = self.openings(decision);
        wait::insert(tx.conn(), &waits, self.sending.now).await?;
        applied.events.extend(tasks.iter().map(|task| self.scheduled(task)));
        applied.hints.extend(tasks.iter().map(NewTaskRow::hint));
        applied.tasks = tasks;
        Ok(())
    }

    fn openings(&self, decision: &Decision) -> (Vec<NewWait<'_>>, Vec<NewTaskRow>) {
        let one = |opening: &decide::Opening| {
            let (rule, signal) = (&self.views[opening.rule], &self.signals[opening.signal]);
            let record = &self.rules[opening.rule];
            let owner = AccountId(record.owner_id);
            let (id, task) = (WaitId::generate(), TaskId::generate());
            let row = NewTaskRow {
                id: task,
                kind: FIRE,
                grace_ms: rule.grace_ms,
                unique_key: (rule.settings.repeat != Repeat::Another).then(|| unique_key(rule.id, signal)),
                priority: Priority::Normal,
                bucket: queue::bucket_of(task, self.sending.buckets),
                target_id: id.0,
                revision_id: None,
                due_at: opening.due_at,
                local_time: None,
                time_zone: None,
                request_id: None,
                owner,
            };
            (NewWait { id, rule: rule.id, rule_version: record.version, signal, task, owner }, row)
        };
        decision.openings.iter().map(one).unzip()
    }

    fn scheduled(&self, task: &NewTaskRow) -> NewEvent {
        NewEvent {
            to_state: Some("scheduled"),
            version: Some(Version::FIRST.0),
            detail: json!({"due_at": task.due_at}).to_string(),
            ..NewEvent::simple(self.sending.now, None, "task", task.id.0, "schedule")
        }
    }
}

/// At most one wait of a rule is open for a subject and key.
fn unique_key(rule: RuleId, signal: &Signal) -> String {
    let mut hash = Sha256::new();
    hash.update(u32::try_from(signal.subject.len()).unwrap_or_default().to_be_bytes());
    hash.update(&signal.subject);
    hash.update(&signal.key);
    let mut key = format!("{FIRE}:{rule}:");
    for byte in hash.finalize() {
        let _ = write!(key, "{byte:02x}");
    }
    key
}
