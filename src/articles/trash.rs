//! Deletes and restores articles.

use super::{ArticleService, read};
use crate::{
    services::{internal_error, write_error},
    tasks::unit_of_work::{UnitOfWork, to_update},
};
use domain::{AccountId, Actor, ArticleId, DomainError, State, article::Article, releases::ReleaseProblem};
use serde_json::json;
use store::{
    article::{self, ArticleRecord},
    release, revision,
    task::TaskUpdate,
    task_list, trash,
};

pub async fn delete(
    service: &ArticleService,
    actor: &Actor,
    id: ArticleId,
    seen: Option<i32>,
) -> Result<(), DomainError> {
    let mut unit = UnitOfWork::begin(&service.parts, actor).await?;
    let article = lock(&mut unit, id).await?;
    if article.deleted_at.is_some() {
        return Ok(());
    }
    if seen.is_some_and(|seen| seen != article.revision) {
        return Err(conflict(&mut unit, &article).await?);
    }
    require_unused(&mut unit, &article).await?;
    let now = unit.now();
    if !trash::put(unit.tx.conn(), id, now).await.map_err(write_error(&service.parts))? {
        return Err(DomainError::InTheWay { is_public: true, tasks: Vec::new() });
    }
    let detail = json!({ "title": article.title, "slug": article.slug }).to_string();
    unit.record_event("article", article.id, "delete", None, Some(article.revision), detail);
    unit.commit().await
}

pub async fn undelete(
    service: &ArticleService,
    actor: &Actor,
    id: ArticleId,
) -> Result<Article, DomainError> {
    let mut unit = UnitOfWork::begin(&service.parts, actor).await?;
    let article = lock(&mut unit, id).await?;
    if article.deleted_at.is_some() {
        trash::restore(unit.tx.conn(), id).await.map_err(write_error(&service.parts))?;
        unit.record_event("article", article.id, "undelete", None, Some(article.revision), "{}".to_owned());
        unit.commit().await?;
    } else {
        drop(unit);
    }
    read::find(service, actor, id).await
}

/// Locks the article. Refuses it unless the actor may change it.
async fn lock(unit: &mut UnitOfWork<'_>, id: ArticleId) -> Result<ArticleRecord, DomainError> {
    let article = article::lock(unit.tx.conn(), id).await.map_err(internal_error)?;
    let article = article.ok_or_else(|| DomainError::no_such("article"))?;
    if !unit.presenter.actor.may_change(AccountId(article.owner_id)) {
        return Err(DomainError::NotAllowed);
    }
    Ok(article)
}

async fn conflict(unit: &mut UnitOfWork<'_>, article: &ArticleRecord) -> Result<DomainError, DomainError> {
    let current = revision::find(unit.tx.conn(), article.revision_id).await.map_err(internal_error)?;
    let current = current.ok_or_else(|| DomainError::no_such("revision"))?;
    Ok(DomainError::TextConflict {
        revision: article.revision,
        title: current.title,
        body: current.body,
        has_text: false,
    })
}

/// Refuses while the article is public, has scheduled tasks or is in a scheduled release. Cancels its failed and missed tasks,
/// which need no attention any more.
async fn require_unused(unit: &mut UnitOfWork<'_>, article: &ArticleRecord) -> Result<(), DomainError> {
    let rows = task_list::open_of_target(unit.tx.conn(), article.id).await.map_err(internal_error)?;
    let (waiting, ended): (Vec<_>, Vec<_>) =
        rows.into_iter().partition(|row| row.state == State::Scheduled.as_str());
    let is_public = article.published_at.is_some();
    if is_public || !waiting.is_empty() {
        return Err(DomainError::InTheWay { is_public, tasks: unit.presenter.tasks(waiting) });
    }
    let release = release::scheduled_with(unit.tx.conn(), article.id).await.map_err(internal_error)?;
    if let Some(release) = release {
        return Err(ReleaseProblem::InScheduled { release }.into());
    }
    for row in ended {
        let to = TaskUpdate { state: State::Cancelled, ..to_update(&row)? };
        unit.change(&row, "cancel", &to, "{}".to_owned()).await?;
    }
    Ok(())
}
