//! Schemas of channels in the OpenAPI document: what each transport requires.

use super::patterns;
use crate::senders::amqp;
use domain::{
    Priority,
    account::Language,
    channel::{ChannelEvent, OnUnknownOutcome, RatePeriod, Transport},
    input_limits::{
        MAX_ADDRESS_BYTES, MAX_CHANNEL_CONCURRENCY, MAX_CHANNEL_RATE, MAX_EMAIL_BYTES, MAX_EXCHANGE_BYTES,
        MAX_HEADER_VALUE_BYTES, MAX_MESSAGE_HEADERS, MAX_NAME_CHARS, MAX_RECIPIENTS, MAX_ROUTING_KEY_BYTES,
        MAX_SECRET_BYTES, MAX_TEMPLATE_BYTES,
    },
};
use serde_json::{Map, Value, json};

/// Maximum length of a host name, in characters (RFC 1035).
const MAX_HOST_NAME_CHARS: usize = 253;
/// Maximum length of the name of a header, in characters.
const MAX_HEADER_NAME_CHARS: usize = 100;
/// Values of `security` that need no permission of the operator.
const ENCRYPTED: [&str; 2] = ["starttls", "tls"];

/// A string with a pattern and a maximum length.
fn text(pattern: &str, max_length: usize) -> Value {
    json!({"type": "string", "pattern": pattern, "maxLength": max_length})
}

/// A string with a pattern and a maximum length, or null.
fn optional_text(pattern: &str, max_length: usize) -> Value {
    json!({"type": ["string", "null"], "pattern": pattern, "maxLength": max_length})
}

/// A string of any script with a pattern and a maximum size. `maxLength` counts characters, so only
/// the description can state a limit in bytes.
fn sized_text(pattern: &str, max_bytes: usize) -> Value {
    json!({"type": "string", "pattern": pattern, "description": format!("At most {max_bytes} bytes.")})
}

/// One of the words, or null.
fn optional_word(words: &[&str]) -> Value {
    let words: Vec<Value> = words.iter().map(|word| json!(word)).chain([Value::Null]).collect();
    json!({"enum": words})
}

fn null_type() -> Value {
    json!({"type": "null"})
}

/// An object with these fields and no others.
fn object(required: &[&str], fields: Value) -> Value {
    json!({"type": "object", "required": required, "properties": fields, "additionalProperties": false})
}

/// Returns `fields` extended by `more`.
fn with(mut fields: Value, more: Value) -> Value {
    if let (Value::Object(fields), Value::Object(more)) = (&mut fields, more) {
        fields.extend(more);
    }
    fields
}

/// Schema of a new channel: one alternative for each transport of this build.
pub(super) fn new_channel() -> Value {
    let url = text(patterns::URL, MAX_ADDRESS_BYTES);
    let mut transports = vec![
        transport(&["name", "url"], Transport::Webhook, "url", url),
        transport(&["transport", "name", "mail"], Transport::Mail, "mail", mail()),
        transport(&["transport", "name", "sms"], Transport::Sms, "sms", sms()),
    ];
    transports.push(transport(
        &["transport", "name", "wordpress"],
        Transport::WordPress,
        "wordpress",
        new_wordpress(),
    ));
    transports.push(transport(&["transport", "name", "ghost"], Transport::Ghost, "ghost", ghost_login()));
    if amqp::IS_BUILT {
        transports.push(transport(&["transport", "name", "amqp"], Transport::Amqp, "amqp", new_amqp()));
    }
    let description = "A new channel: the settings of its transport. Absent fields get the default.";
    json!({"description": description, "oneOf": transports})
}

fn transport(required: &[&str], transport: Transport, field: &str, settings: Value) -> Value {
    let name = transport.as_str();
    let is_default = matches!(transport, Transport::Webhook);
    let mut fields: Map<String, Value> = ["url", "mail", "sms", "amqp", "wordpress", "ghost"]
        .into_iter()
        .map(|other| (other.to_owned(), null_type()))
        .collect();
    fields.insert(field.to_owned(), settings);
    let transport = if is_default { optional_word(&[name]) } else { json!({"enum": [name]}) };
    fields.insert("transport".to_owned(), transport);
    fields.insert("name".to_owned(), text(patterns::DISPLAY_NAME, MAX_NAME_CHARS));
    object(required, with(Value::Object(fields), common_fields()))
}

