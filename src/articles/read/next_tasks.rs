//! The next tasks of selected articles, for a change of many.

use super::{ArticleService, matching};
use crate::services::internal_error;
use domain::{
    Actor, DomainError, TaskId,
    article::{ArticleFilter, ArticleQuery},
    articles::bulk::{ArticleSelection, NO_TASK, NextTasks},
    bulk_change::BulkRefusal,
    input_limits::MAX_BULK_ITEMS,
};
use std::collections::{HashMap, HashSet};
use store::{Conn, PoolRole, article, task_list};
use uuid::Uuid;

/// Returns the next task of each selected article, and the articles that have none.
pub async fn next_tasks(
    service: &ArticleService,
    actor: &Actor,
    selection: ArticleSelection,
) -> Result<NextTasks, DomainError> {
    let ids: Vec<Uuid> = match selection {
        ArticleSelection::Articles(ids) => ids.into_iter().map(|id| id.0).take(MAX_BULK_ITEMS).collect(),
        ArticleSelection::Matching(query) => {
            let filter = query.filter.or(Some(ArticleFilter::Scheduled));
            matching(service, actor, ArticleQuery { filter, ..*query }, MAX_BULK_ITEMS).await?
        }
    };
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    // In due order: the first of an article is its next.
    let tasks = task_list::waiting_of_targets(lease.conn(), &ids).await.map_err(internal_error)?;
    let mut seen = HashSet::new();
    let next = tasks.into_iter().filter(|task| seen.insert(task.target_id));
    let tasks = next.map(|task| TaskId(task.id)).collect();
    let without: Vec<Uuid> = ids.into_iter().filter(|id| seen.insert(*id)).collect();
    Ok(NextTasks { tasks, without: refused(lease.conn(), &without).await? })
}

/// Says why no task of these articles is changed.
async fn refused(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<BulkRefusal>, DomainError> {
    let titles = article::titles(conn, ids).await.map_err(internal_error)?;
    let mut titles: HashMap<Uuid, String> = titles.into_iter().collect();
    let refused = ids.iter().map(|id| {
        let title = titles.remove(id);
        let why = DomainError::no_such(if title.is_some() { NO_TASK } else { "article" });
        BulkRefusal { id: TaskId(*id), title: title.unwrap_or_default(), why }
    });
    Ok(refused.collect())
}
