//! Schemas of signals and rules in the OpenAPI document.

use super::{message, patterns, times::times};
use domain::{
    input_limits::{
        MAX_EMAIL_BYTES, MAX_EXCHANGE_BYTES, MAX_MESSAGE_BYTES, MAX_NAME_CHARS, MAX_ROUTING_KEY_BYTES,
        MAX_SIGNAL_DATA_BYTES, MAX_SIGNAL_FIELDS,
    },
    rule::{MAX_CAP_DAYS, MAX_CAP_TIMES, Repeat, Waiting},
};
use serde_json::{Value, json};

/// Maximum length of subject, key and id of a signal, and of the name of a field, in characters.
const MAX_TEXT_CHARS: usize = 200;
/// Maximum length of the name of a signal, in characters.
const MAX_SIGNAL_NAME_CHARS: usize = 100;
/// Maximum number of signals that close a wait.
const MAX_UNLESS: usize = 20;

fn words(words: &[&str]) -> Value {
    let words: Vec<Value> = words.iter().map(|word| json!(word)).chain([Value::Null]).collect();
    json!({"enum": words})
}

fn signal_name() -> Value {
    json!({"type": "string", "pattern": patterns::SIGNAL_NAME, "maxLength": MAX_SIGNAL_NAME_CHARS})
}

fn object(required: &[&str], fields: &Value) -> Value {
    json!({"type": "object", "required": required, "properties": fields, "additionalProperties": false})
}

/// Returns the schema of a signal.
pub(super) fn signal() -> Value {
    let text = json!({"type": "string", "pattern": patterns::MESSAGE_KEY, "maxLength": MAX_TEXT_CHARS});
    let optional =
        json!({"type": ["string", "null"], "pattern": patterns::MESSAGE_KEY, "maxLength": MAX_TEXT_CHARS});
    // `maxLength` counts characters, but the limit is in bytes: only the description can state it.
    let description = format!("Names and values have at most {MAX_SIGNAL_DATA_BYTES} bytes together.");
    let value = json!({"type": ["string", "number", "boolean", "null"], "pattern": patterns::TEXT});
    let data = json!({"type": ["object", "null"], "maxProperties": MAX_SIGNAL_FIELDS,
                      "propertyNames": {"pattern": patterns::TEXT}, "additionalProperties": value,
                      "description": description});
    let at = json!({"type": ["string", "null"], "format": "date-time", "pattern": patterns::INSTANT,
                    "description": "When it happened, RFC 3339; now if absent. At most 5 minutes ahead."});
    let fields = json!({"name": signal_name(), "subject": text, "id": optional, "key": optional, "at": at, "data": data});
    object(&["name", "subject"], &fields)
}

/// The name of a field of the data of a signal.
fn field_name() -> Value {
    json!({"type": "string", "pattern": patterns::MESSAGE_KEY, "maxLength": MAX_TEXT_CHARS})
}

/// Schemas of what a rule does.
fn actions() -> [Value; 3] {
    let description = format!(
        "A template, at most {MAX_MESSAGE_BYTES} bytes; it may contain `{{{{subject}}}}` and the like."
    );
    let body = json!({"type": "string", "pattern": patterns::TEXT, "description": description});
    let text =
        json!({"type": "string", "minLength": 1, "pattern": patterns::TEXT, "description": description});
    let to = json!({"type": "string", "pattern": patterns::MESSAGE_KEY, "maxLength": MAX_EMAIL_BYTES,
                    "description": "An e-mail address, or a template such as `{{data.email}}`."});
    let mut headers = message::headers();
    headers["type"] = json!("object");
    let key = json!({"type": ["string", "null"], "pattern": patterns::MESSAGE_KEY, "maxLength": MAX_ROUTING_KEY_BYTES,
                     "description": "AMQP: a template; the routing key of the channel if absent."});
    let exchange = json!({"type": ["string", "null"], "pattern": patterns::EXCHANGE, "maxLength": MAX_EXCHANGE_BYTES,
                          "description": "AMQP: exchange; that of the channel if absent."});
    let channel_id = json!({"type": "string", "format": "uuid"});
    let mail_channel_id = json!({"type": ["string", "null"], "format": "uuid",
                                 "description": "A mail channel; the first active one if absent."});
    let emit = json!({"type": {"const": "signal"}, "name": signal_name()});
    let remind =
        json!({"type": {"const": "reminder"}, "to": to, "text": text, "channel_id": mail_channel_id});
    let send = json!({"type": {"const": "message"}, "channel_id": channel_id, "body": body, "headers": headers,
                      "routing_key": key, "exchange": exchange});
    [
        object(&["type", "name"], &emit),
        object(&["type", "to", "text"], &remind),
        object(&["type", "channel_id", "body"], &send),
    ]
}

