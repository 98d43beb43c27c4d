//! Whether a text fits, before it is sent.

use super::copy::Text;
use domain::{Refusal, limit, refusal::Problem};

/// What is wrong with a text before it is sent.
#[must_use]
pub fn wrong(text: &Text) -> Option<Refusal> {
    let title = text.title.chars().count();
    if text.title.trim().is_empty() {
        Some(Refusal::invalid("title", Problem::Empty))
    } else if title > limit::TITLE_CHARS {
        Some(Refusal::invalid("title", Problem::TooLong { max: small(limit::TITLE_CHARS) }))
    } else if text.body.len() > limit::BODY_BYTES {
        Some(Refusal::invalid("body", Problem::TooLarge { max: small(limit::BODY_BYTES) }))
    } else {
        None
    }
}

fn small(limit: usize) -> u32 {
    u32::try_from(limit).unwrap_or(u32::MAX)
}
