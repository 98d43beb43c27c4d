//! Word lists and their terms.

use crate::{
    Conn, StoreError,
    db::with_conn,
    json_rows::{column, decode, encode},
    row::row,
};
use domain::{
    Timestamp, WordListId,
    review::{Term, WordListSettings},
};
use uuid::Uuid;

row! {
    /// A row of `word_list`.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct WordListRecord {
        /// Id of the list.
        pub id: Uuid,
        name: String,
        language: String,
        action: String,
        /// Increases with each change.
        pub version: i32,
        /// Number of its terms.
        pub term_count: i32,
        /// Milliseconds.
        pub changed_at: i64,
    }
}

row! {
    struct TermRecord {
        list_id: Uuid,
        term: String,
        exceptions: String,
        replacement: Option<String>,
        is_pattern: i32,
    }
}

impl WordListRecord {
    /// The settings of the list.
    pub fn settings(&self) -> Result<WordListSettings, StoreError> {
        let corrupt = || StoreError::Corrupt(format!("word list {} cannot be read", self.id));
        Ok(WordListSettings {
            name: self.name.clone(),
            language: self.language.parse().map_err(|_| corrupt())?,
            action: self.action.parse().map_err(|_| corrupt())?,
        })
    }
}

fn term_of(record: TermRecord) -> Result<(Uuid, Term), StoreError> {
    let TermRecord { list_id, term, exceptions, replacement, is_pattern } = record;
    let exceptions = if exceptions == "[]" { Vec::new() } else { decode(&exceptions)? };
    Ok((list_id, Term { term, exceptions, replacement, is_pattern: is_pattern == 1 }))
}

/// Returns all lists, by name.
pub async fn all(conn: Conn<'_>) -> Result<Vec<WordListRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select id, name, language, action, version, term_count, changed_at from word_list order by name, id")
        .fetch_all(c)
        .await)?)
}

/// Returns one list.
pub async fn find(conn: Conn<'_>, id: WordListId) -> Result<Option<WordListRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select id, name, language, action, version, term_count, changed_at from word_list where id = $1")
        .bind(id.0)
        .fetch_optional(c)
        .await)?)
}

/// Returns the terms of one list, in order.
pub async fn terms(conn: Conn<'_>, id: WordListId) -> Result<Vec<Term>, StoreError> {
    let rows: Vec<TermRecord> = with_conn!(conn, c => sqlx::query_as(
        "select list_id, term, exceptions, replacement, is_pattern from word_term where list_id = $1 order by place")
        .bind(id.0)
        .fetch_all(c)
        .await)?;
    rows.into_iter().map(|row| Ok(term_of(row)?.1)).collect()
}

/// Returns the terms of all lists, in order, each with the id of its list.
pub async fn all_terms(conn: Conn<'_>) -> Result<Vec<(Uuid, Term)>, StoreError> {
    let rows: Vec<TermRecord> = with_conn!(conn, c => sqlx::query_as(
        "select list_id, term, exceptions, replacement, is_pattern from word_term order by list_id, place")
        .fetch_all(c)
        .await)?;
    rows.into_iter().map(term_of).collect()
}

/// Number of regular expressions in other lists than this one.
pub async fn count_other_patterns(conn: Conn<'_>, id: WordListId) -> Result<i64, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "select count(*) from word_term where is_pattern = 1 and list_id <> $1")
        .bind(id.0)
        .fetch_one(c)
        .await)?)
}

