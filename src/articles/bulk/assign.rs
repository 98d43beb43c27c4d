//! Makes another account the owner of articles and of their open tasks.

use super::{CHUNK, Task, item};
use crate::{
    services::{internal_error, write_error},
    tasks::query,
};
use domain::{
    AccountId, Actor, DomainError, Timestamp, articles::bulk::NewOwner, bulk_change::BulkOutcome,
    error::ValidationError,
};
use serde_json::json;
use store::{
    PoolRole, account,
    article::{self, ArticleRecord},
    batch::BatchArticle,
    event::{self, NewEvent},
};
use uuid::Uuid;

pub async fn all(task: &Task<'_>, ids: &[Uuid], to: NewOwner) -> Result<BulkOutcome, DomainError> {
    let to = new_owner(task, to).await?;
    let (mut changed, mut refused) = (Vec::new(), Vec::new());
    for chunk in ids.chunks(CHUNK) {
        let mut tx = task.begin().await?;
        let (articles, not) = task.lock(&mut tx, chunk).await?;
        refused.extend(not);
        let articles: Vec<_> = articles.into_iter().filter(|article| article.owner_id != to.0).collect();
        changed.extend(articles.iter().map(|article| item(article.id, &article.title)));
        if task.is_dry_run {
            continue;
        }
        let owners: Vec<(Uuid, Uuid)> = articles.iter().map(|article| (article.id, to.0)).collect();
        let now = task.service.parts.clock.now();
        let events: Vec<NewEvent> = articles.iter().map(|one| assigned(task.actor, one, to, now)).collect();
        let written = async {
            article::set_owners(tx.conn(), &owners).await?;
            event::append(tx.conn(), &events).await
        };
        written.await.map_err(write_error(&task.service.parts))?;
        let owner = |article: &ArticleRecord| BatchArticle {
            article: article.id,
            owner: Some((article.owner_id, to.0)),
            revision: None,
        };
        task.commit(tx, &articles.iter().map(owner).collect::<Vec<_>>()).await?;
    }
    Ok(task.outcome(ids.len(), changed, refused))
}

/// The event of an article with another owner.
pub fn assigned(actor: &Actor, article: &ArticleRecord, to: AccountId, now: Timestamp) -> NewEvent {
    let detail = json!({ "owner_id": to.0, "was_owner_id": article.owner_id });
    NewEvent {
        version: Some(article.revision),
        detail: detail.to_string(),
        ..NewEvent::simple(now, Some(actor.account), "article", article.id, "assign")
    }
}

/// An account that exists and is not disabled.
async fn new_owner(task: &Task<'_>, to: NewOwner) -> Result<AccountId, DomainError> {
    let mut lease = task.service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let id = match to {
        NewOwner::Account(id) => id,
        NewOwner::Named(name) => AccountId(query::owner(lease.conn(), task.actor, name.trim(), "to").await?),
    };
    let found = account::find(lease.conn(), id).await.map_err(internal_error)?;
    match found.filter(|account| account.is_disabled == 0) {
        Some(_) => Ok(id),
        None => Err(DomainError::invalid("to", ValidationError::Unknown)),
    }
}
