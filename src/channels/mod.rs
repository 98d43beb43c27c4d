//! Ways out: how a message reaches the outside. What is sent, when, and how often again the dispatcher decides.

pub mod amqp;
pub mod guard;
pub mod http;
pub mod mail;
pub mod news;
pub mod signature;
pub mod sms;
pub mod trust;
pub mod webhook;

use crate::vault::Vault;
use amqp::Messenger;
use async_trait::async_trait;
use domain::{
    ChannelId, DeliveryId, Timestamp,
    channel::Route,
    delivery::{Outcome, Recipient},
};
use guard::Rules;
use http::Http;
use mail::Mailer;
use trust::Trust;

/// Where letters leave.
#[async_trait]
pub trait Outlet: Send + Sync {
    /// Makes one attempt. Never fails: how it ended is the answer.
    async fn send(&self, letter: &Letter) -> Answer;
}

/// What the dispatcher and the desk need to reach the outside.
#[derive(Debug)]
pub struct Ways {
    /// Opens the channels' secrets.
    pub vault: Vault,
    /// Where messages may go.
    pub rules: Rules,
    /// Where readers find this desk's site, without a slash at its end: for links.
    pub public_url: String,
    http: Http,
    mailer: Mailer,
    messenger: Messenger,
}

impl Ways {
    /// Ways under these rules, to whom this trust believes; links in messages begin with `public_url`.
    #[must_use]
    pub fn new(vault: Vault, rules: Rules, trust: &Trust, public_url: &str) -> Self {
        let public_url = public_url.trim_end_matches('/').to_owned();
        let mailer = Mailer::new(rules.clone(), trust, &public_url);
        let (http, messenger) = (Http::new(rules.clone(), trust), Messenger::new(rules.clone(), trust));
        Self { vault, rules, public_url, http, mailer, messenger }
    }
}

#[async_trait]
impl Outlet for Ways {
    async fn send(&self, letter: &Letter) -> Answer {
        match &letter.route {
            Route::Webhook(route) => webhook::send(&self.http, route, letter).await,
            Route::Mail(route) => self.mailer.send(route, letter).await,
            Route::Sms(route) => sms::send(&self.http, route, letter, &self.public_url).await,
            Route::Amqp(route) => self.messenger.send(route, letter).await,
        }
    }
}

impl Default for Ways {
    /// A vault whose key is kept nowhere, and the strictest rules.
    fn default() -> Self {
        Self::new(Vault::fresh(), Rules::default(), &Trust::default(), "http://localhost")
    }
}

/// One attempt at a message.
#[derive(Clone)]
pub struct Letter {
    /// The same at every attempt.
    pub id: DeliveryId,
    /// Which attempt this is, from 1.
    pub attempt: i32,
    /// Where it goes.
    pub route: Route,
    /// The same bytes at every attempt.
    pub body: String,
    /// Keys to sign it with, the present one first; or what the peer asks for, if it asks.
    pub secrets: Vec<Vec<u8>>,
    /// When this attempt is made.
    pub at: Timestamp,
    /// What became of it at its recipients in earlier attempts: only those that are missing or were deferred get it.
    pub known: Vec<Recipient>,
}

impl Letter {
    /// The id by which the other side can tell a repeat.
    #[must_use]
    pub fn wire_id(&self) -> String {
        format!("msg_{}", self.id)
    }

    /// What the peer asks for, as text.
    fn secret(&self) -> Option<&str> {
        self.secrets.first().and_then(|secret| std::str::from_utf8(secret).ok())
    }
}

/// What will never be asked again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// This message: it would be refused again.
    Message,
    /// The whole channel: the other side is gone for good.
    Channel,
}

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// In a word.
    pub outcome: Outcome,
    /// Status of the answer, if one came.
    pub status: Option<u16>,
    /// Beginning of the answer, or what is wrong in plain words.
    pub text: Option<String>,
    /// How long the other side asked not to be asked again, milliseconds.
    pub retry_after_ms: Option<i64>,
    /// What it ends; `None`: if it failed, it may be tried again.
    pub end: Option<End>,
    /// What became of the message at each recipient, earlier attempts included; empty where it is the same for all.
    pub recipients: Vec<Recipient>,
    /// Whether this attempt reached at least one recipient.
    pub is_taken: bool,
}

impl Answer {
    /// An attempt that ended without an answer.
    #[must_use]
    pub fn none(outcome: Outcome, why: &str) -> Self {
        let text = Some(why.to_owned());
        let is_taken = outcome == Outcome::Delivered;
        Self {
            outcome,
            status: None,
            text,
            retry_after_ms: None,
            end: None,
            recipients: Vec::new(),
            is_taken,
        }
    }
}

/// What a channel's secret is bound to in the vault.
#[must_use]
pub fn place(channel: ChannelId) -> String {
    format!("channel/{channel}")
}
