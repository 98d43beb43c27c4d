//! Web Push: notifications that a browser shows although no page of the desk is open.

use crate::{Actor, DomainError, LocalizedTime, PushDeviceId};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};

/// Maximum number of browsers of an account. One more replaces the one that was not used for longest.
pub const MAX_DEVICES: u32 = 20;
/// Maximum length of an endpoint, bytes.
pub const MAX_ENDPOINT_BYTES: usize = 2_000;
/// Maximum length of the name of a browser, characters.
pub const MAX_AGENT_CHARS: usize = 200;
/// Maximum length of a payload, bytes: what a push service must accept (4,096 bytes, RFC 8030 §7.2) less
/// header and tag of the encryption (RFC 8291 §4).
pub const MAX_PAYLOAD_BYTES: usize = 3_993;
/// How long a push service keeps a message for a browser that is not connected, seconds. A message that it
/// does not accept within this time is given up.
pub const TTL_SECONDS: u32 = 86_400;

/// A browser that shows the notifications of its account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PushDevice {
    /// Id.
    pub id: PushDeviceId,
    /// Address at the push service of the browser.
    pub endpoint: String,
    /// Name of the browser and its system.
    pub agent: String,
    /// When it was added.
    pub created: LocalizedTime,
    /// When its push service last accepted a message; `None`: never.
    pub used: Option<LocalizedTime>,
    /// When a message to it was last given up; `None`: not since the last accepted one.
    pub failed: Option<LocalizedTime>,
}

/// The browsers of an account.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PushDevices {
    /// Public key of this desk in base64url, which a browser needs to subscribe.
    pub public_key: String,
    /// Oldest first.
    pub items: Vec<PushDevice>,
}

/// A browser to be added, as its `PushSubscription` describes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewPushDevice {
    /// Address at the push service.
    pub endpoint: String,
    /// Public key, base64url.
    pub p256dh: String,
    /// Authentication secret, base64url.
    pub auth: String,
    /// `User-Agent`, or the name of the program.
    pub agent: String,
}

/// Browsers that show the notifications of the user.
#[async_trait]
pub trait Push: Send + Sync {
    /// The user's browsers.
    async fn devices(&self, actor: &Actor) -> Result<PushDevices, DomainError>;
    /// Adds a browser. One with the same endpoint is replaced, whatever account it belongs to.
    async fn subscribe(&self, actor: &Actor, new: NewPushDevice) -> Result<PushDevice, DomainError>;
    /// Removes the user's browser with this endpoint, if there is one.
    async fn unsubscribe(&self, actor: &Actor, endpoint: &str) -> Result<(), DomainError>;
    /// Removes one of the user's browsers.
    async fn remove(&self, actor: &Actor, id: PushDeviceId) -> Result<(), DomainError>;
}
