//! The compiled word lists, kept until a list changes, and the search in a text. Used by pages and by
//! executions.

pub mod compiled;
pub mod history;
pub mod history_body;

use crate::text::render::{Budget, TooComplex};
use domain::{
    WordListId,
    review::{
        Action, Checked, CheckedText, CompiledLists, Field, FoundTerm, FoundTerms, Hit, Term, WordsToCheck,
    },
};
use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};
use store::{Conn, StoreError, word_list};
use uuid::Uuid;

/// Number of kept versions. One is enough for a process with one database.
const MAX_KEPT: usize = 4;

/// Word lists as they were at one moment.
#[derive(Debug)]
pub struct Lists {
    /// Id and version of each list, in the order of the compiled ones.
    versions: Vec<(Uuid, i32)>,
    pub ids: Vec<WordListId>,
    pub compiled: CompiledLists,
}

/// The versions that were used last, the newest first. Shared by pages and the engine.
static KEPT: RwLock<Vec<Arc<Lists>>> = RwLock::new(Vec::new());

/// Returns the compiled lists as `conn` sees them. If a list has changed since, on this node or
/// another, they are compiled on a blocking thread.
pub async fn current(mut conn: Conn<'_>) -> Result<Arc<Lists>, StoreError> {
    let records = word_list::all(conn.reborrow()).await?;
    let versions: Vec<(Uuid, i32)> = records.iter().map(|list| (list.id, list.version)).collect();
    if let Some(lists) = kept(&versions) {
        return Ok(lists);
    }
    let mut terms: HashMap<Uuid, Vec<Term>> = HashMap::new();
    for (list, term) in word_list::all_terms(conn).await? {
        terms.entry(list).or_default().push(term);
    }
    let mut lists: Vec<(Action, Vec<Term>)> = Vec::with_capacity(records.len());
    for record in &records {
        lists.push((record.settings()?.action, terms.remove(&record.id).unwrap_or_default()));
    }
    let compiled = blocking(move || CompiledLists::new(&lists)).await?;
    let ids = records.iter().map(|list| WordListId(list.id)).collect();
    let lists = Arc::new(Lists { versions, ids, compiled });
    keep(&lists);
    Ok(lists)
}

/// Runs the work on a blocking thread.
pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, StoreError> {
    let stopped = |_| StoreError::Corrupt("a blocking task was cancelled or panicked".to_owned());
    tokio::task::spawn_blocking(work).await.map_err(stopped)
}

fn kept(versions: &[(Uuid, i32)]) -> Option<Arc<Lists>> {
    let all = KEPT.read().unwrap_or_else(PoisonError::into_inner);
    all.iter().find(|lists| lists.versions == versions).map(Arc::clone)
}

fn keep(lists: &Arc<Lists>) {
    let mut all = KEPT.write().unwrap_or_else(PoisonError::into_inner);
    all.insert(0, Arc::clone(lists));
    all.truncate(MAX_KEPT);
}

/// Checks a text. Takes milliseconds: call it on a blocking thread.
pub fn find_terms(lists: &Lists, words: &WordsToCheck) -> FoundTerms {
    found_terms(lists, words, lists.compiled.check(&source(words)))
}

/// Checks a text within the time of the budget.
pub fn find_terms_in_time(
    lists: &Lists,
    words: &WordsToCheck,
    budget: &Budget,
) -> Result<FoundTerms, TooComplex> {
    let checked = lists.compiled.check_in_time(&source(words), &|| budget.check())?;
    Ok(found_terms(lists, words, checked))
}

fn source(words: &WordsToCheck) -> CheckedText<'_> {
    let WordsToCheck { title, summary, text } = words;
    CheckedText { title, summary, text }
}

fn found_terms(lists: &Lists, words: &WordsToCheck, checked: Checked) -> FoundTerms {
    let hits = checked.hits.into_iter().filter_map(|hit| found_term(hit, words, &lists.ids));
    FoundTerms {
        verdict: checked.verdict,
        hits: hits.collect(),
        count: checked.count,
        replaced_title: checked.replaced_title,
        replaced: checked.replaced_text,
    }
}

/// The hit with its list, and its place in characters.
fn found_term(hit: Hit, words: &WordsToCheck, ids: &[WordListId]) -> Option<FoundTerm> {
    let source = match hit.field {
        Field::Title => &words.title,
        Field::Summary => &words.summary,
        Field::Text => &words.text,
    };
    let start = source.get(..hit.begin)?.chars().count();
    let quote = source.get(hit.begin..hit.end)?;
    Some(FoundTerm {
        term: hit.term,
        list: *ids.get(usize::try_from(hit.list).ok()?)?,
        action: hit.action,
        field: hit.field,
        start,
        end: start + quote.chars().count(),
        quote: hit.replacement.is_some().then(|| quote.to_owned()),
        replacement: hit.replacement,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::render::RENDER_TIMEOUT;
    use std::time::Duration;
    use tokio_util::sync::CancellationToken;

    #[test]
    fn a_check_is_refused_when_its_time_is_over() {
        let term =
            Term { term: "tide".to_owned(), is_pattern: false, exceptions: Vec::new(), replacement: None };
        let lists = Lists {
            versions: Vec::new(),
            ids: vec![WordListId(Uuid::nil())],
            compiled: CompiledLists::new(&[(Action::Block, vec![term])]),
        };
        let words =
            WordsToCheck { title: String::new(), summary: String::new(), text: "tide ".repeat(100_000) };
        let check =
            |time: Duration| find_terms_in_time(&lists, &words, &Budget::new(time, CancellationToken::new()));
        assert_eq!(check(RENDER_TIMEOUT).unwrap().count, 100_000);
        assert!(check(Duration::ZERO).is_err());
    }
}
