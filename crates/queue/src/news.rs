//! What other processes on the same server say: "a new head", "something is due".

use crate::{
    QueueError,
    keys::Keys,
    link::away,
    place::{CONNECT, Place},
};
use futures::StreamExt;
use redis::aio::PubSubStream;
use std::{sync::Arc, time::Duration};
use tokio::sync::Mutex;

/// Rest between two tries to subscribe.
const REST: Duration = Duration::from_secs(1);

/// One thing another process did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    /// A hint became the head of a future set.
    Head,
    /// Hints were put on a publish list.
    Due,
    /// Nothing is known of what happened before: look at everything.
    Subscribed,
}

/// The subscription, made when somebody listens.
pub(crate) struct News {
    place: Arc<Place>,
    channels: [String; 2],
    stream: Mutex<Option<PubSubStream>>,
}

impl News {
    /// Nothing is subscribed yet.
    pub(crate) fn new(place: Arc<Place>, keys: &Keys) -> Self {
        Self { place, channels: [keys.head_channel(), keys.due_channel()], stream: Mutex::new(None) }
    }

    /// The next word of another process (`own` marks what this one said). Waits for ever if need be; safe to drop.
    pub(crate) async fn next(&self, own: &str) -> Word {
        let mut stream = self.stream.lock().await;
        loop {
            let Some(live) = stream.as_mut() else {
                match tokio::time::timeout(CONNECT, self.subscribe()).await {
                    Ok(Ok(fresh)) => *stream = Some(fresh),
                    Ok(Err(_)) | Err(_) => {
                        tokio::time::sleep(REST).await;
                        continue;
                    }
                }
                return Word::Subscribed;
            };
            match live.next().await {
                Some(message) if message.get_payload_bytes() == own.as_bytes() => {}
                Some(message) if message.get_channel_name() == self.channels[0] => return Word::Head,
                Some(_) => return Word::Due,
                None => *stream = None,
            }
        }
    }

    async fn subscribe(&self) -> Result<PubSubStream, QueueError> {
        let mut last = QueueError::Open;
        // In a cluster every node hears what is said to any.
        for client in self.place.clients().await.map_err(away)? {
            match client.get_async_pubsub().await {
                Ok(mut fresh) => {
                    fresh.subscribe(&self.channels[..]).await.map_err(away)?;
                    return Ok(fresh.into_on_message());
                }
                Err(error) => last = away(error),
            }
        }
        Err(last)
    }
}
