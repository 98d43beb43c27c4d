//! Changes of one meeting are collected: the first is mailed at once, those of the next minutes together at
//! their end. What cannot wait is mailed at once: cancellations, and what begins within the hour.

use crate::{kinds::task_kind::TaskKind as _, meetings::kinds::MAIL_CHANGES};
use domain::{AccountId, Priority, TaskId, Timestamp};
use std::collections::BTreeMap;
use store::{StoreError, Tx, meeting_invite, task::NewTaskRow};
use uuid::Uuid;

/// How long changes are collected after the first mail about one, milliseconds.
pub const COLLECT_MS: i64 = 10 * 60_000;
/// What begins within this time cannot wait, milliseconds.
const SOON_MS: i64 = 3_600_000;

/// Returns until when a mail about a change waits; `None`: it is sent at once. `changed_at`: when the last
/// mail about a change was sent. `starts`: when the meeting begins, and when the person thinks it does.
pub fn waits_until(changed_at: Option<i64>, starts: [Option<i64>; 2], at: Timestamp) -> Option<Timestamp> {
    let until = Timestamp::from_millis(changed_at?).plus(COLLECT_MS);
    let is_soon = starts.into_iter().flatten().any(|start| start - at.millis() <= SOON_MS);
    (until > at && !is_soon).then_some(until)
}

/// Meetings whose changes are mailed later.
#[derive(Default)]
pub struct Collected(BTreeMap<Uuid, (AccountId, Timestamp)>);

impl Collected {
    /// Adds a meeting. The earliest moment counts.
    pub fn add(&mut self, meeting: Uuid, organizer: AccountId, until: Timestamp) {
        let entry = self.0.entry(meeting).or_insert((organizer, until));
        entry.1 = entry.1.min(until);
    }

    /// Whether no mail waits.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the tasks that mail them, of meetings that have none yet. Their shards are missing.
    pub async fn tasks(mut self, tx: &mut Tx) -> Result<Vec<NewTaskRow>, StoreError> {
        let ids: Vec<Uuid> = self.0.keys().copied().collect();
        for id in meeting_invite::waiting(tx.conn(), &ids, MAIL_CHANGES.word()).await? {
            self.0.remove(&id);
        }
        Ok(self.0.into_iter().map(|(meeting, (owner, until))| task(meeting, owner, until)).collect())
    }
}

fn task(meeting: Uuid, owner: AccountId, due_at: Timestamp) -> NewTaskRow {
    NewTaskRow {
        id: TaskId::generate(),
        kind: MAIL_CHANGES.word(),
        grace_ms: MAIL_CHANGES.grace_ms(),
        unique_key: MAIL_CHANGES.unique_key(meeting),
        priority: Priority::Normal,
        bucket: 0,
        target_id: meeting,
        revision_id: None,
        due_at,
        local_time: None,
        time_zone: None,
        request_id: None,
        owner,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_change_soon_after_another_waits() {
        const HOUR: i64 = 3_600_000;
        let at = Timestamp::from_millis(100 * HOUR);
        let until = |changed: Option<i64>, start: i64, mailed: Option<i64>| {
            waits_until(changed.map(|ago| at.millis() - ago), [Some(at.millis() + start), mailed], at)
        };
        assert_eq!(until(None, 24 * HOUR, None), None, "the first change");
        assert_eq!(until(Some(60_000), 24 * HOUR, None), Some(at.plus(COLLECT_MS - 60_000)));
        assert_eq!(until(Some(COLLECT_MS), 24 * HOUR, None), None);
        assert_eq!(until(Some(60_000), HOUR, None), None, "it begins within the hour");
        assert_eq!(until(Some(60_000), HOUR + 1, None), Some(at.plus(COLLECT_MS - 60_000)));
        let mailed = at.millis() + HOUR / 2;
        assert_eq!(
            until(Some(60_000), 24 * HOUR, Some(mailed)),
            None,
            "the person would come within the hour"
        );
    }
}
