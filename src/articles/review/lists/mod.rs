//! The compiled word lists, kept until a list changes, and the search in a text. Used by pages and by
//! executions.

pub mod compiled;
pub mod history;
pub mod history_body;

use crate::text::render::{Budget, TooComplex};
use domain::{
    WordListId,
    review::{
        Action, Checked, CheckedText, CompiledLists, Field, FoundTerm, FoundTerms, Hit, Term, Verdict,
        WordsToCheck,
    },
};
use std::{
    cell::Cell,
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};
use store::{Conn, StoreError, word_list};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// Time limits of one text that is to be published or sent, if it takes more than [`MAX_STEPS`]: its share of the
/// time that is left for all, so that a slow one does not leave the others unchecked.
const MIN_TEXT_TIME: Duration = Duration::from_secs(1);
const MAX_TEXT_TIME: Duration = Duration::from_secs(5);
/// Time limit of all of them in a transaction. Shorter than the time after which PostgreSQL ends one that is idle.
const ALL_TEXTS_TIME: Duration = Duration::from_secs(20);
/// Number of steps from which the time of one of them is limited. The steps of a pattern are the most that it may
/// take, so they alone hold no text; and on a slow machine time alone holds none whose lists are fast.
const MAX_STEPS: usize = 1_000_000_000;
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

/// Returns the time limit of all texts that are checked in one transaction.
pub fn time_for_all() -> Budget {
    Budget::new(ALL_TEXTS_TIME, CancellationToken::new())
}

/// Checks a text. Takes milliseconds: call it on a blocking thread. A text that was not searched for all terms, because
/// that takes too long, is blocked: it is never published unchecked. `texts`: number of texts for which the time of
/// `all` is left.
pub fn find_terms(lists: &Lists, words: &WordsToCheck, (all, texts): (&Budget, usize)) -> FoundTerms {
    let time = time_of_one(all.left(), texts);
    let (one, steps) = (Budget::new(time, CancellationToken::new()), Cell::new(0_usize));
    let count = |more: usize| {
        steps.set(steps.get().saturating_add(more));
        if is_spent(steps.get(), one.left(), all.left()) { Err(()) } else { Ok(()) }
    };
    match lists.compiled.check_in_time(&source(words), &count) {
        Ok(checked) => found_terms(lists, words, checked),
        Err(unfinished) => not_searched(lists, unfinished.term),
    }
}

fn time_of_one(left: Duration, texts: usize) -> Duration {
    let texts = u32::try_from(texts.max(1)).unwrap_or(u32::MAX);
    (left / texts).clamp(MIN_TEXT_TIME, MAX_TEXT_TIME)
}

/// Whether a check ends, by its steps and by the time that is left for its text and for all.
const fn is_spent(steps: usize, one: Duration, all: Duration) -> bool {
    (steps > MAX_STEPS && one.is_zero()) || all.is_zero()
}

/// Blocks a text that was not searched to the end. The hit names the term that takes too long.
fn not_searched(lists: &Lists, term: Option<(String, u32)>) -> FoundTerms {
    let (term, list) = term.unwrap_or_else(|| ("…".to_owned(), 0));
    tracing::warn!(term, "a text is held: to search it for the terms of the word lists takes too long");
    let list = usize::try_from(list).ok().and_then(|list| lists.ids.get(list));
    let hit = list.map(|list| FoundTerm {
        term,
        list: *list,
        action: Action::Block,
        field: Field::Text,
        start: 0,
        end: 0,
        replacement: None,
        quote: None,
    });
    FoundTerms {
        verdict: Verdict::Block,
        hits: hit.into_iter().collect(),
        count: 1,
        replaced_title: None,
        replaced: None,
    }
}

/// Checks a text within the time of the budget.
pub fn find_terms_in_time(
    lists: &Lists,
    words: &WordsToCheck,
    budget: &Budget,
) -> Result<FoundTerms, TooComplex> {
    let checked = lists.compiled.check_in_time(&source(words), &|_| budget.check());
    let checked = checked.map_err(|unfinished| unfinished.why)?;
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
        // Without time a text is not published unchecked.
        let held = find_terms(&lists, &words, (&Budget::new(Duration::ZERO, CancellationToken::new()), 1));
        assert_eq!((held.verdict, held.hits.len()), (Verdict::Block, 1));
        let short = WordsToCheck { text: "tide".to_owned(), ..words };
        assert_eq!(find_terms(&lists, &short, (&time_for_all(), 1)).count, 1);
    }

    #[test]
    fn neither_steps_nor_the_time_of_one_text_alone_holds_it() {
        let (left, spent) = (Duration::from_millis(1), Duration::ZERO);
        assert!(!is_spent(usize::MAX, left, left), "its patterns take less than they might");
        assert!(!is_spent(MAX_STEPS, spent, left), "the machine is slow");
        assert!(is_spent(MAX_STEPS + 1, spent, left));
        assert!(is_spent(0, left, spent));
        // A slow text leaves time for the others.
        let seconds = Duration::from_secs;
        assert_eq!(time_of_one(seconds(20), 10), seconds(2));
        assert_eq!([time_of_one(seconds(20), 1), time_of_one(seconds(20), 0)], [MAX_TEXT_TIME; 2]);
        assert_eq!(time_of_one(seconds(20), 50), MIN_TEXT_TIME);
    }
}
