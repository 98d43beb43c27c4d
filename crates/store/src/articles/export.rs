//! Everything that an export writes about articles, in pages by id.

use crate::{Conn, StoreError, db::with_conn, json_rows::encode, row::row};
use std::collections::HashMap;
use uuid::Uuid;

row! {
    /// An article with the text that is public, else with the text that is scheduled, else with its
    /// current text.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ExportedArticle {
        /// Id.
        pub id: Uuid,
        /// Slug.
        pub slug: String,
        /// Title.
        pub title: String,
        /// Markdown.
        pub body: String,
        /// Details as JSON; `None`: all defaults.
        pub details: Option<String>,
        /// Since when it is public, milliseconds; `None`: it is not.
        pub published_at: Option<i64>,
        /// When its public text was last replaced, milliseconds; `None`: never.
        pub updated_at: Option<i64>,
        /// When it is published, milliseconds; `None`: that is not scheduled.
        pub publishes_at: Option<i64>,
        /// Time zone of the local time at which it is published; `None`: an exact instant was given.
        pub publish_zone: Option<String>,
        /// When it is unpublished, milliseconds; `None`: that is not scheduled.
        pub unpublishes_at: Option<i64>,
        /// Time zone of the local time at which it is unpublished; `None`: an exact instant was given.
        pub unpublish_zone: Option<String>,
        /// Number of the revision with that text.
        pub number: i32,
        /// When it was saved, milliseconds.
        pub saved_at: i64,
        /// Account that saved it.
        pub author_id: Uuid,
        /// Whether the editor saved it automatically: 0 or 1.
        pub is_autosave: i32,
        /// What it changed.
        pub changed: String,
        /// Number of its other revisions.
        pub others: i64,
    }
}

row! {
    /// A revision besides the one that an [`ExportedArticle`] has.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ExportedRevision {
        /// Number.
        pub number: i32,
        /// Title.
        pub title: String,
        /// Markdown.
        pub body: String,
        /// Details as JSON; `None`: all defaults.
        pub details: Option<String>,
        /// When it was saved, milliseconds.
        pub saved_at: i64,
        /// Account that saved it.
        pub author_id: Uuid,
        /// Whether the editor saved it automatically: 0 or 1.
        pub is_autosave: i32,
        /// What it changed.
        pub changed: String,
    }
}

/// Returns the next articles after `after`, by id, without those in the trash.
pub async fn after(conn: Conn<'_>, after: Uuid, limit: u32) -> Result<Vec<ExportedArticle>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select a.id, a.slug, r.title, r.body, r.details, a.published_at, a.updated_at,
                (select min(t.due_at) from task t
                  where t.target_id = a.id and t.kind = 'article.publish' and t.state = 'scheduled') as publishes_at,
                (select t.time_zone from task t
                  where t.target_id = a.id and t.kind = 'article.publish' and t.state = 'scheduled'
                  order by t.due_at limit 1) as publish_zone,
                (select min(t.due_at) from task t
                  where t.target_id = a.id and t.kind = 'article.unpublish' and t.state = 'scheduled') as unpublishes_at,
                (select t.time_zone from task t
                  where t.target_id = a.id and t.kind = 'article.unpublish' and t.state = 'scheduled'
                  order by t.due_at limit 1) as unpublish_zone,
                r.number, r.saved_at, r.author_id, r.is_autosave, r.changed,
                (select count(*) from revision o where o.article_id = a.id and o.id <> r.id) as others
           from article a
           join revision r on r.id = coalesce(
                    a.published_revision_id,
                    (select t.revision_id from task t
                      where t.target_id = a.id and t.kind = 'article.publish' and t.state = 'scheduled'
                      order by t.due_at limit 1),
                    a.revision_id)
          where a.deleted_at is null and a.id > $1
          order by a.id
          limit $2")
        .bind(after).bind(i64::from(limit)).fetch_all(c).await)?)
}

