//! Schemas of reminders in the OpenAPI document: the forms of a time, and the recipients.

use super::{
    patterns::{EMAIL, TITLE},
    times::times,
};
use domain::{
    reminders::{Anchor, MAX_MINUTES_BEFORE, MAX_TEXT_CHARS},
    series::Reach,
};
use serde_json::{Map, Value, json};

/// Returns the schema of a new reminder.
pub(super) fn new_reminder() -> Value {
    let mut fields = fields();
    fields["series"] = series();
    let mut all = forms(&["text"], &fields);
    all.push(relative("article_id", &["start"]));
    all.push(relative("meeting_id", Anchor::NAMES));
    json!({"description": "A new reminder: `due_at`, or `local` and `zone`, or `when`, each also with `series`; or `article_id` or `meeting_id` and `offset_minutes`. At most one recipient; the caller if there is none.",
           "oneOf": all})
}

/// Returns the form of a time that follows an article or a meeting.
fn relative(subject: &str, anchors: &[&str]) -> Value {
    let mut fields = fields();
    fields[subject] = json!({"type": "string", "format": "uuid", "description": "What it is about: it moves or is cancelled with it."});
    fields["offset_minutes"] = json!({"type": "integer", "minimum": -MAX_MINUTES_BEFORE, "maximum": MAX_MINUTES_BEFORE,
                                      "description": "Minutes after what it is about; negative: before."});
    let words: Vec<Value> = anchors.iter().map(|word| json!(word)).chain([Value::Null]).collect();
    fields["anchor"] = json!({"enum": words, "description": "What it counts from, `start` if absent; of an article `start`, its publication."});
    json!({"type": "object", "required": ["text", subject, "offset_minutes"], "properties": fields, "additionalProperties": false})
}

/// Returns the schema of a change.
pub(super) fn reminder_change() -> Value {
    let description = "`version` of the reminder that the caller saw; a different current one is a conflict.";
    let mut fields = fields();
    fields["seen_version"] =
        json!({"type": ["integer", "null"], "format": "int32", "description": description});
    let words: Vec<Value> = Reach::NAMES.iter().map(|word| json!(word)).chain([Value::Null]).collect();
    fields["reach"] = json!({"enum": words, "description": "Which occurrences of its series change: `this` (if absent; it leaves its series), `following` or `all`."});
    fields["series"] = series();
    let mut all = forms(&[], &fields);
    all.push(json!({"type": "object", "properties": fields, "additionalProperties": false}));
    json!({"description": "A new text, time or recipient; at most one recipient. What is absent stays.", "oneOf": all})
}

/// How it repeats from its time on.
fn series() -> Value {
    json!({"oneOf": [{"type": "null"}, {"$ref": "#/components/schemas/NewReminderSeriesBody"}]})
}

fn fields() -> Value {
    json!({
        "text": {"type": "string", "minLength": 1, "maxLength": MAX_TEXT_CHARS, "pattern": TITLE},
        "account_id": {"type": ["string", "null"], "format": "uuid", "description": "Id of the account it is for."},
        "mail": {"type": ["string", "null"], "pattern": EMAIL, "description": "Address that gets a mail."},
        "channel_id": {"type": ["string", "null"], "format": "uuid",
                       "description": "Id of the channel that sends it; only for admins."}
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
                   "description": "Words: `tomorrow 9am`, `in 90 minutes`, `明天上午九点`; `every monday 9am` for a series. The server also accepts others."}),
        ),
        ("due_at".to_owned(), json!({"type": "null"})),
        ("local".to_owned(), json!({"type": "null"})),
    ]));
    let required: Vec<&str> = required.iter().chain(&["when"]).copied().collect();
    all.push(json!({"type": "object", "required": required, "properties": properties, "additionalProperties": false}));
    all
}
