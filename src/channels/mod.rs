//! Ways out: how a message reaches the outside. What is sent, when, and how often again the dispatcher decides.

pub mod guard;
pub mod signature;
pub mod webhook;

use crate::vault::Vault;
use domain::{ChannelId, DeliveryId, Timestamp, delivery::Outcome};
use guard::Rules;
use webhook::Webhook;

/// What the dispatcher and the desk need to reach the outside.
#[derive(Debug)]
pub struct Ways {
    /// Opens the channels' secrets.
    pub vault: Vault,
    /// Where messages may go.
    pub rules: Rules,
    /// HTTP.
    pub webhook: Webhook,
}

impl Ways {
    /// Ways under these rules.
    #[must_use]
    pub fn new(vault: Vault, rules: Rules) -> Self {
        Self { vault, rules, webhook: Webhook::new(rules) }
    }
}

impl Default for Ways {
    /// A vault whose key is kept nowhere, and the strictest rules.
    fn default() -> Self {
        Self::new(Vault::fresh(), Rules::default())
    }
}

/// One attempt at a message.
#[derive(Clone)]
pub struct Letter {
    /// The same at every attempt.
    pub id: DeliveryId,
    /// Where it goes.
    pub address: String,
    /// The same bytes at every attempt.
    pub body: String,
    /// Keys to sign it with, the present one first.
    pub secrets: Vec<Vec<u8>>,
    /// When this attempt is made.
    pub at: Timestamp,
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
}

impl Answer {
    /// An attempt that ended without an answer.
    #[must_use]
    pub fn none(outcome: Outcome, why: &str) -> Self {
        Self { outcome, status: None, text: Some(why.to_owned()), retry_after_ms: None }
    }

    /// Whether the other side said that it is gone for good.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.status == Some(410)
    }
}

/// What a channel's secret is bound to in the vault.
#[must_use]
pub fn place(channel: ChannelId) -> String {
    format!("channel/{channel}")
}
