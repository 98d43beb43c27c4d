//! Sends webhooks: a signed POST by Standard Webhooks.

use super::{OutboundMessage, SendResult, http::HttpSender, signature};
use domain::channel::WebhookEndpoint;
use reqwest::header;

/// Makes one attempt.
pub async fn send(http: &HttpSender, route: &WebhookEndpoint, outbound: &OutboundMessage) -> SendResult {
    let (id, seconds) = (outbound.message_id(), outbound.at.millis().div_euclid(1_000));
    let signature = signature::sign(&outbound.secrets, &id, seconds, &outbound.body);
    let fill = |request: reqwest::RequestBuilder| {
        request
            .header(header::CONTENT_TYPE, "application/json")
            .header("webhook-id", id)
            .header("webhook-timestamp", seconds)
            .header("webhook-signature", signature)
            .body(outbound.body.clone())
    };
    http.post(&route.url, outbound.at, fill).await
}
