//! What became of the messages: in the outbox, and at the webhook receiver.

use crate::faults::cluster::Cluster;
use std::collections::BTreeMap;
use test_support::Sink;

/// Returns the delivery state of each article: a message that was not received yet must still be in
/// the outbox. Read it before the received messages.
pub async fn delivery_states(cluster: &Cluster) -> BTreeMap<String, String> {
    let rows: Vec<(String, String)> =
        sqlx::query_as("select body::jsonb -> 'data' ->> 'article_id', state from delivery where event = 'article.published'")
            .fetch_all(cluster.pool())
            .await
            .expect("the outbox can be read");
    rows.into_iter().collect()
}

/// Summary of the messages that the webhook receiver got.
#[derive(Debug, Default)]
pub struct ReceivedMessages {
    /// Number of different messages.
    pub messages: usize,
    /// Number of further copies.
    pub copies: usize,
    /// Number of violations: two messages for one article, or two bodies of one message.
    pub wrong: usize,
    /// Articles with a message.
    pub articles: Vec<String>,
}

/// Summarises the received messages.
pub fn received_messages(sink: &Sink) -> ReceivedMessages {
    let (mut bodies, mut message_ids) =
        (BTreeMap::<String, String>::new(), BTreeMap::<String, String>::new());
    let mut received = ReceivedMessages::default();
    for message in sink.received() {
        let id = message.header("webhook-id").to_owned();
        let body: serde_json::Value = serde_json::from_str(&message.body).unwrap_or_default();
        let article = body["data"]["article_id"].as_str().unwrap_or_default().to_owned();
        match bodies.insert(id.clone(), message.body.clone()) {
            None => {
                received.messages += 1;
                received.wrong += usize::from(message_ids.insert(article, id).is_some());
            }
            Some(previous) => {
                received.copies += 1;
                received.wrong += usize::from(previous != message.body);
            }
        }
    }
    received.articles = message_ids.into_keys().collect();
    received
}
