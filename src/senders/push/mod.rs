//! Web Push: passes a message to the push service of a browser (RFC 8030), encrypted for the browser
//! (RFC 8291) and signed with the key of the desk (RFC 8292).

pub mod encrypt;
pub mod vapid;

use super::{SendResult, http::HttpSender};
use domain::{
    EmailAddress,
    push::{MAX_PAYLOAD_BYTES, TTL_SECONDS},
};
use encrypt::Receiver;
use engine::sender::OutboundPush;
use reqwest::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE};
use vapid::VapidKey;

/// Makes one attempt. `public_url`: contact of a desk without a mail server.
pub async fn send(
    http: &HttpSender,
    key: Option<&VapidKey>,
    public_url: &str,
    push: &OutboundPush,
) -> SendResult {
    let refused = SendResult::unsendable;
    let Some(key) = key else { return refused("this node has no key for push messages") };
    if push.payload.len() > MAX_PAYLOAD_BYTES {
        return refused("the message is too long");
    }
    let Some(receiver) = Receiver::parse(&push.p256dh, &push.auth) else {
        return refused("the keys of the browser cannot be read");
    };
    let Some(body) = encrypt::seal(&receiver, push.payload.as_bytes()) else {
        return refused("the message cannot be encrypted");
    };
    let sender = push.contact.as_ref().and_then(|from| EmailAddress::parse(from).ok());
    let contact =
        sender.map_or_else(|| public_url.to_owned(), |from| format!("mailto:{}", from.with_ascii_domain()));
    let Some(authorization) = key.authorization(&push.endpoint, &contact, push.at) else {
        return refused("the message cannot be signed");
    };
    http.post(&push.endpoint, push.at, |request| {
        request
            .header(AUTHORIZATION, authorization)
            .header(CONTENT_ENCODING, "aes128gcm")
            .header(CONTENT_TYPE, "application/octet-stream")
            .header("ttl", TTL_SECONDS)
            .header("urgency", "normal")
            .body(body)
    })
    .await
}
