//! AMQP sender. It keeps one connection to each broker and reconnects when it breaks. Each message
//! has an AMQP channel of its own until the broker confirms it.
//!
//! An error before the message is sent means "refused" or "unreachable". Between the message and
//! its confirm the outcome is unknown.

use super::{
    connection::Peer,
    failure::refused,
    pool::{Dial, Pool},
};
use crate::{
    process::tls_roots::TlsRoots,
    senders::{OutboundMessage, PermanentFailure, SendResult, egress::Rules, program_message},
};
use domain::{
    Timestamp,
    channel::{AmqpEndpoint, ChannelEvent},
    delivery::{NoResponse, Outcome},
    message::MessageOptions,
};
use lapin::{
    BasicProperties, Channel, Confirmation,
    message::BasicReturnMessage,
    options::{BasicPublishOptions, BasicQosOptions},
    types::{AMQPValue, FieldTable, ShortString},
};
use serde::Deserialize;
use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::time::timeout;

/// Timeout for all steps before the message.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Timeout for checking that a pooled connection works.
const CHECK_TIMEOUT: Duration = Duration::from_secs(3);
/// Timeout for the confirm.
const CONFIRM_TIMEOUT: Duration = Duration::from_secs(15);
/// How long an unused connection is kept, milliseconds.
const IDLE_TIMEOUT_MS: i64 = 300_000;
/// AMQP delivery mode "transient".
const TRANSIENT: u8 = 1;
/// AMQP delivery mode "persistent".
const PERSISTENT: u8 = 2;

/// Sends messages to AMQP brokers.
pub struct AmqpSender {
    rules: Rules,
    trust: TlsRoots,
    before: Duration,
    after: Duration,
    connections: Mutex<HashMap<Peer, PooledConnection>>,
}

/// A pooled connection.
struct PooledConnection {
    used_at: Timestamp,
    pool: Arc<Pool>,
}

/// The fields of a message needed to route it.
#[derive(Deserialize)]
struct MessageHeader {
    #[serde(rename = "type")]
    event: ChannelEvent,
    timestamp: Timestamp,
}

/// A message with all its AMQP properties.
struct Message<'a> {
    exchange: ShortString,
    key: ShortString,
    body: &'a str,
    properties: BasicProperties,
    /// Whether the broker returns it if no queue takes it.
    mandatory: bool,
    /// Whether the broker confirms it.
    confirms: bool,
}

impl fmt::Debug for AmqpSender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AmqpSender").field("rules", &self.rules).finish_non_exhaustive()
    }
}

impl AmqpSender {
    /// Creates the sender with these egress rules and trusted CAs.
    #[must_use]
    pub fn new(rules: Rules, trust: &TlsRoots) -> Self {
        Self::with_timeouts(rules, trust, CONNECT_TIMEOUT, CONFIRM_TIMEOUT)
    }

    /// The same with other timeouts: before the message, and for its confirm.
    #[must_use]
    pub fn with_timeouts(rules: Rules, trust: &TlsRoots, before: Duration, after: Duration) -> Self {
        Self { rules, trust: trust.clone(), before, after, connections: Mutex::default() }
    }

    /// Makes one attempt. It returns every error as a result.
    pub async fn send(&self, route: &AmqpEndpoint, outbound: &OutboundMessage) -> SendResult {
        let begun = match (Message::of(route, outbound), outbound.secret()) {
            (None, _) => return SendResult::unsendable("the message cannot be read"),
            (_, None) => {
                return SendResult::without_response(
                    Outcome::Blocked,
                    "the channel's password is missing; give it again",
                );
            }
            (Some(message), Some(password)) => (message, Peer::of(route, password)),
        };
        let (message, peer) = begun;
        let pool = self.pool(&peer, outbound.at);
        let Ok(Ok(_slot)) = timeout(self.before, pool.slots.acquire()).await else {
            return SendResult::without_response(
                Outcome::NotSent,
                "too many messages wait for confirms of this broker",
            );
        };
        let dial = Dial {
            rules: &self.rules,
            trust: &self.trust,
            check: CHECK_TIMEOUT.min(self.before / 3),
            connect: self.before,
        };
        let channel = match timeout(self.before, pool.channel(peer, &dial)).await {
            Ok(Ok(channel)) => channel,
            Ok(Err(answer)) => return answer,
            Err(_) => {
                return SendResult::without_response(
                    Outcome::Unreachable,
                    "the broker did not answer in time",
                );
            }
        };
        let has_own_exchange = outbound.options.as_ref().is_some_and(|options| options.exchange.is_some());
        let answer = self.finish(&channel, message, has_own_exchange).await;
        // After any other outcome the broker may still answer to this message.
        if answer.outcome == Outcome::Delivered {
            pool.put_back(channel);
        }
        answer
    }

    /// Returns the pooled connection to this peer and closes idle ones.
    fn pool(&self, peer: &Peer, at: Timestamp) -> Arc<Pool> {
        let mut connections = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        connections.retain(|known, kept| known == peer || at.since(kept.used_at) < IDLE_TIMEOUT_MS);
        let kept = connections
            .entry(peer.clone())
            .or_insert_with(|| PooledConnection { used_at: at, pool: Arc::default() });
        kept.used_at = at;
        Arc::clone(&kept.pool)
    }

