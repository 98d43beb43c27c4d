//! The deadline of a review: a text that no reviewer has decided is sent back, approved, or waits on.

use crate::{
    articles::review::{
        approved_tasks,
        notify::{self, Change},
    },
    kinds::task_kind::TaskKind,
};
use async_trait::async_trait;
use domain::{
    AccountId, Role, Timestamp,
    review::workflow::{DeadlineDecision, ReviewState},
};
use serde_json::json;
use store::{
    StoreError, Tx, account, approval,
    article_review::{self, ReviewRow},
    due_reviews::{self, Expired},
    event::NewEvent,
    execute::{ClaimedTask, SideEffects, Verdict},
    review_settings,
};
use uuid::Uuid;

/// The kind `review.decide`.
pub struct ReviewDecide;

#[async_trait]
impl TaskKind for ReviewDecide {
    fn word(&self) -> &'static str {
        "review.decide"
    }

    fn target_kind(&self) -> &'static str {
        "review"
    }

    fn is_managed(&self) -> bool {
        true
    }

    fn can_be_undone(&self) -> bool {
        false
    }

    /// Decides the reviews that are submitted and whose deadline it is. The others were decided or
    /// held meanwhile: nothing is left to do.
    async fn execute(
        &self,
        tx: &mut Tx,
        tasks: &[ClaimedTask],
        at: Timestamp,
        after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        let ids: Vec<Uuid> = tasks.iter().map(|task| task.target_id).collect();
        let rows = article_review::by_ids(tx.conn(), &ids).await?;
        let assigned = escalation(tx, &rows).await?;
        let (mut expired, mut approved, mut changes) = (Vec::new(), Vec::new(), Vec::new());
        for row in &rows {
            if row.state()? != ReviewState::Submitted || row.deadline_at.is_none_or(|due| due > at.millis()) {
                continue;
            }
            let decision = row.decision()?;
            let state = ReviewState::after_deadline(decision, row.verdict()?);
            let assigned = assigned.filter(|_| decision == DeadlineDecision::Escalate);
            if state == ReviewState::Approved {
                approved.push(row);
            }
            after.log.push(event(at, row, state, assigned));
            changes.push((row, Change::Expired(state)));
            expired.push(Expired { id: row.id, version: row.version, state, assigned });
        }
        due_reviews::expire(tx.conn(), &expired, at).await?;
        release(tx, &approved, at, after).await?;
        let held = expired.iter().filter(|one| one.state == ReviewState::Held).map(|one| one.id);
        article_review::announced(tx.conn(), &held.collect::<Vec<_>>(), at).await?;
        after.log.extend(notify::notify(tx, &changes, (None, at)).await?);
        Ok(vec![Verdict::Done; tasks.len()])
    }
}

/// The reviewer to whom reviews are escalated; `None`: to none, or that one may not review any more.
async fn escalation(tx: &mut Tx, rows: &[ReviewRow]) -> Result<Option<Uuid>, StoreError> {
    let escalates = |row: &ReviewRow| row.decision == DeadlineDecision::Escalate.as_str();
    if !rows.iter().any(escalates) {
        return Ok(None);
    }
    let settings = review_settings::find(tx.conn()).await?;
    let Some(AccountId(to)) = settings.deadline.escalate_to else { return Ok(None) };
    let found = account::find(tx.conn(), AccountId(to)).await?;
    let may_review = found.is_some_and(|one| one.is_disabled == 0 && one.role != Role::Creator.as_str());
    Ok(may_review.then_some(to))
}

/// Approves the revisions and releases the tasks that publish them.
async fn release(
    tx: &mut Tx,
    approved: &[&ReviewRow],
    at: Timestamp,
    after: &mut SideEffects,
) -> Result<(), StoreError> {
    if approved.is_empty() {
        return Ok(());
    }
    let ids: Vec<Uuid> = approved.iter().map(|row| row.id).collect();
    let revisions: Vec<Uuid> = approved.iter().map(|row| row.revision_id).collect();
    approval::approve(tx.conn(), &ids, at).await?;
    let released = approved_tasks::release(tx, &revisions, (None, at)).await?;
    after.hints.extend(released.hints);
    after.log.extend(released.events);
    Ok(())
}

fn event(at: Timestamp, row: &ReviewRow, state: ReviewState, assigned: Option<Uuid>) -> NewEvent {
    let verb = match state {
        ReviewState::Approved => "approve",
        ReviewState::Expired => "review_expire",
        _ => "review_hold",
    };
    let detail = json!({"reason": "deadline", "assigned_id": assigned, "hash": row.hash});
    NewEvent {
        version: Some(row.revision),
        detail: detail.to_string(),
        ..NewEvent::simple(at, None, "article", row.article_id, verb)
    }
}
