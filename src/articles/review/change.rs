//! Changes word lists. Each change is one transaction with one event.

use super::{
    check_terms,
    lists::history::{self, ListState, ListStep, compared},
    row,
};
use crate::{
    app_state::AppState,
    services::{Presenter, idempotency::claimed_result, internal_error, run_blocking},
};
use domain::{
    Actor, DomainError, Timestamp, Version, WordListId,
    error::ValidationError,
    input_limits::MAX_NAME_CHARS,
    review::{Action, ListChange, MAX_LISTS, Term, TermChanges, WordListEdit, WordListRow, WordListSettings},
    text::find_forbidden_char,
};
use serde_json::{Value, json};
use store::{
    PoolRole, Tx,
    event::{self, NewEvent},
    word_list::{self, WordListRecord},
    word_list_revision,
};

fn checked_name(name: &str) -> Result<String, DomainError> {
    let name = name.trim();
    let problem = if name.is_empty() {
        ValidationError::Empty
    } else if name.chars().count() > MAX_NAME_CHARS {
        ValidationError::TooLong { max: 100 }
    } else if find_forbidden_char(name).is_some() {
        ValidationError::BadCharacters
    } else {
        return Ok(name.to_owned());
    };
    Err(DomainError::invalid("name", problem))
}

/// Checks the terms on a blocking thread: regular expressions are compiled.
async fn checked_terms(terms: Vec<Term>, action: Action, others: i64) -> Result<Vec<Term>, DomainError> {
    let others = usize::try_from(others).unwrap_or_default();
    run_blocking(move || check_terms::check(&terms, action, others).map(|()| terms)).await?
}

/// The number of patterns in other lists.
async fn other_patterns(parts: &AppState, id: WordListId) -> Result<i64, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    word_list::count_other_patterns(lease.conn(), id).await.map_err(internal_error)
}

fn taken() -> DomainError {
    DomainError::Taken { what: "name".to_owned() }
}

/// Creates a list with its terms.
pub async fn create(
    parts: &AppState,
    actor: &Actor,
    new: WordListSettings,
    terms: Vec<Term>,
) -> Result<WordListRow, DomainError> {
    let new = WordListSettings { name: checked_name(&new.name)?, ..new };
    let id = WordListId::generate();
    let terms = checked_terms(terms, new.action, other_patterns(parts, id).await?).await?;
    let (_, terms, changes) = compared(Vec::new(), terms).await?;
    let now = parts.clock.now();
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    if let Some(first) = claimed_result(tx.conn(), actor, id.0, now).await? {
        return present(parts, actor, &mut tx, WordListId(first)).await;
    }
    if word_list::all(tx.conn()).await.map_err(internal_error)?.len() >= MAX_LISTS {
        return Err(DomainError::invalid("form", ValidationError::TooMany { max: 100 }));
    }
    if !word_list::insert(tx.conn(), id, &new, now).await.map_err(internal_error)? {
        return Err(taken());
    }
    let filled = word_list::replace_terms(tx.conn(), id, &terms, 1, now).await.map_err(internal_error)?;
    let version = filled.ok_or(DomainError::Changed)?;
    let after = ListState { version, settings: &new, terms: &terms, at: now };
    let (change, by) = (ListChange::Create, actor.account);
    history::record(tx.conn(), &ListStep { list: id, before: None, after, change, changes, by }).await?;
    let detail = json!({"name": new.name, "action": new.action, "terms": terms.len()});
    commit(parts, actor, tx, (id, "create", Some(version), detail)).await
}

/// Changes the settings of a list.
pub async fn edit(
    parts: &AppState,
    actor: &Actor,
    id: WordListId,
    edit: WordListEdit,
    seen: Option<Version>,
) -> Result<WordListRow, DomainError> {
    let (record, terms) = load(parts, id).await?;
    let was = record.settings().map_err(internal_error)?;
    let settings = WordListSettings {
        name: edit.name.map_or_else(|| Ok(was.name.clone()), |name| checked_name(&name))?,
        language: edit.language.unwrap_or(was.language),
        action: edit.action.unwrap_or(was.action),
    };
    if settings.action == Action::Replace && was.action != Action::Replace {
        checked_terms(terms.clone(), settings.action, 0).await?;
    }
    let now = parts.clock.now();
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    if word_list::is_name_taken(tx.conn(), id, &settings.name).await.map_err(internal_error)? {
        return Err(taken());
    }
    let seen = seen.map_or(record.version, |seen| seen.0);
    let changed = word_list::change(tx.conn(), id, &settings, seen, now).await;
    let version = changed.map_err(internal_error)?.ok_or(DomainError::Changed)?;
    let step = ListStep {
        list: id,
        before: Some(state_before(&record, &was, &terms)),
        after: ListState { version, settings: &settings, terms: &terms, at: now },
        change: ListChange::Settings,
        changes: TermChanges::default(),
        by: actor.account,
    };
    history::record(tx.conn(), &step).await?;
    let detail = json!({"name": settings.name, "language": settings.language, "action": settings.action});
    commit(parts, actor, tx, (id, "change", Some(version), detail)).await
}

