//! The state of a word list after each change.

use crate::{
    Conn, StoreError,
    db::with_conn,
    json_rows::{decode, encode},
    row::row,
};
use domain::{
    AccountId, Timestamp, WordListId,
    review::{ListChange, MAX_REVISIONS, Term, TermChanges, WordListSettings},
};

row! {
    /// A state of a list, without its terms.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct WordListRevisionRecord {
        /// Version of the list.
        pub version: i32,
        change: String,
        name: String,
        language: String,
        action: String,
        /// Number of its terms.
        pub term_count: i32,
        changes: String,
        /// Name of the account that made the change; `None`: it is not known.
        pub account: Option<String>,
        /// When, milliseconds.
        pub changed_at: i64,
    }
}

row! {
    struct StateRecord {
        name: String,
        language: String,
        action: String,
        terms: String,
    }
}

fn corrupt() -> StoreError {
    StoreError::Corrupt("a state of a word list cannot be read".to_owned())
}

fn settings_of(name: &str, language: &str, action: &str) -> Result<WordListSettings, StoreError> {
    Ok(WordListSettings {
        name: name.to_owned(),
        language: language.parse().map_err(|_| corrupt())?,
        action: action.parse().map_err(|_| corrupt())?,
    })
}

impl WordListRevisionRecord {
    /// What was changed.
    pub fn change(&self) -> Result<ListChange, StoreError> {
        self.change.parse().map_err(|_| corrupt())
    }

    /// The settings after it.
    pub fn settings(&self) -> Result<WordListSettings, StoreError> {
        settings_of(&self.name, &self.language, &self.action)
    }

    /// The terms that it added and removed.
    pub fn changes(&self) -> Result<TermChanges, StoreError> {
        serde_json::from_str(&self.changes).map_err(|_| corrupt())
    }
}

/// A state before it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRevisionOfList<'t> {
    /// The list.
    pub list: WordListId,
    /// Its version.
    pub version: i32,
    /// What was changed.
    pub change: ListChange,
    /// The settings after it.
    pub settings: &'t WordListSettings,
    /// The terms after it.
    pub terms: &'t [Term],
    /// What it added and removed.
    pub changes: &'t TermChanges,
    /// Who changed it; `None`: not known.
    pub by: Option<AccountId>,
    /// When.
    pub at: Timestamp,
}

/// Stores a state, unless that version of the list is stored already, and deletes the oldest ones.
pub async fn put(mut conn: Conn<'_>, new: &NewRevisionOfList<'_>) -> Result<(), StoreError> {
    let changes = serde_json::to_string(new.changes).map_err(|_| corrupt())?;
    let (terms, count) = (encode(new.terms)?, i32::try_from(new.terms.len()).unwrap_or(i32::MAX));
    with_conn!(conn.reborrow(), c => sqlx::query(
        "insert into word_list_revision (list_id, version, change, name, language, action, terms, term_count, changes,
                                         account_id, changed_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
             on conflict (list_id, version) do nothing")
        .bind(new.list.0)
        .bind(new.version)
        .bind(new.change.as_str())
        .bind(&new.settings.name)
        .bind(new.settings.language.as_str())
        .bind(new.settings.action.as_str())
        .bind(&terms)
        .bind(count)
        .bind(&changes)
        .bind(new.by.map(|account| account.0))
        .bind(new.at.millis())
        .execute(c)
        .await
        .map(drop))?;
    with_conn!(conn, c => sqlx::query(
        "delete from word_list_revision
          where list_id = $1 and version not in (
                select version from word_list_revision where list_id = $1 order by version desc limit $2)")
        .bind(new.list.0)
        .bind(i64::from(MAX_REVISIONS))
        .execute(c)
        .await
        .map(drop))?;
    Ok(())
}

/// Returns the states of a list, newest first.
pub async fn list(conn: Conn<'_>, id: WordListId) -> Result<Vec<WordListRevisionRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select v.version, v.change, v.name, v.language, v.action, v.term_count, v.changes, a.name as account, v.changed_at
           from word_list_revision v
           left join account a on a.id = v.account_id
          where v.list_id = $1
          order by v.version desc")
        .bind(id.0)
        .fetch_all(c)
        .await)?)
}

/// Returns the settings and the terms of a state.
pub async fn find(
    conn: Conn<'_>,
    id: WordListId,
    version: i32,
) -> Result<Option<(WordListSettings, Vec<Term>)>, StoreError> {
    let found: Option<StateRecord> = with_conn!(conn, c => sqlx::query_as(
        "select name, language, action, terms from word_list_revision where list_id = $1 and version = $2")
        .bind(id.0)
        .bind(version)
        .fetch_optional(c)
        .await)?;
    let state = |found: StateRecord| -> Result<(WordListSettings, Vec<Term>), StoreError> {
        let settings = settings_of(&found.name, &found.language, &found.action)?;
        Ok((settings, decode(&found.terms)?))
    };
    found.map(state).transpose()
}

/// Deletes the states of a list.
pub async fn delete(conn: Conn<'_>, id: WordListId) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("delete from word_list_revision where list_id = $1")
        .bind(id.0)
        .execute(c)
        .await
        .map(drop))?;
    Ok(())
}
