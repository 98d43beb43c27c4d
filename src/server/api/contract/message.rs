//! Schemas of messages in the OpenAPI document: the three forms of a time, and the limits of texts.

use super::{patterns, times::times};
use domain::{
    Priority,
    input_limits::{
        MAX_EXCHANGE_BYTES, MAX_HEADER_VALUE_BYTES, MAX_MESSAGE_BYTES, MAX_MESSAGE_HEADERS,
        MAX_MESSAGE_KEY_CHARS,
    },
    notice::{MAX_ACK_BYTES, PRESETS},
    retry_schedule::RetrySchedule,
};
use serde_json::{Map, Value, json};

/// Returns the schema of a new message.
pub(super) fn new_message() -> Value {
    let priorities: Vec<Value> =
        Priority::NAMES.iter().map(|name| json!(name)).chain([Value::Null]).collect();
    let fields = json!({
        "key": {"type": ["string", "null"], "maxLength": MAX_MESSAGE_KEY_CHARS, "pattern": patterns::MESSAGE_KEY,
                "description": "Name by which the caller finds it again; its id if absent."},
        "channel_id": channel_id(),
        "body": body(),
        "headers": headers(),
        "routing_key": {"type": ["string", "null"], "pattern": patterns::ROUTING_KEY, "maxLength": 60,
                        "description": "AMQP: routing key; that of the channel if absent."},
        "exchange": {"type": ["string", "null"], "pattern": patterns::EXCHANGE, "maxLength": MAX_EXCHANGE_BYTES,
                     "description": "AMQP: exchange; that of the channel if absent."},
        "priority": {"enum": priorities, "description": "`high`, `normal` (the default) or `low`."}
    });
    json!({"description": "A new message: `due_at`, or `delay`, or `local` and `zone`.",
           "oneOf": forms(&["channel_id", "body"], &fields)})
}

/// Returns the schema of a new notice.
pub(super) fn new_notice() -> Value {
    let presets: Vec<&str> = PRESETS.iter().map(|(name, _)| *name).collect();
    let delays = json!({"type": "array", "minItems": 1, "maxItems": RetrySchedule::MAX_RETRIES,
                        "items": {"type": "string", "pattern": "^[1-9][0-9]?[sm]$"}});
    let ack = json!({"type": ["object", "null"], "additionalProperties": false, "properties": {
        "status": {"type": ["string", "null"], "pattern": "^(2xx|2[0-9][0-9])$"},
        "body": {"type": ["string", "null"], "pattern": patterns::MESSAGE_KEY, "maxLength": MAX_ACK_BYTES / 4},
    }});
    let fields = json!({
        "key": {"type": "string", "maxLength": MAX_MESSAGE_KEY_CHARS, "pattern": patterns::MESSAGE_KEY,
                "description": "Name by which the caller finds it again."},
        "channel_id": channel_id(),
        "body": body(),
        "headers": headers(),
        "retry_schedule": {"oneOf": [{"enum": presets}, delays, {"type": "null"}],
                           "description": "Delays after attempts that were not acknowledged."},
        "ack": ack
    });
    json!({"description": "A new notice. It is sent now, and repeated until it is acknowledged.", "type": "object",
           "required": ["key", "channel_id", "body"], "properties": fields, "additionalProperties": false})
}

/// Returns the schema of a change.
pub(super) fn message_change() -> Value {
    let description = "`version` of the message that the caller saw; a different current one is a conflict.";
    let fields = json!({
        "body": body(), "channel_id": channel_id(),
        "seen_version": {"type": ["integer", "null"], "format": "int32", "description": description}
    });
    let mut forms = forms(&[], &fields);
    let object = |required: &str, without: &str| {
        let mut fields = fields.clone();
        fields.as_object_mut().and_then(|fields| fields.remove(without));
        json!({"type": "object", "required": [required], "properties": fields, "additionalProperties": false})
    };
    forms.extend([object("body", ""), object("channel_id", "body")]);
    json!({"description": "A new time, a new body or channel, or several of them.", "oneOf": forms})
}

/// Returns the schema of the headers of a message.
pub(super) fn headers() -> Value {
    json!({"type": ["object", "null"], "maxProperties": MAX_MESSAGE_HEADERS,
           "propertyNames": {"pattern": patterns::HEADER_NAME},
           "additionalProperties": {"type": "string", "pattern": patterns::HEADER_VALUE, "maxLength": MAX_HEADER_VALUE_BYTES},
           "description": "Headers of the request or of the AMQP message; of a mail only `Subject`. Those of the connection \
                           and of the signature, such as `Host` and `Webhook-Id`, are refused."})
}

fn channel_id() -> Value {
    json!({"type": "string", "format": "uuid", "description": "Id of a channel."})
}

fn body() -> Value {
    let description = format!("The message, at most {MAX_MESSAGE_BYTES} bytes; sent byte for byte.");
    json!({"type": "string", "pattern": patterns::TEXT, "description": description})
}

/// Returns the forms of a time, each with these fields.
fn forms(required: &[&str], fields: &Value) -> Vec<Value> {
    let mut all = times(required, fields).as_array().cloned().unwrap_or_default();
    for form in &mut all {
        form["properties"]["delay"] = json!({"type": "null"});
    }
    let mut properties = fields.as_object().cloned().unwrap_or_default();
    properties.extend(Map::from_iter([
        (
            "delay".to_owned(),
            json!({"type": "string", "pattern": patterns::DELAY,
                   "description": "A duration by ISO 8601, from the request on: `PT30M`, `P1DT12H`."}),
        ),
        ("due_at".to_owned(), json!({"type": "null"})),
        ("local".to_owned(), json!({"type": "null"})),
        ("zone".to_owned(), json!({"type": "null"})),
    ]));
    let required: Vec<&str> = required.iter().chain(&["delay"]).copied().collect();
    all.push(json!({"type": "object", "required": required, "properties": properties, "additionalProperties": false}));
    all
}
