//! What surrounds an article on the public site: the previous and the next one, related ones, pages.

use super::Translation;
use crate::{Conn, StoreError, db::with_conn, json_rows::encode, row::row};
use uuid::Uuid;

row! {
    /// An article to which another one links.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Neighbour {
        /// Slug.
        pub slug: String,
        /// Title of the public revision.
        pub title: String,
    }
}

/// Articles to which an article links.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Neighbours {
    /// The one published before; `None`: it is the first.
    pub previous: Option<Neighbour>,
    /// The one published after; `None`: it is the last.
    pub next: Option<Neighbour>,
    /// Those with most of the same tags, then the newest.
    pub related: Vec<Neighbour>,
    /// The article and its translations, as far as they are public: see [`super::translations()`].
    pub translations: Vec<Translation>,
}

/// Maximum number of related articles.
const MAX_RELATED: i64 = 3;

macro_rules! beside {
    ($beyond:literal, $order:literal) => {
        concat!(
            "select a.slug, r.title
               from article a join revision r on r.id = a.published_revision_id
              where a.published_at is not null and (a.published_at, a.id) ",
            $beyond,
            " ($1, $2) and r.template = 'article' order by a.published_at",
            $order,
            ", a.id",
            $order,
            " limit 1"
        )
    };
}

/// Returns what surrounds an article with this publication time, id and public revision, without its
/// translations.
pub async fn neighbours(
    mut conn: Conn<'_>,
    (published_at, id): (i64, Uuid),
    revision: Uuid,
) -> Result<Neighbours, StoreError> {
    let previous = with_conn!(conn.reborrow(), c => sqlx::query_as(beside!("<", " desc"))
        .bind(published_at).bind(id).fetch_optional(c).await)?;
    let next = with_conn!(conn.reborrow(), c => sqlx::query_as(beside!(">", ""))
        .bind(published_at).bind(id).fetch_optional(c).await)?;
    let related = with_conn!(conn, c => sqlx::query_as(
        "select a.slug, r.title
           from revision_tag mine
           join revision_tag other on other.key = mine.key
           join article a on a.published_revision_id = other.revision_id
           join revision r on r.id = a.published_revision_id
          where mine.revision_id = $1 and a.id <> $2 and a.published_at is not null and r.template = 'article'
          group by a.id, a.slug, r.title, a.published_at
          order by count(*) desc, a.published_at desc, a.id desc
          limit $3")
        .bind(revision).bind(id).bind(MAX_RELATED).fetch_all(c).await)?;
    Ok(Neighbours { previous, next, related, translations: Vec::new() })
}

/// Returns the public pages, in the order of their titles.
pub async fn pages(conn: Conn<'_>, limit: u32) -> Result<Vec<Neighbour>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select a.slug, r.title
           from revision r
           join article a on a.published_revision_id = r.id
          where r.template = 'page' and a.published_at is not null
          order by r.title, a.slug
          limit $1")
        .bind(i64::from(limit)).fetch_all(c).await)?)
}

macro_rules! page_slugs {
    ($among:literal) => {
        concat!(
            "select a.slug
               from article a
              where a.deleted_at is null
                and exists (select 1 from revision r
                             where r.id in (a.revision_id, a.published_revision_id) and r.template = 'page')
                and a.slug ",
            $among
        )
    };
}

/// Returns those of the slugs that a page has which is not in the trash, whether it is public or not.
pub async fn page_slugs(conn: Conn<'_>, slugs: &[String]) -> Result<Vec<String>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_scalar(page_slugs!("in (select value from jsonb_each($1))"))
                .bind(encode(slugs)?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => sqlx::query_scalar(page_slugs!("= any($1)")).bind(slugs).fetch_all(c).await?,
    })
}

/// Returns the position of the newest event. While it stays the same, nothing has changed.
pub async fn newest_event(conn: Conn<'_>) -> Result<i64, StoreError> {
    let newest: Option<i64> =
        with_conn!(conn, c => sqlx::query_scalar("select max(seq) from event").fetch_one(c).await)?;
    Ok(newest.unwrap_or(0))
}
