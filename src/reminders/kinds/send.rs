//! A reminder is sent: an account gets a notification, an address or a channel a delivery, in the
//! same transaction. The next occurrence of a series is added there too.

use super::{
    REMINDER, SEND, SEND_IN_BELL,
    next::{self, NextOccurrences, task_of_next},
    words,
};
use crate::{
    kinds::{
        new_tasks::store_tasks,
        task_kind::{Followers, MovedBy, TaskKind},
    },
    messages::{check::REMINDER_KEY, kinds::send_now},
    reminders::occurrence::{self, UnreadableRule},
};
use async_trait::async_trait;
use domain::{
    AccountId, ChannelId, MessageId, NotificationId, TaskId, Timestamp,
    meetings::MeetingState,
    message::MessageOptions,
    reminders::{Anchor, Recipient, ReminderState, Subject},
    task::reason,
};
use std::collections::HashMap;
use store::{
    StoreError, Tx, channel, due_meetings,
    due_reminder::{self, DueReminder, Settled},
    event::NewEvent,
    execute::{ClaimedTask, SideEffects, Verdict},
    message::{self, HandOver, NewMessageRow},
    notification::{self, NewNotification},
    reminder::{self, NewReminderRow},
    task_list,
};
use uuid::Uuid;

/// The kinds `reminder.send` and `reminder.bell`.
#[derive(Clone, Copy)]
pub struct Send {
    word: &'static str,
}

/// The kind `reminder.send`.
pub const SENDING: Send = Send { word: SEND };
/// The kind `reminder.bell`: the same for a reminder that the people of a meeting get in the desk. A node of a
/// release that would mail it does not know the word, and leaves the task to the others.
pub const IN_BELL: Send = Send { word: SEND_IN_BELL };

impl Send {
    /// Returns the kind of a new task that sends a reminder to a recipient.
    pub fn to(recipient: &Recipient) -> Self {
        if *recipient == Recipient::Bell { IN_BELL } else { SENDING }
    }
}

#[async_trait]
impl TaskKind for Send {
    fn word(&self) -> &'static str {
        self.word
    }

    /// A reminder has one task, of whichever kind.
    fn unique_key(&self, target: Uuid) -> Option<String> {
        Some(format!("{SEND}:{target}"))
    }

    fn target_kind(&self) -> &'static str {
        REMINDER
    }

    fn is_managed(&self) -> bool {
        true
    }

    fn is_private(&self) -> bool {
        true
    }

    fn can_be_undone(&self) -> bool {
        false
    }

    fn has_followers(&self) -> bool {
        true
    }

    /// The next occurrence follows one whose failed task was dismissed.
    async fn follow(&self, tx: &mut Tx, targets: &[Uuid], by: MovedBy) -> Result<Followers, StoreError> {
        next::after_dismissal(tx, targets, by).await
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
        let repeated: Vec<Uuid> = rows.iter().filter(|row| row.is_repeated == 1).map(|row| row.id).collect();
        let next = next::of_series(tx, &repeated, at).await?;
        let mut batch = Batch { at, facts: facts(tx, &rows).await?, next, ..Batch::default() };
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
    /// Accounts of attendees, by meeting.
    accounts: Vec<(Uuid, Uuid)>,
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
    let in_bell: Vec<Uuid> =
        rows.iter().filter(|row| words::is_bell(row)).filter_map(|row| row.about_id).collect();
    let accounts = due_reminder::attendee_accounts(tx.conn(), &in_bell).await?;
    let (mail, sms) = due_reminder::channels(tx.conn()).await?;
    let zone = match rows.iter().any(|row| row.article_title.is_some()) {
        true => task_list::site_time_zone(tx.conn()).await?,
        false => None,
    };
    Ok(Facts { mail, sms, channels, attendees, accounts, zone: zone.unwrap_or_else(|| "UTC".to_owned()) })
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
    /// Mails to further persons, each with a task of its own: each person gets an own mail, which says
    /// how to get no more.
    further: Vec<(NewMessageRow, TaskId)>,
    /// What follows the coming occurrences of series.
    next: NextOccurrences,
    /// Those that are stored, with the tasks of the coming ones.
    repeated: Vec<(NewReminderRow, TaskId)>,
}