/// Creates a list without terms. False: another list has its name.
pub async fn insert(
    conn: Conn<'_>,
    id: WordListId,
    new: &WordListSettings,
    at: Timestamp,
) -> Result<bool, StoreError> {
    let created: Option<i32> = with_conn!(conn, c => sqlx::query_scalar(
        "insert into word_list (id, name, language, action, version, changed_at)
         values ($1, $2, $3, $4, 1, $5)
             on conflict (name) do nothing
         returning version")
        .bind(id.0)
        .bind(&new.name)
        .bind(new.language.as_str())
        .bind(new.action.as_str())
        .bind(at.millis())
        .fetch_optional(c)
        .await)?;
    Ok(created.is_some())
}

/// Whether another list has this name.
pub async fn is_name_taken(conn: Conn<'_>, id: WordListId, name: &str) -> Result<bool, StoreError> {
    let count: i64 = with_conn!(conn, c => sqlx::query_scalar(
        "select count(*) from word_list where name = $1 and id <> $2")
        .bind(name)
        .bind(id.0)
        .fetch_one(c)
        .await)?;
    Ok(count > 0)
}

/// Changes the settings of a list and returns its new version. `None`: `seen` is not its version.
pub async fn change(
    conn: Conn<'_>,
    id: WordListId,
    edit: &WordListSettings,
    seen: i32,
    at: Timestamp,
) -> Result<Option<i32>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "update word_list
            set name = $1, language = $2, action = $3, version = version + 1, changed_at = $4
          where id = $5 and version = $6
         returning version")
        .bind(&edit.name)
        .bind(edit.language.as_str())
        .bind(edit.action.as_str())
        .bind(at.millis())
        .bind(id.0)
        .bind(seen)
        .fetch_optional(c)
        .await)?)
}

/// Replaces all terms of a list and returns its new version. `None`: `seen` is not its version, and
/// nothing was changed.
pub async fn replace_terms(
    mut conn: Conn<'_>,
    id: WordListId,
    terms: &[Term],
    seen: i32,
    at: Timestamp,
) -> Result<Option<i32>, StoreError> {
    let count = i32::try_from(terms.len()).unwrap_or(i32::MAX);
    let version: Option<i32> = with_conn!(conn.reborrow(), c => sqlx::query_scalar(
        "update word_list
            set term_count = $1, version = version + 1, changed_at = $2
          where id = $3 and version = $4
         returning version")
        .bind(count)
        .bind(at.millis())
        .bind(id.0)
        .bind(seen)
        .fetch_optional(c)
        .await)?;
    if version.is_some() {
        delete_terms(conn.reborrow(), id).await?;
        insert_terms(conn, id, terms).await?;
    }
    Ok(version)
}

/// Deletes a list. False: `seen` is not its version.
pub async fn delete(mut conn: Conn<'_>, id: WordListId, seen: i32) -> Result<bool, StoreError> {
    let deleted: Option<i32> = with_conn!(conn.reborrow(), c => sqlx::query_scalar(
        "delete from word_list where id = $1 and version = $2 returning version")
        .bind(id.0)
        .bind(seen)
        .fetch_optional(c)
        .await)?;
    if deleted.is_some() {
        delete_terms(conn, id).await?;
    }
    Ok(deleted.is_some())
}

async fn delete_terms(conn: Conn<'_>, id: WordListId) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("delete from word_term where list_id = $1")
        .bind(id.0)
        .execute(c)
        .await
        .map(drop))?;
    Ok(())
}

async fn insert_terms(conn: Conn<'_>, id: WordListId, terms: &[Term]) -> Result<(), StoreError> {
    let exceptions: Vec<String> =
        terms.iter().map(|term| encode(&term.exceptions)).collect::<Result<_, _>>()?;
    let place = |at: usize| i32::try_from(at).unwrap_or(i32::MAX);
    let is_pattern = |term: &Term| i32::from(term.is_pattern);
    match conn {
        Conn::Sqlite(c) => {
            let rows = terms.iter().zip(&exceptions).enumerate();
            let rows = rows.map(|(at, (term, exceptions))| {
                (place(at), &term.term, exceptions, &term.replacement, is_pattern(term))
            });
            sqlx::query(
                "insert into word_term (list_id, place, term, exceptions, replacement, is_pattern)
                 select $1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 from jsonb_each($2)",
            )
            .bind(id.0)
            .bind(encode(rows)?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "insert into word_term (list_id, place, term, exceptions, replacement, is_pattern)
                 select $1, new.* from unnest($2::integer[], $3::text[], $4::text[], $5::text[], $6::integer[]) as new",
            )
            .bind(id.0)
            .bind((0..terms.len()).map(place).collect::<Vec<_>>())
            .bind(column(terms, |term| term.term.as_str()))
            .bind(exceptions)
            .bind(column(terms, |term| term.replacement.as_deref()))
            .bind(column(terms, is_pattern))
            .execute(c)
            .await?;
        }
    }
    Ok(())
}
