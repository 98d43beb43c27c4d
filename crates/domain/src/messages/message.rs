//! Delayed messages, as users and programs see them. The state of a message is that of its task.

use super::notice::{NoticeMoment, NoticeTerms};
use crate::{
    AccountId, ChannelId, DeliveryId, LocalizedTime, MessageId, Page, Priority, State, TaskId, Timestamp,
    Version, When,
    channel::{AmqpEndpoint, Endpoint, MailEndpoint},
    delivery::DeliveryState,
    mail_limits::MailUrgency,
    task::TaskRow,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// When a message is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SendTime {
    /// At an instant or a local time.
    At(When),
    /// After a delay, a duration by ISO 8601 such as `PT30M`, from the request on.
    After(String),
}

/// Input for a new message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewMessage {
    /// Name by which its sender finds it again; `None`: its id.
    pub key: Option<String>,
    /// Channel that sends it.
    pub channel_id: ChannelId,
    /// When it is sent.
    pub time: SendTime,
    /// The message, sent byte for byte.
    pub body: String,
    /// What differs from the settings of the channel.
    pub options: MessageOptions,
    /// Priority; `None`: normal.
    pub priority: Option<Priority>,
}

/// What differs from the settings of the channel.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MessageOptions {
    /// Headers of the request, of the AMQP message or, `Subject` only, of the mail.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// Exchange at an AMQP broker; `None`: that of the channel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exchange: Option<String>,
    /// Routing key at an AMQP broker; `None`: that of the channel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub routing_key: Option<String>,
    /// Recipients of a mail; empty: those of the channel.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub to: Vec<String>,
    /// How a notice is repeated; `None`: it is no notice, and any success ends it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notice: Option<NoticeTerms>,
    /// Order in which mails are sent that a limit has held. Only Presstime itself sets it.
    #[serde(skip_serializing_if = "is_usual")]
    pub urgency: MailUrgency,
    /// What a mail carries for calendar programs; `None`: nothing. Only Presstime itself sets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calendar: Option<CalendarMail>,
    /// Label and path of a page that the mail leads to; `None`: there is none. Only Presstime itself sets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<(String, String)>,
    /// When a mail loses its meaning: from then on it is not sent. `None`: never. Only Presstime itself sets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<Timestamp>,
}

fn is_usual(urgency: &MailUrgency) -> bool {
    *urgency == MailUrgency::Other
}

/// iCalendar text in a mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalendarMail {
    /// `REQUEST` or `CANCEL`, as in the text.
    pub method: String,
    /// Name of the organizer. The address is that of the sender.
    pub organizer: String,
    /// The text with one event, without its organizer.
    pub text: String,
    /// Label and path of the page on which the recipient answers; `None`: there is none.
    pub answer: Option<(String, String)>,
}

impl MessageOptions {
    /// Returns the value of a header, whatever the case of its name.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// Returns where the message is sent.
    #[must_use]
    pub fn applied_to(&self, endpoint: Endpoint) -> Endpoint {
        match endpoint {
            Endpoint::Amqp(route) => Endpoint::Amqp(AmqpEndpoint {
                exchange: self.exchange.clone().unwrap_or(route.exchange),
                key: self.routing_key.clone().unwrap_or(route.key),
                ..route
            }),
            Endpoint::Mail(route) if !self.to.is_empty() => {
                Endpoint::Mail(MailEndpoint { to: self.to.clone(), ..route })
            }
            other => other,
        }
    }
}

/// Which message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MessageRef {
    /// The one with this id.
    Id(MessageId),
    /// The one with this key.
    Key {
        /// Its key.
        key: String,
        /// Its channel; `None`: whatever channel it is, if only one has a message with the key.
        channel: Option<ChannelId>,
    },
}

/// A change of an existing message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "do")]
pub enum MessageChange {
    /// Moves it, replaces its body, or both.
    Edit {
        /// New time; `None`: it stays.
        time: Option<SendTime>,
        /// New body; `None`: it stays.
        body: Option<String>,
        /// New channel; `None`: it stays.
        channel_id: Option<ChannelId>,
    },
    /// Cancels it. If it waits for another attempt at its channel, that is cancelled.
    Cancel,
    /// Sends it now. If it waits for another attempt at its channel, that is made now, with the
    /// whole retry schedule ahead.
    RunNow,
}

