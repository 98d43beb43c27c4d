//! The content review of a revision, and the hash to which an approval is bound.

use super::lists::{self, Lists, find_terms, find_terms_in_time};
use crate::{
    services::{internal_error, security::tokens},
    text::render::{Budget, POOL, Share},
};
use domain::{
    DomainError,
    review::{FoundTerm, FoundTerms, Verdict, WordsToCheck, workflow::ReviewProblem},
};
use std::sync::Arc;
use store::{Conn, StoreError, approval::RevisionText, article_review::FoundHits};
use uuid::Uuid;

/// Maximum number of terms that a refusal names.
const MAX_NAMED: usize = 5;

/// Returns the SHA-256 hash of a title, a text and details (JSON; `None`: all defaults), in hex.
#[must_use]
pub fn content_hash(title: &str, body: &str, details: Option<&str>) -> String {
    // A title is one line, and a text has no NUL.
    match details {
        None => tokens::hash(&format!("{title}\n{body}")),
        Some(details) => tokens::hash(&format!("{title}\n{body}\0{details}")),
    }
}

/// A revision, its hash and what was found in it.
pub struct CheckedRevision {
    pub id: Uuid,
    pub hash: String,
    pub found: FoundTerms,
}

/// Checks texts against the current word lists, within the time of the transaction: what is not checked by then is
/// blocked.
pub async fn check_all(
    conn: Conn<'_>,
    texts: Vec<RevisionText>,
    time: &Arc<Budget>,
) -> Result<Vec<CheckedRevision>, StoreError> {
    let (lists, time, count) = (lists::current(conn).await?, Arc::clone(time), texts.len());
    let check = move |(place, text): (usize, RevisionText)| -> Result<CheckedRevision, StoreError> {
        let (id, hash, words) = hashed(text)?;
        Ok(CheckedRevision { id, hash, found: find_terms(&lists, &words, (time.as_ref(), count - place)) })
    };
    lists::blocking(move || texts.into_iter().enumerate().map(check).collect()).await?
}

/// Checks a text for a user against the current word lists, in the share of that user. Refuses one
/// that takes too long.
pub async fn check_in_time(
    share: Share,
    conn: Conn<'_>,
    text: RevisionText,
) -> Result<CheckedRevision, DomainError> {
    let lists = lists::current(conn).await.map_err(internal_error)?;
    check_with(share, &lists, text).await
}

/// The same against lists that were read before.
pub async fn check_with(
    share: Share,
    lists: &Arc<Lists>,
    text: RevisionText,
) -> Result<CheckedRevision, DomainError> {
    let (id, hash, words) = hashed(text).map_err(internal_error)?;
    let lists = Arc::clone(lists);
    let find = move |budget: &Budget| find_terms_in_time(&lists, &words, budget);
    let found = POOL.run_in(share, find).await?;
    let found = found.map_err(|limit| DomainError::invalid("body", limit.into()))?;
    Ok(CheckedRevision { id, hash, found })
}

/// Returns the id, the hash and the words of a text.
fn hashed(text: RevisionText) -> Result<(Uuid, String, WordsToCheck), StoreError> {
    let RevisionText { id, title, body, details } = text;
    let hash = content_hash(&title, &body, details.as_deref());
    let summary = store::details::parse(details.as_deref())?.words();
    Ok((id, hash, WordsToCheck { title, summary, text: body }))
}

/// What was found, as it is stored.
pub fn stored(found: &FoundTerms) -> Result<FoundHits, StoreError> {
    let hits = serde_json::to_string(&found.hits).map_err(|error| StoreError::Corrupt(error.to_string()))?;
    let count = i32::try_from(found.count).unwrap_or(i32::MAX);
    Ok(FoundHits { verdict: found.verdict, hits, count })
}

/// Names the blocked terms; `None`: there are none.
pub fn blocked(found: &FoundTerms) -> Option<ReviewProblem> {
    (found.verdict == Verdict::Block).then(|| {
        let is_blocked = |hit: &&FoundTerm| Verdict::from(hit.action) == Verdict::Block;
        ReviewProblem::Blocked { terms: named(found.hits.iter().filter(is_blocked)) }
    })
}

/// The terms of hits, without repetitions.
pub fn named<'a>(hits: impl Iterator<Item = &'a FoundTerm>) -> String {
    let mut terms: Vec<&str> = Vec::new();
    for hit in hits {
        if !terms.contains(&hit.term.as_str()) {
            terms.push(&hit.term);
        }
    }
    let more = if terms.len() > MAX_NAMED { ", …" } else { "" };
    terms.truncate(MAX_NAMED);
    format!("{}{more}", terms.join(", "))
}
