//! Limits the waits to which one signal leads through other rules.

use domain::{
    rules::decide::Decision,
    signal::{MAX_DESCENDANTS, Signal},
};
use std::collections::{BTreeMap, HashSet};
use store::{StoreError, Tx, wait_roots};

/// Takes what these signals do out of the decision, if they would open more waits than their roots may lead
/// to. Returns their places. The subjects are locked: all that a signal leads to is about one subject.
pub async fn refuse_excess(
    tx: &mut Tx,
    signals: &[Signal],
    decision: &mut Decision,
) -> Result<HashSet<usize>, StoreError> {
    let mut refused = HashSet::new();
    let mut openings = BTreeMap::<usize, usize>::new();
    for opening in decision.openings.iter().filter(|opening| signals[opening.signal].root.is_some()) {
        *openings.entry(opening.signal).or_default() += 1;
    }
    if openings.is_empty() {
        return Ok(refused);
    }
    let roots: HashSet<_> = openings.keys().filter_map(|place| signals[*place].root).collect();
    let mut counts = wait_roots::count(tx.conn(), &roots).await?;
    for (place, opened) in openings {
        let Some(root) = signals[place].root else { continue };
        let count = counts.entry(root).or_default();
        if *count + opened > MAX_DESCENDANTS {
            refused.insert(place);
        } else {
            *count += opened;
        }
    }
    decision.openings.retain(|opening| !refused.contains(&opening.signal));
    decision.restarts.retain(|restart| !refused.contains(&restart.signal));
    decision.closings.retain(|(_, place)| !refused.contains(place));
    Ok(refused)
}
