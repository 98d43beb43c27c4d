//! Approves the submitted texts of articles, each as a reviewer would.

use super::{Refused, Task, item};
use crate::{
    articles::review::workflow::{approve, may_approve},
    services::{hex, internal_error},
};
use domain::{
    ArticleId, BatchId, DomainError, articles::bulk::ArticlesOutcome, bulk_change::BulkOutcome,
    review::workflow::ReviewProblem,
};
use std::collections::HashMap;
use store::{
    PoolRole,
    article_review::{self, ReviewRow},
    review_settings,
};
use uuid::Uuid;

pub async fn all(
    task: &Task<'_>,
    ids: &[Uuid],
    seen: Option<String>,
) -> Result<ArticlesOutcome, DomainError> {
    let parts = &task.service.parts;
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let settings = review_settings::find(lease.conn()).await.map_err(internal_error)?;
    let reviews = article_review::by_articles(lease.conn(), ids).await.map_err(internal_error)?;
    drop(lease);
    let mut reviews: HashMap<Uuid, ReviewRow> =
        reviews.into_iter().map(|review| (review.article_id, review)).collect();
    let (mut open, mut refused) = (Vec::new(), Vec::<Refused>::new());
    for id in ids {
        let review = reviews.remove(id);
        let allowed = match &review {
            Some(review) => may_approve(task.actor, review, &settings),
            None => Err(ReviewProblem::NotSubmitted.into()),
        };
        let title = review.as_ref().map(|review| review.title.clone()).unwrap_or_default();
        match (allowed, review) {
            (Ok(()), Some(review)) => open.push(review),
            (Err(why), _) => refused.push((*id, title, why)),
            (Ok(()), None) => {}
        }
    }
    let texts = open.iter().fold(String::new(), |text, one| text + &one.article_id.to_string() + &one.hash);
    let now_seen = hex::sha256(texts.as_bytes());
    if !task.is_dry_run {
        if seen.is_some_and(|seen| seen != now_seen) {
            return Err(DomainError::Changed);
        }
        open = approve_each(task, open, &mut refused).await;
    }
    let changed = open.iter().map(|review| item(review.article_id, &review.title)).collect();
    let outcome = BulkOutcome { batch: None::<BatchId>, ..task.outcome(ids.len(), changed, refused) };
    Ok(ArticlesOutcome { outcome, seen: Some(now_seen) })
}

/// Approves one after the other; returns those that were approved.
async fn approve_each(task: &Task<'_>, open: Vec<ReviewRow>, refused: &mut Vec<Refused>) -> Vec<ReviewRow> {
    let mut approved = Vec::new();
    for review in open {
        let (id, seen) = (ArticleId(review.article_id), (review.revision, review.hash.as_str()));
        match approve(&task.service.parts, task.actor, id, seen).await {
            Ok(()) => approved.push(review),
            Err(why) => refused.push((review.article_id, review.title, why)),
        }
    }
    approved
}
