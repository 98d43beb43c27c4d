//! Undoes an import: what it created goes to the trash, unless it was changed since. What is public stays
//! too, unless it is to be unpublished. One transaction for each batch of articles.

mod unpublish;

use super::{
    actions::{no_such, require_admin},
    present,
};
use crate::{
    app_state::AppState,
    services::{internal_error, write_error},
    tasks::{group_commit::PreparedChange, unit_of_work::UnitOfWork},
};
use domain::{
    Actor, DomainError, ImportId,
    imports::{Import, ImportProblem, ImportState, KeptArticle, KeptReason, MAX_LISTED_ITEMS, UndoReport},
    task::Change,
};
use serde_json::json;
use std::collections::HashSet;
use store::{
    PoolRole, bulk,
    event::NewEvent,
    import_job::{self, CreatedArticle, Ending},
    target, task_list, trash,
};
use uuid::Uuid;

/// Number of articles in a transaction.
const BATCH: i64 = 100;
/// Maximum length of the slug that an article in the trash keeps, before its number.
const MAX_SLUG_CHARS: usize = 80;

/// Undoes an import. `is_unpublishing`: public articles that were not changed since go to the trash too.
pub async fn undo(
    parts: &AppState,
    actor: &Actor,
    id: ImportId,
    is_unpublishing: bool,
) -> Result<Import, DomainError> {
    require_admin(actor)?;
    let actor = &Actor { idempotency: None, ..actor.clone() };
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let row = import_job::find(lease.conn(), id).await.map_err(internal_error)?.ok_or_else(no_such)?;
    drop(lease);
    let state = present::state(&row, parts.clock.now())?;
    if !state.may_undo() {
        return Err(ImportProblem::WrongState { state }.into());
    }
    let before: Option<UndoReport> = row.undo.as_deref().map(present::json).transpose()?;
    let before = before.unwrap_or_default();
    let mut report = UndoReport { kept: 0, kept_articles: Vec::new(), ..before };
    let mut after = None;
    while let Some(last) = undo_batch(parts, actor, (id, after, is_unpublishing), &mut report).await? {
        after = Some(last);
    }
    finish(parts, actor, (id, row.version), &report).await
}

async fn finish(
    parts: &AppState,
    actor: &Actor,
    (id, seen): (ImportId, i32),
    report: &UndoReport,
) -> Result<Import, DomainError> {
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    let undo = serde_json::to_string(report).unwrap_or_default();
    let (state, at) = (ImportState::Undone, unit.now());
    let ending = Ending { state, report: None, why: None, undo: Some(&undo), at };
    if !import_job::end(unit.tx.conn(), id, seen, ending).await.map_err(write_error(parts))? {
        return Err(DomainError::Changed);
    }
    let row = import_job::find(unit.tx.conn(), id).await.map_err(internal_error)?.ok_or_else(no_such)?;
    let import = present::import(parts, &unit.presenter, row)?;
    let found = present::with_public(unit.tx.conn(), vec![import]).await?;
    let import = found.into_iter().next().ok_or_else(no_such)?;
    unit.record_events([NewEvent::simple(at, Some(actor.account), "import", id.0, "undo")]);
    unit.commit().await?;
    Ok(import)
}

