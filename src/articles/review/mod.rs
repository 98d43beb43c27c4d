//! Content review: word lists, and the check of texts against them.

pub mod api;
pub(crate) mod approved_tasks;
mod body;
mod change;
mod check_terms;
pub(crate) mod checklist;
pub(crate) mod content;
mod links_check;
pub(crate) mod lists;
pub(crate) mod notify;
pub(crate) mod pinned;
pub(crate) mod publishing;
pub(crate) mod unreviewed_items;
pub mod workflow;

use crate::{
    app_state::AppState,
    services::{Presenter, internal_error},
    text::render::{Budget, POOL},
};
use async_trait::async_trait;
use domain::{
    Actor, DomainError, Version, WordListId,
    error::ValidationError,
    input_limits::{MAX_BODY_BYTES, MAX_TITLE_CHARS},
    review::{
        FoundTerms, Term, WordList, WordListEdit, WordListRevision, WordListRow, WordListSettings, WordLists,
        WordsToCheck,
    },
};
use lists::compiled::Cache;
use lists::find_terms_in_time;
use std::sync::Arc;
use store::{
    PoolRole,
    word_list::{self, WordListRecord},
    word_list_revision,
};

/// Maximum length of a summary, in characters.
const MAX_SUMMARY_CHARS: usize = 2_000;

/// The service of word lists.
#[derive(Clone)]
pub struct WordListService {
    parts: AppState,
    cache: Arc<Cache>,
}

impl WordListService {
    /// Creates the service.
    #[must_use]
    pub fn new(parts: AppState) -> Self {
        Self { parts, cache: Arc::default() }
    }

    /// Compiles the changed lists, so that the next check need not.
    #[expect(
        clippy::disallowed_methods,
        reason = "nothing waits for it: it only reads, and the next check does the same if it fails"
    )]
    fn compile_soon(&self) {
        let service = self.clone();
        tokio::spawn(async move {
            if let Err(error) = service.cache.get(&service.parts).await {
                tracing::warn!(%error, "the word lists are compiled at the next check");
            }
        });
    }
}

fn admin_only(actor: &Actor) -> Result<(), DomainError> {
    if actor.is_admin() { Ok(()) } else { Err(DomainError::NotAllowed) }
}

fn row(record: &WordListRecord, presenter: &Presenter<'_>) -> Result<WordListRow, DomainError> {
    Ok(WordListRow {
        id: WordListId(record.id),
        settings: record.settings().map_err(internal_error)?,
        version: Version(record.version),
        terms: u64::from(record.term_count.unsigned_abs()),
        changed_at: presenter.moment(record.changed_at),
    })
}

#[async_trait]
impl WordLists for WordListService {
    async fn list(&self, actor: &Actor) -> Result<Vec<WordListRow>, DomainError> {
        admin_only(actor)?;
        let mut lease = self.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        let all = word_list::all(lease.conn()).await.map_err(internal_error)?;
        let presenter = Presenter::of(lease.conn(), actor, self.parts.clock.now()).await?;
        all.iter().map(|record| row(record, &presenter)).collect()
    }

    async fn find(&self, actor: &Actor, id: WordListId) -> Result<WordList, DomainError> {
        admin_only(actor)?;
        let mut lease = self.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        let found = word_list::find(lease.conn(), id).await.map_err(internal_error)?;
        let record = found.ok_or_else(|| DomainError::no_such("word list"))?;
        let terms = word_list::terms(lease.conn(), id).await.map_err(internal_error)?;
        let presenter = Presenter::of(lease.conn(), actor, self.parts.clock.now()).await?;
        Ok(WordList { row: row(&record, &presenter)?, terms })
    }

    async fn create(
        &self,
        actor: &Actor,
        new: WordListSettings,
        terms: Vec<Term>,
    ) -> Result<WordListRow, DomainError> {
        admin_only(actor)?;
        let row = change::create(&self.parts, actor, new, terms).await?;
        self.compile_soon();
        Ok(row)
    }

    async fn edit(
        &self,
        actor: &Actor,
        id: WordListId,
        edit: WordListEdit,
        seen: Option<Version>,
    ) -> Result<WordListRow, DomainError> {
        admin_only(actor)?;
        let row = change::edit(&self.parts, actor, id, edit, seen).await?;
        self.compile_soon();
        Ok(row)
    }

    async fn set_terms(
        &self,
        actor: &Actor,
        id: WordListId,
        terms: Vec<Term>,
        seen: Option<Version>,
    ) -> Result<WordListRow, DomainError> {
        admin_only(actor)?;
        let row = change::set_terms(&self.parts, actor, id, terms, seen).await?;
        self.compile_soon();
        Ok(row)
    }

    async fn history(&self, actor: &Actor, id: WordListId) -> Result<Vec<WordListRevision>, DomainError> {
        admin_only(actor)?;
        let mut lease = self.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        let found = word_list::find(lease.conn(), id).await.map_err(internal_error)?;
        found.ok_or_else(|| DomainError::no_such("word list"))?;
        let all = word_list_revision::list(lease.conn(), id).await.map_err(internal_error)?;
        let presenter = Presenter::of(lease.conn(), actor, self.parts.clock.now()).await?;
        all.into_iter().map(|record| lists::history::revision(record, &presenter)).collect()
    }

    async fn restore(
        &self,
        actor: &Actor,
        id: WordListId,
        version: Version,
        seen: Option<Version>,
    ) -> Result<WordListRow, DomainError> {
        admin_only(actor)?;
        let row = change::restore(&self.parts, actor, id, version, seen).await?;
        self.compile_soon();
        Ok(row)
    }

    async fn delete(&self, actor: &Actor, id: WordListId, seen: Option<Version>) -> Result<(), DomainError> {
        admin_only(actor)?;
        change::delete(&self.parts, actor, id, seen).await?;
        self.compile_soon();
        Ok(())
    }

    async fn check(&self, actor: &Actor, words: WordsToCheck) -> Result<FoundTerms, DomainError> {
        let too_long = |field: &str, max: usize| {
            let max = u32::try_from(max).unwrap_or(u32::MAX);
            DomainError::invalid(field, ValidationError::TooLong { max })
        };
        if words.title.chars().count() > MAX_TITLE_CHARS {
            return Err(too_long("title", MAX_TITLE_CHARS));
        }
        if words.summary.chars().count() > MAX_SUMMARY_CHARS {
            return Err(too_long("summary", MAX_SUMMARY_CHARS));
        }
        if words.text.len() > MAX_BODY_BYTES {
            let max = u32::try_from(MAX_BODY_BYTES).unwrap_or(u32::MAX);
            return Err(DomainError::invalid("text", ValidationError::TooLarge { max }));
        }
        let lists = self.cache.get(&self.parts).await?;
        let find = move |budget: &Budget| find_terms_in_time(&lists, &words, budget);
        let found = POOL.run_for_client(actor.into(), find).await?;
        found.map_err(|limit| DomainError::invalid("text", limit.into()))
    }
}
