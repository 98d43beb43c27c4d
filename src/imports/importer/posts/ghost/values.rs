//! Values of an export of Ghost, which its versions write in several forms.

use serde_json::Value;

/// Returns an id: a text, or a number in old exports.
pub fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// Whether a flag is set, as a flag or as a number.
pub fn is_true(value: &Value) -> bool {
    value.as_bool() == Some(true) || value.as_i64() == Some(1)
}

/// Whether a flag is set, in any form; a value that is none counts as set.
pub fn is_set(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => {
            !matches!(text.trim().to_lowercase().as_str(), "" | "0" | "false" | "no" | "null")
        }
        Value::Array(_) | Value::Object(_) => true,
    }
}
