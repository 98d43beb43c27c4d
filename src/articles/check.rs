//! Validates the fields of an article.

use crate::text::{input, slug, words};
use domain::{DomainError, error::ValidationError, input_limits::MAX_SLUG_CHARS};

/// Validates and trims a title: 1 to 300 characters on one line.
pub fn title(typed: &str) -> Result<String, DomainError> {
    input::title(typed).map_err(|problem| DomainError::invalid("title", problem))
}

/// Validates a body and normalises its line ends: at most 500,000 bytes, no control characters but
/// tabs.
pub fn body(typed: &str) -> Result<String, DomainError> {
    input::body(typed).map_err(|problem| DomainError::invalid("body", problem))
}

/// Validates and normalises a requested slug.
pub fn slug(typed: &str) -> Result<String, DomainError> {
    if typed.trim().is_empty() {
        return Err(DomainError::invalid("slug", ValidationError::Empty));
    }
    if typed.chars().count() > MAX_SLUG_CHARS {
        return Err(DomainError::invalid("slug", ValidationError::TooLong { max: whole(MAX_SLUG_CHARS) }));
    }
    let slug = slug::untruncated(typed);
    if slug.is_empty() {
        return Err(DomainError::invalid("slug", ValidationError::BadCharacters));
    }
    if slug.chars().count() > MAX_SLUG_CHARS {
        return Err(DomainError::invalid("slug", ValidationError::TooLong { max: whole(MAX_SLUG_CHARS) }));
    }
    Ok(slug)
}

/// Returns the number of words in a body.
pub fn words(body: &str) -> i32 {
    i32::try_from(words::count(body)).unwrap_or(i32::MAX)
}

fn whole(limit: usize) -> u32 {
    u32::try_from(limit).unwrap_or(u32::MAX)
}
