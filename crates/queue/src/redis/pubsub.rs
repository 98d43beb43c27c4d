//! Pub/sub signals from other processes on the same server: "the first hint changed", "hints are
//! due".

use crate::{
    QueueError,
    keys::Keys,
    redis::{
        endpoint::{CONNECT_TIMEOUT, Endpoint},
        lazy_connection::to_queue_error,
    },
};
use futures::StreamExt;
use redis::aio::PubSubStream;
use std::{sync::Arc, time::Duration};
use tokio::sync::Mutex;

/// Delay between two attempts to subscribe.
const RESUBSCRIBE_DELAY: Duration = Duration::from_secs(1);

/// A signal from another process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    /// A hint became the first of a future set.
    Head,
    /// Hints were put on a publish list.
    Due,
    /// The subscription was just opened. Earlier signals may be lost: check everything.
    Subscribed,
}

/// The subscription; opened by the first call of `next`.
pub(crate) struct Subscription {
    endpoint: Arc<Endpoint>,
    channels: [String; 2],
    stream: Mutex<Option<PubSubStream>>,
}

impl Subscription {
    /// Returns a value that subscribes on first use.
    pub(crate) fn new(endpoint: Arc<Endpoint>, keys: &Keys) -> Self {
        Self { endpoint, channels: [keys.head_channel(), keys.due_channel()], stream: Mutex::new(None) }
    }

    /// Returns the next signal of another process (`sender_id` is the sender id of this one). Waits
    /// without a limit; cancel-safe.
    pub(crate) async fn next(&self, sender_id: &str) -> Signal {
        let mut stream = self.stream.lock().await;
        loop {
            let Some(live) = stream.as_mut() else {
                match tokio::time::timeout(CONNECT_TIMEOUT, self.subscribe()).await {
                    Ok(Ok(fresh)) => *stream = Some(fresh),
                    Ok(Err(_)) | Err(_) => {
                        tokio::time::sleep(RESUBSCRIBE_DELAY).await;
                        continue;
                    }
                }
                return Signal::Subscribed;
            };
            match live.next().await {
                Some(message) if message.get_payload_bytes() == sender_id.as_bytes() => {}
                Some(message) if message.get_channel_name() == self.channels[0] => return Signal::Head,
                Some(_) => return Signal::Due,
                None => *stream = None,
            }
        }
    }

    async fn subscribe(&self) -> Result<PubSubStream, QueueError> {
        let mut last = QueueError::CircuitOpen;
        // In a cluster every node receives messages published to any node.
        for client in self.endpoint.clients().await.map_err(to_queue_error)? {
            match client.get_async_pubsub().await {
                Ok(mut fresh) => {
                    fresh.subscribe(&self.channels[..]).await.map_err(to_queue_error)?;
                    return Ok(fresh.into_on_message());
                }
                Err(error) => last = to_queue_error(error),
            }
        }
        Err(last)
    }
}
