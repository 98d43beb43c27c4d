//! Counts articles for the tabs of their list.

use super::{ArticleService, first_ids};
use crate::services::internal_error;
use domain::{
    Actor, DomainError,
    article::{ArticleCounts, ArticleFilter, ArticleQuery},
};
use store::{PoolRole, article_list};

/// Maximum number of articles among which drafts and scheduled ones are counted.
const MAX_COUNTED_BY_TASK: i64 = 2_000;

/// Returns the number of articles for each filter.
pub async fn counts(
    service: &ArticleService,
    actor: &Actor,
    is_mine: bool,
) -> Result<ArticleCounts, DomainError> {
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let owner = is_mine.then_some(actor.account);
    let totals = article_list::totals(lease.conn(), owner).await.map_err(internal_error)?;
    let by_task = match totals.total <= MAX_COUNTED_BY_TASK {
        true => Some(article_list::scheduling_counts(lease.conn(), owner).await.map_err(internal_error)?),
        false => None,
    };
    Ok(ArticleCounts {
        total: totals.total.unsigned_abs(),
        drafts: by_task.map(|counts| counts.drafts.unsigned_abs()),
        scheduled: by_task.map(|counts| counts.scheduled.unsigned_abs()),
        published: totals.published.unsigned_abs(),
        trash: totals.trash.unsigned_abs(),
    })
}

/// Maximum number of articles that a search is counted to.
const MAX_COUNTED_HITS: u32 = 200;

/// Returns the number of articles for each filter that a search or a tag leaves; `None`: they are too many
/// to count with each change of the search.
pub async fn search_counts(
    service: &ArticleService,
    actor: &Actor,
    query: ArticleQuery,
) -> Result<Option<ArticleCounts>, DomainError> {
    let filters = [
        None,
        Some(ArticleFilter::Draft),
        Some(ArticleFilter::Scheduled),
        Some(ArticleFilter::Published),
        Some(ArticleFilter::Trash),
    ];
    let mut counts = [0; 5];
    for (count, filter) in counts.iter_mut().zip(filters) {
        let query = ArticleQuery { filter, ..query.clone() };
        let ids = first_ids(service, actor, query, MAX_COUNTED_HITS + 1).await?;
        // The first one is all: what has too many of them is not looked through once more for a part.
        if ids.len() > MAX_COUNTED_HITS as usize {
            return Ok(None);
        }
        *count = ids.len() as u64;
    }
    let [total, drafts, scheduled, published, trash] = counts;
    Ok(Some(ArticleCounts { total, drafts: Some(drafts), scheduled: Some(scheduled), published, trash }))
}
