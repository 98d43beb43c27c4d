//! Validates messages.

use domain::{
    DomainError,
    channel::{AmqpEndpoint, Transport},
    error::ValidationError,
    input_limits::{
        MAX_EXCHANGE_BYTES, MAX_HEADER_VALUE_BYTES, MAX_MESSAGE_BYTES, MAX_MESSAGE_HEADERS,
        MAX_MESSAGE_KEY_CHARS, MAX_ROUTING_KEY_BYTES,
    },
    message::{MessageOptions, NewMessage},
    notice::{AckRule, MAX_ACK_BYTES},
};
use reqwest::header::{HeaderName, HeaderValue};

/// Maximum length of the name of a header, bytes.
const MAX_HEADER_NAME_BYTES: usize = 100;
/// Headers that belong to the connection, to the request itself or to the signature.
const RESERVED_HEADERS: [&str; 14] = [
    "connection",
    "content-length",
    "content-encoding",
    "expect",
    "host",
    "http2-settings",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "webhook-id",
    "webhook-signature",
    "webhook-timestamp",
];
/// Last part of the path of the bulk request, which therefore is no key.
const BULK: &str = "bulk";

/// Begin of the keys of messages that rules send.
pub const RULE_KEY: &str = "rule:";
/// Begin of the keys of messages that reminders send.
pub const REMINDER_KEY: &str = "reminder:";
/// Begin of the keys of messages that invite to meetings.
pub const INVITE_KEY: &str = "invite:";

/// Validates what does not depend on the channel.
pub fn message(new: &NewMessage) -> Result<(), DomainError> {
    if let Some(key) = &new.key {
        self::key(key)?;
    }
    body("body", &new.body)?;
    headers(&new.options)?;
    new.options.notice.as_ref().map_or(Ok(()), |terms| acknowledgement(&terms.ack))
}

/// Validates what acknowledges a notice.
fn acknowledgement(ack: &AckRule) -> Result<(), DomainError> {
    let problem = match ack.body.as_deref() {
        Some(text) if text.trim().is_empty() => ValidationError::Empty,
        Some(text) if text.len() > MAX_ACK_BYTES => ValidationError::TooLarge { max: whole(MAX_ACK_BYTES) },
        Some(text) if text.contains('\0') => ValidationError::BadCharacters,
        _ => return Ok(()),
    };
    Err(DomainError::invalid("ack.body", problem))
}

/// Validates a key.
pub fn key(key: &str) -> Result<(), DomainError> {
    let problem = match key {
        _ if key.trim().is_empty() => ValidationError::Empty,
        _ if key.chars().count() > MAX_MESSAGE_KEY_CHARS => {
            ValidationError::TooLong { max: whole(MAX_MESSAGE_KEY_CHARS) }
        }
        _ if key.chars().any(char::is_control) => ValidationError::BadCharacters,
        "." | ".." | BULK => ValidationError::Unreadable { why: format!("cannot be {key}") },
        _ if key.starts_with(REMINDER_KEY) => {
            unreadable("cannot begin with reminder:, like those of messages of reminders")
        }
        _ if key.starts_with(INVITE_KEY) => {
            unreadable("cannot begin with invite:, like those of invitations to meetings")
        }
        _ if key.starts_with(RULE_KEY) => {
            unreadable("cannot begin with rule:, like those of messages of rules")
        }
        _ => return Ok(()),
    };
    Err(DomainError::invalid("key", problem))
}

/// Validates a body, the value of this field.
pub fn body(field: &str, body: &str) -> Result<(), DomainError> {
    let problem = match body {
        _ if body.len() > MAX_MESSAGE_BYTES => ValidationError::TooLarge { max: whole(MAX_MESSAGE_BYTES) },
        _ if body.contains('\0') => ValidationError::BadCharacters,
        _ => return Ok(()),
    };
    Err(DomainError::invalid(field, problem))
}

/// Validates headers.
pub fn headers(options: &MessageOptions) -> Result<(), DomainError> {
    if options.headers.len() > MAX_MESSAGE_HEADERS {
        let max = whole(MAX_MESSAGE_HEADERS);
        return Err(DomainError::invalid("headers", ValidationError::TooMany { max }));
    }
    let mut names: Vec<String> = Vec::new();
    for (name, value) in &options.headers {
        let lower = name.to_lowercase();
        let is_name = name.len() <= MAX_HEADER_NAME_BYTES && name.parse::<HeaderName>().is_ok();
        let is_reserved = RESERVED_HEADERS.contains(&lower.as_str()) || lower.starts_with("proxy-");
        let problem = match () {
            () if !is_name => ValidationError::BadCharacters,
            () if is_reserved => unreadable("is set by Presstime or by the connection; leave it out"),
            () if names.contains(&lower) => unreadable("is in the headers twice"),
            () if value.len() > MAX_HEADER_VALUE_BYTES => {
                ValidationError::TooLarge { max: whole(MAX_HEADER_VALUE_BYTES) }
            }
            () if HeaderValue::from_bytes(value.as_bytes()).is_err() => ValidationError::BadCharacters,
            () => {
                names.push(lower);
                continue;
            }
        };
        return Err(DomainError::invalid(&format!("headers.{name}"), problem));
    }
    Ok(())
}

