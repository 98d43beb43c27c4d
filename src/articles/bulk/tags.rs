//! Adds a tag to the texts of articles, or removes it: each gets a new revision.

use super::{CHUNK, Task, current, item};
use crate::{
    articles::{details, save},
    services::internal_error,
};
use domain::{DomainError, articles::details::ArticleDetails, bulk_change::BulkOutcome};
use store::{
    Tx,
    article::ArticleRecord,
    batch::BatchArticle,
    details::{StoredDetails, tag_key},
    revision::RevisionRecord,
};
use uuid::Uuid;

pub async fn all(
    task: &Task<'_>,
    ids: &[Uuid],
    (tag, is_added): (&str, bool),
) -> Result<BulkOutcome, DomainError> {
    let tag = details::tag("tag", tag)?;
    let (mut changed, mut refused) = (Vec::new(), Vec::new());
    for chunk in ids.chunks(CHUNK) {
        let mut tx = task.begin().await?;
        let (articles, not) = task.lock(&mut tx, chunk).await?;
        refused.extend(not);
        let mut done = Vec::new();
        for article in articles {
            let before = current(&mut tx, &article).await?;
            match retagged(task, &mut tx, &before, (&tag, is_added)).await {
                Ok(Some(after)) => {
                    changed.push(item(article.id, &article.title));
                    done.extend(write(task, &mut tx, (&article, &before), after).await?);
                }
                Ok(None) => {}
                Err(why @ DomainError::Invalid { .. }) => refused.push((article.id, article.title, why)),
                Err(other) => return Err(other),
            }
        }
        task.commit(tx, &done).await?;
    }
    Ok(task.outcome(ids.len(), changed, refused))
}

/// The details with or without the tag; `None`: they are so already.
async fn retagged(
    task: &Task<'_>,
    tx: &mut Tx,
    before: &RevisionRecord,
    (tag, is_added): (&str, bool),
) -> Result<Option<(ArticleDetails, StoredDetails)>, DomainError> {
    let mut details = before.details().map_err(internal_error)?;
    let key = tag_key(tag);
    let place = details.tags.iter().position(|one| tag_key(one) == key);
    match (place, is_added) {
        (None, true) => details.tags.push(tag.to_owned()),
        (Some(place), false) => drop(details.tags.remove(place)),
        _ => return Ok(None),
    }
    details::checked(tx.conn(), details, task.service.parts.clock.now()).await.map(Some)
}

async fn write(
    task: &Task<'_>,
    tx: &mut Tx,
    text: (&ArticleRecord, &RevisionRecord),
    after: (ArticleDetails, StoredDetails),
) -> Result<Option<BatchArticle>, DomainError> {
    if task.is_dry_run {
        return Ok(None);
    }
    let revision = save::with_details(task.service, task.actor, tx, text, after).await?;
    Ok(Some(BatchArticle { article: text.0.id, owner: None, revision: Some(revision) }))
}
