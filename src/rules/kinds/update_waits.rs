//! Brings the waits of a rule in line with what a user has decided about all of them: they are cancelled
//! or end at another moment.
//!
//! The decision holds at once: a wait of an older version does not act, see [`super::Fire`]. The change
//! of the rule updates the first waits in its transaction; this task updates the others in batches, each
//! with a transaction of its own. A cursor in the row of the rule says how far it is.

use super::{RULE, UPDATE_WAITS};
use crate::rules::kinds::{cancel_waits, cancel_waits::moved_task, send_from_task::LOCKED_MS};
use crate::{kinds::task_kind::TaskKind, rules::due};
use async_trait::async_trait;
use domain::{
    AccountId, Hint, KindClass, Priority, RuleId, TaskId, Timestamp, Version, WaitId, kind::MANAGED_GRACE_MS,
    rule::RuleSettings, task::reason,
};
use serde_json::json;
use store::{
    StoreError, Tx,
    event::NewEvent,
    execute::{ClaimedTask, SideEffects, Verdict},
    rule::{self, RuleRecord},
    rule_waits::{self, OutdatedWait},
    signal,
    task::{self, NewTaskRow},
    wait,
};

/// Maximum number of waits that one transaction updates.
const MAX_BATCH_SIZE: i64 = 1_000;

/// The kind `rule.update_waits`.
pub struct UpdateWaits;

#[async_trait]
impl TaskKind for UpdateWaits {
    fn word(&self) -> &'static str {
        UPDATE_WAITS
    }

    fn is_for_admins(&self) -> bool {
        true
    }

    fn is_managed(&self) -> bool {
        true
    }

    fn class(&self) -> KindClass {
        KindClass::Machines
    }

    fn target_kind(&self) -> &'static str {
        RULE
    }

    fn run_now_verb(&self) -> &'static str {
        "run_now"
    }

    fn can_be_undone(&self) -> bool {
        false
    }

    /// Updates one batch for each rule, and schedules the task of the next one.
    async fn execute(
        &self,
        tx: &mut Tx,
        tasks: &[ClaimedTask],
        at: Timestamp,
        after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        if !signal::lock_subjects(tx.conn(), std::iter::empty(), false).await? {
            return Ok(vec![Verdict::RetryAt(at.plus(LOCKED_MS)); tasks.len()]);
        }
        let mut verdicts = Vec::with_capacity(tasks.len());
        // One task for each rule that was changed a moment ago.
        for task in tasks {
            let Some(record) = rule::find(tx.conn(), RuleId(task.target_id)).await? else {
                verdicts.push(Verdict::Dead(reason::TARGET_GONE));
                continue;
            };
            let by = Updating { at, actor: None, waits: false };
            let Some(batch) = update(tx, &record, by).await? else {
                verdicts.push(Verdict::RetryAt(at.plus(LOCKED_MS)));
                continue;
            };
            after.log.extend(batch.events);
            after.hints.extend(batch.hints);
            if !batch.is_last {
                // This node may not know how many buckets there are.
                let (next, event) = new_task(&record, 0, at);
                task::insert(tx.conn(), std::slice::from_ref(&next), at, &[]).await?;
                after.log.push(event);
                after.hints.push(next.hint());
            }
            verdicts.push(Verdict::Done);
        }
        Ok(verdicts)
    }
}

/// How waits are updated.
#[derive(Debug, Clone, Copy)]
pub struct Updating {
    /// The current time.
    pub at: Timestamp,
    /// Who has decided; `None`: the engine follows the decision.
    pub actor: Option<AccountId>,
    /// Whether to wait for locks.
    pub waits: bool,
}

/// Waits that were updated.
#[derive(Debug, Default)]
pub struct UpdatedWaits {
    /// Events of their tasks.
    pub events: Vec<NewEvent>,
    /// Hints of their tasks.
    pub hints: Vec<Hint>,
    /// Whether no other waits are left.
    pub is_last: bool,
}

