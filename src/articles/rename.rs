//! Changes the slug of an article.

use super::{ArticleService, check, read};
use crate::services::internal_error;
use domain::{AccountId, Actor, ArticleId, DomainError, article::Article};
use serde_json::json;
use store::{
    PoolRole, Tx,
    article::{self, ArticleRecord},
    event::{self, NewEvent},
};

pub async fn rename(
    service: &ArticleService,
    actor: &Actor,
    id: ArticleId,
    slug: String,
) -> Result<Article, DomainError> {
    let slug = check::slug(&slug)?;
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let article = article::lock(tx.conn(), id).await.map_err(internal_error)?;
    let article = article.ok_or_else(|| DomainError::no_such("article"))?;
    if !actor.may_change(AccountId(article.owner_id)) {
        return Err(DomainError::NotAllowed);
    }
    if article.deleted_at.is_some() {
        return Err(DomainError::InTrash);
    }
    if article.slug != slug {
        set_slug(service, actor, tx, &article, &slug).await?;
    }
    read::find(service, actor, id).await
}

async fn set_slug(
    service: &ArticleService,
    actor: &Actor,
    mut tx: Tx,
    article: &ArticleRecord,
    slug: &str,
) -> Result<(), DomainError> {
    let (id, now) = (ArticleId(article.id), service.parts.clock.now());
    if store::trash::is_slug_reserved(tx.conn(), slug, id).await.map_err(internal_error)? {
        return Err(taken());
    }
    match store::slug::find_redirect(tx.conn(), slug).await.map_err(internal_error)? {
        Some(other) if other != article.id => return Err(taken()),
        Some(_) => store::slug::remove_redirect(tx.conn(), slug, id).await.map_err(internal_error)?,
        None => {}
    }
    match article::rename(tx.conn(), id, &article.slug, slug, now).await {
        Err(error) if error.is_unique_violation() => return Err(taken()),
        other => other.map_err(internal_error)?,
    };
    store::slug::add_redirect(tx.conn(), &article.slug, id, now).await.map_err(internal_error)?;
    store::search::put_current(tx.conn(), &[article.id]).await.map_err(internal_error)?;
    let event = NewEvent {
        version: Some(article.revision),
        detail: json!({ "slug": slug, "was": article.slug }).to_string(),
        ..NewEvent::simple(now, Some(actor.account), "article", article.id, "rename")
    };
    event::append(tx.conn(), &[event]).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    service.parts.committed.notify_waiters();
    Ok(())
}

fn taken() -> DomainError {
    DomainError::Taken { what: "slug".to_owned() }
}
