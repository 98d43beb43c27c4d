//! Which revision of an article a publication pins.

use super::publishing;
use crate::kinds::task_kind::Pin;
use domain::{ArticleId, DomainError, review::workflow::ReviewProblem, task::RevisionChoice};
use std::collections::HashMap;
use store::{
    Conn, StoreError,
    approval::{self, NewestApproval},
    publish, revision,
};
use uuid::Uuid;

/// Returns the revisions to pin, in the order of `pins`. Without a choice it is the current one, unless
/// that needs an approval and another one is approved: that one is published, not replaced.
pub async fn choose(
    mut conn: Conn<'_>,
    pins: &[Pin],
) -> Result<Vec<Result<Option<Uuid>, DomainError>>, StoreError> {
    let articles: Vec<Uuid> = pins.iter().map(|pin| pin.target).collect();
    let approved = newest(conn.reborrow(), &articles).await?;
    let is_open = |pin: &&Pin| {
        let approved = approved.get(&pin.target).map(|one| one.revision_id);
        pin.choice.is_none() && approved.is_some() && approved != pin.current
    };
    let open: Vec<Uuid> = pins.iter().filter(is_open).filter_map(|pin| pin.current).collect();
    let refused = publishing::refusals(conn.reborrow(), &open).await?;
    let mut chosen = Vec::with_capacity(pins.len());
    for pin in pins {
        let approved = approved.get(&pin.target).map(|one| one.revision_id);
        chosen.push(match pin.choice {
            None if pin.current.is_some_and(|current| refused.contains_key(&current)) => {
                Ok(approved.or(pin.current))
            }
            None | Some(RevisionChoice::Current) => Ok(pin.current),
            Some(RevisionChoice::Approved) if approved.is_none() => {
                Err(ReviewProblem::NotApproved { planned: None }.into())
            }
            Some(RevisionChoice::Approved) => Ok(approved),
            Some(RevisionChoice::Number(number)) => numbered(conn.reborrow(), pin.target, number).await?,
        });
    }
    Ok(chosen)
}

/// Returns the newest approved revisions of articles that are newer than the public ones, by article.
pub async fn newest(conn: Conn<'_>, articles: &[Uuid]) -> Result<HashMap<Uuid, NewestApproval>, StoreError> {
    let found = approval::newest(conn, articles).await?;
    Ok(found.into_iter().map(|one| (one.article_id, one)).collect())
}

/// Returns the newest approved revision of an article if it is the pinned one or newer.
pub async fn newest_from(
    mut conn: Conn<'_>,
    article: Uuid,
    pinned: Option<Uuid>,
) -> Result<Option<Uuid>, StoreError> {
    let Some(newest) = newest(conn.reborrow(), &[article]).await?.remove(&article) else { return Ok(None) };
    let pinned = match pinned {
        Some(pinned) => revision::find(conn, pinned).await?,
        None => None,
    };
    let is_older = pinned.is_some_and(|pinned| pinned.number > newest.number);
    Ok((!is_older).then_some(newest.revision_id))
}

/// Returns the revision with this number, unless a newer one is public.
async fn numbered(
    mut conn: Conn<'_>,
    article: Uuid,
    number: i32,
) -> Result<Result<Option<Uuid>, DomainError>, StoreError> {
    let found = revision::find_by_number(conn.reborrow(), ArticleId(article), number).await?;
    let Some(found) = found else { return Ok(Err(DomainError::no_such("revision"))) };
    let is_older = publish::older_than_public(conn, &[found.id]).await?.contains(&found.id);
    Ok(if is_older { Err(DomainError::OlderText) } else { Ok(Some(found.id)) })
}
