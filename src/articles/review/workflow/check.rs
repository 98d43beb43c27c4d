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
    Actor, ArticleId, DomainError, Timestamp,
    review::{
        MAX_HITS,
        workflow::checklist::{CheckedItem, Checklist, TextCheck},
    },
};
use store::{
    Conn, PoolRole,
    approval::{self, RevisionText},
    article, review_settings,
};

/// Checks the current text of an article against the checklist and the word lists.
pub async fn check(parts: &AppState, actor: &Actor, id: ArticleId) -> Result<TextCheck, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let article = article::find(lease.conn(), id).await.map_err(internal_error)?;
    let article = article.ok_or_else(|| DomainError::no_such("article"))?;
    let settings = review_settings::find(lease.conn()).await.map_err(internal_error)?;
    let texts = approval::texts(lease.conn(), &[article.revision_id]).await.map_err(internal_error)?;
    let text = texts.into_iter().next().ok_or_else(|| DomainError::no_such("revision"))?;
    let list = settings.checklist;
    // The page of the links says if it is in code only.
    let has_links = text.body.contains("://");
    let found = content::check_in_time(actor.into(), lease.conn(), text.clone()).await?.found;
    let items = items(lease.conn(), list, text, parts.clock.now()).await?;
    let mut hits = found.hits;
    hits.truncate(MAX_HITS);
    Ok(TextCheck { items, hits, has_links })
}

/// Checks a text against the checklist.
pub async fn items(
    conn: Conn<'_>,
    list: Checklist,
    text: RevisionText,
    now: Timestamp,
) -> Result<Vec<CheckedItem>, DomainError> {
    let answered = answered(conn, list, std::iter::once(text.body.as_str()), now).await;
    let answered = answered.map_err(internal_error)?;
    let checked = move || with_checked(&text, &answered, |text| checklist::check(&list, text));
    lists::blocking(checked).await.map_err(internal_error)?.map_err(internal_error)
}
