//! The messenger itself. A connection to each broker is kept, and made anew when it is broken; each message has a channel of
//! that connection for itself. To open it asks the broker for an answer, so that a message is sent only over a connection
//! that lives, and what comes back on it (a confirm, a return, a refusal) can be about this message only.
//!
//! Until the message has been sent, nothing has: whatever goes wrong is a refusal or an unreachable broker. Between the
//! message and its confirm nobody knows.

use super::wire::{self, Peer};
use crate::channels::{Answer, End, Letter, guard::Rules, trust::Trust};
use domain::{
    Timestamp,
    channel::{AmqpRoute, Happening},
    delivery::Outcome,
};
use lapin::{
    BasicProperties, Channel, Confirmation, Connection, Error, ErrorKind,
    message::BasicReturnMessage,
    options::{BasicPublishOptions, ConfirmSelectOptions},
    types::ShortString,
};
use serde::Deserialize;
use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::time::timeout;

/// How long everything before the message may take in all.
const BEFORE: Duration = Duration::from_secs(10);
/// How long a kept connection may take to show that it lives.
const KEPT: Duration = Duration::from_secs(3);
/// How long the confirm may take.
const AFTER: Duration = Duration::from_secs(15);
/// How long a connection is kept that nobody uses, milliseconds.
const IDLE_MS: i64 = 300_000;
/// Persistent, in the words of AMQP.
const PERSISTENT: u8 = 2;

/// Sends messages to brokers.
pub struct Messenger {
    rules: Rules,
    trust: Trust,
    before: Duration,
    after: Duration,
    lines: Mutex<HashMap<Peer, Line>>,
}

/// A connection that is kept, or was broken; one at a time makes it anew.
struct Line {
    used_at: Timestamp,
    connection: Arc<tokio::sync::Mutex<Option<Connection>>>,
}

/// What must be known of a message to address it.
#[derive(Deserialize)]
struct Head {
    #[serde(rename = "type")]
    event: Happening,
    timestamp: Timestamp,
}

/// A message, ready to be sent.
struct Message<'a> {
    exchange: ShortString,
    key: ShortString,
    body: &'a str,
    properties: BasicProperties,
}

impl fmt::Debug for Messenger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Messenger").field("rules", &self.rules).finish_non_exhaustive()
    }
}

impl Messenger {
    /// Under these rules, to whom this trust believes.
    #[must_use]
    pub fn new(rules: Rules, trust: &Trust) -> Self {
        Self::patient(rules, trust, BEFORE, AFTER)
    }

    /// The same with another patience: before the message, and for its confirm.
    #[must_use]
    pub fn patient(rules: Rules, trust: &Trust, before: Duration, after: Duration) -> Self {
        Self { rules, trust: trust.clone(), before, after, lines: Mutex::default() }
    }

    /// Makes one attempt. Never fails: how it ended is the answer.
    pub async fn send(&self, route: &AmqpRoute, letter: &Letter) -> Answer {
        let begun = match (Message::of(route, letter), letter.secret()) {
            (None, _) => return Answer::none(Outcome::Blocked, "the message cannot be read"),
            (_, None) => {
                return Answer::none(Outcome::Blocked, "the channel's password is missing; give it again");
            }
            (Some(message), Some(password)) => (message, Peer::of(route, password)),
        };
        let (message, peer) = begun;
        let channel = match timeout(self.before, self.begin(peer, letter.at)).await {
            Ok(Ok(channel)) => channel,
            Ok(Err(answer)) => return answer,
            Err(_) => return Answer::none(Outcome::Unreachable, "the broker did not answer in time"),
        };
        self.finish(&channel, message).await
    }

    /// A channel that confirms, on a connection that lives.
    async fn begin(&self, peer: Peer, at: Timestamp) -> Result<Channel, Answer> {
        let line = self.line(&peer, at);
        let mut line = line.lock().await;
        if let Some(kept) = line.as_ref()
            && let Ok(Ok(channel)) = timeout(KEPT.min(self.before / 3), open(kept)).await
        {
            return Ok(channel);
        }
        *line = None;
        let fresh = wire::connect(&self.rules, &self.trust, peer, self.before).await?;
        let channel = open(&fresh).await.map_err(|why| stopped(&why))?;
        *line = Some(fresh);
        Ok(channel)
    }

