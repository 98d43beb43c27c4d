//! Undoes a change of many articles, as far as they were not changed since.

use super::{CHUNK, Refused, Task, assign::assigned, current, refusal};
use crate::{
    articles::{ArticleService, details, save},
    services::{internal_error, write_error},
};
use domain::{AccountId, Actor, ArticleId, BatchId, DomainError, bulk_change::BulkOutcome};
use std::collections::HashMap;
use store::{
    PoolRole, Tx,
    article::{self, ArticleRecord},
    batch::{self, BatchArticle},
    event, revision,
};
use uuid::Uuid;

/// Undoes the changes of a batch, once; `None`: it changed no articles.
pub async fn undo(
    service: &ArticleService,
    actor: &Actor,
    id: BatchId,
) -> Result<Option<BulkOutcome>, DomainError> {
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let changed = batch::articles(lease.conn(), id).await.map_err(internal_error)?;
    let found = batch::find(lease.conn(), id).await.map_err(internal_error)?;
    drop(lease);
    let Some(found) = found.filter(|_| !changed.is_empty()) else { return Ok(None) };
    if !actor.may_change(AccountId(found.account_id)) {
        return Err(DomainError::NotAllowed);
    }
    let actor = Actor { idempotency: None, ..actor.clone() };
    let task = Task { service, actor: &actor, is_dry_run: false, batch: id };
    let (mut undone, mut refused, mut is_first) = (0, Vec::new(), true);
    for chunk in changed.chunks(CHUNK) {
        let mut tx = task.begin().await?;
        let now = service.parts.clock.now();
        if is_first && !batch::mark_undone(tx.conn(), id, now).await.map_err(internal_error)? {
            return Err(DomainError::CannotUndo);
        }
        is_first = false;
        let done = restore(&task, &mut tx, (chunk, found.created_at), &mut refused).await?;
        tx.commit().await.map_err(write_error(&service.parts))?;
        service.parts.committed.notify_waiters();
        undone += done;
    }
    Ok(Some(BulkOutcome {
        matched: changed.len() as u64,
        changed: undone,
        refused: refused.into_iter().map(refusal).collect(),
        ..BulkOutcome::default()
    }))
}

/// Restores some articles in one transaction. Returns their number.
async fn restore(
    task: &Task<'_>,
    tx: &mut Tx,
    (changed, changed_at): (&[BatchArticle], i64),
    refused: &mut Vec<Refused>,
) -> Result<u64, DomainError> {
    let ids: Vec<Uuid> = changed.iter().map(|one| one.article).collect();
    // Who assigned an article away may no longer change it, but may undo that.
    let found = article::lock_many(tx.conn(), &ids).await.map_err(internal_error)?;
    let mut found: HashMap<Uuid, ArticleRecord> = found.into_iter().map(|one| (one.id, one)).collect();
    let (mut owners, mut events, mut done) = (Vec::new(), Vec::new(), 0);
    for one in changed {
        let Some(article) = found.remove(&one.article) else {
            refused.push((one.article, String::new(), DomainError::no_such("article")));
            continue;
        };
        // The new owner may have worked on it; a tag is undone by those who may change the article.
        if one.owner.is_none() && !task.actor.may_change(AccountId(article.owner_id)) {
            refused.push((article.id, article.title, DomainError::NotAllowed));
            continue;
        }
        let is_same = article.deleted_at.is_none()
            && (one.owner.is_none() || article.changed_at <= changed_at)
            && one.owner.is_none_or(|(_, owner)| owner == article.owner_id)
            && one.revision.is_none_or(|revision| revision == article.revision);
        if !is_same {
            refused.push((article.id, article.title, DomainError::Changed));
            continue;
        }
        if let Some((was, _)) = one.owner {
            owners.push((article.id, was));
            events.push(assigned(task.actor, &article, AccountId(was), task.service.parts.clock.now()));
        }
        if let Some(number) = one.revision {
            restore_details(task, tx, &article, number - 1).await?;
        }
        done += 1;
    }
    let written = async {
        article::set_owners(tx.conn(), &owners).await?;
        event::append(tx.conn(), &events).await
    };
    written.await.map_err(write_error(&task.service.parts))?;
    Ok(done)
}

/// Stores a revision with the details of an earlier one.
async fn restore_details(
    task: &Task<'_>,
    tx: &mut Tx,
    article: &ArticleRecord,
    number: i32,
) -> Result<(), DomainError> {
    let before = current(tx, article).await?;
    let old = revision::find_by_number(tx.conn(), ArticleId(article.id), number).await;
    let old = old.map_err(internal_error)?.ok_or(DomainError::CannotUndo)?;
    let details = old.details().map_err(internal_error)?;
    let stored = details::stored(&details, old.dated_at).map_err(internal_error)?;
    save::with_details(task.service, task.actor, tx, (article, &before), (details, stored)).await.map(drop)
}
