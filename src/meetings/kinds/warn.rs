//! Approvers and organizer are warned before the deadline of a request: in the app, and by mail if
//! the desk has a mail server.

use super::{GRACE_MS, MEETING};
use crate::{messages::check::REMINDER_KEY, tasks::task_kind::TaskKind, zone::Zone};
use app::texts::{
    Language,
    reminder::ReminderWords,
    time::{place, placed_text},
};
use async_trait::async_trait;
use domain::{
    AccountId, MessageId, NotificationId, Role, TaskId, Timestamp, Version,
    meetings::{DeadlineDecision, MeetingState, MeetingTask},
    message::MessageOptions,
    time::wall_clock_time,
};
use store::{
    StoreError, Tx,
    approver::{self, ApproverRow},
    due_meetings, due_reminder,
    event::NewEvent,
    execute::{ClaimedTask, SideEffects, Verdict},
    meeting::MeetingRow,
    message::{self, HandOver, NewMessageRow},
    notification::{self, NewNotification},
};
use uuid::Uuid;

/// Maximum number of approvers who are warned of one request.
const MAX_APPROVERS: i64 = 50;

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

    fn grace_ms(&self) -> i64 {
        GRACE_MS
    }

    fn is_managed(&self) -> bool {
        true
    }

    fn can_be_undone(&self) -> bool {
        false
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
            let mut warnings = Warnings::default();
            for row in requests {
                let task = tasks.iter().find(|task| task.target_id == row.id);
                let organizer = organizers.iter().find(|one| one.id == row.organizer_id);
                if let (Some(task), Some(organizer)) = (task, organizer) {
                    warnings.add(row, (task, organizer), &approvers)?;
                }
            }
            warnings.send(tx, at, after).await?;
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

/// Warnings of several requests.
#[derive(Default)]
struct Warnings {
    notifications: Vec<NewNotification>,
    mails: Vec<Mail>,
}

/// One mail about a request.
struct Mail {
    task: TaskId,
    version: Version,
    owner: AccountId,
    to: Vec<String>,
    text: String,
}

impl Warnings {
    fn add(
        &mut self,
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
            self.notifications.push(NewNotification {
                id: NotificationId::generate().0,
                account: one.id,
                text: text(row, language(one), decides)?,
                link: format!("/meetings/{}", row.id),
            });
        }
        self.mails.push(Mail {
            task: task.id,
            version: task.version,
            owner: row.organizer(),
            to: all.iter().map(|one| one.email.clone()).collect(),
            text: text(row, language(organizer), false)?,
        });
        Ok(())
    }

    async fn send(self, tx: &mut Tx, at: Timestamp, after: &mut SideEffects) -> Result<(), StoreError> {
        // Only this account and admins see events of an account.
        let notified = |one: &NewNotification| NewEvent::simple(at, None, "account", one.account, "notify");
        after.log.extend(self.notifications.iter().map(notified));
        notification::insert(tx.conn(), &self.notifications, at).await?;
        let (Some(channel), _) = due_reminder::channels(tx.conn()).await? else { return Ok(()) };
        let message = |mail: &Mail| {
            let options = MessageOptions { to: mail.to.clone(), ..MessageOptions::default() };
            NewMessageRow {
                id: MessageId::generate(),
                key: format!("{REMINDER_KEY}{}", mail.task),
                channel,
                body: mail.text.clone(),
                options: serde_json::to_string(&options).unwrap_or_else(|_| "{}".to_owned()),
                fingerprint: String::new(),
                task: mail.task,
                owner: mail.owner,
            }
        };
        let messages: Vec<NewMessageRow> = self.mails.iter().map(message).collect();
        message::insert(tx.conn(), &messages, at).await?;
        let versions = messages.iter().zip(&self.mails);
        let sent: Vec<_> = versions.map(|(message, mail)| (message.id, mail.task, mail.version)).collect();
        for (_, handed) in message::hand_over(tx.conn(), &sent).await? {
            if let HandOver::Delivery(delivery) = handed {
                after.deliveries.push(*delivery);
            }
        }
        Ok(())
    }
}

fn language(account: &ApproverRow) -> Language {
    account.language.parse().unwrap_or(Language::En)
}

/// What the warning says, with the deadline in the zone of the meeting.
fn text(row: &MeetingRow, language: Language, decides: bool) -> Result<String, StoreError> {
    let booking = row.booking()?;
    let words = ReminderWords(language);
    let at = booking.decide_at.unwrap_or(booking.starts_at);
    let zone = Zone::stored(&row.time_zone);
    let wall = wall_clock_time(at, zone.offset_minutes(at));
    let moment = placed_text(language, wall, None, &place(language, zone.name()));
    let first = match decides {
        true => words.awaits_you(&row.title),
        false => words.awaits(&row.title),
    };
    let second = match booking.decision {
        DeadlineDecision::Reject => words.expires(&moment),
        DeadlineDecision::Confirm => words.confirms(&moment),
        DeadlineDecision::Hold => words.holds(&moment),
    };
    Ok(format!("{first}\n{second}"))
}
