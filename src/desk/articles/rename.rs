//! Another name for an article.

use super::{ArticleDesk, check, read};
use crate::desk::broken;
use domain::{Actor, ArticleId, PersonId, Refusal, article::Article};
use serde_json::json;
use store::{
    Tx, Who,
    article::{self, ArticleRecord},
    event::{self, NewEvent},
};

pub async fn rename(
    desk: &ArticleDesk,
    actor: &Actor,
    id: ArticleId,
    slug: String,
) -> Result<Article, Refusal> {
    let slug = check::slug(&slug)?;
    let mut tx = desk.parts.store.begin(Who::People).await.map_err(broken)?;
    let article = article::lock(tx.conn(), id).await.map_err(broken)?;
    let article = article.ok_or_else(|| Refusal::no_such("article"))?;
    if !actor.may_change(PersonId(article.owner_id)) {
        return Err(Refusal::NotAllowed);
    }
    if article.deleted_at.is_some() {
        return Err(Refusal::InTrash);
    }
    if article.slug != slug {
        give(desk, actor, tx, &article, &slug).await?;
    }
    read::find(desk, actor, id).await
}

async fn give(
    desk: &ArticleDesk,
    actor: &Actor,
    mut tx: Tx,
    article: &ArticleRecord,
    slug: &str,
) -> Result<(), Refusal> {
    let (id, now) = (ArticleId(article.id), desk.parts.clock.now());
    if store::trash::keeps_slug(tx.conn(), slug, id).await.map_err(broken)? {
        return Err(taken());
    }
    match store::slug::left_by(tx.conn(), slug).await.map_err(broken)? {
        Some(other) if other != article.id => return Err(taken()),
        Some(_) => store::slug::take_back(tx.conn(), slug, id).await.map_err(broken)?,
        None => {}
    }
    match article::rename(tx.conn(), id, &article.slug, slug, now).await {
        Err(error) if error.is_taken() => return Err(taken()),
        other => other.map_err(broken)?,
    };
    store::slug::leave(tx.conn(), &article.slug, id, now).await.map_err(broken)?;
    store::search::put_current(tx.conn(), &[article.id]).await.map_err(broken)?;
    let event = NewEvent {
        version: Some(article.revision),
        detail: json!({ "slug": slug, "was": article.slug }).to_string(),
        ..NewEvent::plain(now, Some(actor.person), "article", article.id, "rename")
    };
    event::append(tx.conn(), &[event]).await.map_err(broken)?;
    tx.commit().await.map_err(broken)?;
    desk.parts.committed.notify_waiters();
    Ok(())
}

fn taken() -> Refusal {
    Refusal::Taken { what: "slug".to_owned() }
}