/// Replaces the terms of a list.
pub async fn set_terms(
    parts: &AppState,
    actor: &Actor,
    id: WordListId,
    terms: Vec<Term>,
    seen: Option<Version>,
) -> Result<WordListRow, DomainError> {
    let (record, before) = load(parts, id).await?;
    let settings = record.settings().map_err(internal_error)?;
    let terms = checked_terms(terms, settings.action, other_patterns(parts, id).await?).await?;
    let (before, terms, changes) = compared(before, terms).await?;
    let now = parts.clock.now();
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let seen = seen.map_or(record.version, |seen| seen.0);
    let changed = word_list::replace_terms(tx.conn(), id, &terms, seen, now).await;
    let version = changed.map_err(internal_error)?.ok_or(DomainError::Changed)?;
    let step = ListStep {
        list: id,
        before: Some(state_before(&record, &settings, &before)),
        after: ListState { version, settings: &settings, terms: &terms, at: now },
        change: ListChange::Terms,
        changes,
        by: actor.account,
    };
    history::record(tx.conn(), &step).await?;
    let detail = json!({"name": settings.name, "terms": terms.len(), "was_terms": before.len()});
    commit(parts, actor, tx, (id, "set_terms", Some(version), detail)).await
}

/// Gives a list the settings and the terms of an earlier version.
pub async fn restore(
    parts: &AppState,
    actor: &Actor,
    id: WordListId,
    version: Version,
    seen: Option<Version>,
) -> Result<WordListRow, DomainError> {
    let (record, before) = load(parts, id).await?;
    let was = record.settings().map_err(internal_error)?;
    let (settings, terms) = earlier(parts, id, version).await?;
    let terms = checked_terms(terms, settings.action, other_patterns(parts, id).await?).await?;
    let (before, terms, changes) = compared(before, terms).await?;
    let now = parts.clock.now();
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    if word_list::is_name_taken(tx.conn(), id, &settings.name).await.map_err(internal_error)? {
        return Err(taken());
    }
    let seen = seen.map_or(record.version, |seen| seen.0);
    let changed = word_list::change(tx.conn(), id, &settings, seen, now).await;
    let changed = changed.map_err(internal_error)?.ok_or(DomainError::Changed)?;
    let filled = word_list::replace_terms(tx.conn(), id, &terms, changed, now).await;
    let filled = filled.map_err(internal_error)?.ok_or(DomainError::Changed)?;
    let step = ListStep {
        list: id,
        before: Some(state_before(&record, &was, &before)),
        after: ListState { version: filled, settings: &settings, terms: &terms, at: now },
        change: ListChange::Restore,
        changes,
        by: actor.account,
    };
    history::record(tx.conn(), &step).await?;
    let (terms, was_terms) = (terms.len(), before.len());
    let detail = json!({"name": settings.name, "from": version.0, "terms": terms, "was_terms": was_terms});
    commit(parts, actor, tx, (id, "restore", Some(filled), detail)).await
}

async fn earlier(
    parts: &AppState,
    id: WordListId,
    version: Version,
) -> Result<(WordListSettings, Vec<Term>), DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let found = word_list_revision::find(lease.conn(), id, version.0).await.map_err(internal_error)?;
    found.ok_or_else(|| DomainError::no_such("revision"))
}

/// The list as it was loaded.
fn state_before<'t>(
    record: &WordListRecord,
    settings: &'t WordListSettings,
    terms: &'t [Term],
) -> ListState<'t> {
    ListState { version: record.version, settings, terms, at: Timestamp::from_millis(record.changed_at) }
}

/// Deletes a list.
pub async fn delete(
    parts: &AppState,
    actor: &Actor,
    id: WordListId,
    seen: Option<Version>,
) -> Result<(), DomainError> {
    let (record, terms) = load(parts, id).await?;
    let name = record.settings().map_err(internal_error)?.name;
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let seen = seen.map_or(record.version, |seen| seen.0);
    if !word_list::delete(tx.conn(), id, seen).await.map_err(internal_error)? {
        return Err(DomainError::Changed);
    }
    word_list_revision::delete(tx.conn(), id).await.map_err(internal_error)?;
    let detail = json!({"name": name, "terms": terms.len()});
    append(parts, actor, &mut tx, (id, "delete", None, detail)).await?;
    tx.commit().await.map_err(internal_error)?;
    parts.committed.notify_waiters();
    Ok(())
}

async fn load(parts: &AppState, id: WordListId) -> Result<(WordListRecord, Vec<Term>), DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let found = word_list::find(lease.conn(), id).await.map_err(internal_error)?;
    let record = found.ok_or_else(|| DomainError::no_such("word list"))?;
    let terms = word_list::terms(lease.conn(), id).await.map_err(internal_error)?;
    Ok((record, terms))
}

/// Id of the list, verb, version after it, details.
type Change = (WordListId, &'static str, Option<i32>, Value);

async fn append(parts: &AppState, actor: &Actor, tx: &mut Tx, change: Change) -> Result<(), DomainError> {
    let (id, verb, version, detail) = change;
    let plain = NewEvent::simple(parts.clock.now(), Some(actor.account), "word_list", id.0, verb);
    let event = NewEvent { detail: detail.to_string(), version, ..plain };
    event::append(tx.conn(), &[event]).await.map_err(internal_error)
}

/// Reads a list in the transaction.
async fn present(
    parts: &AppState,
    actor: &Actor,
    tx: &mut Tx,
    id: WordListId,
) -> Result<WordListRow, DomainError> {
    let found = word_list::find(tx.conn(), id).await.map_err(internal_error)?;
    let record = found.ok_or_else(|| DomainError::no_such("word list"))?;
    let presenter = Presenter::of(tx.conn(), actor, parts.clock.now()).await?;
    row(&record, &presenter)
}

async fn commit(
    parts: &AppState,
    actor: &Actor,
    mut tx: Tx,
    change: Change,
) -> Result<WordListRow, DomainError> {
    let row = present(parts, actor, &mut tx, change.0).await?;
    append(parts, actor, &mut tx, change).await?;
    tx.commit().await.map_err(internal_error)?;
    parts.committed.notify_waiters();
    Ok(row)
}
