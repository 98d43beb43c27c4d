//! Reviewers and the owner are warned before the deadline of a review: in the app, and by mail if
//! the desk has a mail server.

use crate::{
    articles::review::notify::{self, People},
    kinds::task_kind::TaskKind,
    reminders::notifications::{Mail, NotificationBatch, language, moment},
};
use async_trait::async_trait;
use domain::{
    AccountId, Timestamp,
    reminders::NotificationEvent,
    review::workflow::{DeadlineDecision, ReviewState},
};
use store::{
    StoreError, Tx,
    approver::ApproverRow,
    article_review::{self, ReviewRow},
    execute::{ClaimedTask, SideEffects, Verdict},
};
use texts::mail::review_notice::ReviewWords;
use uuid::Uuid;

/// A kind that warns before the deadline of a review.
pub struct ReviewWarn {
    word: &'static str,
}

/// The kind `review.warn`: half-way to the deadline.
pub const REVIEW_WARN: ReviewWarn = ReviewWarn { word: "review.warn" };
/// The kind `review.warn_again`: before the deadline.
pub const REVIEW_WARN_AGAIN: ReviewWarn = ReviewWarn { word: "review.warn_again" };

#[async_trait]
impl TaskKind for ReviewWarn {
    fn word(&self) -> &'static str {
        self.word
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

    fn is_warning(&self) -> bool {
        true
    }

    /// A warning that comes after the decision or the deadline is not sent.
    async fn execute(
        &self,
        tx: &mut Tx,
        tasks: &[ClaimedTask],
        at: Timestamp,
        after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        let ids: Vec<Uuid> = tasks.iter().map(|task| task.target_id).collect();
        let mut rows = article_review::by_ids(tx.conn(), &ids).await?;
        rows.retain(|row| {
            row.state == ReviewState::Submitted.as_str()
                && row.deadline_at.is_some_and(|end| end > at.millis())
        });
        if !rows.is_empty() {
            let people = People::of(tx.conn(), &rows).await?;
            let mut batch = NotificationBatch::default();
            for row in &rows {
                if let Some(task) = tasks.iter().find(|task| task.target_id == row.id) {
                    add(&mut batch, (row, task), &people)?;
                }
            }
            batch.send(tx, at, after).await?;
        }
        Ok(vec![Verdict::Done; tasks.len()])
    }
}

/// Adds the warnings of one review.
fn add(
    batch: &mut NotificationBatch,
    (row, task): (&ReviewRow, &ClaimedTask),
    people: &People,
) -> Result<(), StoreError> {
    let reviewers = people.reviewers(row);
    let owner = people.owner(row);
    for one in &reviewers {
        batch.warn(NotificationEvent::Approval, one.id, (text(row, one, true)?, notify::review_page(row)));
    }
    let waits = owner.filter(|owner| reviewers.iter().all(|one| one.id != owner.id));
    if let Some(owner) = waits {
        batch.warn(
            NotificationEvent::Decided,
            owner.id,
            (text(row, owner, false)?, notify::article_page(row)),
        );
    }
    let all = reviewers.iter().copied().chain(waits);
    let to: Vec<String> = all.clone().map(|one| one.email.clone()).collect();
    if let Some(first) = owner.or(all.into_iter().next()) {
        batch.mail(Mail {
            task: task.id,
            version: task.version,
            owner: AccountId(row.owner_id),
            to,
            text: text(row, first, false)?,
        });
    }
    Ok(())
}

/// What the warning says, with the deadline in the zone of the account.
fn text(row: &ReviewRow, account: &ApproverRow, reviews: bool) -> Result<String, StoreError> {
    let language = language(account);
    let words = ReviewWords(language);
    let at = row.deadline_at.map_or(Timestamp::default(), Timestamp::from_millis);
    let moment = moment(language, at, &account.time_zone);
    let first = if reviews { words.waits_for_you(&row.title) } else { words.waits(&row.title) };
    let second = match row.decision()? {
        DeadlineDecision::SendBack => words.sends_back(&moment),
        DeadlineDecision::Approve => words.approves(&moment),
        DeadlineDecision::Hold => words.holds(&moment),
        DeadlineDecision::Escalate => words.escalates(&moment),
    };
    Ok(format!("{first}\n{second}"))
}