/// Updates the next waits of a rule and stores how far it is. `None`: another transaction holds the lock
/// of one, or this one has claimed it, and nothing was written.
pub async fn update(
    tx: &mut Tx,
    record: &RuleRecord,
    by: Updating,
) -> Result<Option<UpdatedWaits>, StoreError> {
    let id = RuleId(record.id);
    let version = record.cancelled_version.max(record.recounted_version);
    let from = record.updated_to.unwrap_or_default();
    let outdated = rule_waits::outdated(tx.conn(), id, version, (from, MAX_BATCH_SIZE), by.at).await?;
    let is_last = i64::try_from(outdated.len()).unwrap_or(i64::MAX) < MAX_BATCH_SIZE;
    if outdated.iter().any(|wait| wait.is_claimed == 1) {
        // This transaction also executes tasks of these waits, which are put off at its end.
        return Ok(None);
    }
    let ids: Vec<WaitId> = outdated.iter().map(|wait| WaitId(wait.id)).collect();
    if !wait::lock(tx.conn(), &ids, by.waits).await? {
        return Ok(None);
    }
    let (cancelled, moved): (Vec<OutdatedWait>, Vec<OutdatedWait>) =
        outdated.into_iter().partition(|wait| wait.rule_version < record.cancelled_version);
    let cancelled: Vec<WaitId> = cancelled.iter().map(|wait| WaitId(wait.id)).collect();
    let mut done = UpdatedWaits {
        events: cancel_waits::cancel(tx, &cancelled, (by.actor, by.at)).await?,
        hints: Vec::new(),
        is_last,
    };
    recount(tx, record, &moved, (by.at, &mut done)).await?;
    let last = if is_last { None } else { ids.last().map(|wait| wait.0) };
    rule::set_updated_to(tx.conn(), id, last).await?;
    Ok(Some(done))
}

/// Moves waits whose targets are locked to where the settings of their rule put them.
async fn recount(
    tx: &mut Tx,
    record: &RuleRecord,
    waits: &[OutdatedWait],
    (at, done): (Timestamp, &mut UpdatedWaits),
) -> Result<(), StoreError> {
    let settings = record.settings()?;
    let moved = waits.iter().filter_map(|wait| {
        let due_at = due_of(&settings, (wait.opened_at, &wait.data), at)?;
        Some((WaitId(wait.id), due_at))
    });
    let moved: Vec<(WaitId, Timestamp)> = moved.collect();
    for moved in wait::reschedule(tx.conn(), &moved).await? {
        let (event, hint) = moved_task(at, &moved);
        done.events.push(event);
        done.hints.push(hint);
    }
    let waits: Vec<WaitId> = waits.iter().map(|wait| WaitId(wait.id)).collect();
    rule_waits::set_version(tx.conn(), &waits, record.recounted_version).await
}

/// Returns when a rule acts after a signal; `None`: its data does not say.
pub fn due_of(settings: &RuleSettings, (opened_at, data): (i64, &str), now: Timestamp) -> Option<Timestamp> {
    let data = serde_json::from_str(data).unwrap_or_default();
    due::after(settings, (opened_at.into(), now), &data)
}

/// Returns the task that updates the next waits of a rule, and its event.
pub fn new_task(record: &RuleRecord, bucket: u16, at: Timestamp) -> (NewTaskRow, NewEvent) {
    let task = NewTaskRow {
        id: TaskId::generate(),
        kind: UPDATE_WAITS,
        grace_ms: MANAGED_GRACE_MS,
        unique_key: UpdateWaits.unique_key(record.id),
        priority: Priority::Normal,
        bucket,
        target_id: record.id,
        revision_id: None,
        due_at: at,
        local_time: None,
        time_zone: None,
        request_id: None,
        owner: AccountId(record.owner_id),
    };
    let event = NewEvent {
        to_state: Some("scheduled"),
        version: Some(Version::FIRST.0),
        detail: json!({"due_at": at}).to_string(),
        ..NewEvent::simple(at, None, "task", task.id.0, "schedule")
    };
    (task, event)
}
