//! Details of revisions as they are stored, and their tags.

use crate::{Conn, StoreError, json_rows::encode, search::fold_case};
use domain::{Timestamp, articles::details::ArticleDetails};
use serde_json::json;
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// Details as columns of a revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDetails {
    /// JSON object without defaults; `None`: all defaults.
    pub json: Option<String>,
    /// Kind of page.
    pub template: &'static str,
    /// Whether it is shown first on the front page: 0 or 1.
    pub is_featured: i32,
    /// Instant of the date, milliseconds; `None`: none.
    pub dated_at: Option<i64>,
    /// Keys and names of the tags.
    pub tags: Vec<(String, String)>,
}

impl StoredDetails {
    /// Returns the columns. `dated_at`: the instant that the date means.
    pub fn of(details: &ArticleDetails, dated_at: Option<Timestamp>) -> Result<Self, StoreError> {
        let is_default = *details == ArticleDetails::default();
        let text = serde_json::to_string(details).map_err(|error| StoreError::Corrupt(error.to_string()))?;
        Ok(Self {
            json: (!is_default).then_some(text),
            template: details.template.as_str(),
            is_featured: i32::from(details.is_featured),
            dated_at: dated_at.map(Timestamp::millis),
            tags: details.tags.iter().map(|tag| (tag_key(tag), tag.clone())).collect(),
        })
    }

    /// Returns the columns of default details.
    #[must_use]
    pub fn none() -> Self {
        Self { json: None, template: "article", is_featured: 0, dated_at: None, tags: Vec::new() }
    }
}

/// Returns the details of a stored JSON object; `None`: all defaults.
pub fn parse(json: Option<&str>) -> Result<ArticleDetails, StoreError> {
    json.map_or_else(
        || Ok(ArticleDetails::default()),
        |json| {
            serde_json::from_str(json)
                .map_err(|error| StoreError::Corrupt(format!("details {json}: {error}")))
        },
    )
}

/// Returns the key of a tag. Names that differ only in case or width have the same key.
#[must_use]
pub fn tag_key(name: &str) -> String {
    fold_case(name).into_owned()
}

/// Returns the names as they were first written, without repetitions. A new name is returned as it is.
pub async fn known_names(conn: Conn<'_>, names: Vec<String>) -> Result<Vec<String>, StoreError> {
    if names.is_empty() {
        return Ok(names);
    }
    let keys: Vec<String> = names.iter().map(|name| tag_key(name)).collect();
    let known: Vec<(String, String)> = match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as("select key, name from tag where key in (select value from jsonb_each($1))")
                .bind(encode(&keys)?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as("select key, name from tag where key = any($1)").bind(&keys).fetch_all(c).await?
        }
    };
    let (mut known, mut seen): (HashMap<_, _>, _) = (known.into_iter().collect(), HashSet::new());
    let one =
        |(key, name): (String, String)| seen.insert(key.clone()).then(|| known.remove(&key).unwrap_or(name));
    Ok(keys.into_iter().zip(names).filter_map(one).collect())
}

/// Replaces the tags of these revisions.
pub async fn put_tags(
    mut conn: Conn<'_>,
    revisions: &[(Uuid, &StoredDetails)],
    at: Timestamp,
) -> Result<(), StoreError> {
    let row = |id: Uuid, (key, name): &(String, String)| json!({"id": id.simple(), "key": key, "name": name});
    let rows = revisions.iter().flat_map(|(id, details)| details.tags.iter().map(move |tag| row(*id, tag)));
    let rows = encode(rows)?;
    match conn.reborrow() {
        Conn::Sqlite(c) => {
            for statement in PUT_SQLITE {
                sqlx::query(statement).bind(&rows).bind(at.millis()).execute(&mut *c).await?;
            }
        }
        Conn::Postgres(c) => {
            for statement in PUT_POSTGRES {
                sqlx::query(statement).bind(&rows).bind(at.millis()).execute(&mut *c).await?;
            }
        }
    }
    Ok(())
}

/// Removes the tags of a revision.
pub async fn clear_tags(conn: Conn<'_>, revision: Uuid) -> Result<(), StoreError> {
    crate::db::with_conn!(conn, c => sqlx::query("delete from revision_tag where revision_id = $1").bind(revision)
        .execute(c).await?.rows_affected());
    Ok(())
}

const PUT_SQLITE: [&str; 2] = [
    "insert into tag (key, name, created_at)
     select t.value ->> 'key', t.value ->> 'name', $2 from jsonb_each($1) t where true
     on conflict (key) do nothing",
    "insert into revision_tag (revision_id, key)
     select unhex(t.value ->> 'id'), t.value ->> 'key' from jsonb_each($1) t where $2 is not null
     on conflict (revision_id, key) do nothing",
];

const PUT_POSTGRES: [&str; 2] = [
    "insert into tag (key, name, created_at)
     select distinct on (t.key) t.key, t.name, $2::bigint
       from json_to_recordset($1::json) as t (id uuid, key text, name text)
      order by t.key
     on conflict (key) do nothing",
    "insert into revision_tag (revision_id, key)
     select t.id, t.key from json_to_recordset($1::json) as t (id uuid, key text, name text)
      where $2::bigint is not null
     on conflict (revision_id, key) do nothing",
];