    /// Sends the message. From here on an error means that the outcome is unknown, unless the
    /// broker refuses the message. `has_own_exchange`: the message names another exchange than its channel.
    async fn finish(&self, channel: &Channel, message: Message<'_>, has_own_exchange: bool) -> SendResult {
        let Message { exchange, key, body, properties, mandatory, confirms } = message;
        let options = BasicPublishOptions { mandatory, ..BasicPublishOptions::default() };
        let confirmed = timeout(self.after, async {
            let sent = channel.basic_publish(exchange, key, options, body.as_bytes(), properties).await?;
            if confirms { sent.await } else { received(channel).await }
        });
        match confirmed.await {
            Ok(Ok(Confirmation::Ack(None))) => {
                SendResult { text: None, ..SendResult::without_response(Outcome::Delivered, "") }
            }
            Ok(Ok(Confirmation::Ack(Some(returned)) | Confirmation::Nack(Some(returned)))) => {
                unroutable(&returned)
            }
            Ok(Ok(Confirmation::Nack(None))) => {
                SendResult::without_response(Outcome::Refused, "the broker did not take the message")
            }
            // The broker closed this channel because of the message: that is its response.
            Ok(Err(why)) if why.is_amqp_soft_error() => refused(&why, has_own_exchange),
            Ok(Err(_) | Ok(Confirmation::NotRequested)) => no_response(NoResponse::CutOffBeforeConfirm),
            Err(_) => no_response(NoResponse::NoConfirm),
        }
    }
}

/// Waits until the broker has received what was sent on a channel that does not confirm: it handles requests of
/// a channel in order, so the response to a later one shows it. Stored it need not be.
async fn received(channel: &Channel) -> lapin::Result<Confirmation> {
    channel.basic_qos(1, BasicQosOptions::default()).await?;
    // Without confirms to wait for, this returns what came back.
    Ok(Confirmation::Ack(channel.wait_for_confirms().await?.pop()))
}

fn no_response(why: NoResponse) -> SendResult {
    SendResult::without_response(why.outcome(), why.as_str())
}

impl<'a> Message<'a> {
    /// Builds the AMQP message, identical at every attempt. `None`: it cannot be parsed or routed.
    fn of(route: &AmqpEndpoint, outbound: &'a OutboundMessage) -> Option<Self> {
        if let Some(options) = &outbound.options {
            return Self::of_program(route, outbound, options);
        }
        let MessageHeader { event, timestamp } = serde_json::from_str(&outbound.body).ok()?;
        let seconds = u64::try_from(timestamp.millis() / 1_000).unwrap_or(0);
        let properties = BasicProperties::default()
            .with_message_id(outbound.message_id().into())
            .with_content_type("application/json".into())
            .with_delivery_mode(delivery_mode(route))
            .with_type(event.as_str().into())
            .with_headers(headers(route, None)?)
            .with_timestamp(seconds)
            .with_app_id("presstime".into());
        Some(Self {
            exchange: ShortString::try_new(route.exchange.as_str()).ok()?,
            key: ShortString::try_new(route.routing_key(event)).ok()?,
            body: &outbound.body,
            properties,
            mandatory: route.mandatory,
            confirms: route.confirm,
        })
    }

    /// The same for a message of a program, whose body and headers are sent as they are.
    fn of_program(
        route: &AmqpEndpoint,
        outbound: &'a OutboundMessage,
        options: &MessageOptions,
    ) -> Option<Self> {
        let content_type = program_message::content_type(options, &outbound.body);
        let properties = BasicProperties::default()
            .with_message_id(outbound.message_id().into())
            .with_content_type(ShortString::try_new(content_type).ok()?)
            .with_delivery_mode(delivery_mode(route))
            .with_type(ChannelEvent::Message.as_str().into())
            .with_headers(headers(route, Some(options))?)
            .with_app_id("presstime".into());
        Some(Self {
            exchange: ShortString::try_new(route.exchange.as_str()).ok()?,
            key: ShortString::try_new(route.routing_key(ChannelEvent::Message)).ok()?,
            body: &outbound.body,
            properties,
            mandatory: route.mandatory,
            confirms: route.confirm,
        })
    }
}

const fn delivery_mode(route: &AmqpEndpoint) -> u8 {
    if route.persistent { PERSISTENT } else { TRANSIENT }
}

/// Returns the headers of the channel that the message does not have itself, and those of the message.
/// `None`: a name is too long.
fn headers(route: &AmqpEndpoint, options: Option<&MessageOptions>) -> Option<FieldTable> {
    let is_replaced = |name: &str| options.is_some_and(|options| options.header(name).is_some());
    let channel = route.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let channel = channel.filter(|(name, _)| !is_replaced(name));
    let own = options.into_iter().flat_map(program_message::headers);
    let mut headers = FieldTable::default();
    for (name, value) in channel.chain(own) {
        headers.insert(ShortString::try_new(name).ok()?, AMQPValue::LongString(value.into()));
    }
    Some(headers)
}

/// The broker returned the message because no queue is bound to its key.
fn unroutable(returned: &BasicReturnMessage) -> SendResult {
    let (key, exchange) = (&returned.delivery.routing_key, &returned.delivery.exchange);
    let why = format!("no queue takes {key} from the exchange “{exchange}” ({})", returned.reply_text);
    SendResult {
        status: Some(returned.reply_code),
        permanent_failure: Some(PermanentFailure::Message),
        is_about_message: true,
        ..SendResult::without_response(Outcome::Refused, &why)
    }
}
