//! Schemas of reminders in the OpenAPI document: the forms of a time, and the recipients.

use super::{
    patterns::{EMAIL, TITLE},
    times::times,
};
use domain::reminders::MAX_TEXT_CHARS;
use serde_json::{Map, Value, json};

/// Returns the schema of a new reminder.
pub(super) fn new_reminder() -> Value {
    json!({"description": "A new reminder: `due_at`, or `local` and `zone`, or `when`. At most one recipient; the caller if there is none.",
           "oneOf": forms(&["text"], &fields())})
}

/// Returns the schema of a change.
pub(super) fn reminder_change() -> Value {
    let description = "`version` of the reminder that the caller saw; a different current one is a conflict.";
    let mut fields = fields();
    fields["seen_version"] =
        json!({"type": ["integer", "null"], "format": "int32", "description": description});
    let mut all = forms(&[], &fields);
    all.push(
        json!({"type": "object", "required": ["text"], "properties": fields, "additionalProperties": false}),
    );
    json!({"description": "A new text, time or recipient.", "oneOf": all})
}

fn fields() -> Value {
    json!({
        "text": {"type": "string", "minLength": 1, "maxLength": MAX_TEXT_CHARS, "pattern": TITLE},
        "mail": {"type": ["string", "null"], "pattern": EMAIL, "description": "Address that gets a mail."}
    })
}

/// Returns the forms of a time, each with these fields.
fn forms(required: &[&str], fields: &Value) -> Vec<Value> {
    let mut all = times(required, fields).as_array().cloned().unwrap_or_default();
    for form in &mut all {
        form["properties"]["when"] = json!({"type": "null"});
    }
    let mut properties = fields.as_object().cloned().unwrap_or_default();
    properties.extend(Map::from_iter([
        (
            "when".to_owned(),
            json!({"type": "string", "pattern": "^in [1-9][0-9]{0,3} (?:minutes|hours|days)$",
                   "description": "Words: `tomorrow 9am`, `in 90 minutes`, `明天上午九点`. The server also accepts others."}),
        ),
        ("due_at".to_owned(), json!({"type": "null"})),
        ("local".to_owned(), json!({"type": "null"})),
    ]));
    let required: Vec<&str> = required.iter().chain(&["when"]).copied().collect();
    all.push(json!({"type": "object", "required": required, "properties": properties, "additionalProperties": false}));
    all
}
