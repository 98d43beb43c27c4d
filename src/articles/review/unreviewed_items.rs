//! The content review of meetings, reminders, messages and what rules send: a setting of the desk. No
//! reviewer approves these texts, so terms that need an approval are refused like blocked ones.

use crate::articles::review::{
    content, lists,
    lists::{Lists, find_terms},
};
use crate::{app_state::AppState, services::internal_error, text::render::Budget};
use domain::{
    DomainError,
    input_limits::MAX_MESSAGE_BYTES,
    review::{FoundTerm, Verdict, WordsToCheck, workflow::ReviewProblem},
};
use store::{Conn, PoolRole, StoreError, review_settings};

/// Refuses texts with terms that are blocked or need an approval, if the desk checks such texts. A text that
/// is longer than any of them may be is not read: it is refused for its length.
pub async fn check(parts: &AppState, texts: &[&str]) -> Result<(), DomainError> {
    let texts: Vec<&str> =
        texts.iter().copied().filter(|text| (1..=MAX_MESSAGE_BYTES).contains(&text.len())).collect();
    if texts.is_empty() {
        return Ok(());
    }
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let settings = review_settings::find(lease.conn()).await.map_err(internal_error)?;
    if !settings.other_texts {
        return Ok(());
    }
    let lists = lists::current(lease.conn()).await.map_err(internal_error)?;
    drop(lease);
    let words: Vec<WordsToCheck> = texts.iter().map(|text| words_of((*text).to_owned())).collect();
    let refused = lists::blocking(move || {
        let (time, count) = (lists::time_for_all(), words.len());
        let mut words = words.iter().enumerate();
        words.find_map(|(place, words)| refused(&lists, words, (&time, count - place)))
    });
    match refused.await.map_err(internal_error)? {
        Some(terms) => Err(ReviewProblem::Words { terms }.into()),
        None => Ok(()),
    }
}

/// The terms for which texts that were filled in are not sent, one entry for each text. `None`: it may be
/// sent, or the desk does not check such texts.
pub async fn refused_terms(
    mut conn: Conn<'_>,
    texts: Vec<String>,
) -> Result<Vec<Option<String>>, StoreError> {
    if texts.is_empty() || !review_settings::find(conn.reborrow()).await?.other_texts {
        return Ok(vec![None; texts.len()]);
    }
    let lists = lists::current(conn).await?;
    lists::blocking(move || {
        let (time, count) = (lists::time_for_all(), texts.len());
        let texts = texts.into_iter().enumerate();
        texts.map(|(place, text)| refused(&lists, &words_of(text), (&time, count - place))).collect()
    })
    .await
}

fn words_of(text: String) -> WordsToCheck {
    WordsToCheck { text, ..WordsToCheck::default() }
}

/// The terms that are blocked or need an approval; `None`: there are none.
fn refused(lists: &Lists, words: &WordsToCheck, time: (&Budget, usize)) -> Option<String> {
    let found = find_terms(lists, words, time);
    let is_refused = |hit: &&FoundTerm| Verdict::from(hit.action) >= Verdict::NeedsApproval;
    let terms = content::named(found.hits.iter().filter(is_refused));
    (found.verdict >= Verdict::NeedsApproval).then_some(terms)
}
