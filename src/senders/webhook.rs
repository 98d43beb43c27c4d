//! Sends webhooks: a signed POST by Standard Webhooks.

use super::{OutboundMessage, SendResult, http::HttpSender, program_message, signature};
use domain::channel::WebhookEndpoint;
use reqwest::header;

/// Makes one attempt.
pub async fn send(http: &HttpSender, route: &WebhookEndpoint, outbound: &OutboundMessage) -> SendResult {
    let (id, seconds) = (outbound.message_id(), outbound.at.millis().div_euclid(1_000));
    let signature = signature::sign(&outbound.secrets, &id, seconds, &outbound.body);
    let content_type = match &outbound.options {
        Some(options) => program_message::content_type(options, &outbound.body),
        None => "application/json",
    };
    let fill = |request: reqwest::RequestBuilder| {
        let own = outbound.options.iter().flat_map(program_message::headers);
        own.fold(request, |request, (name, value)| request.header(name, value))
            .header(header::CONTENT_TYPE, content_type)
            .header("webhook-id", id)
            .header("webhook-timestamp", seconds)
            .header("webhook-signature", signature)
            .body(outbound.body.clone())
    };
    http.post(&route.url, outbound.at, fill).await
}