/// Validates what only some channels can send.
pub fn options(options: &MessageOptions, transport: Transport) -> Result<(), DomainError> {
    let only = |field: &str, why: &str| Err(DomainError::invalid(field, unreadable(why)));
    if transport != Transport::Amqp {
        if options.exchange.is_some() {
            return only("exchange", "is only for channels of the type amqp");
        }
        if options.routing_key.is_some() {
            return only("routing_key", "is only for channels of the type amqp");
        }
    }
    if options.notice.is_some() && !matches!(transport, Transport::Webhook | Transport::Amqp) {
        return only("channel_id", "of a notice must be a channel of the type webhook or amqp");
    }
    if transport.publishes_posts() {
        return only("channel_id", "must be a channel that sends messages; this one publishes articles");
    }
    let is_subject = |name: &String| name.eq_ignore_ascii_case("subject");
    match transport {
        Transport::Mail if !options.headers.keys().all(is_subject) => {
            only("headers", "of a mail can only contain Subject")
        }
        Transport::Sms if !options.headers.is_empty() => {
            only("headers", "are not sent by channels of the type sms")
        }
        Transport::Amqp => broker_route(options),
        _ => Ok(()),
    }
}

fn broker_route(options: &MessageOptions) -> Result<(), DomainError> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.:".contains(c);
    if let Some(exchange) = &options.exchange {
        let problem = match exchange {
            _ if exchange.len() > MAX_EXCHANGE_BYTES => {
                Some(ValidationError::TooLarge { max: whole(MAX_EXCHANGE_BYTES) })
            }
            _ => (!exchange.chars().all(is_plain)).then_some(ValidationError::BadCharacters),
        };
        problem.map_or(Ok(()), |problem| Err(DomainError::invalid("exchange", problem)))?;
    }
    let Some(key) = &options.routing_key else { return Ok(()) };
    let problem = match key {
        _ if key.is_empty() => ValidationError::Empty,
        // `{kind}` becomes `message`.
        _ if key.len() + 8 > MAX_ROUTING_KEY_BYTES => {
            ValidationError::TooLarge { max: whole(MAX_ROUTING_KEY_BYTES - 8) }
        }
        _ if key.chars().any(char::is_control) => ValidationError::BadCharacters,
        _ if key.replacen(AmqpEndpoint::KIND, "", 1).contains(['{', '}']) => ValidationError::BadKey,
        _ => return Ok(()),
    };
    Err(DomainError::invalid("routing_key", problem))
}

fn unreadable(why: &str) -> ValidationError {
    ValidationError::Unreadable { why: why.to_owned() }
}

fn whole(limit: usize) -> u32 {
    u32::try_from(limit).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: &str, value: &str) -> Result<(), DomainError> {
        let headers = [(name.to_owned(), value.to_owned())].into();
        headers_of(headers)
    }

    fn headers_of(headers: std::collections::BTreeMap<String, String>) -> Result<(), DomainError> {
        super::headers(&MessageOptions { headers, ..MessageOptions::default() })
    }

    #[test]
    fn a_key_may_hold_blanks_and_slashes() {
        assert_eq!(key("order 4711/unpaid"), Ok(()));
        for bad in ["", "  ", "a\nb", "a\0b", "bulk", "..", &"x".repeat(201)] {
            assert!(key(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn headers_cannot_break_a_request() {
        assert_eq!(with("X-Shop", "über: 1"), Ok(()));
        for (name, value) in [
            ("X-Shop", "a\r\nHost: b"),
            ("X-Shop", "a\nb"),
            ("X Shop", "a"),
            ("", "a"),
            ("Host", "a"),
            ("Transfer-Encoding", "chunked"),
            ("PROXY-Authorization", "a"),
            ("Webhook-Id", "a"),
            ("X-Shop", &"x".repeat(1_001)),
        ] {
            assert!(with(name, value).is_err(), "{name}: {value}");
        }
        let many = |count: usize| (0..count).map(|n| (format!("x-{n}"), String::new())).collect();
        assert_eq!((headers_of(many(20)).is_ok(), headers_of(many(21)).is_ok()), (true, false));
        let twice = [("X-A".to_owned(), "1".to_owned()), ("x-a".to_owned(), "2".to_owned())].into();
        assert!(headers_of(twice).is_err());
    }

    #[test]
    fn a_body_has_a_size_in_bytes() {
        let body = |text: &str| body("body", text);
        assert_eq!(body(&"字".repeat(21_845)), Ok(()));
        assert!(body(&"字".repeat(21_846)).is_err() && body("a\0b").is_err());
    }

    #[test]
    fn only_a_broker_has_exchanges_and_keys() {
        let of = |exchange: Option<&str>, key: Option<&str>| MessageOptions {
            exchange: exchange.map(str::to_owned),
            routing_key: key.map(str::to_owned),
            ..MessageOptions::default()
        };
        assert_eq!(options(&of(Some("shop"), Some("orders.{kind}")), Transport::Amqp), Ok(()));
        for (exchange, key) in [(Some("two words"), None), (None, Some("")), (None, Some("{event}"))] {
            assert!(options(&of(exchange, key), Transport::Amqp).is_err());
        }
        assert!(options(&of(Some("shop"), None), Transport::Webhook).is_err());
        assert!(options(&of(None, Some("a")), Transport::Mail).is_err());
    }
}
