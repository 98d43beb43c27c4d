//! Notifications and mails that an execution sends in its own transaction; and what accounts have chosen to be notified
//! of.

pub mod announce;
pub mod api;
pub mod choices;
mod compose;
mod mail;
mod owned;
pub mod undo;
mod when;

use crate::{messages::check::REMINDER_KEY, zone::Zone};
use domain::{
    AccountId, MessageId, NotificationId, TaskId, Timestamp, Version,
    message::MessageOptions,
    reminders::{NotificationChoices, NotificationEvent},
};
use store::{
    StoreError, Tx,
    approver::ApproverRow,
    due_reminder,
    event::NewEvent,
    execute::SideEffects,
    message::{self, HandOver, NewMessageRow},
    notification::{self, NewNotification, PushTime},
};
use texts::{
    Language,
    time::{place, placed_text},
};
use uuid::Uuid;

/// Maximum number of approvers who are notified of one thing.
pub const MAX_APPROVERS: i64 = 50;

/// One mail to several addresses. It is sent once for its task.
pub struct Mail {
    /// The task that sends it.
    pub task: TaskId,
    /// Version of the task.
    pub version: Version,
    /// Owner of the message.
    pub owner: AccountId,
    /// Addresses.
    pub to: Vec<String>,
    /// Text.
    pub text: String,
}

/// Notifications and mails that are sent together.
#[derive(Default)]
pub struct NotificationBatch {
    notifications: Vec<NewNotification>,
    mails: Vec<Mail>,
}

impl NotificationBatch {
    /// Adds a notification in the app. `link`: path of the page it is about.
    pub fn notify(&mut self, account: Uuid, text: String, link: String) {
        let id = NotificationId::generate().0;
        self.notifications.push(NewNotification { id, account, text, link, ..NewNotification::default() });
    }

    /// Adds a warning about something of which the account is notified as of `event`, in the place of the unread one.
    pub fn warn(&mut self, event: NotificationEvent, account: Uuid, (text, link): (String, String)) {
        let id = NotificationId::generate().0;
        let topic = topic(event, &link);
        self.notifications.push(NewNotification {
            id,
            account,
            text,
            link,
            topic,
            ..NewNotification::default()
        });
    }

    /// Adds a notification of an event, as the account has chosen. `at`: now.
    pub fn notify_of(
        &mut self,
        event: NotificationEvent,
        account: &ApproverRow,
        (text, link): (String, String),
        at: Timestamp,
    ) {
        let choices = NotificationChoices::stored(account.notification_choices.as_deref());
        let zone = Zone::stored(&account.time_zone);
        self.notifications.extend(new(event, account.id, (&choices, zone), (text, link), at));
    }

    /// Adds a mail. Without a mail server it is not sent.
    pub fn mail(&mut self, mail: Mail) {
        self.mails.push(mail);
    }

    /// Stores the notifications. Returns their events, which only their accounts and admins see.
    pub async fn store(&self, tx: &mut Tx, at: Timestamp) -> Result<Vec<NewEvent>, StoreError> {
        notification::insert(tx.conn(), &self.notifications, at).await?;
        Ok(events(&self.notifications, at))
    }

    /// Stores the notifications and passes the mails to the outbox.
    pub async fn send(self, tx: &mut Tx, at: Timestamp, after: &mut SideEffects) -> Result<(), StoreError> {
        after.log.extend(self.store(tx, at).await?);
        if self.mails.is_empty() {
            return Ok(());
        }
        let (Some(channel), _) = due_reminder::channels(tx.conn()).await? else { return Ok(()) };
        let message = |mail: &Mail| {
            let options = MessageOptions { to: mail.to.clone(), ..MessageOptions::default() };
            NewMessageRow {
                id: MessageId::generate(),
                key: format!("{REMINDER_KEY}notifications:{}", mail.task),
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

/// What a notification is about: one about the same replaces it while it is unread. What went out, and who used an
/// account, is never replaced.
fn topic(event: NotificationEvent, link: &str) -> Option<String> {
    (!matches!(event, NotificationEvent::WentOut | NotificationEvent::Access))
        .then(|| format!("{event}:{link}"))
}

/// A notification of an event as an account has chosen; `None`: the account has switched it off.
fn new(
    event: NotificationEvent,
    account: Uuid,
    (choices, zone): (&NotificationChoices, Zone),
    (text, link): (String, String),
    at: Timestamp,
) -> Option<NewNotification> {
    let choice = choices.of(event);
    choice.is_on().then(|| NewNotification {
        id: NotificationId::generate().0,
        topic: topic(event, &link),
        account,
        text,
        link,
        event: Some(event.as_str()),
        is_hidden: !choice.bell,
        mail_at: when::mail_at(choices, choice.mail, zone, at).map(Timestamp::millis),
        push: match choice.push {
            true => PushTime::After(when::after_quiet(choices.quiet, zone, at).millis()),
            false => PushTime::Never,
        },
        ..NewNotification::default()
    })
}

/// The events of new notifications, which only their accounts and admins see.
fn events(new: &[NewNotification], at: Timestamp) -> Vec<NewEvent> {
    let event = |one: &NewNotification| NewEvent::simple(at, None, "account", one.account, "notify");
    new.iter().filter(|one| !one.is_hidden).map(event).collect()
}

/// The language of an account.
pub fn language(account: &ApproverRow) -> Language {
    account.language.parse().unwrap_or(Language::En)
}

/// An instant as text, with its zone.
pub fn moment(language: Language, at: Timestamp, zone: &str) -> String {
    let zone = Zone::stored(zone);
    let wall = zone.wall_clock_time(at);
    placed_text(language, wall, None, &place(language, zone.name()))
}
