//! How often a rule acts for one subject.

use domain::{
    Timestamp,
    rule::{Cap, RuleSettings},
};
use std::collections::{HashMap, HashSet};
use store::{
    StoreError, Tx, signal,
    wait_firing::{self, FiredQuestion, FiringWait},
};
use uuid::Uuid;

const DAY_MS: i64 = 24 * 3_600_000;

/// What the caps of rules make of waits whose moment has come.
#[derive(Debug, Default)]
pub struct Caps {
    /// Their rules have acted often enough.
    pub reached: HashSet<Uuid>,
    /// Another transaction acts for their subjects.
    pub locked: HashSet<Uuid>,
}

/// Says for which of these waits the cap is reached, counting those before them in the list. The
/// subjects stay locked, so that two transactions never both take the last place.
pub async fn read(tx: &mut Tx, waits: &[&FiringWait], at: Timestamp) -> Result<Caps, StoreError> {
    let capped: Vec<(&FiringWait, Cap)> = waits.iter().filter_map(|wait| Some((*wait, cap(wait)?))).collect();
    let mut caps = Caps::default();
    if capped.is_empty() {
        return Ok(caps);
    }
    let subjects = capped.iter().map(|(wait, _)| wait.subject.as_str());
    if !signal::lock_subjects(tx.conn(), subjects, false).await? {
        caps.locked = capped.iter().map(|(wait, _)| wait.id).collect();
        return Ok(caps);
    }
    let asked: HashSet<(Uuid, &str, Cap)> =
        capped.iter().map(|(wait, cap)| (wait.rule_id, wait.subject.as_str(), *cap)).collect();
    let asked: Vec<(Uuid, &str, Cap)> = asked.into_iter().collect();
    let questions = asked.iter().map(|(rule, subject, cap)| FiredQuestion {
        rule: *rule,
        subject,
        since: at.plus(-i64::from(cap.days) * DAY_MS),
        limit: cap.times,
    });
    let questions: Vec<FiredQuestion<'_>> = questions.collect();
    let counts = wait_firing::fired_counts(tx.conn(), &questions).await?;
    let mut done: HashMap<(Uuid, &str), i64> =
        asked.iter().zip(counts).map(|((rule, subject, ..), count)| ((*rule, *subject), count)).collect();
    for (wait, cap) in &capped {
        let count = done.entry((wait.rule_id, wait.subject.as_str())).or_default();
        if *count >= i64::from(cap.times) {
            caps.reached.insert(wait.id);
        } else {
            *count += 1;
        }
    }
    Ok(caps)
}

/// The cap of the rule of a wait; `None`: it has none, or the rule does not act now.
fn cap(wait: &FiringWait) -> Option<Cap> {
    if wait.state == "paused" || wait.owner_is_disabled != 0 || !wait.settings.contains("\"cap\"") {
        return None;
    }
    serde_json::from_str::<RuleSettings>(&wait.settings).ok()?.cap
}
