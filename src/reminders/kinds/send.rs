//! A reminder is sent: an account gets a notification, an address or a channel a delivery, in the
//! same transaction.

use super::{REMINDER, SEND, words};
use crate::{messages::check::REMINDER_KEY, tasks::task_kind::TaskKind};
use async_trait::async_trait;
use domain::{
    AccountId, ChannelId, MessageId, NotificationId, TaskId, Timestamp,
    meetings::MeetingState,
    message::MessageOptions,
    reminders::{Anchor, ReminderState, Subject},
    task::reason,
};
use std::collections::HashMap;
use store::{
    StoreError, Tx, channel,
    due_reminder::{self, DueReminder, Settled},
    event::NewEvent,
    execute::{ClaimedTask, SideEffects, Verdict},
    message::{self, HandOver, NewMessageRow},
    notification::{self, NewNotification},
    task_list,
};
use uuid::Uuid;

/// The kind `reminder.send`.
pub struct Send;

#[async_trait]
impl TaskKind for Send {
    fn word(&self) -> &'static str {
        SEND
    }

    fn target_kind(&self) -> &'static str {
        REMINDER
    }

    fn is_managed(&self) -> bool {
        true
    }

    fn can_be_undone(&self) -> bool {
        false
    }

    /// *Dead* if there is no recipient.
    async fn execute(
        &self,
        tx: &mut Tx,
        tasks: &[ClaimedTask],
        at: Timestamp,
        after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        let ids: Vec<Uuid> = tasks.iter().map(|task| task.target_id).collect();
        let rows = due_reminder::load(tx.conn(), &ids).await?;
        let mut batch = Batch { at, facts: facts(tx, &rows).await?, ..Batch::default() };
        let rows: HashMap<Uuid, &DueReminder> = rows.iter().map(|row| (row.id, row)).collect();
        let verdicts = tasks.iter().map(|task| match rows.get(&task.target_id) {
            Some(row) => batch.add(task, row),
            None => Verdict::Dead(reason::TARGET_GONE),
        });
        let verdicts = verdicts.collect();
        batch.store(tx, after).await?;
        Ok(verdicts)
    }
}

/// What is known besides the reminders.
#[derive(Default)]
struct Facts {
    /// The desk's mail server.
    mail: Option<ChannelId>,
    /// The first SMS channel.
    sms: Option<ChannelId>,
    /// The channels that exist, of those that reminders name.
    channels: Vec<Uuid>,
    /// Addresses of attendees, by meeting.
    attendees: Vec<(Uuid, String)>,
    /// Time zone of the site, in which articles are published.
    zone: String,
}

async fn facts(tx: &mut Tx, rows: &[DueReminder]) -> Result<Facts, StoreError> {
    let of_kind = |kind: &'static str| rows.iter().filter(move |row| row.recipient_kind == kind);
    let named: Vec<Uuid> = of_kind("channel").filter_map(|row| row.recipient_id).collect();
    let meetings: Vec<Uuid> = of_kind("attendees").filter_map(|row| row.about_id).collect();
    let channels = match named.is_empty() {
        true => Vec::new(),
        false => channel::transports(tx.conn(), &named).await?.into_keys().collect(),
    };
    let attendees = due_reminder::attendees(tx.conn(), &meetings).await?;
    let (mail, sms) = due_reminder::channels(tx.conn()).await?;
    let zone = match rows.iter().any(|row| row.article_title.is_some()) {
        true => task_list::site_time_zone(tx.conn()).await?,
        false => None,
    };
    Ok(Facts { mail, sms, channels, attendees, zone: zone.unwrap_or_else(|| "UTC".to_owned()) })
}

/// Reminders that are sent in one transaction.
#[derive(Default)]
struct Batch {
    at: Timestamp,
    facts: Facts,
    settled: Vec<Settled>,
    events: Vec<NewEvent>,
    notifications: Vec<NewNotification>,
    messages: Vec<(NewMessageRow, ClaimedTask)>,
}

impl Batch {
    fn add(&mut self, task: &ClaimedTask, row: &DueReminder) -> Verdict {
        if !matches!(row.state.as_str(), "scheduled" | "failed") {
            return Verdict::Dead(reason::TARGET_GONE);
        }
        if let Some((state, why)) = self.stale(row) {
            self.settle(row, state, Some(why));
            return Verdict::Done;
        }
        match self.send(task, row) {
            Ok(()) => {
                self.settle(row, ReminderState::Sent, None);
                Verdict::Done
            }
            Err(why) => {
                self.settle(row, ReminderState::Failed, Some(why));
                Verdict::Dead(why)
            }
        }
    }

