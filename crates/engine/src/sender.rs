//! Sending: what the dispatcher asks of a transport and what it gets back. The transports are in the
//! server crate; the engine only decides what is sent, when and how often.

use async_trait::async_trait;
use domain::{
    ChannelId, DeliveryId, Timestamp,
    account::Language,
    channel::Endpoint,
    delivery::{Outcome, Recipient},
    message::MessageOptions,
    post::{KnownPost, PostReport},
};

/// Sends messages. Tests replace it.
#[async_trait]
pub trait Sender: Send + Sync {
    /// Makes one attempt. It returns every error as a result.
    async fn send(&self, outbound: &OutboundMessage) -> SendResult;

    /// Decrypts a stored secret of a channel; `None`: it was encrypted with another key.
    fn open_secret(&self, channel: ChannelId, sealed: &str) -> Option<Vec<u8>>;

    /// Makes one attempt to pass a message to the push service of a browser. It returns every error as a
    /// result.
    async fn push(&self, _push: &OutboundPush) -> SendResult {
        SendResult::without_response(Outcome::NotSent, "this sender sends no push messages")
    }
}

/// A message to a browser, of one attempt.
#[derive(Clone)]
pub struct OutboundPush {
    /// Address at the push service.
    pub endpoint: String,
    /// Public key of the browser, base64url.
    pub p256dh: String,
    /// Authentication secret of the browser, base64url.
    pub auth: String,
    /// What the browser gets, at most [`domain::push::MAX_PAYLOAD_BYTES`] bytes.
    pub payload: String,
    /// Sender address of the desk's mails, which the push service may write to; `None`: no mail server.
    pub contact: Option<String>,
    /// Time of the attempt.
    pub at: Timestamp,
}

/// A message of one attempt.
#[derive(Clone)]
pub struct OutboundMessage {
    /// Delivery id; the same at every attempt.
    pub id: DeliveryId,
    /// Number of the attempt, from 1.
    pub attempt: i32,
    /// Endpoint of the channel.
    pub route: Endpoint,
    /// Message body; the same bytes at every attempt.
    pub body: String,
    /// Options of a delayed message, whose body is sent as it is; `None`: the body reports an event.
    pub options: Option<MessageOptions>,
    /// Signing keys, the current one first; or the password or token for the server.
    pub secrets: Vec<Vec<u8>>,
    /// Time of the attempt.
    pub at: Timestamp,
    /// Outcomes at recipients in earlier attempts. Only recipients that are missing here or were
    /// deferred get the message.
    pub known: Vec<Recipient>,
    /// What a mail says about who caused it; `None`: nothing.
    pub origin: Option<MailOrigin>,
    /// What is known of the post that it publishes or withdraws; `None`: it sends a message.
    pub post: Option<KnownPost>,
}

/// Who caused a mail, and why its recipient gets it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailOrigin {
    /// Name of the person, or of the channel.
    pub name: String,
    /// Why the recipient gets it.
    pub reason: MailReason,
    /// Title of the desk.
    pub desk: String,
    /// The channel that sends it.
    pub channel: ChannelId,
    /// Language of the recipient if it is known, else that of the person.
    pub language: Language,
}

/// Why a person gets a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailReason {
    /// The person is invited to a meeting.
    Invitation,
    /// A user set a reminder for the address.
    Reminder,
    /// A rule sends it.
    Rule,
    /// A user or a program sends a message.
    Message,
    /// It notifies an account of the desk.
    Notification,
    /// The address is a recipient of a channel.
    Channel,
}

impl OutboundMessage {
    /// Returns the message id by which the receiver can detect duplicates.
    #[must_use]
    pub fn message_id(&self) -> String {
        format!("msg_{}", self.id)
    }

    /// Returns the password or token as text.
    #[must_use]
    pub fn secret(&self) -> Option<&str> {
        self.secrets.first().and_then(|secret| std::str::from_utf8(secret).ok())
    }
}

/// What a permanent refusal affects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PermanentFailure {
    /// This message: a retry would be refused again.
    Message,
    /// The whole channel: the receiver is gone permanently.
    Channel,
}

/// Result of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SendResult {
    /// Outcome.
    pub outcome: Outcome,
    /// Status code of the response; `None`: no response.
    pub status: Option<u16>,
    /// Beginning of the response, or a description of the error.
    pub text: Option<String>,
    /// Delay requested by the receiver, milliseconds.
    pub retry_after_ms: Option<i64>,
    /// What a permanent refusal affects; `None`: a failure may be retried.
    pub permanent_failure: Option<PermanentFailure>,
    /// Outcome at each recipient, including earlier attempts; empty if it is the same for all.
    pub recipients: Vec<Recipient>,
    /// Whether at least one recipient accepted the message in this attempt.
    pub is_taken: bool,
    /// Whether the failure concerns this message alone: its receiver works, and takes others.
    pub is_about_message: bool,
    /// What it learned about the post that it published or withdrew; `None`: nothing, or it sent a message.
    pub post: Option<Box<PostReport>>,
}

impl SendResult {
    /// Result of an attempt without a response.
    #[must_use]
    pub fn without_response(outcome: Outcome, why: &str) -> Self {
        let text = Some(why.to_owned());
        let is_taken = outcome == Outcome::Delivered;
        Self {
            outcome,
            status: None,
            text,
            retry_after_ms: None,
            permanent_failure: None,
            recipients: Vec::new(),
            is_taken,
            is_about_message: false,
            post: None,
        }
    }

    /// Result of an attempt with a message that cannot be sent, to which no receiver was asked.
    #[must_use]
    pub fn unsendable(why: &str) -> Self {
        Self {
            permanent_failure: Some(PermanentFailure::Message),
            is_about_message: true,
            ..Self::without_response(Outcome::Blocked, why)
        }
    }
}

/// Returns the context to which a channel's encrypted secret is bound.
#[must_use]
pub fn secret_context(channel: ChannelId) -> String {
    format!("channel/{channel}")
}
