//! Changes word lists. Each change is one transaction with one event.

use super::{check_terms, row};
use crate::{
    app_state::AppState,
    services::{Presenter, idempotency::claimed_result, internal_error, run_blocking},
};
use domain::{
    Actor, DomainError, Version, WordListId,
    error::ValidationError,
    input_limits::MAX_NAME_CHARS,
    review::{Action, MAX_LISTS, Term, WordListEdit, WordListRow, WordListSettings},
    text::find_forbidden_char,
};
use serde_json::{Value, json};
use store::{
    PoolRole, Tx,
    event::{self, NewEvent},
    word_list::{self, WordListRecord},
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
    let version = word_list::replace_terms(tx.conn(), id, &terms, 1, now).await.map_err(internal_error)?;
    let detail = json!({"name": new.name, "action": new.action, "terms": terms.len()});
    commit(parts, actor, tx, (id, "create", version, detail)).await
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
        name: edit.name.map_or(Ok(was.name), |name| checked_name(&name))?,
        language: edit.language.unwrap_or(was.language),
        action: edit.action.unwrap_or(was.action),
    };
    if settings.action == Action::Replace && was.action != Action::Replace {
        checked_terms(terms, settings.action, 0).await?;
    }
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    if word_list::is_name_taken(tx.conn(), id, &settings.name).await.map_err(internal_error)? {
        return Err(taken());
    }
    let seen = seen.map_or(record.version, |seen| seen.0);
    let changed = word_list::change(tx.conn(), id, &settings, seen, parts.clock.now()).await;
    let version = changed.map_err(internal_error)?.ok_or(DomainError::Changed)?;
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
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let seen = seen.map_or(record.version, |seen| seen.0);
    let changed = word_list::replace_terms(tx.conn(), id, &terms, seen, parts.clock.now()).await;
    let version = changed.map_err(internal_error)?.ok_or(DomainError::Changed)?;
    let detail = json!({"name": settings.name, "terms": terms.len(), "was_terms": before.len()});
    commit(parts, actor, tx, (id, "set_terms", Some(version), detail)).await
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
