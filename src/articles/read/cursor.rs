//! Pagination cursors of the article list.

use crate::services::cursor::{self, Place};
use domain::{DomainError, base::page::PageStart};
use store::{article::ArticleRecord, search::SearchCursor};
use uuid::Uuid;

/// Returns the place of this article in the list: last change or publication, and id.
pub fn place_of(article: &ArticleRecord, is_by_publication: bool) -> Place {
    let published = article.published_at.filter(|_| is_by_publication);
    (published.unwrap_or(article.changed_at), article.id)
}

/// Returns the cursor from a place on.
pub fn write((changed_at, id): Place, is_backward: bool) -> String {
    cursor::with_direction(format!("{changed_at:x}-{}", id.simple()), is_backward)
}

/// Parses a cursor of the list with its direction.
pub fn read_start(cursor: &str) -> Result<PageStart<Place>, DomainError> {
    cursor::start(cursor, read)
}

/// Parses a place of the list. A cursor of search results is accepted too.
fn read(cursor: &str) -> Option<Place> {
    if cursor.starts_with('s') {
        return read_place(cursor).ok().map(|place| (place.at, place.id));
    }
    let (changed, id) = cursor.split_once('-')?;
    Some((i64::from_str_radix(changed, 16).ok()?, Uuid::try_parse(id).ok()?))
}

/// Returns a cursor of search results.
pub fn write_place(place: SearchCursor) -> String {
    format!("s{}-{:x}-{}", place.rank, place.at, place.id.simple())
}

/// Parses a cursor of search results. A cursor of the list is accepted too: it gets the best rank.
pub fn read_place(cursor: &str) -> Result<SearchCursor, DomainError> {
    if !cursor.starts_with('s') {
        let place = read(cursor).map(|(at, id)| SearchCursor { rank: 1, at, id });
        return place.ok_or_else(cursor::unknown);
    }
    let mut parts = cursor.strip_prefix('s').unwrap_or_default().splitn(3, '-');
    let mut part = || parts.next().unwrap_or_default();
    let (rank, at, id) = (part().parse(), i64::from_str_radix(part(), 16), Uuid::try_parse(part()));
    match (rank, at, id) {
        (Ok(rank), Ok(at), Ok(id)) if rank > 0 => Ok(SearchCursor { rank, at, id }),
        _ => Err(cursor::unknown()),
    }
}
