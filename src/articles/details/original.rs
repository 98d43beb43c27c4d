//! The article of which another one is a translation.

use super::whole;
use crate::{
    services::internal_error,
    text::{percent, slug},
};
use domain::{DomainError, error::ValidationError, input_limits::MAX_SLUG_CHARS};
use store::{
    Conn, details,
    site::{self, NamedArticle},
};
use uuid::Uuid;

/// Path of articles on the public site.
const SITE: &str = "/site/";

/// Returns the slug that was typed, alone or at the end of an address; empty: none.
pub fn slug(typed: &str) -> Result<String, DomainError> {
    let refuse = |problem| DomainError::invalid("translation_of", problem);
    let last = typed.trim().rsplit(SITE).next().unwrap_or_default().trim_end_matches('/');
    if last.is_empty() {
        return Ok(String::new());
    }
    let decoded = percent::decoded(last);
    if decoded.chars().count() > MAX_SLUG_CHARS {
        return Err(refuse(ValidationError::TooLong { max: whole(MAX_SLUG_CHARS) }));
    }
    match slug::untruncated(&decoded) {
        slug if slug.is_empty() => Err(refuse(ValidationError::BadCharacters)),
        slug => Ok(slug),
    }
}

/// Returns the slug of the original that was typed for an article: of a translation its original, so that
/// all translations name one article. Refuses a slug without an article, and that of the article `own`.
pub async fn checked(mut conn: Conn<'_>, typed: &str, own: Option<Uuid>) -> Result<String, DomainError> {
    let slug = slug(typed)?;
    if slug.is_empty() {
        return Ok(slug);
    }
    let named = other(conn.reborrow(), &slug, own).await?;
    let further = details::parse(named.details.as_deref()).map_err(internal_error)?.translation_of;
    if further.is_empty() {
        return Ok(named.slug);
    }
    other(conn, &further, own).await.map(|original| original.slug)
}

async fn other(conn: Conn<'_>, slug: &str, own: Option<Uuid>) -> Result<NamedArticle, DomainError> {
    let named = site::named(conn, slug).await.map_err(internal_error)?;
    let named = named.filter(|named| Some(named.id) != own);
    named.ok_or_else(|| DomainError::invalid("translation_of", ValidationError::NoArticle))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_is_typed_alone_or_in_an_address() {
        for typed in ["high-tide", " /site/high-tide/ ", "https://desk.example/site/high-tide", "High tide"] {
            assert_eq!(slug(typed).unwrap(), "high-tide", "{typed}");
        }
        assert_eq!(slug("https://desk.example/site/%E8%8C%B6").unwrap(), "茶");
        assert_eq!(slug("  ").unwrap(), "");
        assert!(slug("!!!").is_err() && slug(&"x".repeat(101)).is_err());
    }
}
