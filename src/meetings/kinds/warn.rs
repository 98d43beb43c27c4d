//! Approvers and organizer are warned before the deadline of a request: in the app, and by mail if
//! the desk has a mail server.

use super::MEETING;
use crate::{
    kinds::task_kind::TaskKind,
    reminders::notifications::{MAX_APPROVERS, Mail, NotificationBatch, language, moment},
};
use async_trait::async_trait;
use domain::{
    Role, Timestamp,
    meetings::{DeadlineDecision, MeetingState, MeetingTask},
    reminders::NotificationEvent,
};
use store::{
    StoreError, Tx,
    approver::{self, ApproverRow},
    due_meetings,
    execute::{ClaimedTask, SideEffects, Verdict},
    meeting::MeetingRow,
};
use texts::mail::reminder::ReminderWords;
use uuid::Uuid;

/// A kind that warns before the deadline of a request.
pub struct Warn {
    task: MeetingTask,
}

/// The kind `meeting.warn`: half-way to the deadline.
pub const WARN: Warn = Warn { task: MeetingTask::Warn };
/// The kind `meeting.warn_again`: before the deadline.
pub const WARN_AGAIN: Warn = Warn { task: MeetingTask::WarnAgain };

#[async_trait]
impl TaskKind for Warn {
    fn word(&self) -> &'static str {
        self.task.as_str()
    }

    fn target_kind(&self) -> &'static str {
        MEETING
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

    /// A warning that comes after the deadline is not sent.
    async fn execute(
        &self,
        tx: &mut Tx,
        tasks: &[ClaimedTask],
        at: Timestamp,
        after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        let ids: Vec<Uuid> = tasks.iter().map(|task| task.target_id).collect();
        let rows = due_meetings::load(tx.conn(), &ids).await?;
        let requests: Vec<&MeetingRow> = rows.iter().filter(|row| is_waiting(row, at)).collect();
        if !requests.is_empty() {
            let organizers: Vec<Uuid> = requests.iter().map(|row| row.organizer_id).collect();
            let approvers = approver::approvers(tx.conn(), MAX_APPROVERS).await?;
            let organizers = approver::accounts(tx.conn(), &organizers).await?;
            let mut batch = NotificationBatch::default();
            for row in requests {
                let task = tasks.iter().find(|task| task.target_id == row.id);
                let organizer = organizers.iter().find(|one| one.id == row.organizer_id);
                if let (Some(task), Some(organizer)) = (task, organizer) {
                    add(&mut batch, row, (task, organizer), &approvers)?;
                }
            }
            batch.send(tx, at, after).await?;
        }
        Ok(tasks.iter().map(|_| Verdict::Done).collect())
    }
}

/// Whether the request still waits for an approver.
fn is_waiting(row: &MeetingRow, at: Timestamp) -> bool {
    row.state == MeetingState::Requested.as_str()
        && row.is_held == 0
        && row.decide_at.is_some_and(|decide_at| decide_at > at.millis())
}

/// Adds the warnings of one request.
fn add(
    batch: &mut NotificationBatch,
    row: &MeetingRow,
    (task, organizer): (&ClaimedTask, &ApproverRow),
    approvers: &[ApproverRow],
) -> Result<(), StoreError> {
    let may_decide = |one: &&ApproverRow| one.id != organizer.id || one.role == Role::Admin.as_str();
    let deciding: Vec<&ApproverRow> = approvers.iter().filter(may_decide).collect();
    let others = deciding.iter().copied().filter(|one| one.id != organizer.id);
    let all: Vec<&ApproverRow> = std::iter::once(organizer).chain(others).collect();
    for one in &all {
        let decides = deciding.iter().any(|other| other.id == one.id);
        let event =
            if one.id == organizer.id { NotificationEvent::Decided } else { NotificationEvent::Approval };
        batch.warn(event, one.id, (text(row, one, decides)?, format!("/meetings/{}", row.id)));
    }
    batch.mail(Mail {
        task: task.id,
        version: task.version,
        owner: row.organizer(),
        to: all.iter().map(|one| one.email.clone()).collect(),
        text: text(row, organizer, false)?,
    });
    Ok(())
}

/// What the warning says, with start and deadline in the zone of the account.
fn text(row: &MeetingRow, account: &ApproverRow, decides: bool) -> Result<String, StoreError> {
    let booking = row.booking()?;
    let language = language(account);
    let words = ReminderWords(language);
    let at = |at: Timestamp| moment(language, at, &account.time_zone);
    let (starts, moment) = (at(booking.starts_at), at(booking.decide_at.unwrap_or(booking.starts_at)));
    let first = match decides {
        true => words.awaits_you(&row.title, &starts),
        false => words.awaits(&row.title, &starts),
    };
    let second = match booking.decision {
        DeadlineDecision::Reject => words.expires(&moment),
        DeadlineDecision::Confirm => words.confirms(&moment),
        DeadlineDecision::Hold => words.holds(&moment),
    };
    Ok(format!("{first}\n{second}"))
}
