//! What readers may see: the public text of published articles, and nothing else of anything.

use crate::{Conn, StoreError, db::on, row::row};
use uuid::Uuid;

row! {
    /// A public article with its text.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Piece {
        /// Identity, for feeds and for the next page.
        pub id: Uuid,
        /// Name in the address.
        pub slug: String,
        /// The public text.
        pub revision_id: Uuid,
        /// Its title.
        pub title: String,
        /// Version of its rendering; `None`: it is not rendered yet.
        pub renderer: Option<i32>,
        /// Its HTML, where it was asked for; `None`: the text exceeds a limit.
        pub html: Option<String>,
        /// Bytes of its HTML.
        pub html_bytes: i64,
        /// Its first words.
        pub lead: Option<String>,
        /// Its language by its letters.
        pub language: Option<String>,
        /// Since when it is public, milliseconds.
        pub published_at: i64,
        /// When the public text was replaced last, milliseconds.
        pub updated_at: Option<i64>,
        /// What its owner is called.
        pub author: String,
    }
}

/// What stands at an address of the public site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// A public article.
    Here(Box<Piece>),
    /// A public article that has another name now: this one.
    Moved(String),
    /// An article that was public once and is deleted.
    Gone,
}

/// A select of [`Piece`]s. Every read of the public site goes through this join: without a public revision there is no row.
macro_rules! select {
    ($html:literal, $rest:literal) => {
        concat!(
            "select a.id, a.slug, r.id as revision_id, r.title, d.renderer, ",
            $html,
            " as html, cast(coalesce(octet_length(d.html), 0) as bigint) as html_bytes, d.lead, d.language,
                    a.published_at, a.updated_at, p.name as author
               from article a
               join revision r on r.id = a.published_revision_id
               left join rendered d on d.revision_id = r.id
               join person p on p.id = a.owner_id
              where a.published_at is not null and ",
            $rest
        )
    };
}

/// The newest published articles, newest first, without their texts: for feeds.
pub async fn newest(conn: Conn<'_>, limit: u32) -> Result<Vec<Piece>, StoreError> {
    Ok(
        on!(conn, c => sqlx::query_as(select!("cast(null as text)", "true order by a.published_at desc, a.id desc limit $1"))
        .bind(i64::from(limit)).fetch_all(c).await)?,
    )
}

/// One page of published articles, newest first, without their texts. `after`: moment and id of
/// the last one of the page before.
pub async fn page(conn: Conn<'_>, after: Option<(i64, Uuid)>, limit: u32) -> Result<Vec<Piece>, StoreError> {
    let (before, id) = after.unwrap_or((i64::MAX, Uuid::max()));
    Ok(on!(conn, c => sqlx::query_as(select!(
        "cast(null as text)",
        "(a.published_at, a.id) < ($1, $2) order by a.published_at desc, a.id desc limit $3"))
        .bind(before).bind(id).bind(i64::from(limit)).fetch_all(c).await)?)
}

/// What readers find under a name; `None`: nothing they may know of.
pub async fn find(mut conn: Conn<'_>, slug: &str) -> Result<Option<Found>, StoreError> {
    if let Some(piece) = here(conn.again(), slug).await? {
        return Ok(Some(Found::Here(Box::new(piece))));
    }
    if let Some(slug) = moved(conn.again(), slug).await? {
        return Ok(Some(Found::Moved(slug)));
    }
    Ok(is_gone(conn, slug).await?.then_some(Found::Gone))
}

async fn is_gone(conn: Conn<'_>, slug: &str) -> Result<bool, StoreError> {
    let found: Option<i32> = on!(conn, c => sqlx::query_scalar(
        "select 1 from deleted_name where kind = 'slug' and name = $1")
        .bind(slug).fetch_optional(c).await)?;
    Ok(found.is_some())
}

async fn here(conn: Conn<'_>, slug: &str) -> Result<Option<Piece>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(select!("d.html", "a.slug = $1")).bind(slug).fetch_optional(c).await)?)
}

async fn moved(conn: Conn<'_>, slug: &str) -> Result<Option<String>, StoreError> {
    Ok(on!(conn, c => sqlx::query_scalar(
        "select a.slug
           from former_slug f
           join article a on a.id = f.article_id
          where f.slug = $1 and a.published_at is not null and a.published_revision_id is not null")
        .bind(slug).fetch_optional(c).await)?)
}

/// The public text of an article that has no rendering yet: title and Markdown.
pub async fn text(conn: Conn<'_>, revision: Uuid) -> Result<Option<(String, String)>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(
        "select r.title, r.body
           from revision r
           join article a on a.published_revision_id = r.id
          where r.id = $1")
        .bind(revision).fetch_optional(c).await)?)
}
