//! Checks of a text before it is saved.

use super::local_backup::Text;
use domain::{DomainError, error::ValidationError, input_limits};

/// Checks a text before it is sent. `None`: it is valid.
#[must_use]
pub fn validate(text: &Text) -> Option<DomainError> {
    let title = text.title.chars().count();
    if text.title.trim().is_empty() {
        Some(DomainError::invalid("title", ValidationError::Empty))
    } else if title > input_limits::MAX_TITLE_CHARS {
        Some(DomainError::invalid(
            "title",
            ValidationError::TooLong { max: to_u32(input_limits::MAX_TITLE_CHARS) },
        ))
    } else if text.body.len() > input_limits::MAX_BODY_BYTES {
        Some(DomainError::invalid(
            "body",
            ValidationError::TooLarge { max: to_u32(input_limits::MAX_BODY_BYTES) },
        ))
    } else {
        None
    }
}

fn to_u32(limit: usize) -> u32 {
    u32::try_from(limit).unwrap_or(u32::MAX)
}
