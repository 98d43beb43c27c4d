//! Pagination cursors of lists: opaque texts in which a list writes where a page ended.

use domain::{DomainError, base::page::PageStart, error::ValidationError};
use uuid::Uuid;

/// Place of a row in a list that is ordered by time: the time and the id.
pub type Place = (i64, Uuid);

/// First letter of a cursor that leads to the previous page.
const BACKWARD: char = 'p';

/// Writes the cursor of a place.
#[must_use]
pub fn write((at, id): Place, is_backward: bool) -> String {
    with_direction(format!("{at}.{}", id.simple()), is_backward)
}

/// Reads the start of a page from the cursor of a place.
pub fn read(cursor: &str) -> Result<PageStart<Place>, DomainError> {
    start(cursor, |place| {
        let (at, id) = place.split_once('.')?;
        Some((at.parse().ok()?, id.parse().ok()?))
    })
}

/// Writes the cursor of a list that is ordered by id.
#[must_use]
pub fn write_id(id: Uuid, is_backward: bool) -> String {
    with_direction(id.to_string(), is_backward)
}

/// Reads the start of a page from the cursor of a list that is ordered by id.
pub fn read_id(cursor: &str) -> Result<PageStart<Uuid>, DomainError> {
    start(cursor, |id| id.parse().ok())
}

/// Reads the cursor of a list that is ordered by id and has no way back.
pub fn read_forward_id(cursor: &str) -> Result<Uuid, DomainError> {
    cursor.parse().map_err(|_| unknown())
}

/// Reads the start of a page with the direction. `place` reads the rest of the cursor.
pub fn start<P>(cursor: &str, place: impl Fn(&str) -> Option<P>) -> Result<PageStart<P>, DomainError> {
    let backward = cursor.strip_prefix(BACKWARD);
    let place = place(backward.unwrap_or(cursor)).ok_or_else(unknown)?;
    Ok(PageStart { place: Some(place), is_backward: backward.is_some() })
}

/// A cursor with its direction.
#[must_use]
pub fn with_direction(place: String, is_backward: bool) -> String {
    if is_backward { format!("{BACKWARD}{place}") } else { place }
}

/// The error of a text that is not a cursor of the list.
#[must_use]
pub fn unknown() -> DomainError {
    DomainError::invalid("cursor", ValidationError::UnknownCursor)
}
