//! The connection to one broker, and AMQP channels on it that are free. A channel carries one message at a
//! time: a confirm, return or refusal on it belongs to that message.

use super::{
    connection::{self, Peer},
    failure::refused_or_unreachable,
};
use crate::{
    process::tls_roots::TlsRoots,
    senders::{SendResult, egress::Rules},
};
use lapin::{Channel, Connection, Error, options::ConfirmSelectOptions};
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use tokio::{sync::Semaphore, time::timeout};

/// A free channel is used again within this time after a response of the broker on it. Later a new one is
/// opened, which requires a response: a message is sent only over a connection that works.
const REUSE_WITHIN: Duration = Duration::from_secs(1);
/// Maximum number of messages that wait for confirms of one broker, and so of channels: RabbitMQ accepts 2,047
/// of a connection, and opening one more would look like a broken connection.
const MAX_IN_FLIGHT: usize = 1_000;

/// What a new connection needs.
pub struct Dial<'a> {
    pub rules: &'a Rules,
    pub trust: &'a TlsRoots,
    /// Timeout for checking that the kept connection works.
    pub check: Duration,
    /// Timeout for a new connection.
    pub connect: Duration,
}

/// The connection to one broker.
pub struct Pool {
    /// Hold a permit while a message waits for its confirm.
    pub slots: Semaphore,
    /// `None`: there is none, or it is broken. The lock allows one reconnect at a time.
    connection: tokio::sync::Mutex<Option<Arc<Connection>>>,
    free: Mutex<Vec<(Channel, Instant)>>,
}

impl Default for Pool {
    fn default() -> Self {
        Self { slots: Semaphore::new(MAX_IN_FLIGHT), connection: Default::default(), free: Mutex::default() }
    }
}

impl Pool {
    /// Returns a channel on a working connection, without a message; in confirm mode if the peer confirms.
    pub async fn channel(&self, peer: Peer, dial: &Dial<'_>) -> Result<Channel, SendResult> {
        if let Some(channel) = self.take() {
            return Ok(channel);
        }
        let confirms = peer.confirms;
        let kept = self.connection.lock().await.clone();
        if let Some(channel) = open_on(kept.as_deref(), confirms, dial.check).await {
            return Ok(channel);
        }
        let mut current = self.connection.lock().await;
        // Another attempt may have reconnected meanwhile.
        let is_other = current.as_ref().map(Arc::as_ptr) != kept.as_ref().map(Arc::as_ptr);
        if let (true, Some(channel)) = (is_other, open_on(current.as_deref(), confirms, dial.check).await) {
            return Ok(channel);
        }
        *current = None;
        self.free().clear();
        let fresh = connection::connect(dial.rules, dial.trust, peer, dial.connect).await?;
        let channel = open(&fresh, confirms).await.map_err(|why| refused_or_unreachable(&why))?;
        *current = Some(Arc::new(fresh));
        Ok(channel)
    }

    /// Keeps a channel on which the broker has just answered.
    pub fn put_back(&self, channel: Channel) {
        let mut free = self.free();
        if channel.status().connected() {
            free.push((channel, Instant::now()));
        }
    }

    /// The channel that was used last; closes those that were free for too long.
    fn take(&self) -> Option<Channel> {
        let mut free = self.free();
        free.retain(|(channel, since)| since.elapsed() < REUSE_WITHIN && channel.status().connected());
        free.pop().map(|(channel, _)| channel)
    }

    fn free(&self) -> MutexGuard<'_, Vec<(Channel, Instant)>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn open_on(connection: Option<&Connection>, confirms: bool, limit: Duration) -> Option<Channel> {
    timeout(limit, open(connection?, confirms)).await.ok()?.ok()
}

/// Opens a channel; this takes two round trips in confirm mode, else one.
async fn open(connection: &Connection, confirms: bool) -> Result<Channel, Error> {
    let channel = connection.create_channel().await?;
    if confirms {
        channel.confirm_select(ConfirmSelectOptions::default()).await?;
    }
    Ok(channel)
}
