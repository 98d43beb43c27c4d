//! The service of word lists.

use super::{
    found::{FoundTerms, WordsToCheck},
    word_list::{Term, WordList, WordListEdit, WordListRevision, WordListRow, WordListSettings},
};
use crate::{Actor, DomainError, Version, id::WordListId};
use async_trait::async_trait;

/// Word lists, and the check of a text against them. Every account may check; the lists are for
/// admins.
#[async_trait]
pub trait WordLists: Send + Sync {
    /// All lists, by name.
    async fn list(&self, actor: &Actor) -> Result<Vec<WordListRow>, DomainError>;
    /// One list with its terms.
    async fn find(&self, actor: &Actor, id: WordListId) -> Result<WordList, DomainError>;
    /// Creates a list with these terms. `Taken` if another list has its name; `Invalid` names the
    /// term, e.g. `terms[17].term`.
    async fn create(
        &self,
        actor: &Actor,
        new: WordListSettings,
        terms: Vec<Term>,
    ) -> Result<WordListRow, DomainError>;
    /// Changes the settings. `Changed` if `seen` is not the version; `None`: the current one.
    async fn edit(
        &self,
        actor: &Actor,
        id: WordListId,
        edit: WordListEdit,
        seen: Option<Version>,
    ) -> Result<WordListRow, DomainError>;
    /// Replaces all terms. `Changed` if `seen` is not the version; `None`: the current one.
    async fn set_terms(
        &self,
        actor: &Actor,
        id: WordListId,
        terms: Vec<Term>,
        seen: Option<Version>,
    ) -> Result<WordListRow, DomainError>;
    /// The states of a list after its last changes, newest first.
    async fn history(&self, actor: &Actor, id: WordListId) -> Result<Vec<WordListRevision>, DomainError>;
    /// Gives a list the settings and the terms that it had at `version`. `Changed` if `seen` is not the
    /// current version; `None`: the current one.
    async fn restore(
        &self,
        actor: &Actor,
        id: WordListId,
        version: Version,
        seen: Option<Version>,
    ) -> Result<WordListRow, DomainError>;
    /// Deletes a list. `Changed` if `seen` is not the version; `None`: the current one.
    async fn delete(&self, actor: &Actor, id: WordListId, seen: Option<Version>) -> Result<(), DomainError>;
    /// Checks a text against all lists.
    async fn check(&self, actor: &Actor, words: WordsToCheck) -> Result<FoundTerms, DomainError>;
}
