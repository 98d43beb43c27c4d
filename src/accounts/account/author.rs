//! What the page of an author on the site says.

use domain::{DomainError, account::MAX_ABOUT_CHARS, error::ValidationError, text::find_forbidden_char};

/// Validates the paragraph: line ends become spaces. It may be empty.
pub fn about(typed: &str) -> Result<String, DomainError> {
    let refuse = |problem| DomainError::invalid("about", problem);
    let text = typed.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() > MAX_ABOUT_CHARS {
        let max = u32::try_from(MAX_ABOUT_CHARS).unwrap_or(u32::MAX);
        return Err(refuse(ValidationError::TooLong { max }));
    }
    if find_forbidden_char(&text).is_some() {
        return Err(refuse(ValidationError::BadCharacters));
    }
    Ok(text)
}
