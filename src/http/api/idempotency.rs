//! Which operations take an `Idempotency-Key`. A list of their own, so that the document names them and
//! no key is ignored.

use axum::http::{Method, request::Parts};
use domain::DomainError;

/// Name of the header.
pub const HEADER: &str = "idempotency-key";

/// Paths whose POST with a known key returns the result of the first request.
pub const SUPPORTED: [&str; 45] = [
    "/articles",
    "/articles/bulk-change",
    "/articles/import",
    "/articles/{id}/approve",
    "/articles/{id}/comments",
    "/articles/{id}/send-back",
    "/articles/{id}/undo-approval",
    "/batches/{id}/undo",
    "/channels",
    "/meetings",
    "/meetings/bulk-change",
    "/meetings/{id}/accept",
    "/meetings/{id}/approve",
    "/meetings/{id}/cancel",
    "/meetings/{id}/check-in",
    "/meetings/{id}/decline",
    "/meetings/{id}/end",
    "/meetings/{id}/extend",
    "/meetings/{id}/hand-over",
    "/meetings/{id}/reject",
    "/meetings/{id}/undo",
    "/messages",
    "/messages/bulk",
    "/notices",
    "/releases",
    "/reminders",
    "/reminders/bulk-change",
    "/reminders/{id}/done",
    "/reminders/{id}/snooze",
    "/reminders/{id}/undo",
    "/rooms",
    "/rules",
    "/signals",
    "/signals/bulk",
    "/slots/shift",
    "/tasks",
    "/tasks/bulk",
    "/tasks/bulk-change",
    "/tasks/{id}/cancel",
    "/tasks/{id}/publish-now",
    "/tasks/{id}/replace-revision",
    "/tasks/{id}/reschedule",
    "/tasks/{id}/retry",
    "/tasks/{id}/undo",
    "/word-lists",
];

/// Paths whose POST ignores a key: what the caller saw (`seen_version`, `seen_revision`) keeps a
/// repetition from changing anything.
pub const IGNORED: [&str; 2] = ["/articles/{id}/submit", "/releases/{id}/schedule"];

/// Refuses a POST with a key for an operation that takes none.
pub fn refuse_unused_key(head: &Parts) -> Result<(), DomainError> {
    if head.method != Method::POST || !head.headers.contains_key(HEADER) {
        return Ok(());
    }
    let path = head.extensions.get::<axum::extract::OriginalUri>().map_or(&head.uri, |uri| &uri.0).path();
    let path = path.strip_prefix(super::BASE).unwrap_or(path);
    let is_taken = SUPPORTED.iter().chain(&IGNORED).any(|known| matches(known, path));
    if is_taken { Ok(()) } else { Err(DomainError::NoIdempotencyKey) }
}

/// Whether a path is one of these: a part in braces stands for any text.
fn matches(known: &str, path: &str) -> bool {
    let (mut known, mut parts) = (known.split('/'), path.split('/'));
    loop {
        match (known.next(), parts.next()) {
            (None, None) => return true,
            (Some(one), Some(part)) if one.starts_with('{') || one == part => {}
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_an_id_is_known() {
        assert!(matches("/rules", "/rules") && matches("/tasks/{id}/undo", "/tasks/7/undo"));
        for other in ["/rule", "/rules/", "/rules/7", "/tasks/7/retry", "/tasks/undo", "/tasks/7/undo/8"] {
            assert!(!matches("/rules", other) && !matches("/tasks/{id}/undo", other), "{other}");
        }
    }
}
