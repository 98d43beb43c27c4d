//! Stores the signals of tasks that are executed and applies what they do.

use crate::rules::signals::apply::{self, Applied, Sending};
use domain::{AccountId, Timestamp, signal::Signal, task::reason};
use engine::context::DEFAULT_WINDOW_MS;
use std::collections::{BTreeMap, HashMap, HashSet};
use store::{
    StoreError, Tx,
    execute::{SideEffects, Verdict},
    task,
};
use uuid::Uuid;

/// Delay before another try when a subject is locked, milliseconds.
pub const LOCKED_MS: i64 = 50;

/// Sends signals, each with the target of its task, by the account that sends them. Returns the
/// verdicts by target: signals of a subject that is locked are tried again, those that would open too many
/// waits fail.
pub async fn send(
    tx: &mut Tx,
    signals: BTreeMap<AccountId, Vec<(Uuid, Signal)>>,
    at: Timestamp,
    after: &mut SideEffects,
) -> Result<HashMap<Uuid, Verdict>, StoreError> {
    let mut verdicts = HashMap::new();
    for (account, sent) in signals {
        let signals: Vec<Signal> = sent.iter().map(|(_, signal)| signal.clone()).collect();
        // The hints of new tasks go to the first bucket: this node may not know the others.
        let sending = Sending { account, now: at, buckets: 1, waits: false };
        let (verdict, refused) = match apply::apply(tx, sending, &signals).await? {
            None => (Verdict::RetryAt(at.plus(LOCKED_MS)), HashSet::new()),
            Some(Applied { tasks, mut events, mut hints, refused, .. }) => {
                task::insert(tx.conn(), &tasks, at, &[]).await?;
                after.log.append(&mut events);
                // The feeder loads the hints of later tasks.
                hints.retain(|hint| hint.due_at <= at.plus(DEFAULT_WINDOW_MS));
                after.hints.append(&mut hints);
                (Verdict::Done, refused)
            }
        };
        verdicts.extend(sent.into_iter().map(|(target, signal)| match refused.contains(&signal.id) {
            true => (target, Verdict::Dead(reason::TOO_MANY_DESCENDANTS)),
            false => (target, verdict.clone()),
        }));
    }
    Ok(verdicts)
}
