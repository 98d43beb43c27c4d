//! Details of revisions as they are stored, their tags and authors.

use crate::{Conn, StoreError, db::with_conn, json_rows::encode, row::row, search::fold_case};
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
    /// Ids of the authors, in order.
    pub authors: Vec<Uuid>,
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
            authors: details.authors.iter().filter_map(|id| id.parse().ok()).collect(),
        })
    }

    /// Returns the columns of default details.
    #[must_use]
    pub fn none() -> Self {
        Self {
            json: None,
            template: "article",
            is_featured: 0,
            dated_at: None,
            tags: Vec::new(),
            authors: Vec::new(),
        }
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

/// Stores the tags and authors of these revisions, which have none yet.
pub async fn put_lists(
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
    for (id, details) in revisions {
        put_authors(conn.reborrow(), *id, &details.authors).await?;
    }
    Ok(())
}

/// Replaces the tags and authors of a revision, if they are others.
pub async fn replace_lists(
    mut conn: Conn<'_>,
    revision: Uuid,
    details: &StoredDetails,
    at: Timestamp,
) -> Result<(), StoreError> {
    let tags: Vec<String> = with_conn!(conn.reborrow(), c => sqlx::query_scalar(
        "select key from revision_tag where revision_id = $1").bind(revision).fetch_all(c).await)?;
    let authors: Vec<Uuid> = with_conn!(conn.reborrow(), c => sqlx::query_scalar(
        "select account_id from revision_author where revision_id = $1 order by position")
        .bind(revision).fetch_all(c).await)?;
    let stored: HashSet<&str> = tags.iter().map(String::as_str).collect();
    let new: HashSet<&str> = details.tags.iter().map(|(key, _)| key.as_str()).collect();
    if stored == new && authors == details.authors {
        return Ok(());
    }
    clear_lists(conn.reborrow(), revision).await?;
    put_lists(conn, &[(revision, details)], at).await
}

async fn clear_lists(mut conn: Conn<'_>, revision: Uuid) -> Result<(), StoreError> {
    with_conn!(conn.reborrow(), c => sqlx::query("delete from revision_tag where revision_id = $1").bind(revision)
        .execute(c).await?.rows_affected());
    with_conn!(conn, c => sqlx::query("delete from revision_author where revision_id = $1").bind(revision)
        .execute(c).await?.rows_affected());
    Ok(())
}

async fn put_authors(conn: Conn<'_>, revision: Uuid, authors: &[Uuid]) -> Result<(), StoreError> {
    if authors.is_empty() {
        return Ok(());
    }
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(
                "insert into revision_author (revision_id, position, account_id)
                 select $1, t.key, unhex(t.value) from jsonb_each($2) t",
            )
            .bind(revision)
            .bind(encode(authors.iter().map(Uuid::as_simple))?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "insert into revision_author (revision_id, position, account_id)
                 select $1::uuid, t.number - 1, t.id from unnest($2::uuid[]) with ordinality as t (id, number)",
            )
            .bind(revision)
            .bind(authors)
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

row! {
    /// A tag of current texts.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct TagRow {
        /// Key.
        pub key: String,
        /// Name.
        pub name: String,
        /// Number of articles whose current text has it.
        pub articles: i64,
    }
}

row! {
    /// A revision with a tag.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct TaggedRevision {
        /// Id.
        pub id: Uuid,
        /// Id of its article.
        pub article_id: Uuid,
        /// Details as JSON.
        pub details: Option<String>,
        /// Whether it is the current revision: 0 or 1.
        pub is_current: i32,
    }
}

/// Returns the tags that a revision has, by name.
pub async fn tags(conn: Conn<'_>, limit: u32) -> Result<Vec<TagRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select t.key, t.name,
                (select count(*) from revision_tag rt join article a on a.revision_id = rt.revision_id
                  where rt.key = t.key and a.deleted_at is null) as articles
           from tag t
          where exists (select 1 from revision_tag rt where rt.key = t.key)
          order by t.key
          limit $1")
        .bind(i64::from(limit)).fetch_all(c).await)?)
}

/// Returns a tag that a revision has; `None`: none has it.
pub async fn tag(conn: Conn<'_>, key: &str) -> Result<Option<TagRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select t.key, t.name,
                (select count(*) from revision_tag rt join article a on a.revision_id = rt.revision_id
                  where rt.key = t.key and a.deleted_at is null) as articles
           from tag t
          where t.key = $1 and exists (select 1 from revision_tag rt where rt.key = t.key)")
        .bind(key).fetch_optional(c).await)?)
}

/// Returns the next revisions with a tag after `after`, by id.
pub async fn tagged(
    conn: Conn<'_>,
    key: &str,
    after: Uuid,
    limit: u32,
) -> Result<Vec<TaggedRevision>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select r.id, r.article_id, r.details, case when a.revision_id = r.id then 1 else 0 end as is_current
           from revision_tag rt
           join revision r on r.id = rt.revision_id
           join article a on a.id = r.article_id
          where rt.key = $1 and r.id > $2
          order by r.id
          limit $3")
        .bind(key).bind(after).bind(i64::from(limit)).fetch_all(c).await)?)
}

/// Sets the name of a tag; a tag with its key may not exist yet.
pub async fn put_name(conn: Conn<'_>, name: &str, at: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into tag (key, name, created_at) values ($1, $2, $3)
         on conflict (key) do update set name = excluded.name")
        .bind(tag_key(name)).bind(name).bind(at.millis()).execute(c).await?.rows_affected());
    Ok(())
}

/// Gives all revisions with a tag another one instead. The row of the tag stays, for texts that are
/// saved at the same time.
pub async fn move_tag(mut conn: Conn<'_>, from: &str, to: &str) -> Result<(), StoreError> {
    with_conn!(conn.reborrow(), c => sqlx::query(
        "insert into revision_tag (revision_id, key) select revision_id, $2 from revision_tag where key = $1
         on conflict (revision_id, key) do nothing")
        .bind(from).bind(to).execute(c).await?.rows_affected());
    with_conn!(conn, c => sqlx::query("delete from revision_tag where key = $1 and $1 <> $2")
        .bind(from).bind(to).execute(c).await?.rows_affected());
    Ok(())
}

/// Replaces the details of revisions, as JSON, by their id.
pub async fn replace(conn: Conn<'_>, all: &[(Uuid, String)]) -> Result<(), StoreError> {
    let rows = encode(all.iter().map(|(id, details)| json!({"id": id.simple(), "details": details})))?;
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(
                "update revision set details = t.value ->> 'details' from jsonb_each($1) t
                  where revision.id = unhex(t.value ->> 'id')",
            )
            .bind(rows)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "update revision r set details = t.details
                   from json_to_recordset($1::json) as t (id uuid, details text) where r.id = t.id",
            )
            .bind(rows)
            .execute(c)
            .await?;
        }
    }
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