/// Returns the next revisions of an article after the number `after`, without the number `except`.
pub async fn revisions(
    conn: Conn<'_>,
    article: Uuid,
    (after, except): (i32, i32),
    limit: u32,
) -> Result<Vec<ExportedRevision>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select number, title, body, details, saved_at, author_id, is_autosave, changed
           from revision
          where article_id = $1 and number > $2 and number <> $3
          order by number
          limit $4")
        .bind(article).bind(after).bind(except).bind(i64::from(limit)).fetch_all(c).await)?)
}

row! {
    /// An article of a release that is not published.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ExportedReleaseItem {
        /// Id of the release.
        pub release_id: Uuid,
        /// Its name.
        pub name: String,
        /// When it is published, milliseconds; `None`: that is not scheduled.
        pub due_at: Option<i64>,
        /// Time zone of that local time; `None`: an exact instant was given.
        pub zone: Option<String>,
        /// Slug of the article.
        pub slug: String,
        /// What the release does with it.
        pub action: String,
        /// Number of the revision that becomes public.
        pub number: Option<i32>,
    }
}

/// Returns the articles of all releases that are not published, by release, in the order of each.
pub async fn release_items(conn: Conn<'_>) -> Result<Vec<ExportedReleaseItem>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select r.id as release_id, r.name,
                (select t.due_at from task t
                  where t.target_id = r.id and t.kind = 'release.publish' and t.state = 'scheduled'
                  order by t.due_at limit 1) as due_at,
                (select t.time_zone from task t
                  where t.target_id = r.id and t.kind = 'release.publish' and t.state = 'scheduled'
                  order by t.due_at limit 1) as zone,
                a.slug, i.action, v.number
           from article_release r
           join article_release_item i on i.release_id = r.id
           join article a on a.id = i.article_id
           left join revision v on v.id = i.revision_id
          where r.published_at is null and i.is_open = 1 and a.deleted_at is null
          order by r.id, i.place")
        .fetch_all(c).await)?)
}

/// Returns the articles with these slugs outside of the trash, by slug.
pub async fn articles_of(conn: Conn<'_>, slugs: &[&str]) -> Result<HashMap<String, Uuid>, StoreError> {
    let rows: Vec<(String, Uuid)> = match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select slug, id from article
                  where slug in (select value from jsonb_each($1)) and deleted_at is null",
            )
            .bind(encode(slugs)?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as("select slug, id from article where slug = any($1) and deleted_at is null")
                .bind(slugs)
                .fetch_all(c)
                .await?
        }
    };
    Ok(rows.into_iter().collect())
}

/// Returns all redirects from earlier slugs: article, earlier slug and slug, by article.
pub async fn redirects(conn: Conn<'_>) -> Result<Vec<(Uuid, String, String)>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select r.article_id, r.slug, a.slug as target from slug_redirect r join article a on a.id = r.article_id
          where a.deleted_at is null order by r.article_id, r.slug")
        .fetch_all(c).await)?)
}

row! {
    /// A file of the media library, once for each content.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ExportedFile {
        /// Hash of the uploaded bytes.
        pub hash: String,
        /// Name.
        pub name: String,
        /// Ending.
        pub format: String,
        /// Width in pixels; `None`: it is no picture.
        pub width: Option<i32>,
        /// Height in pixels.
        pub height: Option<i32>,
        /// Size of the stored file, bytes.
        pub bytes: i64,
        /// Its size with its smaller versions, bytes.
        pub stored_bytes: i64,
        /// Alternative text.
        pub alt: String,
        /// Folder of the content.
        pub folder: String,
        /// Whether the content was replaced: an address may name the size of an earlier one. 0 or 1.
        pub is_replaced: i32,
    }
}

/// Returns all files, by hash: of the same content the one that was stored first.
pub async fn files(conn: Conn<'_>) -> Result<Vec<ExportedFile>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select m.hash, m.name, m.format, m.width, m.height, m.bytes, m.stored_bytes, m.alt,
                coalesce(m.content, m.hash) as folder,
                case when m.content is not null or m.earlier is not null then 1 else 0 end as is_replaced
           from media m
          where not exists (select 1 from media o where o.hash = m.hash and o.id < m.id)
          order by m.hash")
        .fetch_all(c).await)?)
}
