//! Whether this node may decide that another one is dead.
//!
//! If the database was away, the heartbeats of all nodes are old when it is back, and the first node that
//! writes its own would take over the work of living ones. So a node decides only while its own
//! heartbeats arrive, and after a gap gives the others the time after which a node is dead.

use domain::node::NODE_DEAD_AFTER_MS;
use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};
use store::node::NODE_LOST_AFTER_MS;

const GAP: Duration = Duration::from_millis(NODE_LOST_AFTER_MS.unsigned_abs());
const TIME_FOR_OTHERS: Duration = Duration::from_millis(NODE_DEAD_AFTER_MS.unsigned_abs());

/// The heartbeats that this node has written.
#[derive(Debug, Default)]
pub struct OwnHeartbeats(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    last: Option<Instant>,
    /// When the first heartbeat after the last gap was written.
    back_since: Option<Instant>,
}

impl OwnHeartbeats {
    /// Records that a heartbeat was written.
    pub fn record(&self, now: Instant) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if is_gap(state.last, now) {
            state.back_since = Some(now);
        }
        state.last = Some(now);
    }

    /// Whether the age of another node's heartbeat says that it is dead. Before the first heartbeat of
    /// this process it does.
    #[must_use]
    pub fn may_judge_others(&self, now: Instant) -> bool {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_settled = state.back_since.is_none_or(|back| now.duration_since(back) >= TIME_FOR_OTHERS);
        is_settled && !is_gap(state.last, now)
    }
}

fn is_gap(last: Option<Instant>, now: Instant) -> bool {
    last.is_some_and(|last| now.duration_since(last) > GAP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_a_gap_of_its_own_a_node_gives_the_others_time() {
        let (own, start) = (OwnHeartbeats::default(), Instant::now());
        let after = |ms: u64| start + Duration::from_millis(ms);
        assert!(own.may_judge_others(start));
        own.record(start);
        own.record(after(3_500));
        assert!(own.may_judge_others(after(7_000)));
        // No heartbeat was written for 18 s.
        assert!(!own.may_judge_others(after(7_001)));
        own.record(after(21_500));
        assert!(!own.may_judge_others(after(21_501)));
        for second in 1..10 {
            own.record(after(21_500 + second * 1_000));
        }
        assert!(!own.may_judge_others(after(31_499)));
        assert!(own.may_judge_others(after(31_500)));
    }
}
