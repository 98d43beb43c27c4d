//! Checks that all nodes of an installation, and no others, use the same Redis. Each node announces
//! itself there and in SQL, and the two lists are compared.

use domain::{
    Timestamp,
    health::{HealthIssue, IssueDetail},
};
use queue::{Hints, Member, Membership};
use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError},
    time::Duration,
};
use uuid::Uuid;

/// Timeout for Redis: the caller has other work to do.
const ANNOUNCE_TIMEOUT: Duration = Duration::from_millis(1_500);

/// Time that nodes have to announce themselves before a difference is reported, milliseconds.
pub const ANNOUNCE_GRACE_MS: i64 = 10_000;

/// The current mismatch, and since when it has existed.
#[derive(Debug, Default)]
pub struct RedisMismatch(Mutex<Option<(Timestamp, HealthIssue)>>);

impl RedisMismatch {
    /// Records the result of a check; `None`: no mismatch, or not known.
    pub fn record(&self, issue: Option<HealthIssue>, now: Timestamp) {
        let mut current = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let since = current.as_ref().map_or(now, |(since, _)| *since);
        *current = issue.map(|issue| (since, issue));
    }

    /// Returns the mismatch if it has lasted for 10 s.
    #[must_use]
    pub fn issue(&self, now: Timestamp) -> Option<HealthIssue> {
        let current = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        current
            .as_ref()
            .filter(|(since, _)| now.since(*since) >= ANNOUNCE_GRACE_MS)
            .map(|(_, issue)| issue.clone())
    }
}

/// Result of announcing a node and comparing the lists.
#[derive(Debug, Default)]
pub struct MembershipCheck {
    /// The mismatch, see [`compare`]; `None`: there is none, or it is not known.
    pub mismatch: Option<HealthIssue>,
    /// Response time of Redis; `None`: it did not answer.
    pub round_trip: Option<Duration>,
    /// Random id stored in Redis when it was found empty; `None`: not known.
    pub data_id: Option<Uuid>,
}

/// Announces a node in Redis and compares the list with `live`.
pub async fn announce(
    hints: &dyn Hints,
    own: Member,
    live: &[(Uuid, String)],
    now: Timestamp,
) -> MembershipCheck {
    // A call that is dropped half-way is repeated a second later.
    match tokio::time::timeout(ANNOUNCE_TIMEOUT, hints.announce(own, now)).await {
        Ok(Ok(Membership { data_id, members, round_trip })) => MembershipCheck {
            mismatch: compare(own.installation, live, &members),
            round_trip: Some(round_trip),
            data_id,
        },
        Ok(Err(_)) => MembershipCheck::default(),
        Err(_) => MembershipCheck { round_trip: Some(ANNOUNCE_TIMEOUT), ..MembershipCheck::default() },
    }
}

/// Reports the live nodes of an installation that are missing in Redis, and the number of nodes of
/// other installations.
#[must_use]
pub fn compare(installation: Uuid, live: &[(Uuid, String)], members: &[Member]) -> Option<HealthIssue> {
    let own: HashSet<Uuid> = members
        .iter()
        .filter(|member| member.installation == installation)
        .map(|member| member.node)
        .collect();
    let missing: Vec<&str> =
        live.iter().filter(|(id, _)| !own.contains(id)).map(|(_, name)| name.as_str()).collect();
    let foreign_nodes = members.iter().filter(|member| member.installation != installation).count();
    (!missing.is_empty() || foreign_nodes > 0)
        .then(|| IssueDetail::RedisMismatch { missing_nodes: missing.join(", "), foreign_nodes }.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_nodes_and_foreign_nodes_are_both_reported() {
        let [installation, other, anna, ben] = [1, 2, 3, 4].map(Uuid::from_u128);
        let live = [(anna, "anna".to_owned()), (ben, "ben".to_owned())];
        let member = |installation, node| Member { installation, node };
        assert_eq!(
            compare(installation, &live, &[member(installation, anna), member(installation, ben)]),
            None
        );
        let issue = compare(installation, &live, &[member(installation, anna), member(other, anna)]).unwrap();
        assert_eq!(
            issue,
            IssueDetail::RedisMismatch { missing_nodes: "ben".to_owned(), foreign_nodes: 1 }.into()
        );
        let text = issue.to_string();
        assert!(
            text.contains("not in this Redis: ben.") && text.contains("by 1 nodes of another installation"),
            "{text}"
        );
    }
}
