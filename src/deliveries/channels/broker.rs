//! Validates the broker of an AMQP channel, and how messages are published.

use super::endpoint::{require_text, whole};
use crate::senders::egress::Rules;
use domain::{
    DomainError,
    channel::{AmqpEndpoint, ChannelEvent},
    error::ValidationError,
    input_limits::{
        MAX_ADDRESS_BYTES, MAX_EMAIL_BYTES, MAX_EXCHANGE_BYTES, MAX_HEADER_VALUE_BYTES, MAX_MESSAGE_HEADERS,
        MAX_ROUTING_KEY_BYTES,
    },
};
use reqwest::header::{HeaderName, HeaderValue};
use std::collections::BTreeMap;

/// Maximum length of the name of a header, bytes.
const MAX_HEADER_NAME_BYTES: usize = 100;

/// Validates and normalises a broker by the egress rules.
pub fn checked(route: AmqpEndpoint, rules: &Rules) -> Result<AmqpEndpoint, DomainError> {
    let url = require_text("amqp.url", &route.url, MAX_ADDRESS_BYTES)?;
    rules
        .check_broker(url)
        .map_err(|why| DomainError::invalid("amqp.url", ValidationError::Address { why }))?;
    let username = require_text("amqp.username", &route.username, MAX_EMAIL_BYTES)?;
    if username.chars().any(char::is_control) {
        return Err(DomainError::invalid("amqp.username", ValidationError::BadCharacters));
    }
    let (exchange, key) = (exchange(&route.exchange)?, routing_key(&route.key)?);
    headers(&route.headers)?;
    let (url, username) = (url.to_owned(), username.to_owned());
    let route = AmqpEndpoint { url, username, exchange, key, ..route };
    let longest = ChannelEvent::ALL.iter().map(|event| route.routing_key(*event).len()).max();
    if longest.is_some_and(|longest| longest > MAX_ROUTING_KEY_BYTES) {
        return Err(DomainError::invalid(
            "amqp.routing_key",
            ValidationError::TooLarge { max: whole(MAX_ROUTING_KEY_BYTES) },
        ));
    }
    Ok(route)
}

fn exchange(typed: &str) -> Result<String, DomainError> {
    let exchange = typed.trim();
    if exchange.len() > MAX_EXCHANGE_BYTES {
        return Err(DomainError::invalid(
            "amqp.exchange",
            ValidationError::TooLarge { max: whole(MAX_EXCHANGE_BYTES) },
        ));
    }
    if exchange.chars().any(|c| !(c.is_ascii_alphanumeric() || "-_.:".contains(c))) {
        return Err(DomainError::invalid("amqp.exchange", ValidationError::BadCharacters));
    }
    Ok(exchange.to_owned())
}

fn routing_key(typed: &str) -> Result<String, DomainError> {
    let key = require_text("amqp.routing_key", typed, MAX_ROUTING_KEY_BYTES)?;
    if key.replace(AmqpEndpoint::KIND, "").contains(['{', '}']) {
        return Err(DomainError::invalid("amqp.routing_key", ValidationError::BadKey));
    }
    if key.chars().any(char::is_control) {
        return Err(DomainError::invalid("amqp.routing_key", ValidationError::BadCharacters));
    }
    Ok(key.to_owned())
}

/// Validates headers as those of a message are, whose place they take.
fn headers(headers: &BTreeMap<String, String>) -> Result<(), DomainError> {
    let wrong = |problem| Err(DomainError::invalid("amqp.headers", problem));
    if headers.len() > MAX_MESSAGE_HEADERS {
        return wrong(ValidationError::TooMany { max: whole(MAX_MESSAGE_HEADERS) });
    }
    for (name, value) in headers {
        if name.len() > MAX_HEADER_NAME_BYTES || name.parse::<HeaderName>().is_err() {
            return wrong(ValidationError::BadCharacters);
        }
        if value.len() > MAX_HEADER_VALUE_BYTES {
            return wrong(ValidationError::TooLarge { max: whole(MAX_HEADER_VALUE_BYTES) });
        }
        if HeaderValue::from_bytes(value.as_bytes()).is_err() {
            return wrong(ValidationError::BadCharacters);
        }
    }
    Ok(())
}
