//! Rows of the access test for reviews and word lists.

use super::{Scene, rows::Row};
use serde_json::{Value, json};

/// Routes of the API.
pub const ROWS: [Row; 22] = [
    ("GET", "/api/v1/settings/review", nothing, [401, 200, 200, 200, 200]),
    ("PATCH", "/api/v1/settings/review", seen, [401, 403, 403, 403, 409]),
    ("GET", "/api/v1/articles/{id}/checklist", nothing, [401, 200, 200, 200, 200]),
    ("POST", "/api/v1/articles/{id}/check-links", nothing, [401, 200, 403, 200, 200]),
    ("POST", "/api/v1/articles/{id}/submit", seen_revision, [401, 409, 403, 403, 409]),
    ("POST", "/api/v1/articles/{id}/approve", approval, [401, 403, 403, 409, 409]),
    ("POST", "/api/v1/articles/{id}/undo-approval", seen_revision, [401, 403, 403, 409, 409]),
    ("POST", "/api/v1/articles/{id}/send-back", sent_back, [401, 403, 403, 409, 409]),
    ("POST", "/api/v1/articles/{id}/review-links", link, [401, 403, 403, 409, 409]),
    ("GET", "/api/v1/articles/{id}/comments", nothing, [401, 200, 200, 200, 200]),
    ("POST", "/api/v1/articles/{id}/comments", comment, [401, 404, 403, 404, 404]),
    ("POST", "/api/v1/comments/{id}/resolve", nothing, [401, 404, 404, 404, 404]),
    ("POST", "/api/v1/comments/{id}/reopen", nothing, [401, 404, 404, 404, 404]),
    ("GET", "/api/v1/word-lists", nothing, [401, 403, 403, 403, 200]),
    ("POST", "/api/v1/word-lists", unnamed_list, [401, 403, 403, 403, 422]),
    ("GET", "/api/v1/word-lists/{id}", nothing, [401, 403, 403, 403, 404]),
    ("PATCH", "/api/v1/word-lists/{id}", empty, [401, 403, 403, 403, 404]),
    ("DELETE", "/api/v1/word-lists/{id}", nothing, [401, 403, 403, 403, 404]),
    ("PUT", "/api/v1/word-lists/{id}/terms", no_terms, [401, 403, 403, 403, 404]),
    ("GET", "/api/v1/word-lists/{id}/revisions", nothing, [401, 403, 403, 403, 404]),
    ("POST", "/api/v1/word-lists/{id}/restore", earlier, [401, 403, 403, 403, 404]),
    ("POST", "/api/v1/words/check", words, [401, 200, 200, 200, 200]),
];

/// Pages.
pub const PAGES: [(&str, [u16; 3]); 7] = [
    ("/review", [303, 200, 200]),
    ("/articles/{id}/links", [303, 200, 200]),
    ("/review/{id}", [303, 409, 409]),
    ("/review/link/{secret}", [410, 410, 410]),
    ("/settings/review", [303, 403, 200]),
    ("/settings/words", [303, 403, 200]),
    ("/settings/words/{id}", [303, 403, 404]),
];

/// Server functions that need no session.
pub const PUBLIC_FUNCTIONS: [&str; 2] = ["linked_text", "decide_by_link"];

fn nothing(_: &Scene) -> Value {
    Value::Null
}

fn seen(_: &Scene) -> Value {
    json!({"seen_version": 99})
}

fn seen_revision(_: &Scene) -> Value {
    json!({"seen_revision": 99})
}

fn approval(_: &Scene) -> Value {
    json!({"seen_revision": 99, "revision_hash": "none"})
}

fn sent_back(_: &Scene) -> Value {
    json!({"seen_revision": 99, "reason": "Again"})
}

fn link(_: &Scene) -> Value {
    json!({"name": "Expert"})
}

fn comment(_: &Scene) -> Value {
    json!({"revision": 99, "paragraph": 1, "text": "Again"})
}

fn unnamed_list(_: &Scene) -> Value {
    json!({"name": "", "action": "block"})
}

fn no_terms(_: &Scene) -> Value {
    json!({"terms": []})
}

fn earlier(_: &Scene) -> Value {
    json!({"version": 1})
}

fn words(_: &Scene) -> Value {
    json!({"text": "fine"})
}

fn empty(_: &Scene) -> Value {
    json!({})
}