    /// The line to this peer. Lines that nobody has used for long are hung up.
    fn line(&self, peer: &Peer, at: Timestamp) -> Arc<tokio::sync::Mutex<Option<Connection>>> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.retain(|known, line| known == peer || at.since(line.used_at) < IDLE_MS);
        let line =
            lines.entry(peer.clone()).or_insert_with(|| Line { used_at: at, connection: Arc::default() });
        line.used_at = at;
        Arc::clone(&line.connection)
    }

    /// Sends the message: what goes wrong from here on may have arrived, unless the broker says that it has not.
    async fn finish(&self, channel: &Channel, message: Message<'_>) -> Answer {
        let Message { exchange, key, body, properties } = message;
        let options = BasicPublishOptions { mandatory: true, ..BasicPublishOptions::default() };
        let confirmed = timeout(self.after, async {
            channel.basic_publish(exchange, key, options, body.as_bytes(), properties).await?.await
        });
        match confirmed.await {
            Ok(Ok(Confirmation::Ack(None))) => Answer { text: None, ..Answer::none(Outcome::Delivered, "") },
            Ok(Ok(Confirmation::Ack(Some(returned)) | Confirmation::Nack(Some(returned)))) => {
                unroutable(&returned)
            }
            Ok(Ok(Confirmation::Nack(None))) => {
                Answer::none(Outcome::Refused, "the broker did not take the message")
            }
            // The broker ended this channel because of what was sent on it: that is its answer to the message.
            Ok(Err(why)) if why.is_amqp_soft_error() => stopped(&why),
            Ok(Err(_) | Ok(Confirmation::NotRequested)) => {
                Answer::none(Outcome::Unknown, "cut off before the broker confirmed")
            }
            Err(_) => Answer::none(Outcome::Unknown, "no confirm in time"),
        }
    }
}

impl<'a> Message<'a> {
    /// The message of a letter: the same at every attempt. `None`: it cannot be read or addressed.
    fn of(route: &AmqpRoute, letter: &'a Letter) -> Option<Self> {
        let Head { event, timestamp } = serde_json::from_str(&letter.body).ok()?;
        let seconds = u64::try_from(timestamp.millis() / 1_000).unwrap_or(0);
        let properties = BasicProperties::default()
            .with_message_id(letter.wire_id().into())
            .with_content_type("application/json".into())
            .with_delivery_mode(PERSISTENT)
            .with_type(event.as_str().into())
            .with_timestamp(seconds)
            .with_app_id("presstime".into());
        Some(Self {
            exchange: ShortString::try_new(route.exchange.as_str()).ok()?,
            key: ShortString::try_new(route.key_of(event)).ok()?,
            body: &letter.body,
            properties,
        })
    }
}

/// A fresh channel that confirms: two answers of the broker.
async fn open(connection: &Connection) -> Result<Channel, Error> {
    let channel = connection.create_channel().await?;
    channel.confirm_select(ConfirmSelectOptions::default()).await?;
    Ok(channel)
}

/// No queue takes it: the broker has given it back.
fn unroutable(returned: &BasicReturnMessage) -> Answer {
    let (key, exchange) = (&returned.delivery.routing_key, &returned.delivery.exchange);
    let why = format!("no queue takes {key} from the exchange “{exchange}” ({})", returned.reply_text);
    Answer {
        status: Some(returned.reply_code),
        end: Some(End::Message),
        ..Answer::none(Outcome::Refused, &why)
    }
}

/// It was not sent, or the broker said no: somebody may mend it meanwhile.
pub(super) fn stopped(why: &Error) -> Answer {
    match why.kind() {
        ErrorKind::ProtocolError(said) => Answer {
            status: Some(said.get_id()),
            ..Answer::none(Outcome::Refused, &clipped(said.get_message().as_str()))
        },
        ErrorKind::IOError(why) => Answer::none(Outcome::Unreachable, &clipped(&why.to_string())),
        _ => Answer::none(Outcome::Unreachable, &clipped(&why.to_string())),
    }
}

/// How much of an answer is kept, characters.
const KEPT_TEXT: usize = 1_000;

fn clipped(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(KEPT_TEXT).collect()
}
