//! Webhooks: a signed POST, after Standard Webhooks.

use super::{Answer, Letter, http::Http, signature};
use domain::channel::WebhookRoute;
use reqwest::header;

/// Makes one attempt.
pub async fn send(http: &Http, route: &WebhookRoute, letter: &Letter) -> Answer {
    let (id, seconds) = (letter.wire_id(), letter.at.millis().div_euclid(1_000));
    let signature = signature::sign(&letter.secrets, &id, seconds, &letter.body);
    let fill = |request: reqwest::RequestBuilder| {
        request
            .header(header::CONTENT_TYPE, "application/json")
            .header("webhook-id", id)
            .header("webhook-timestamp", seconds)
            .header("webhook-signature", signature)
            .body(letter.body.clone())
    };
    http.post(&route.address, letter.at, fill).await
}
