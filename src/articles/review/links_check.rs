//! Whether the links of a text answer.

use crate::{
    app_state::AppState,
    senders::{Senders, http::NoAnswer},
    services::internal_error,
    text::checklist::{link_hash, web_links},
};
use domain::{
    AccountId, Actor, ArticleId, DomainError,
    review::workflow::{
        checklist::{CheckedLink, CheckedLinks, LINK_ANSWER_AGE_MS, LinkProblem, MAX_LINKS},
        may_review,
    },
};
use futures::{StreamExt as _, stream};
use std::time::Duration;
use store::{PoolRole, StoreError, article, link_answer, revision};

/// Number of links that are opened at once, and the timeout for each: at most 25 seconds for all.
const AT_ONCE: usize = 10;
const LINK_TIMEOUT: Duration = Duration::from_secs(5);

/// Opens the links of the current text of an article, and stores for the checklist which answered.
pub async fn check(parts: &AppState, actor: &Actor, id: ArticleId) -> Result<CheckedLinks, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let article = article::find(lease.conn(), id).await.map_err(internal_error)?;
    let article = article.ok_or_else(|| DomainError::no_such("article"))?;
    if !actor.may_change(AccountId(article.owner_id)) && !may_review(actor) {
        return Err(DomainError::NotAllowed);
    }
    let text = revision::find(lease.conn(), article.revision_id).await.map_err(internal_error)?;
    let text = text.ok_or_else(|| DomainError::no_such("revision"))?;
    drop(lease);
    let mut found = web_links(&text.body);
    let more = u32::try_from(found.len().saturating_sub(MAX_LINKS)).unwrap_or(u32::MAX);
    found.truncate(MAX_LINKS);
    let checks = stream::iter(found).map(|link| async move {
        let problem = problem_of(&parts.senders, &link.url).await;
        CheckedLink { line: link.place.line, url: link.url, problem }
    });
    let links: Vec<CheckedLink> = checks.buffered(AT_ONCE).collect().await;
    // The page shows what was found, even if it cannot be stored.
    _ = record(parts, &links).await.map_err(internal_error);
    Ok(CheckedLinks { title: text.title, links, more })
}

async fn record(parts: &AppState, links: &[CheckedLink]) -> Result<(), StoreError> {
    let (answered, silent): (Vec<_>, Vec<_>) = links.iter().partition(|link| link.problem.is_none());
    let hashes = |links: Vec<&CheckedLink>| links.into_iter().map(|link| link_hash(&link.url)).collect();
    let (answered, silent): (Vec<String>, Vec<String>) = (hashes(answered), hashes(silent));
    let now = parts.clock.now();
    let mut tx = parts.store.begin(PoolRole::Web).await?;
    link_answer::record(tx.conn(), &answered, &silent, now).await?;
    link_answer::remove_before(tx.conn(), now.plus(-LINK_ANSWER_AGE_MS)).await?;
    tx.commit().await
}

async fn problem_of(senders: &Senders, url: &str) -> Option<LinkProblem> {
    match tokio::time::timeout(LINK_TIMEOUT, senders.probe(url)).await {
        Err(_) | Ok(Err(NoAnswer::TimedOut)) => Some(LinkProblem::TimedOut),
        Ok(Ok(status)) => LinkProblem::of_status(status),
        Ok(Err(NoAnswer::Forbidden(_))) => Some(LinkProblem::Forbidden),
        Ok(Err(NoAnswer::Redirects)) => Some(LinkProblem::Redirects),
        Ok(Err(NoAnswer::NoConnection | NoAnswer::NoClient)) => Some(LinkProblem::NoConnection),
    }
}
