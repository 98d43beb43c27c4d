//! Schemas of signals and rules in the OpenAPI document.

use super::{patterns, times::times};
use domain::{
    input_limits::{MAX_NAME_CHARS, MAX_SIGNAL_FIELDS},
    rule::{MAX_CAP_DAYS, MAX_CAP_TIMES, Repeat, Waiting},
};
use serde_json::{Value, json};

/// Maximum length of subject, key and id of a signal, and of texts in examples, in characters.
const MAX_TEXT_CHARS: usize = 200;
/// Maximum length of the name of a signal, in characters.
const MAX_SIGNAL_NAME_CHARS: usize = 100;

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
    let value =
        json!({"type": ["string", "number", "boolean", "null"], "maxLength": 50, "pattern": patterns::TEXT});
    let data = json!({"type": ["object", "null"], "maxProperties": MAX_SIGNAL_FIELDS,
                      "propertyNames": {"pattern": "^[a-z_]{1,20}$"}, "additionalProperties": value});
    let at = json!({"type": ["string", "null"], "format": "date-time", "pattern": patterns::PAST_INSTANT,
                    "description": "When it happened, RFC 3339; now if absent. At most 5 minutes ahead."});
    let fields = json!({"name": signal_name(), "subject": text, "id": optional, "key": optional, "at": at, "data": data});
    object(&["name", "subject"], &fields)
}

fn time_before_noon() -> Value {
    json!({"type": "string", "pattern": "^(0[0-9]|1[01]):[0-5][0-9]$"})
}

fn fields() -> Value {
    let duration = json!({"type": "string", "pattern": patterns::DELAY});
    let field = json!({"type": "string", "pattern": "^[a-z_]{1,20}$"});
    let before = object(&["before", "field"], &json!({"before": duration, "field": field}));
    let time = json!({"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"});
    let working_day = object(&["next_working_day"], &json!({"next_working_day": time}));
    let quiet = object(&["from", "to"], &json!({"from": {"const": "22:00"}, "to": time_before_noon()}));
    let cap = object(
        &["times", "days"],
        &json!({
        "times": {"type": "integer", "minimum": 1, "maximum": MAX_CAP_TIMES},
        "days": {"type": "integer", "minimum": 1, "maximum": MAX_CAP_DAYS}}),
    );
    let emit = json!({"type": {"const": "signal"}, "name": {"type": "string", "pattern": "^emitted\\.[a-z]{1,20}$"}});
    let text = json!({"type": "string", "pattern": "^[A-Za-z][A-Za-z .]{0,100}$"});
    let to = json!({"type": "string", "pattern": patterns::EMAIL});
    let remind = json!({"type": {"const": "reminder"}, "to": to, "text": text});
    let channel_id = json!({"type": "string", "format": "uuid"});
    let message = json!({"type": {"const": "message"}, "channel_id": channel_id, "body": text});
    let actions = [
        object(&["type", "name"], &emit),
        object(&["type", "to", "text"], &remind),
        object(&["type", "channel_id", "body"], &message),
    ];
    json!({
        "name": {"type": "string", "pattern": patterns::DISPLAY_NAME, "maxLength": MAX_NAME_CHARS},
        "after": {"type": "string", "pattern": "^after\\.[a-z]{1,20}$", "description": "Name of the signal that opens a wait."},
        "unless": {"type": ["array", "null"], "maxItems": 20,
                   "items": {"type": "string", "pattern": "^closing\\.[a-z]{1,20}$"},
                   "description": "Names of the signals that close it."},
        "wait": {"oneOf": [duration, before, working_day],
                 "description": "A duration after the signal, or before a moment in its data, or until a time of the next day from Monday to Friday."},
        "zone": {"oneOf": [{"$ref": "#/components/schemas/Zone"}, {"type": "null"}],
                 "description": "Zone of the times of a day; that of the caller if absent."},
        "zone_field": {"type": ["string", "null"], "pattern": "^[a-z_]{1,20}$",
                       "description": "Field of the data with the zone of the subject."},
        "quiet_hours": {"oneOf": [quiet, {"type": "null"}], "description": "A wait ends outside these hours."},
        "cap": {"oneOf": [cap, {"type": "null"}],
                "description": "Maximum number of times it acts for a subject in a number of days."},
        "subject": {"type": ["string", "null"], "pattern": patterns::MESSAGE_KEY, "maxLength": MAX_TEXT_CHARS},
        "repeat": words(Repeat::NAMES),
        "grace": {"type": ["string", "null"], "pattern": patterns::DELAY},
        "action": {"oneOf": actions, "description": "What the rule does."}
    })
}

/// Returns the schema of a new rule.
pub(super) fn new_rule() -> Value {
    object(&["name", "after", "wait", "action"], &fields())
}

/// Returns the schema of a change of a rule.
pub(super) fn rule_change() -> Value {
    let mut fields = fields();
    fields["waiting"] = words(Waiting::NAMES);
    fields["seen_version"] = json!({"type": ["integer", "null"], "format": "int32"});
    object(&[], &fields)
}

/// Returns the schema of another moment of a wait.
pub(super) fn wait_time() -> Value {
    json!({"description": "Another moment: `due_at`, or `local` and `zone`.", "oneOf": times(&[], &json!({}))})
}
