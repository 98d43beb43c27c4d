//! Submits the current texts of articles for review, each as its author would.

use super::{CHUNK, Refused, Task, item};
use crate::{articles::review::workflow::submit, services::internal_error};
use domain::{
    ArticleId, DomainError,
    bulk_change::BulkOutcome,
    review::workflow::{ReviewProblem, ReviewState, Workflow},
};
use std::collections::HashMap;
use store::{
    PoolRole,
    article::ArticleRecord,
    article_review::{self, ReviewRow},
    review_settings,
};
use uuid::Uuid;

pub async fn all(task: &Task<'_>, ids: &[Uuid]) -> Result<BulkOutcome, DomainError> {
    let parts = &task.service.parts;
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let settings = review_settings::find(lease.conn()).await.map_err(internal_error)?;
    let reviews = article_review::by_articles(lease.conn(), ids).await.map_err(internal_error)?;
    drop(lease);
    let reviews: HashMap<Uuid, ReviewRow> =
        reviews.into_iter().map(|review| (review.article_id, review)).collect();
    let (mut changed, mut refused) = (Vec::new(), Vec::<Refused>::new());
    for chunk in ids.chunks(CHUNK) {
        // Each text is submitted in a transaction of its own: this one only reads.
        let mut tx = task.begin().await?;
        let (articles, not) = task.lock(&mut tx, chunk).await?;
        drop(tx);
        refused.extend(not);
        for article in articles {
            if settings.workflow == Workflow::None {
                refused.push((article.id, article.title, ReviewProblem::NoWorkflow.into()));
            } else if !is_submitted(&article, reviews.get(&article.id)) {
                match submit_one(task, &article).await {
                    Ok(()) => changed.push(item(article.id, &article.title)),
                    Err(why) => refused.push((article.id, article.title, why)),
                }
            }
        }
    }
    // There is no undo: reviewers may have decided already.
    Ok(BulkOutcome { batch: None, ..task.outcome(ids.len(), changed, refused) })
}

/// Whether the current text is under review or approved already.
fn is_submitted(article: &ArticleRecord, review: Option<&ReviewRow>) -> bool {
    let waits = [ReviewState::Submitted, ReviewState::Approved].map(ReviewState::as_str);
    review.is_some_and(|review| {
        review.revision_id == article.revision_id && waits.contains(&review.state.as_str())
    })
}

async fn submit_one(task: &Task<'_>, article: &ArticleRecord) -> Result<(), DomainError> {
    if task.is_dry_run {
        return Ok(());
    }
    submit(&task.service.parts, task.actor, ArticleId(article.id), (article.revision, None)).await
}
