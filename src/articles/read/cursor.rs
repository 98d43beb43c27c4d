//! Pagination cursors of the article list.

use domain::{DomainError, base::page::PageStart, error::ValidationError};
use store::{article::ArticleRecord, search::SearchCursor};
use uuid::Uuid;

/// First letter of a cursor that leads to the previous page.
const BACKWARD: char = 'p';

/// Place of an article in the list: last change or publication, and id.
pub type Place = (i64, Uuid);

/// Returns the place of this article.
pub fn place_of(article: &ArticleRecord, is_by_publication: bool) -> Place {
    let published = article.published_at.filter(|_| is_by_publication);
    (published.unwrap_or(article.changed_at), article.id)
}

/// Returns the cursor from a place on.
pub fn write((changed_at, id): Place, is_backward: bool) -> String {
    let direction = if is_backward { BACKWARD.to_string() } else { String::new() };
    format!("{direction}{changed_at:x}-{}", id.simple())
}

/// Parses a cursor of the list with its direction.
pub fn read_start(cursor: &str) -> Result<PageStart<Place>, DomainError> {
    let backward = cursor.strip_prefix(BACKWARD);
    let place = read(backward.unwrap_or(cursor))?;
    Ok(PageStart { place: Some(place), is_backward: backward.is_some() })
}

/// Parses a place of the list. A cursor of search results is accepted too.
fn read(cursor: &str) -> Result<Place, DomainError> {
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