    /// A reminder before a moment is not sent after it. None is sent if its meeting does not take
    /// place or its article is not published.
    fn stale(&self, row: &DueReminder) -> Option<(ReminderState, &'static str)> {
        let anchor = words::anchor(row)?;
        let over = Some((ReminderState::Cancelled, reason::TARGET_OVER));
        let late = Some((ReminderState::Skipped, reason::LATE));
        let is_after = row.offset_minutes.is_some_and(|offset| offset > 0);
        if row.about_kind.as_deref() == Some(Subject::Article.as_str()) {
            let now = self.at.millis();
            return match row.published_at {
                None => over,
                Some(at) if is_after && at > now => over,
                Some(at) if !is_after && row.offset_minutes != Some(0) && at <= now => late,
                Some(_) => None,
            };
        }
        let Some(state) = row.meeting_state.as_deref().and_then(|word| word.parse::<MeetingState>().ok())
        else {
            return over;
        };
        let end = if anchor == Anchor::Start { row.starts_at } else { row.ends_at };
        match state {
            MeetingState::Ended if is_after => None,
            _ if !state.is_open() => over,
            _ if !is_after && end.is_some_and(|end| self.at.millis() >= end) => late,
            _ => None,
        }
    }

    fn settle(&mut self, row: &DueReminder, state: ReminderState, reason: Option<&'static str>) {
        self.settled.push(Settled { id: row.id, state, reason });
        let verb = match state {
            ReminderState::Sent => "send",
            ReminderState::Cancelled => "cancel",
            ReminderState::Skipped => "skip",
            _ => "fail",
        };
        self.events.push(NewEvent {
            to_state: Some(state.as_str()),
            version: Some(row.version + 1),
            ..NewEvent::simple(self.at, None, REMINDER, row.id, verb)
        });
    }

    /// Adds the notification or the message; or says why there is no recipient.
    fn send(&mut self, task: &ClaimedTask, row: &DueReminder) -> Result<(), &'static str> {
        let text = words::text(row, self.at, &self.facts.zone);
        let mail = self.facts.mail.ok_or(reason::NO_MAIL_SERVER);
        let (channel, to) = match (row.recipient_kind.as_str(), row.recipient_id) {
            ("account", Some(account)) if row.has_account == 1 => {
                // Only this account and admins see events of an account.
                self.events.push(NewEvent::simple(self.at, None, "account", account, "notify"));
                self.notifications.push(NewNotification {
                    id: NotificationId::generate().0,
                    account,
                    text,
                    link: link(row),
                    ..NewNotification::default()
                });
                return Ok(());
            }
            ("channel", Some(id)) if self.facts.channels.contains(&id) => (ChannelId(id), Vec::new()),
            ("channel", _) => return Err(reason::CHANNEL_GONE),
            ("sms", _) => (self.facts.sms.ok_or(reason::CHANNEL_GONE)?, Vec::new()),
            ("mail", _) => (mail?, row.address.iter().cloned().collect()),
            ("attendees", _) => (mail?, self.attendees(row)),
            _ => return Err(reason::RECIPIENT_GONE),
        };
        let options = MessageOptions { to, ..MessageOptions::default() };
        let message = NewMessageRow {
            id: MessageId::generate(),
            key: format!("{REMINDER_KEY}{}", task.id),
            channel,
            body: text,
            options: serde_json::to_string(&options).unwrap_or_else(|_| "{}".to_owned()),
            fingerprint: String::new(),
            task: task.id,
            owner: AccountId(row.owner_id),
        };
        self.messages.push((message, *task));
        Ok(())
    }

    /// The organizer, and the attendees who have not declined.
    fn attendees(&self, row: &DueReminder) -> Vec<String> {
        let others = self.facts.attendees.iter().filter(|(meeting, _)| Some(*meeting) == row.about_id);
        let others = others.map(|(_, email)| email.clone());
        let mut all: Vec<String> = row.owner_email.iter().cloned().chain(others).collect();
        let mut seen = std::collections::HashSet::new();
        all.retain(|email| seen.insert(email.to_lowercase()));
        all
    }

    async fn store(self, tx: &mut Tx, after: &mut SideEffects) -> Result<(), StoreError> {
        let sent: Vec<(MessageId, TaskId, domain::Version)> =
            self.messages.iter().map(|(message, task)| (message.id, task.id, task.version)).collect();
        let messages: Vec<NewMessageRow> = self.messages.into_iter().map(|(message, _)| message).collect();
        if !messages.is_empty() {
            message::insert(tx.conn(), &messages, self.at).await?;
            for (_, handed) in message::hand_over(tx.conn(), &sent).await? {
                if let HandOver::Delivery(delivery) = handed {
                    after.deliveries.push(*delivery);
                }
            }
        }
        notification::insert(tx.conn(), &self.notifications, self.at).await?;
        due_reminder::settle(tx.conn(), &self.settled, self.at).await?;
        after.log.extend(self.events);
        Ok(())
    }
}

/// Page of what a reminder is about.
fn link(row: &DueReminder) -> String {
    match (row.about_id, words::anchor(row)) {
        (Some(id), Some(_)) if row.about_kind.as_deref() == Some(Subject::Article.as_str()) => {
            format!("/articles/{id}")
        }
        (Some(id), Some(_)) => format!("/meetings/{id}"),
        _ => "/reminders".to_owned(),
    }
}
