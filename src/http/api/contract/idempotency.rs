//! The header `Idempotency-Key` of the operations that take it, and the refusal of the others.

use crate::http::api::{
    BASE,
    idempotency::{IGNORED, SUPPORTED},
};
use serde_json::{Value, json};

/// Visible ASCII characters, and blanks between them.
const KEY: &str = "^[!-~](?:[ -~]*[!-~])?$";

/// Writes them into the document.
pub(super) fn write(document: &mut Value) {
    let Some(paths) = document.get_mut("paths").and_then(Value::as_object_mut) else { return };
    for (path, item) in paths {
        let path = path.strip_prefix(BASE).unwrap_or(path);
        let Some(post) = item.get_mut("post").and_then(Value::as_object_mut) else { continue };
        if SUPPORTED.contains(&path) {
            let parameters = post.entry("parameters").or_insert_with(|| json!([]));
            if let Some(parameters) = parameters.as_array_mut() {
                parameters.push(parameter());
            }
        } else if !IGNORED.contains(&path)
            && let Some(responses) = post.get_mut("responses").and_then(Value::as_object_mut)
        {
            responses.entry("422").or_insert_with(refusal);
        }
    }
}

fn parameter() -> Value {
    json!({
        "name": "Idempotency-Key",
        "in": "header",
        "required": false,
        "description": "A request with the same key and body within a day returns the result of the first; with another body it is refused with 422 `key_reused`.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": KEY},
    })
}

fn refusal() -> Value {
    let schema = json!({"$ref": "#/components/schemas/ErrorBody"});
    json!({
        "description": "The request has an `Idempotency-Key`, which this operation does not take",
        "content": {"application/json": {"schema": schema}},
    })
}
