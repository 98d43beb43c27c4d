//! The history of a word list: its state after each change.

use crate::services::{Presenter, internal_error, run_blocking};
use domain::{
    AccountId, DomainError, Timestamp, Version, WordListId,
    review::{ListChange, Term, TermChanges, WordListRevision, WordListSettings, term_changes},
};
use store::{
    Conn,
    word_list_revision::{self, NewRevisionOfList, WordListRevisionRecord},
};

/// A word list at a version.
pub struct ListState<'t> {
    pub version: i32,
    pub settings: &'t WordListSettings,
    pub terms: &'t [Term],
    pub at: Timestamp,
}

/// A change of a word list.
pub struct ListStep<'t> {
    pub list: WordListId,
    /// The list before; `None`: it is new.
    pub before: Option<ListState<'t>>,
    pub after: ListState<'t>,
    pub change: ListChange,
    pub changes: TermChanges,
    pub by: AccountId,
}

/// Compares terms on a blocking thread, and returns them.
pub async fn compared(
    before: Vec<Term>,
    after: Vec<Term>,
) -> Result<(Vec<Term>, Vec<Term>, TermChanges), DomainError> {
    run_blocking(move || {
        let changes = term_changes(&before, &after);
        (before, after, changes)
    })
    .await
}

/// Stores the state of a list after a change. The state before is stored too, if it is not: lists may
/// be older than their history.
pub async fn record(mut conn: Conn<'_>, step: &ListStep<'_>) -> Result<(), DomainError> {
    if let Some(before) = &step.before {
        let nothing = TermChanges::default();
        let earlier = new_revision(step.list, before, (ListChange::Earlier, &nothing, None));
        word_list_revision::put(conn.reborrow(), &earlier).await.map_err(internal_error)?;
    }
    let how = (step.change, &step.changes, Some(step.by));
    let after = new_revision(step.list, &step.after, how);
    word_list_revision::put(conn, &after).await.map_err(internal_error)
}

fn new_revision<'t>(
    list: WordListId,
    state: &ListState<'t>,
    (change, changes, by): (ListChange, &'t TermChanges, Option<AccountId>),
) -> NewRevisionOfList<'t> {
    let ListState { version, settings, terms, at } = *state;
    NewRevisionOfList { list, version, change, settings, terms, changes, by, at }
}

/// Presents a state.
pub fn revision(
    record: WordListRevisionRecord,
    presenter: &Presenter<'_>,
) -> Result<WordListRevision, DomainError> {
    Ok(WordListRevision {
        version: Version(record.version),
        change: record.change().map_err(internal_error)?,
        at: presenter.moment(record.changed_at),
        settings: record.settings().map_err(internal_error)?,
        terms: u64::from(record.term_count.unsigned_abs()),
        changes: record.changes().map_err(internal_error)?,
        by: record.account,
    })
}