fn fields() -> Value {
    let duration = json!({"type": "string", "pattern": patterns::DELAY});
    let field = field_name();
    let before = object(&["before", "field"], &json!({"before": duration, "field": field}));
    let time = json!({"type": "string", "pattern": patterns::CLOCK});
    let working_day = object(&["next_working_day"], &json!({"next_working_day": time}));
    let quiet = object(&["from", "to"], &json!({"from": time, "to": time}));
    let cap = object(
        &["times", "days"],
        &json!({
        "times": {"type": "integer", "minimum": 1, "maximum": MAX_CAP_TIMES},
        "days": {"type": "integer", "minimum": 1, "maximum": MAX_CAP_DAYS}}),
    );
    let mut after = signal_name();
    after["description"] = json!("Name of the signal that opens a wait.");
    json!({
        "name": {"type": "string", "pattern": patterns::DISPLAY_NAME, "maxLength": MAX_NAME_CHARS},
        "after": after,
        "unless": {"type": ["array", "null"], "maxItems": MAX_UNLESS, "items": signal_name(),
                   "description": "Names of the signals that close it; not the one that opens it."},
        "wait": {"oneOf": [duration, before, working_day],
                 "description": "A duration after the signal, or before a moment in its data, or until a time of the next day from Monday to Friday."},
        "zone": {"oneOf": [{"$ref": "#/components/schemas/Zone"}, {"type": "null"}],
                 "description": "Zone of the times of a day; that of the caller if absent."},
        "zone_field": {"oneOf": [field, {"type": "null"}],
                       "description": "Field of the data with the zone of the subject."},
        "quiet_hours": {"oneOf": [quiet, {"type": "null"}],
                        "description": "A wait ends outside these hours. The two times differ."},
        "cap": {"oneOf": [cap, {"type": "null"}],
                "description": "Maximum number of times it acts for a subject in a number of days."},
        "subject": {"type": ["string", "null"], "pattern": patterns::MESSAGE_KEY, "maxLength": MAX_TEXT_CHARS},
        "repeat": words(Repeat::NAMES),
        "grace": {"type": ["string", "null"], "pattern": patterns::DELAY},
        "action": {"oneOf": actions(), "description": "What the rule does."}
    })
}

/// Returns the schema of a new rule.
pub(super) fn new_rule() -> Value {
    object(&["name", "after", "wait", "action"], &fields())
}

/// Returns the schema of a change of a rule.
pub(super) fn rule_change() -> Value {
    let mut fields = fields();
    for field in ["quiet_hours", "cap"] {
        if let Some(forms) = fields[field]["oneOf"].as_array_mut() {
            forms.push(json!({"const": false, "description": "Removes it."}));
        }
    }
    fields["waiting"] = words(Waiting::NAMES);
    fields["seen_version"] = json!({"type": ["integer", "null"], "format": "int32"});
    object(&[], &fields)
}

/// Returns the schema of another moment of a wait.
pub(super) fn wait_time() -> Value {
    other_moment(&json!({"seen_version": {"type": ["integer", "null"], "format": "int32"}}))
}

/// Returns the schema of another moment, with these fields.
pub(super) fn other_moment(fields: &Value) -> Value {
    json!({"description": "Another moment: `due_at`, or `local` and `zone`.", "oneOf": times(&[], fields)})
}
