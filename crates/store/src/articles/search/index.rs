//! Writes the index, in the transaction that changes the article.

use super::Tokens;
use crate::{Conn, StoreError, db::with_conn, json_rows::encode, row::row};
use std::collections::HashMap;
use uuid::Uuid;

/// An article whose text was just written, with the tokens of its body.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Id of the article.
    pub article: Uuid,
    /// Tokens of its current body.
    pub body: Tokens,
}

row! {
    /// Columns of the article that are indexed.
    struct Named {
        id: Uuid,
        slug: String,
        title: String,
        changed_at: i64,
    }
}

/// Replaces the entries. Title, slug and previous names are read in this transaction.
pub async fn put(mut conn: Conn<'_>, entries: Vec<Entry>) -> Result<(), StoreError> {
    if entries.is_empty() {
        return Ok(());
    }
    let ids: Vec<Uuid> = entries.iter().map(|entry| entry.article).collect();
    let mut bodies: HashMap<Uuid, Tokens> =
        entries.into_iter().map(|entry| (entry.article, entry.body)).collect();
    for (article, name) in names(conn.reborrow(), &ids).await? {
        if let Some(tokens) = bodies.get_mut(&article) {
            tokens.add_name(&name);
        }
    }
    let mut rows = Vec::with_capacity(ids.len());
    for named in named(conn.reborrow(), &ids).await? {
        let mut tokens = bodies.remove(&named.id).unwrap_or_default();
        tokens.add_title(&named.title);
        tokens.add_slug(&named.slug);
        rows.push((named.id, tokens.joined(), named.changed_at));
    }
    write(conn, &rows).await
}

/// Replaces the entries of these articles, with their current bodies.
pub async fn put_current(mut conn: Conn<'_>, articles: &[Uuid]) -> Result<(), StoreError> {
    let bodies: Vec<(Uuid, String, Option<String>)> = match conn.reborrow() {
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select a.id, r.body, r.details from article a join revision r on r.id = a.revision_id
                  where a.id in (select unhex(value) from jsonb_each($1))",
            )
            .bind(encode(articles.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => sqlx::query_as(
            "select a.id, r.body, r.details from article a join revision r on r.id = a.revision_id where a.id = any($1)",
        )
        .bind(articles)
        .fetch_all(c)
        .await?,
    };
    let entry = |(article, body, details): (Uuid, String, Option<String>)| {
        let details = crate::details::parse(details.as_deref())?;
        Ok(Entry { article, body: Tokens::of_body(&body).and_text(&details.words()) })
    };
    put(conn, bodies.into_iter().map(entry).collect::<Result<_, StoreError>>()?).await
}

/// Returns current and previous titles and slugs of these articles.
async fn names(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<(Uuid, String)>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select article_id, title from revision where article_id in (select unhex(value) from jsonb_each($1))
                 union
                 select article_id, slug from slug_redirect where article_id in (select unhex(value) from jsonb_each($1))",
            )
            .bind(encode(ids.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(
                "select article_id, title from revision where article_id = any($1)
                 union
                 select article_id, slug from slug_redirect where article_id = any($1)",
            )
            .bind(ids)
            .fetch_all(c)
            .await?
        }
    })
}

/// Returns the articles in order of their last change, so that entries of one batch have the order
/// of the lists.
async fn named(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<Named>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select id, slug, title, changed_at from article
                  where id in (select unhex(value) from jsonb_each($1)) order by changed_at, id",
            )
            .bind(encode(ids.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(
                "select id, slug, title, changed_at from article where id = any($1) order by changed_at, id",
            )
            .bind(ids)
            .fetch_all(c)
            .await?
        }
    })
}

async fn write(mut conn: Conn<'_>, rows: &[(Uuid, String, i64)]) -> Result<(), StoreError> {
    if let Conn::Postgres(c) = conn {
        let cell = |of: fn(&(Uuid, String, i64)) -> &str| rows.iter().map(of).collect::<Vec<_>>();
        sqlx::query(
            "insert into search_entry (article_id, tokens, changed_at)
             select new.id, array_to_tsvector(string_to_array(new.tokens, ' ')), new.changed_at
               from unnest($1::uuid[], $2::text[], $3::bigint[]) as new (id, tokens, changed_at)
             on conflict (article_id) do update set tokens = excluded.tokens, changed_at = excluded.changed_at",
        )
        .bind(rows.iter().map(|row| row.0).collect::<Vec<_>>())
        .bind(cell(|row| &row.1))
        .bind(rows.iter().map(|row| row.2).collect::<Vec<_>>())
        .execute(c)
        .await?;
        return Ok(());
    }
    let packed = encode(rows.iter().map(|row| (row.0.simple(), &row.1, row.2)))?;
    for statement in WRITE_SQLITE {
        with_conn!(conn.reborrow(), c => sqlx::query(statement).bind(&packed).execute(c).await?.rows_affected());
    }
    Ok(())
}

const WRITE_SQLITE: [&str; 4] = [
    "delete from search_index
      where rowid in (select e.seq from jsonb_each($1) t join search_entry e on e.article_id = unhex(t.value ->> 0))",
    "delete from search_entry where article_id in (select unhex(value ->> 0) from jsonb_each($1))",
    "insert into search_entry (seq, article_id, changed_at)
     select (select coalesce(max(seq), 0) from search_entry) + 1 + t.key, unhex(t.value ->> 0), t.value ->> 2
       from jsonb_each($1) t order by t.key",
    "insert into search_index (rowid, tokens)
     select e.seq, t.value ->> 1 from jsonb_each($1) t join search_entry e on e.article_id = unhex(t.value ->> 0)",
];

/// Empties the index; it is filled again in the background. For a restored backup.
pub(crate) async fn clear(mut conn: Conn<'_>) -> Result<(), StoreError> {
    match conn.reborrow() {
        Conn::Sqlite(c) => {
            sqlx::raw_sql("delete from search_index where rowid in (select seq from search_entry)")
                .execute(c)
                .await?
                .rows_affected()
        }
        Conn::Postgres(_) => 0,
    };
    with_conn!(conn.reborrow(), c => sqlx::query("delete from search_entry").execute(c).await?.rows_affected());
    with_conn!(conn, c => sqlx::query(
        "update search_state set is_filled = case when exists (select 1 from article) then 0 else 1 end")
        .execute(c).await?.rows_affected());
    Ok(())
}

/// Removes the entries of these articles.
pub(crate) async fn remove(mut conn: Conn<'_>, articles: &[Uuid]) -> Result<(), StoreError> {
    if let Conn::Postgres(c) = conn {
        sqlx::query("delete from search_entry where article_id = any($1)").bind(articles).execute(c).await?;
        return Ok(());
    }
    let packed = encode(articles.iter().map(|id| (id.simple(),)))?;
    for statement in &WRITE_SQLITE[..2] {
        with_conn!(conn.reborrow(), c => sqlx::query(*statement).bind(&packed).execute(c).await?.rows_affected());
    }
    Ok(())
}
