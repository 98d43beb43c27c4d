//! What an article may hold.

use crate::text::{input, slug, words};
use domain::{Refusal, limit::SLUG_CHARS, refusal::Problem};

/// A title, trimmed: 1 to 300 characters on one line.
pub fn title(typed: &str) -> Result<String, Refusal> {
    input::title(typed).map_err(|problem| Refusal::invalid("title", problem))
}

/// A body with plain line ends: at most 500,000 bytes, no control characters but tabs.
pub fn body(typed: &str) -> Result<String, Refusal> {
    input::body(typed).map_err(|problem| Refusal::invalid("body", problem))
}

/// A wanted slug in the one spelling of slugs.
pub fn slug(typed: &str) -> Result<String, Refusal> {
    if typed.trim().is_empty() {
        return Err(Refusal::invalid("slug", Problem::Empty));
    }
    let slug = slug::full(typed);
    if slug.is_empty() {
        return Err(Refusal::invalid("slug", Problem::BadCharacters));
    }
    if slug.chars().count() > SLUG_CHARS {
        return Err(Refusal::invalid("slug", Problem::TooLong { max: whole(SLUG_CHARS) }));
    }
    Ok(slug)
}

/// Words in a body, as SQL holds them.
pub fn words(body: &str) -> i32 {
    i32::try_from(words::count(body)).unwrap_or(i32::MAX)
}

fn whole(limit: usize) -> u32 {
    u32::try_from(limit).unwrap_or(u32::MAX)
}
