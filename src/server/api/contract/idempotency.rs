//! Which operations take an `Idempotency-Key`, in their descriptions and as `x-idempotency-key`. It is no
//! parameter: generated requests would repeat their keys.

use crate::http::api::{
    BASE,
    idempotency::{IGNORED, SUPPORTED},
};
use serde_json::{Value, json};

/// Name of the property of an operation that takes a key.
pub const EXTENSION: &str = "x-idempotency-key";

/// Writes them into the document, and the refusal of the operations that take none.
pub(super) fn write(document: &mut Value) {
    let Some(paths) = document.get_mut("paths").and_then(Value::as_object_mut) else { return };
    for (path, item) in paths {
        let path = path.strip_prefix(BASE).unwrap_or(path);
        let Some(post) = item.get_mut("post").and_then(Value::as_object_mut) else { continue };
        if SUPPORTED.contains(&path) {
            let description = post.get("description").or_else(|| post.get("summary"));
            let description = description.and_then(Value::as_str).unwrap_or_default();
            let description = format!("{description}\n\nTakes the header `Idempotency-Key`.");
            post.insert("description".to_owned(), description.into());
            post.insert(EXTENSION.to_owned(), true.into());
        } else if !IGNORED.contains(&path)
            && let Some(responses) = post.get_mut("responses").and_then(Value::as_object_mut)
        {
            responses.entry("422").or_insert_with(refusal);
        }
    }
}

fn refusal() -> Value {
    let schema = json!({"$ref": "#/components/schemas/ErrorBody"});
    json!({
        "description": "The request has an `Idempotency-Key`, which this operation does not take",
        "content": {"application/json": {"schema": schema}},
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::api::document;

    #[test]
    fn the_document_says_which_operations_take_a_key() {
        let paths = document()["paths"].as_object().unwrap();
        for path in SUPPORTED.iter().chain(&IGNORED) {
            assert!(paths[&format!("{BASE}{path}")]["post"].is_object(), "{path}");
        }
        for (path, item) in paths {
            let Some(post) = item.get("post") else { continue };
            let path = path.strip_prefix(BASE).unwrap();
            assert_eq!(post[EXTENSION] == true, SUPPORTED.contains(&path), "{path}");
            let description = post["description"].as_str().unwrap_or_default();
            assert_eq!(description.contains("`Idempotency-Key`."), SUPPORTED.contains(&path), "{path}");
            if !SUPPORTED.contains(&path) && !IGNORED.contains(&path) {
                assert!(post["responses"]["422"].is_object(), "{path}");
            }
        }
    }
}