/// Undoes the next articles. Returns the last of them; `None`: there are no more.
async fn undo_batch(
    parts: &AppState,
    actor: &Actor,
    (id, after, is_unpublishing): (ImportId, Option<Uuid>, bool),
    report: &mut UndoReport,
) -> Result<Option<Uuid>, DomainError> {
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    let found = import_job::articles(unit.tx.conn(), id, after, BATCH).await.map_err(internal_error)?;
    let Some(last) = found.last().map(|article| article.id) else { return Ok(None) };
    let ids: Vec<Uuid> = found.iter().map(|article| article.id).collect();
    target::lock(unit.tx.conn(), &ids).await.map_err(internal_error)?;
    // As they are under the lock.
    let found = import_job::articles(unit.tx.conn(), id, after, BATCH).await.map_err(internal_error)?;
    let found = found.into_iter().filter(|article| ids.contains(&article.id));
    let (kept, movable): (Vec<_>, Vec<_>) =
        found.map(|article| (reason(&article, is_unpublishing), article)).partition(|(why, _)| why.is_some());
    let movable: Vec<CreatedArticle> = movable.into_iter().map(|(_, article)| article).collect();
    let unpublished = unpublish::unpublish(&mut unit, &movable).await?;
    // Articles are locked before their tasks.
    let moved = put_in_trash(&mut unit, id, &movable).await?;
    let cancelled = cancel(&mut unit, &movable).await?;
    unit.commit().await?;
    report.cancelled += cancelled;
    report.unpublished += unpublished;
    report.moved += moved;
    report.kept += kept.len() as u64;
    let kept = kept
        .into_iter()
        .filter_map(|(why, article)| Some(KeptArticle { id: article.id, title: article.title, why: why? }));
    let room = MAX_LISTED_ITEMS.saturating_sub(report.kept_articles.len());
    report.kept_articles.extend(kept.take(room));
    Ok(Some(last))
}

/// Returns why an article stays; `None`: it goes to the trash.
fn reason(article: &CreatedArticle, is_unpublishing: bool) -> Option<KeptReason> {
    let is_public = article.published_at.is_some();
    if is_public && !is_unpublishing {
        Some(KeptReason::Public)
    } else if article.import_revision != Some(article.revision)
        || (is_public && article.is_current_public == 0)
    {
        Some(KeptReason::Text)
    } else if article.other_tasks > 0 {
        Some(KeptReason::Schedule)
    } else {
        None
    }
}

/// Cancels the tasks of the articles. Returns their number.
async fn cancel(unit: &mut UnitOfWork<'_>, articles: &[CreatedArticle]) -> Result<u64, DomainError> {
    let ids: Vec<Uuid> = articles.iter().map(|article| article.id).collect();
    let rows = task_list::open_of_targets(unit.tx.conn(), &ids).await.map_err(internal_error)?;
    let prepared = rows.into_iter().map(|row| PreparedChange::of(row, &Change::Cancel, &unit.presenter));
    let prepared: Vec<PreparedChange> = prepared.filter_map(Result::transpose).collect::<Result<_, _>>()?;
    if prepared.is_empty() {
        return Ok(0);
    }
    let requests: Vec<_> = prepared.iter().map(|one| one.transition_request(&unit.presenter)).collect();
    let changed = bulk::change_all(unit.tx.conn(), &requests).await.map_err(write_error(unit.parts))?;
    if changed.len() < prepared.len() {
        return Err(DomainError::Changed);
    }
    for one in &prepared {
        unit.note_moved(&one.row.kind, one.row.target_id);
    }
    Ok(changed.len() as u64)
}

/// Moves the articles to the trash. Returns their number.
async fn put_in_trash(
    unit: &mut UnitOfWork<'_>,
    import: ImportId,
    articles: &[CreatedArticle],
) -> Result<u64, DomainError> {
    let slugs: Vec<(Uuid, String)> = articles.iter().map(|one| (one.id, other_slug(one))).collect();
    let now = unit.now();
    let moved = trash::undo_import(unit.tx.conn(), &slugs, now).await.map_err(write_error(unit.parts))?;
    let moved: HashSet<Uuid> = moved.into_iter().collect();
    for article in articles.iter().filter(|article| moved.contains(&article.id)) {
        let detail = json!({ "title": article.title, "slug": article.slug, "import": import });
        unit.record_event("article", article.id, "delete", None, Some(article.revision), detail.to_string());
    }
    Ok(moved.len() as u64)
}

/// The slug in the trash: a later import of the post gets the slug without the number.
fn other_slug(article: &CreatedArticle) -> String {
    let short: String = article.slug.chars().take(MAX_SLUG_CHARS).collect();
    let number = article.id.simple().to_string();
    format!("{short}-{}", number.get(20..).unwrap_or_default())
}