/// The optional fields of all transports.
fn common_fields() -> Value {
    json!({
        "events": {
            "type": ["array", "null"],
            "items": {"enum": ChannelEvent::CHOICES.map(ChannelEvent::as_str)}
        },
        "retry_schedule": {"type": ["string", "null"], "pattern": patterns::RETRY_SCHEDULE},
        "on_unknown_outcome": optional_word(OnUnknownOutcome::NAMES),
        "concurrency": {"type": ["integer", "null"], "minimum": 1, "maximum": MAX_CHANNEL_CONCURRENCY},
        "priority": optional_word(Priority::NAMES),
        "rate": {"type": ["integer", "null"], "minimum": 0, "maximum": MAX_CHANNEL_RATE},
        "rate_per": optional_word(RatePeriod::NAMES)
    })
}

fn recipients(pattern: &str) -> Value {
    let item = text(pattern, MAX_EMAIL_BYTES);
    json!({"type": "array", "minItems": 1, "maxItems": MAX_RECIPIENTS, "items": item})
}

fn optional_recipients(pattern: &str) -> Value {
    json!({"oneOf": [null_type(), recipients(pattern)]})
}

fn port() -> Value {
    json!({"oneOf": [
        {"enum": [25, 465, 587, null]},
        {"type": "integer", "minimum": 1024, "maximum": 65535}
    ]})
}

fn username() -> Value {
    sized_text(patterns::USERNAME, MAX_EMAIL_BYTES)
}

fn password() -> Value {
    sized_text(patterns::PASSWORD, MAX_SECRET_BYTES)
}

fn mail() -> Value {
    let fields = json!({
        "host": text(patterns::HOST_NAME, MAX_HOST_NAME_CHARS),
        "port": port(),
        "security": optional_word(&ENCRYPTED),
        "from": text(patterns::EMAIL, MAX_EMAIL_BYTES),
        "to": recipients(patterns::EMAIL),
        "language": optional_word(Language::NAMES)
    });
    let without_login = json!({"username": optional_word(&[""]), "password": optional_word(&[""])});
    let with_login = json!({"username": username(), "password": password()});
    let of_desk = json!({
        "host": optional_word(&[""]),
        "port": null_type(),
        "security": null_type(),
        "username": null_type(),
        "password": null_type(),
        "from": null_type(),
        "to": recipients(patterns::EMAIL),
        "language": optional_word(Language::NAMES)
    });
    json!({"oneOf": [
        object(&["to"], of_desk),
        object(&["host", "from", "to"], with(fields.clone(), without_login)),
        object(&["host", "from", "to", "username", "password"], with(fields, with_login))
    ]})
}

fn sms() -> Value {
    let fields = |format: Value, template: Value| {
        json!({
            "url": text(patterns::URL, MAX_ADDRESS_BYTES),
            "to": recipients(patterns::PHONE_NUMBER),
            "language": optional_word(Language::NAMES),
            "format": format,
            "template": template
        })
    };
    let json = fields(optional_word(&["json"]), optional_text(patterns::JSON_TEMPLATE, MAX_TEMPLATE_BYTES));
    let form = fields(json!({"enum": ["form"]}), text(patterns::FORM_TEMPLATE, MAX_TEMPLATE_BYTES));
    let without_secret = || json!({"header": optional_word(&[""]), "secret": optional_word(&[""])});
    let with_secret = || json!({"header": header_name(), "secret": header_value()});
    json!({"oneOf": [
        object(&["url", "to"], with(json.clone(), without_secret())),
        object(&["url", "to", "header", "secret"], with(json, with_secret())),
        object(&["url", "to", "format", "template"], with(form.clone(), without_secret())),
        object(&["url", "to", "format", "template", "header", "secret"], with(form, with_secret()))
    ]})
}

fn header_name() -> Value {
    text(patterns::HEADER_NAME, MAX_HEADER_NAME_CHARS)
}

fn header_value() -> Value {
    text(patterns::HEADER_VALUE, MAX_SECRET_BYTES)
}

fn new_amqp() -> Value {
    object(&["url", "username", "password"], amqp_login())
}

fn new_wordpress() -> Value {
    object(&["url", "username", "password"], wordpress_login())
}

fn wordpress_login() -> Value {
    json!({
        "url": text(patterns::URL, MAX_ADDRESS_BYTES),
        "username": sized_text(patterns::SITE_USERNAME, MAX_EMAIL_BYTES),
        "password": password()
    })
}

/// The site and its key, which belong together.
fn ghost_login() -> Value {
    let admin_key = text(patterns::ADMIN_KEY, MAX_SECRET_BYTES);
    let fields = json!({"url": text(patterns::URL, MAX_ADDRESS_BYTES), "admin_key": admin_key});
    object(&["url", "admin_key"], fields)
}

