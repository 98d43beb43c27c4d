//! Where the next page of the list starts.

use domain::{Refusal, refusal::Problem};
use store::article::ArticleRecord;
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
    let why = || Problem::Unreadable { why: "is not the cursor of a page".to_owned() };
    place.ok_or_else(|| Refusal::invalid("cursor", why()))
}
