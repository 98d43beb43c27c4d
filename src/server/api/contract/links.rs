//! Links of the OpenAPI document: which operations can use a response, and which values they take
//! from it.

use crate::http::api::BASE;
use serde_json::{Value, json};

/// Methods of the API, as the document names them.
const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];
/// A due time for examples, far in the future.
const FUTURE_TIME: &str = "2199-12-31T12:00:00Z";

/// A response whose values other operations can use.
struct Source {
    path: &'static str,
    method: &'static str,
    status: &'static str,
    /// JSON pointer to the thing in the response.
    pointer: &'static str,
    /// Path of the operations. If it contains `{id}`, paths that begin with it are linked too.
    target: &'static str,
}

const fn source(
    (method, path): (&'static str, &'static str),
    status: &'static str,
    pointer: &'static str,
    target: &'static str,
) -> Source {
    Source { path, method, status, pointer, target }
}

const SOURCES: [Source; 21] = [
    source(("post", "/articles"), "201", "", "/articles/{id}"),
    source(("get", "/articles"), "200", "/items/0", "/articles/{id}"),
    source(("post", "/tasks"), "201", "", "/tasks/{id}"),
    source(("get", "/tasks"), "200", "/items/0", "/tasks/{id}"),
    source(("post", "/tasks/bulk"), "201", "/items/0", "/tasks/{id}"),
    source(("post", "/tasks/{id}/reschedule"), "200", "", "/tasks/{id}/undo"),
    source(("post", "/tasks/{id}/cancel"), "200", "", "/tasks/{id}/undo"),
    source(("post", "/channels"), "201", "", "/channels/{id}"),
    source(("get", "/channels"), "200", "/items/0", "/channels/{id}"),
    source(("post", "/word-lists"), "201", "", "/word-lists/{id}"),
    source(("get", "/word-lists"), "200", "/items/0", "/word-lists/{id}"),
    source(("post", "/channels/{id}/test"), "202", "", "/deliveries/{id}"),
    source(("get", "/deliveries"), "200", "/items/0", "/deliveries/{id}"),
    source(("post", "/articles"), "201", "", "/tasks"),
    source(("post", "/releases"), "201", "", "/releases/{id}"),
    source(("get", "/releases"), "200", "/items/0", "/releases/{id}"),
    source(("post", "/rooms"), "201", "", "/rooms/{id}"),
    source(("get", "/rooms"), "200", "/items/0", "/rooms/{id}"),
    source(("post", "/meetings"), "201", "", "/meetings/{id}"),
    source(("get", "/meetings"), "200", "/items/0", "/meetings/{id}"),
    source(("post", "/meetings/{id}/cancel"), "200", "", "/meetings/{id}/undo"),
];

/// An operation that can be the target of a link.
struct Target {
    path: String,
    method: &'static str,
    operation_id: String,
}

/// Writes the links into the document. Its operations must already have their ids.
pub(super) fn write(document: &mut Value) {
    let targets = targets(document);
    for source in &SOURCES {
        let responses = &mut document["paths"][format!("{BASE}{}", source.path)][source.method]["responses"];
        let Some(response) = responses.get_mut(source.status).and_then(Value::as_object_mut) else {
            continue;
        };
        let links = response.entry("links").or_insert_with(|| json!({}));
        for target in targets.iter().filter(|target| source.leads_to(target)) {
            links[&target.operation_id] = link(source, target);
        }
    }
}

impl Source {
    fn leads_to(&self, target: &Target) -> bool {
        if self.target.contains("{id}") {
            target.path.starts_with(self.target)
        } else {
            target.path == self.target && target.method == "post"
        }
    }
}

fn targets(document: &Value) -> Vec<Target> {
    let mut targets = Vec::new();
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        let path = path.strip_prefix(BASE).unwrap_or(path);
        for method in METHODS {
            if let Some(id) = item[method]["operationId"].as_str() {
                targets.push(Target { path: path.to_owned(), method, operation_id: id.to_owned() });
            }
        }
    }
    targets
}

fn link(source: &Source, target: &Target) -> Value {
    let value = |field: &str| format!("$response.body#{}/{field}", source.pointer);
    let mut link = json!({"operationId": target.operation_id});
    if target.path.contains("{id}") {
        link["parameters"] = json!({"id": value("id")});
    }
    let body = match (target.method, target.path.as_str()) {
        ("post", "/tasks") => {
            json!({"kind": "article.publish", "target_id": value("id"), "due_at": FUTURE_TIME})
        }
        ("post", "/tasks/{id}/reschedule") => {
            json!({"seen_version": value("version"), "due_at": FUTURE_TIME})
        }
        ("post", "/meetings/{id}/extend") => json!({"seen_version": value("version"), "minutes": 15}),
        ("post", path) if path.starts_with("/meetings/{id}/") => json!({"seen_version": value("version")}),
        ("post", "/releases/{id}/schedule") => json!({"due_at": FUTURE_TIME}),
        ("patch", "/releases/{id}") => json!({"name": "A changed name", "seen_version": value("version")}),
        ("patch", "/rooms/{id}") => json!({"place": "Second floor", "seen_version": value("version")}),
        ("patch", "/meetings/{id}") => json!({"title": "A changed title", "seen_version": value("version")}),
        ("post", path) if path.starts_with("/tasks/{id}/") => json!({"seen_version": value("version")}),
        ("patch", "/articles/{id}") => {
            json!({"body": "A changed text.", "seen_revision": value("revision")})
        }
        ("patch", "/channels/{id}") => json!({"name": "A changed name"}),
        _ => return link,
    };
    link["requestBody"] = body;
    // Schemathesis must send this body as it is, without generated fields.
    link["x-schemathesis"] = json!({"merge_body": false});
    link
}
