//! Writes the articles of a table and schedules them, in one transaction.

use super::{
    row::{Row, Wanted},
    time::PlannedTime,
};
use crate::{
    services::write_error,
    tasks::{schedule, unit_of_work::UnitOfWork},
    text::words,
};
use domain::{
    ArticleId, BatchId, DomainError, Kind, RevisionId,
    task::{NewTask, TaskRow},
};
use serde_json::json;
use store::{
    StoreError,
    event::NewEvent,
    import::{self, ImportAuthor, ImportedText},
    rendered,
};
use uuid::{Builder, Uuid};

/// Number of articles in one statement: their texts are in memory once more.
const CHUNK: usize = 500;

/// Id of the article of a row: it follows from the id of the request, so that a repeated request finds
/// its articles. Ordered as the rows.
pub fn article_id(request: Uuid, place: usize) -> ArticleId {
    let place = u16::try_from(place).unwrap_or(u16::MAX).to_be_bytes();
    let of_request = request.as_bytes();
    let mut bytes = [0; 16];
    bytes[..6].copy_from_slice(&of_request[..6]);
    // The bytes between hold version and variant, too.
    (bytes[7], bytes[9]) = (place[0], place[1]);
    bytes[10..].copy_from_slice(&of_request[10..]);
    ArticleId(
        Builder::from_bytes(bytes)
            .with_version(uuid::Version::SortRand)
            .with_variant(uuid::Variant::RFC4122)
            .into_uuid(),
    )
}

/// Writes the rows that become articles, and commits. Returns the scheduled tasks.
pub async fn write(
    mut unit: UnitOfWork<'_>,
    rows: Vec<Row>,
    request: Uuid,
) -> Result<Vec<TaskRow>, DomainError> {
    let by = ImportAuthor { account: unit.presenter.actor.account, now: unit.now() };
    let (mut texts, mut tasks) = (Vec::new(), Vec::new());
    for (place, row) in rows.into_iter().enumerate() {
        let Ok(wanted) = row.wanted else { continue };
        let id = article_id(request, place);
        if let PlannedTime::At(when, _) = &wanted.due {
            let (kind, when) = (Kind::ArticlePublish, when.clone());
            tasks.push(NewTask { kind, target_id: id.0, when, priority: None, revision: None });
        }
        texts.push(text(id, wanted));
    }
    for some in texts.chunks(CHUNK) {
        import::create(unit.tx.conn(), some, by).await.map_err(refused_write(&unit))?;
        let renderings = some.iter().filter_map(|text| Some((text.revision_id.0, text.rendering.as_ref()?)));
        let renderings: Vec<_> = renderings.collect();
        rendered::put_all(unit.tx.conn(), &renderings).await.map_err(write_error(unit.parts))?;
    }
    let event = |text: &ImportedText| NewEvent {
        version: Some(1),
        detail: json!({ "slug": text.slug, "title": text.title }).to_string(),
        ..NewEvent::simple(by.now, Some(by.account), "article", text.id.0, "import")
    };
    unit.record_events(texts.iter().map(event));
    drop(texts);
    match tasks.is_empty() {
        true => unit.commit().await.map(|()| Vec::new()),
        false => schedule::all_in(unit, BatchId(request), &tasks).await,
    }
}

/// A slug that another article took meanwhile: the table must be checked again.
fn refused_write(unit: &UnitOfWork<'_>) -> impl Fn(StoreError) -> DomainError {
    let other = write_error(unit.parts);
    move |error| if error.is_unique_violation() { DomainError::Changed } else { other(error) }
}

fn text(id: ArticleId, wanted: Wanted) -> ImportedText {
    ImportedText {
        id,
        revision_id: RevisionId::generate(),
        number: 1,
        slug: wanted.slug,
        former_slugs: Vec::new(),
        title: wanted.title,
        words: words::count(&wanted.body),
        body: wanted.body,
        details: wanted.details,
        dated_at: None,
        path: String::new(),
        hash: String::new(),
        rendering: wanted.rendering,
        published_at: None,
        updated_at: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_rows_follow_from_the_request_and_are_ordered() {
        let request = Uuid::now_v7();
        let ids: Vec<ArticleId> = (0..10_000).map(|place| article_id(request, place)).collect();
        assert!(ids.is_sorted() && ids.windows(2).all(|two| two[0] != two[1]));
        assert_eq!(article_id(request, 7), ids[7]);
        assert_ne!(article_id(Uuid::now_v7(), 7), ids[7]);
    }
}
