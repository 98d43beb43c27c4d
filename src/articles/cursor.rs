//! Pagination cursors of the article list.

use domain::{DomainError, error::ValidationError};
use store::{article::ArticleRecord, search::SearchCursor};
use uuid::Uuid;

/// Returns the cursor after this article.
pub fn write(article: &ArticleRecord) -> String {
    format!("{:x}-{}", article.changed_at, article.id.simple())
}

/// Parses a cursor of the list. A cursor of search results is accepted too.
pub fn read(cursor: &str) -> Result<(i64, Uuid), DomainError> {
    if cursor.starts_with('s') {
        return read_place(cursor).map(|place| (place.at, place.id));
    }
    let place = cursor
        .split_once('-')
        .and_then(|(changed, id)| Some((i64::from_str_radix(changed, 16).ok()?, Uuid::try_parse(id).ok()?)));
    place.ok_or_else(unreadable)
}

/// Returns a cursor of search results.
pub fn write_place(place: SearchCursor) -> String {
    format!("s{}-{:x}-{}", place.rank, place.at, place.id.simple())
}

/// Parses a cursor of search results. A cursor of the list is accepted too: it gets the best rank.
pub fn read_place(cursor: &str) -> Result<SearchCursor, DomainError> {
    if !cursor.starts_with('s') {
        return read(cursor).map(|(at, id)| SearchCursor { rank: 1, at, id });
    }
    let mut parts = cursor.strip_prefix('s').unwrap_or_default().splitn(3, '-');
    let mut part = || parts.next().unwrap_or_default();
    let (rank, at, id) = (part().parse(), i64::from_str_radix(part(), 16), Uuid::try_parse(part()));
    match (rank, at, id) {
        (Ok(rank), Ok(at), Ok(id)) if rank > 0 => Ok(SearchCursor { rank, at, id }),
        _ => Err(unreadable()),
    }
}

fn unreadable() -> DomainError {
    let why = ValidationError::Unreadable { why: "is not the cursor of a page".to_owned() };
    DomainError::invalid("cursor", why)
}