impl Batch {
    fn add(&mut self, task: &ClaimedTask, row: &DueReminder) -> Verdict {
        if !matches!(row.state.as_str(), "scheduled" | "failed") {
            return Verdict::Dead(reason::TARGET_GONE);
        }
        match self.next.remove(&row.id) {
            Some(Ok(Some(next))) => self.repeated.push((next, task.id)),
            Some(Err(UnreadableRule)) => {
                // A retry sends this one alone.
                self.settle(row, ReminderState::Failed, Some(reason::SERIES_RULE));
                return Verdict::Dead(reason::SERIES_RULE);
            }
            Some(Ok(None)) | None => {}
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
                self.notify(account, text, row);
                return Ok(());
            }
            ("attendees", _) if words::is_bell(row) => {
                for account in self.accounts(row) {
                    self.notify(account, text.clone(), row);
                }
                return Ok(());
            }
            ("channel", Some(id)) if self.facts.channels.contains(&id) => (ChannelId(id), Vec::new()),
            ("channel", _) => return Err(reason::CHANNEL_GONE),
            ("sms", _) => (self.facts.sms.ok_or(reason::CHANNEL_GONE)?, Vec::new()),
            ("mail", _) => (mail?, row.address.iter().cloned().collect()),
            ("attendees", _) => (mail?, self.attendees(row)),
            _ => return Err(reason::RECIPIENT_GONE),
        };
        let message = |to: Vec<String>, task: TaskId| NewMessageRow {
            id: MessageId::generate(),
            // Names the reminder, which shows its mails that a limit holds.
            key: format!("{REMINDER_KEY}{}:{task}", row.id),
            channel,
            body: text.clone(),
            options: serde_json::to_string(&MessageOptions { to, ..MessageOptions::default() })
                .unwrap_or_else(|_| "{}".to_owned()),
            fingerprint: String::new(),
            task,
            owner: AccountId(row.owner_id),
        };
        let mut to = to.into_iter();
        self.messages.push((message(to.next().into_iter().collect(), task.id), *task));
        for address in to {
            let own = TaskId::generate();
            self.further.push((message(vec![address], own), task.id));
        }
        Ok(())
    }

    /// Adds a notification in the desk.
    fn notify(&mut self, account: Uuid, text: String, row: &DueReminder) {
        // Only this account and admins see events of an account.
        self.events.push(NewEvent::simple(self.at, None, "account", account, "notify"));
        self.notifications.push(NewNotification {
            id: NotificationId::generate().0,
            account,
            text,
            link: link(row),
            ..NewNotification::default()
        });
    }

    /// The accounts of the organizer and of the attendees who have not declined; each once.
    fn accounts(&self, row: &DueReminder) -> Vec<Uuid> {
        let others = self.facts.accounts.iter().filter(|(meeting, _)| Some(*meeting) == row.about_id);
        let others = others.map(|(_, account)| *account).filter(|account| *account != row.owner_id);
        std::iter::once(row.owner_id).chain(others).collect()
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

    /// Stores the mails to further persons with their tasks.
    async fn store_further(&mut self, tx: &mut Tx, after: &mut SideEffects) -> Result<(), StoreError> {
        let further = std::mem::take(&mut self.further);
        let Some((_, by)) = further.first() else { return Ok(()) };
        let origins = due_meetings::origins(tx.conn(), &[*by]).await?;
        let bucket = origins.first().and_then(|one| u16::try_from(one.bucket).ok()).unwrap_or_default();
        let messages: Vec<NewMessageRow> = further.into_iter().map(|(message, _)| message).collect();
        send_now(tx, &messages, (bucket, self.at), after).await
    }

    /// Stores the next occurrences of series with their tasks.
    async fn store_next(&mut self, tx: &mut Tx, after: &mut SideEffects) -> Result<(), StoreError> {
        let (mut next, sent): (Vec<NewReminderRow>, Vec<TaskId>) =
            std::mem::take(&mut self.repeated).into_iter().unzip();
        if next.is_empty() {
            return Ok(());
        }
        let origins = due_meetings::origins(tx.conn(), &sent).await?;
        let bucket = origins.first().and_then(|one| u16::try_from(one.bucket).ok()).unwrap_or_default();
        let mut tasks = Vec::with_capacity(next.len());
        for reminder in &mut next {
            let task = task_of_next(reminder, |_| bucket);
            reminder.task = Some(task.id);
            self.events.push(occurrence::created(reminder, None, self.at));
            tasks.push(task);
        }
        reminder::insert(tx.conn(), &next, self.at).await?;
        store_tasks(tx, &tasks, self.at, after).await
    }

    async fn store(mut self, tx: &mut Tx, after: &mut SideEffects) -> Result<(), StoreError> {
        self.store_further(tx, after).await?;
        self.store_next(tx, after).await?;
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
