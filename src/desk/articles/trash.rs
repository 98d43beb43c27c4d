//! Deleting articles, and taking them back.

use super::{ArticleDesk, read};
use crate::desk::{
    broken,
    tasks::unit::{Unit, facts},
    unsaved,
};
use domain::{Actor, ArticleId, PersonId, Refusal, State, article::Article};
use serde_json::json;
use store::{
    article::{self, ArticleRecord},
    revision,
    task::Facts,
    task_list, trash,
};

pub async fn delete(
    desk: &ArticleDesk,
    actor: &Actor,
    id: ArticleId,
    seen: Option<i32>,
) -> Result<(), Refusal> {
    let mut unit = Unit::begin(&desk.parts, actor).await?;
    let article = lock(&mut unit, id).await?;
    if article.deleted_at.is_some() {
        return Ok(());
    }
    if seen.is_some_and(|seen| seen != article.revision) {
        return Err(conflict(&mut unit, &article).await?);
    }
    nothing_in_the_way(&mut unit, &article).await?;
    let now = unit.now();
    if !trash::put(unit.tx.conn(), id, now).await.map_err(unsaved(&desk.parts))? {
        return Err(Refusal::InTheWay { is_public: true, tasks: Vec::new() });
    }
    let detail = json!({ "title": article.title, "slug": article.slug }).to_string();
    unit.note("article", article.id, "delete", None, Some(article.revision), detail);
    unit.finish().await
}

pub async fn undelete(desk: &ArticleDesk, actor: &Actor, id: ArticleId) -> Result<Article, Refusal> {
    let mut unit = Unit::begin(&desk.parts, actor).await?;
    let article = lock(&mut unit, id).await?;
    if article.deleted_at.is_some() {
        trash::restore(unit.tx.conn(), id).await.map_err(unsaved(&desk.parts))?;
        unit.note("article", article.id, "undelete", None, Some(article.revision), "{}".to_owned());
        unit.finish().await?;
    } else {
        drop(unit);
    }
    read::find(desk, actor, id).await
}

/// The article, locked; refused unless the actor may change it.
async fn lock(unit: &mut Unit<'_>, id: ArticleId) -> Result<ArticleRecord, Refusal> {
    let article = article::lock(unit.tx.conn(), id).await.map_err(broken)?;
    let article = article.ok_or_else(|| Refusal::no_such("article"))?;
    if !unit.lens.actor.may_change(PersonId(article.owner_id)) {
        return Err(Refusal::NotAllowed);
    }
    Ok(article)
}

async fn conflict(unit: &mut Unit<'_>, article: &ArticleRecord) -> Result<Refusal, Refusal> {
    let current = revision::find(unit.tx.conn(), article.revision_id).await.map_err(broken)?;
    let current = current.ok_or_else(|| Refusal::no_such("revision"))?;
    Ok(Refusal::TextConflict { revision: article.revision, title: current.title, body: current.body })
}

/// Refuses while it is public or something waits for it. What failed or was missed needs nobody any more: it is cancelled.
async fn nothing_in_the_way(unit: &mut Unit<'_>, article: &ArticleRecord) -> Result<(), Refusal> {
    let lines = task_list::open_of_target(unit.tx.conn(), article.id).await.map_err(broken)?;
    let (waiting, ended): (Vec<_>, Vec<_>) =
        lines.into_iter().partition(|line| line.state == State::Scheduled.as_str());
    let is_public = article.published_at.is_some();
    if is_public || !waiting.is_empty() {
        return Err(Refusal::InTheWay { is_public, tasks: unit.lens.tasks(waiting) });
    }
    for line in ended {
        let to = Facts { state: State::Cancelled, ..facts(&line)? };
        unit.change(&line, "cancel", &to, "{}".to_owned()).await?;
    }
    Ok(())
}
