//! What all operations of the REST API, `/api/v1`, share: extractors, errors, numbers, idempotency.

pub mod bulk_items;
pub mod dto;
pub mod error;
pub mod extract;
pub mod hours;
pub mod idempotency;
pub mod json_input;
pub mod media_use;
pub mod numbers;
pub mod planned_release;
pub mod zone_effect;

pub use error::{ApiError, ErrorBody, as_json};

/// Path prefix of the API.
pub const BASE: &str = "/api/v1";
/// Paths of the bulk requests, the only ones that accept large bodies.
pub const BULK: [&str; 3] = ["/api/v1/tasks/bulk", "/api/v1/messages/bulk", "/api/v1/signals/bulk"];

/// Path prefix of a word list; its terms may be a large body.
pub const WORD_LISTS: &str = "/api/v1/word-lists/";