/// One row of the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MessageRow {
    /// Id.
    pub id: MessageId,
    /// Name by which its sender finds it again.
    pub key: String,
    /// Channel that sends it.
    pub channel_id: ChannelId,
    /// Name of the channel; `None`: it was deleted.
    pub channel: Option<String>,
    /// State of its task.
    pub state: State,
    /// Increases with every change.
    pub version: Version,
    /// When it is sent.
    pub due: LocalizedTime,
    /// When it was handed to its channel.
    pub executed: Option<LocalizedTime>,
    /// Why it failed, was missed or cancelled: a code, see [`crate::task::reason`].
    pub reason: Option<String>,
    /// Priority.
    pub priority: Priority,
    /// Its task.
    pub task_id: TaskId,
    /// Account that created it.
    pub owner_id: AccountId,
    /// When it was created.
    pub created: LocalizedTime,
    /// Its delivery, once it was handed to its channel.
    pub delivery: Option<(DeliveryId, DeliveryState)>,
    /// When a notice was acknowledged, by a request or by a response; `None`: it was not.
    pub acknowledged: Option<LocalizedTime>,
    /// Number of attempts of the delivery.
    pub attempts: u32,
    /// When the next attempt is made; `None`: no attempt is planned.
    pub next_attempt: Option<LocalizedTime>,
    /// What differs from the settings of the channel.
    pub options: MessageOptions,
}

/// A message with its body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// The list row.
    pub row: MessageRow,
    /// The body.
    pub body: String,
}

/// Number of messages in each state, among the newest [`crate::engine::MAX_COUNTED`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageCounts {
    /// Scheduled.
    pub scheduled: u64,
    /// Handed to their channel.
    pub executed: u64,
    /// Failed before they were handed to their channel.
    pub failed: u64,
    /// Missed.
    pub missed: u64,
    /// Cancelled.
    pub cancelled: u64,
    /// Whether there are older messages, which are not counted.
    pub has_more: bool,
}

impl MessageCounts {
    /// Number of messages in this state; `None`: in all states.
    #[must_use]
    pub const fn of(self, state: Option<State>) -> u64 {
        match state {
            Some(State::Scheduled) => self.scheduled,
            Some(State::Executed) => self.executed,
            Some(State::Failed) => self.failed,
            Some(State::Missed) => self.missed,
            Some(State::Cancelled) => self.cancelled,
            None => self.scheduled + self.executed + self.failed + self.missed + self.cancelled,
        }
    }
}

/// A message of the list with its task, on which its changes and their undo depend.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MessageEntry {
    /// The message.
    pub message: MessageRow,
    /// Its task. That of a message of a rule is the task of the wait.
    pub task: TaskRow,
}

/// A page of the list with the number of messages in each state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MessageList {
    /// The page.
    pub page: Page<MessageEntry>,
    /// Counts, whatever the query.
    pub counts: MessageCounts,
}

/// A message with everything that its page shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MessageDetails {
    /// The message.
    pub message: Message,
    /// Its task.
    pub task: TaskRow,
    /// The line of attempts of a notice; empty: it is no notice.
    pub moments: Vec<NoticeMoment>,
}

/// A change of several messages at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BulkMessageChange {
    /// Cancels those that were not handed to their channel.
    Cancel,
    /// Sends those now that were not handed to their channel.
    RunNow,
}

/// What a change of several messages did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedMessages {
    /// Number of changed messages.
    pub changed: u64,
    /// Number of messages whose state did not allow the change.
    pub unchanged: u64,
}

/// Query of the list. Newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageQuery {
    /// Only the message with this key.
    pub key: Option<String>,
    /// Only messages whose key begins with this text.
    pub key_prefix: Option<String>,
    /// Only messages of this channel.
    pub channel: Option<ChannelId>,
    /// Only messages in this state.
    pub state: Option<State>,
    /// Opaque position where the page starts; `None`: the first page.
    pub cursor: Option<String>,
    /// Maximum number of items, see [`crate::input_limits::MAX_PAGE_ITEMS`].
    pub limit: Option<u32>,
}

/// A notice with the line of its attempts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Notice {
    /// The message.
    pub message: MessageRow,
    /// How it is repeated.
    pub terms: NoticeTerms,
    /// Attempts that were made, the next one, and those to come, in order.
    pub moments: Vec<NoticeMoment>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel::Transport;

    #[test]
    fn options_replace_settings_of_the_channel() {
        let options = MessageOptions {
            exchange: Some("shop".to_owned()),
            to: vec!["anna@example.org".to_owned()],
            ..MessageOptions::default()
        };
        let Endpoint::Amqp(route) = options.applied_to(Endpoint::initial(Transport::Amqp)) else {
            unreachable!("AMQP stays AMQP")
        };
        assert_eq!((route.exchange.as_str(), route.key.as_str()), ("shop", "presstime.{kind}"));
        let mail = options.applied_to(Endpoint::initial(Transport::Mail));
        assert_eq!(mail.recipients(), ["anna@example.org"]);
        let webhook = Endpoint::empty_webhook();
        assert_eq!(options.applied_to(webhook.clone()), webhook);
        assert_eq!(serde_json::to_string(&MessageOptions::default()).unwrap(), "{}");
    }
}
