//! Where the next page of the list starts.

use domain::{Refusal, refusal::Problem};
use store::{article::ArticleRecord, search::Place};
use uuid::Uuid;

/// The place after this article.
pub fn write(article: &ArticleRecord) -> String {
    format!("{:x}-{}", article.changed_at, article.id.simple())
}

/// The place as SQL asks for it.
pub fn read(cursor: &str) -> Result<(i64, Uuid), Refusal> {
    let place = cursor
        .split_once('-')
        .and_then(|(changed, id)| Some((i64::from_str_radix(changed, 16).ok()?, Uuid::try_parse(id).ok()?)));
    place.ok_or_else(unreadable)
}

/// The place in what a search found.
pub fn write_place(place: Place) -> String {
    format!("s{}-{:x}-{}", place.rank, place.at, place.id.simple())
}

/// The same, read.
pub fn read_place(cursor: &str) -> Result<Place, Refusal> {
    let mut parts = cursor.strip_prefix('s').unwrap_or_default().splitn(3, '-');
    let mut part = || parts.next().unwrap_or_default();
    let (rank, at, id) = (part().parse(), i64::from_str_radix(part(), 16), Uuid::try_parse(part()));
    match (rank, at, id) {
        (Ok(rank), Ok(at), Ok(id)) if rank > 0 => Ok(Place { rank, at, id }),
        _ => Err(unreadable()),
    }
}

fn unreadable() -> Refusal {
    let why = Problem::Unreadable { why: "is not the cursor of a page".to_owned() };
    Refusal::invalid("cursor", why)
}
