//! Schemas of times, an instant or a local time, and how schemas are merged.

use super::patterns::{INSTANT, LOCAL_TIME};
use serde_json::{Value, json};

/// Writes `change` over `value`. Objects are merged field by field.
pub(super) fn merge(value: &mut Value, change: Value) {
    match (value, change) {
        (Value::Object(fields), Value::Object(changes)) => {
            for (key, change) in changes {
                merge(fields.entry(key).or_insert(Value::Null), change);
            }
        }
        (value, change) => *value = change,
    }
}

/// Schemas of the two forms of a time, an instant or a local time, each with more fields.
pub(super) fn times(required: &[&str], fields: &Value) -> Value {
    let disambiguation = json!({"enum": ["earlier", "later", null],
                                "description": "`earlier` or `later`, if `local` occurs twice."});
    let instant = json!({
        "due_at": {"type": "string", "format": "date-time", "pattern": INSTANT,
                   "description": "An instant in the future, RFC 3339, in the years 2000 to 2199."},
        "local": {"type": "null"}, "zone": {"type": "null"}, "disambiguation": disambiguation});
    let local = json!({
        "local": {"type": "string", "pattern": LOCAL_TIME,
                  "description": "A local time in the years 2000 to 2199: `2027-03-28T02:30`."},
        "zone": {"$ref": "#/components/schemas/Zone"},
        "due_at": {"type": "null"}, "disambiguation": disambiguation});
    let one = |also_required: &[&str], mut time: Value| {
        merge(&mut time, fields.clone());
        let required: Vec<&str> = required.iter().chain(also_required).copied().collect();
        json!({"type": "object", "required": required, "properties": time, "additionalProperties": false})
    };
    json!([one(&["due_at"], instant), one(&["local", "zone"], local)])
}
