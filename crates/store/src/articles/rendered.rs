//! Rendered HTML of texts, created when a text is saved.

use crate::{Conn, StoreError, db::with_conn, json_rows::encode, row::row};
use serde_json::json;
use uuid::Uuid;

/// A rendering to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendering {
    /// Version of the renderer.
    pub renderer: i32,
    /// Sanitised HTML; `None`: the text exceeds a limit.
    pub html: Option<String>,
    /// First words of the text.
    pub lead: String,
    /// Language, detected from the script.
    pub language: Option<String>,
}

row! {
    /// A text that is public or scheduled and has no rendering yet.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Unrendered {
        /// The revision.
        pub id: Uuid,
        /// Its title.
        pub title: String,
        /// Its Markdown.
        pub body: String,
    }
}

/// Stores the rendering of a revision; replaces an older one.
pub async fn put(conn: Conn<'_>, revision: Uuid, new: &Rendering) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into rendered (revision_id, renderer, html, lead, language) values ($1, $2, $3, $4, $5)
         on conflict (revision_id) do update
            set renderer = excluded.renderer, html = excluded.html, lead = excluded.lead, language = excluded.language")
        .bind(revision).bind(new.renderer).bind(&new.html).bind(&new.lead).bind(&new.language)
        .execute(c).await?.rows_affected());
    Ok(())
}

/// Stores the renderings of new revisions in one statement.
pub async fn put_all(conn: Conn<'_>, new: &[(Uuid, &Rendering)]) -> Result<(), StoreError> {
    if new.is_empty() {
        return Ok(());
    }
    let row = |(id, new): &(Uuid, &Rendering)| {
        json!({
            "id": id.simple(),
            "renderer": new.renderer,
            "html": new.html,
            "lead": new.lead,
            "language": new.language,
        })
    };
    let rows = encode(new.iter().map(row))?;
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(
                "insert or replace into rendered (revision_id, renderer, html, lead, language)
                 select unhex(t.value ->> 'id'), t.value ->> 'renderer', t.value ->> 'html', t.value ->> 'lead',
                        t.value ->> 'language'
                   from jsonb_each($1) t",
            )
            .bind(rows)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "insert into rendered (revision_id, renderer, html, lead, language)
                 select t.id, t.renderer, t.html, t.lead, t.language
                   from json_to_recordset($1::json) as t (id uuid, renderer integer, html text, lead text, language text)
                 on conflict (revision_id) do nothing",
            )
            .bind(rows)
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

/// Deletes the rendering of a revision whose text was replaced.
pub async fn delete(conn: Conn<'_>, revision: Uuid) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("delete from rendered where revision_id = $1").bind(revision).execute(c).await?
        .rows_affected());
    Ok(())
}

/// Returns the stored HTML of these revisions.
pub async fn html(conn: Conn<'_>, revisions: &[Uuid]) -> Result<Vec<(Uuid, String)>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select revision_id, html from rendered
                  where html is not null and revision_id in (select unhex(value) from jsonb_each($1))",
            )
            .bind(encode(revisions.iter().map(|id| id.simple()))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(
                "select revision_id, html from rendered where html is not null and revision_id = any($1)",
            )
            .bind(revisions)
            .fetch_all(c)
            .await?
        }
    })
}

/// Returns texts that are public now or will be before `until`, milliseconds, and have no rendering
/// of this version.
pub async fn missing(
    conn: Conn<'_>,
    renderer: i32,
    until: i64,
    limit: u32,
) -> Result<Vec<Unrendered>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select r.id, r.title, r.body
           from (select published_revision_id as id from article where published_at is not null
                 union
                 select revision_id as id from task where state = 'scheduled' and due_at < $2 and revision_id is not null) wanted
           join revision r on r.id = wanted.id
           left join rendered d on d.revision_id = r.id and d.renderer = $1
          where d.revision_id is null
          limit $3")
        .bind(renderer).bind(until).bind(i64::from(limit)).fetch_all(c).await)?)
}
