//! What an article may hold.

use crate::text::{slug, words};
use domain::{
    Refusal,
    limit::{BODY_BYTES, SLUG_BYTES, TITLE_CHARS},
    refusal::Problem,
};

/// A title, trimmed: 1 to 300 characters on one line.
pub fn title(typed: &str) -> Result<String, Refusal> {
    let title = typed.trim();
    if title.is_empty() {
        return Err(Refusal::invalid("title", Problem::Empty));
    }
    if title.chars().count() > TITLE_CHARS {
        return Err(Refusal::invalid("title", Problem::TooLong { max: whole(TITLE_CHARS) }));
    }
    if title.chars().any(char::is_control) {
        return Err(Refusal::invalid("title", Problem::BadCharacters));
    }
    Ok(title.to_owned())
}

/// A body with plain line ends: at most 500,000 bytes, no control characters but tabs.
pub fn body(typed: &str) -> Result<String, Refusal> {
    let body = typed.replace("\r\n", "\n").replace('\r', "\n");
    if body.len() > BODY_BYTES {
        return Err(Refusal::invalid("body", Problem::TooLarge { max: whole(BODY_BYTES) }));
    }
    if body.chars().any(|letter| letter.is_control() && !matches!(letter, '\n' | '\t')) {
        return Err(Refusal::invalid("body", Problem::BadCharacters));
    }
    Ok(body)
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
    if slug.len() > SLUG_BYTES {
        return Err(Refusal::invalid("slug", Problem::TooLarge { max: whole(SLUG_BYTES) }));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_has_one_to_three_hundred_characters() {
        assert_eq!(title("  中  "), Ok("中".to_owned()));
        assert!(title(&"中".repeat(300)).is_ok());
        assert_eq!(title(&"x".repeat(301)), Err(Refusal::invalid("title", Problem::TooLong { max: 300 })));
        assert_eq!(title(" \n "), Err(Refusal::invalid("title", Problem::Empty)));
        assert_eq!(title("a\nb"), Err(Refusal::invalid("title", Problem::BadCharacters)));
    }

    #[test]
    fn a_body_has_plain_line_ends_and_a_limit() {
        assert_eq!(body("a\r\nb\rc\td"), Ok("a\nb\nc\td".to_owned()));
        assert_eq!(body("a\0b"), Err(Refusal::invalid("body", Problem::BadCharacters)));
        let large = "x".repeat(500_001);
        assert_eq!(body(&large), Err(Refusal::invalid("body", Problem::TooLarge { max: 500_000 })));
        assert!(body(&large[1..]).is_ok());
    }
}
