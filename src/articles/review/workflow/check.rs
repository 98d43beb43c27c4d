//! What the checklist and the word lists find in an article, for its authors.

use crate::{
    app_state::AppState,
    articles::review::{
        checklist::{answered, with_checked},
        content, lists,
    },
    services::internal_error,
    text::checklist,
};
use domain::{
    Actor, ArticleId, DomainError,
    review::{MAX_HITS, workflow::checklist::TextCheck},
};
use store::{PoolRole, approval, article, review_settings};

/// Checks the current text of an article against the checklist and the word lists.
pub async fn check(parts: &AppState, actor: &Actor, id: ArticleId) -> Result<TextCheck, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let article = article::find(lease.conn(), id).await.map_err(internal_error)?;
    let article = article.ok_or_else(|| DomainError::no_such("article"))?;
    let settings = review_settings::find(lease.conn()).await.map_err(internal_error)?;
    let texts = approval::texts(lease.conn(), &[article.revision_id]).await.map_err(internal_error)?;
    let text = texts.into_iter().next().ok_or_else(|| DomainError::no_such("revision"))?;
    let list = settings.checklist;
    let found = content::check_in_time(actor.into(), lease.conn(), text.clone()).await?.found;
    let answered =
        answered(lease.conn(), list.links, std::iter::once(text.body.as_str()), parts.clock.now()).await;
    let answered = answered.map_err(internal_error)?;
    drop(lease);
    // The page of the links says if it is in code only.
    let has_links = text.body.contains("://");
    let checked = move || with_checked(&text, &answered, |text| checklist::check(&list, text));
    let items = lists::blocking(checked).await.map_err(internal_error)?.map_err(internal_error)?;
    let mut hits = found.hits;
    hits.truncate(MAX_HITS);
    Ok(TextCheck { items, hits, has_links })
}