/// Schema of a change of a channel, for the transport it has. A field that belongs to another
/// server must be sent with the secret for that server.
pub(super) fn channel_change() -> Value {
    let fields = json!({
        "transport": optional_word(Transport::NAMES),
        "name": optional_text(patterns::DISPLAY_NAME, MAX_NAME_CHARS),
        "url": optional_text(patterns::URL, MAX_ADDRESS_BYTES),
        "mail": {"oneOf": [
            null_type(), object(&[], mail_change()), object(&["username", "password"], mail_login()),
            object(&["host"], mail_of_desk())]},
        "sms": {"oneOf": sms_changes()},
        "amqp": {"oneOf": [
            null_type(), object(&[], amqp_change()), object(&["url", "username", "password"], amqp_login())]},
        "wordpress": {"oneOf": [null_type(), object(&["url", "username", "password"], wordpress_login())]},
        "ghost": {"oneOf": [null_type(), ghost_login()]}
    });
    let mut schema = object(&[], with(fields, common_fields()));
    schema["description"] =
        "A change of a channel's settings. Absent fields keep their value. Only for its own transport."
            .into();
    schema
}

fn mail_change() -> Value {
    json!({
        "from": optional_text(patterns::EMAIL, MAX_EMAIL_BYTES),
        "to": optional_recipients(patterns::EMAIL),
        "language": optional_word(Language::NAMES)
    })
}

/// The mail server of the desk instead of the channel's own.
fn mail_of_desk() -> Value {
    json!({
        "host": {"enum": [""]},
        "to": optional_recipients(patterns::EMAIL),
        "language": optional_word(Language::NAMES)
    })
}

fn mail_login() -> Value {
    let server = json!({
        "host": optional_text(patterns::HOST_NAME, MAX_HOST_NAME_CHARS),
        "port": port(),
        "security": optional_word(&ENCRYPTED),
        "username": username(),
        "password": password()
    });
    with(mail_change(), server)
}

/// Schemas of a change of SMS settings. A format and a template must be sent together.
fn sms_changes() -> Vec<Value> {
    let json = text(patterns::JSON_TEMPLATE, MAX_TEMPLATE_BYTES);
    let form = text(patterns::FORM_TEMPLATE, MAX_TEMPLATE_BYTES);
    let mut schemas = vec![null_type()];
    for (required, fields) in [(&[][..], sms_change()), (&["url", "header", "secret"][..], sms_login())] {
        schemas.push(object(required, fields.clone()));
        for (format, template) in [("json", &json), ("form", &form)] {
            let required = [required, &["format", "template"]].concat();
            let more = json!({"format": {"enum": [format]}, "template": template});
            schemas.push(object(&required, with(fields.clone(), more)));
        }
    }
    schemas
}

fn sms_change() -> Value {
    json!({
        "to": optional_recipients(patterns::PHONE_NUMBER),
        "language": optional_word(Language::NAMES)
    })
}

fn sms_login() -> Value {
    let server = json!({
        "url": text(patterns::URL, MAX_ADDRESS_BYTES),
        "header": header_name(),
        "secret": header_value()
    });
    with(sms_change(), server)
}

/// True, false or null.
fn optional_switch() -> Value {
    json!({"type": ["boolean", "null"]})
}

fn headers() -> Value {
    json!({"type": ["object", "null"], "maxProperties": MAX_MESSAGE_HEADERS,
           "propertyNames": {"pattern": patterns::HEADER_NAME},
           "additionalProperties": header_value_of_message()})
}

fn header_value_of_message() -> Value {
    json!({"type": "string", "pattern": patterns::HEADER_VALUE, "maxLength": MAX_HEADER_VALUE_BYTES})
}

fn amqp_change() -> Value {
    let routing_key = sized_text(patterns::ROUTING_KEY, MAX_ROUTING_KEY_BYTES);
    json!({
        "exchange": optional_text(patterns::EXCHANGE, MAX_EXCHANGE_BYTES),
        "routing_key": {"oneOf": [null_type(), routing_key]},
        "headers": headers(),
        "persistent": optional_switch(),
        "mandatory": optional_switch(),
        "confirm": optional_switch()
    })
}

fn amqp_login() -> Value {
    let server = json!({
        "url": text(patterns::BROKER_URL, MAX_ADDRESS_BYTES),
        "username": username(),
        "password": password()
    });
    with(amqp_change(), server)
}
