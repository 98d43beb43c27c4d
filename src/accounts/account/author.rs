//! What the page of an author on the site shows: a paragraph and a picture.

use crate::services::rendering;
use domain::{
    DomainError,
    account::MAX_ABOUT_CHARS,
    error::ValidationError,
    media::address::{self, picture_of},
    text::find_forbidden_char,
};
use store::Conn;

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

/// Returns the path of a picture of the library, whatever form its address has; empty: none. Refuses
/// what the library does not have.
pub async fn picture(conn: Conn<'_>, typed: &str) -> Result<String, DomainError> {
    let typed = typed.trim();
    if typed.is_empty() {
        return Ok(String::new());
    }
    let refuse = || DomainError::invalid("picture", ValidationError::Unknown);
    let hash = address::parse(typed).ok_or_else(refuse)?.hash.to_owned();
    let path = rendering::paths(conn, std::slice::from_ref(&hash)).await?.remove(&hash);
    path.filter(|path| picture_of(path).is_some()).ok_or_else(refuse)
}
