//! Queries of the public site: the published texts of articles, and nothing else.

pub mod link_card;
mod lists;
mod look;
mod neighbours;
mod preview;
mod translations;

pub use lists::{
    Month, PublicAddress, TagName, addresses, by_author, by_tag, changed, featured, in_month, months, of_ids,
    public_texts, tag, tags,
};
pub use look::{STYLE, STYLE_DRAFT, look, put_look};
pub use neighbours::{Neighbour, Neighbours, neighbours, newest_event, page_slugs, pages};
pub use preview::{PublicAt, pages_at, public_at};
pub use translations::{NamedArticle, Translation, named, translations};

use crate::{Conn, StoreError, db::with_conn, row::row};
use domain::articles::details::ArticleDetails;
use uuid::Uuid;

row! {
    /// A published article with its text.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct PublishedArticle {
        /// Id, for feeds and for paging.
        pub id: Uuid,
        /// Slug.
        pub slug: String,
        /// Id of the published revision.
        pub revision_id: Uuid,
        /// Title of the published revision.
        pub title: String,
        /// Version of its rendering; `None`: not rendered yet.
        pub renderer: Option<i32>,
        /// HTML, if requested; `None`: the text exceeds a limit.
        pub html: Option<String>,
        /// Size of the HTML, bytes.
        pub html_bytes: i64,
        /// First words of the text.
        pub lead: Option<String>,
        /// Language, detected from the script.
        pub language: Option<String>,
        /// When it was first published, milliseconds.
        pub published_at: i64,
        /// When the published text was last replaced, milliseconds; `None`: never.
        pub updated_at: Option<i64>,
        /// Name of the owner.
        pub owner: String,
        /// Names of the authors that the published revision names, a line each; `None`: it names none.
        pub named_authors: Option<String>,
        /// Details of the published revision as JSON; `None`: all defaults.
        pub details: Option<String>,
        /// Number of words.
        pub words: i32,
    }
}

impl PublishedArticle {
    /// Returns its details; all defaults, if this release cannot read them.
    #[must_use]
    pub fn details(&self) -> ArticleDetails {
        crate::details::parse(self.details.as_deref()).unwrap_or_default()
    }

    /// Returns the names of its authors, in order; the owner, if it names none.
    #[must_use]
    pub fn authors(&self) -> Vec<&str> {
        self.named_authors
            .as_deref()
            .map_or_else(|| vec![self.owner.as_str()], |names| names.lines().collect())
    }
}

/// Result of a lookup on the public site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SiteLookup {
    /// A published article.
    Published(Box<PublishedArticle>),
    /// A published article whose slug has changed to this one.
    Redirect(String),
    /// An article that was published and is deleted.
    Deleted,
}

/// A select of [`PublishedArticle`]s. Every read of the public site uses this join: without a
/// published revision there is no row.
macro_rules! select {
    ($html:literal, $rest:literal) => {
        concat!(
            "select a.id, a.slug, r.id as revision_id, r.title, d.renderer, ",
            $html,
            " as html, cast(coalesce(octet_length(d.html), 0) as bigint) as html_bytes, d.lead, d.language,
                    a.published_at, a.updated_at, p.name as owner,
                    (select string_agg(n.name, '\n' order by ra.position)
                       from revision_author ra
                       join account n on n.id = ra.account_id
                      where ra.revision_id = r.id) as named_authors,
                    r.details, r.words
               from article a
               join revision r on r.id = a.published_revision_id
               left join rendered d on d.revision_id = r.id
               join account p on p.id = a.owner_id
              where a.published_at is not null and ",
            $rest
        )
    };
}

pub(super) use select;

/// Returns the newest published articles, newest first, without their texts: for feeds.
pub async fn newest(conn: Conn<'_>, limit: u32) -> Result<Vec<PublishedArticle>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(select!(
        "cast(null as text)",
        "r.template = 'article' order by a.published_at desc, a.id desc limit $1"))
        .bind(i64::from(limit)).fetch_all(c).await)?)
}

/// Returns one page of published articles, newest first, without their texts. `after`: publication
/// time and id of the last row of the previous page.
pub async fn page(
    conn: Conn<'_>,
    after: Option<(i64, Uuid)>,
    limit: u32,
) -> Result<Vec<PublishedArticle>, StoreError> {
    let (before, id) = after.unwrap_or((i64::MAX, Uuid::max()));
    Ok(with_conn!(conn, c => sqlx::query_as(select!(
        "cast(null as text)",
        "(a.published_at, a.id) < ($1, $2) and r.template = 'article' order by a.published_at desc, a.id desc limit $3"))
        .bind(before).bind(id).bind(i64::from(limit)).fetch_all(c).await)?)
}

/// Looks up a slug; `None`: nothing that is public.
pub async fn find(mut conn: Conn<'_>, slug: &str) -> Result<Option<SiteLookup>, StoreError> {
    if let Some(piece) = here(conn.reborrow(), slug).await? {
        return Ok(Some(SiteLookup::Published(Box::new(piece))));
    }
    if let Some(slug) = moved(conn.reborrow(), slug).await? {
        return Ok(Some(SiteLookup::Redirect(slug)));
    }
    Ok(is_gone(conn, slug).await?.then_some(SiteLookup::Deleted))
}

async fn is_gone(conn: Conn<'_>, slug: &str) -> Result<bool, StoreError> {
    let found: Option<i32> = with_conn!(conn, c => sqlx::query_scalar(
        "select 1 from deleted_name where kind = 'slug' and name = $1")
        .bind(slug).fetch_optional(c).await)?;
    Ok(found.is_some())
}

async fn here(conn: Conn<'_>, slug: &str) -> Result<Option<PublishedArticle>, StoreError> {
    Ok(
        with_conn!(conn, c => sqlx::query_as(select!("d.html", "a.slug = $1")).bind(slug).fetch_optional(c).await)?,
    )
}

async fn moved(conn: Conn<'_>, slug: &str) -> Result<Option<String>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "select a.slug
           from slug_redirect f
           join article a on a.id = f.article_id
          where f.slug = $1 and a.published_at is not null and a.published_revision_id is not null")
        .bind(slug).fetch_optional(c).await)?)
}

/// Returns title and Markdown of a published revision that is not rendered yet.
pub async fn source_text(conn: Conn<'_>, revision: Uuid) -> Result<Option<(String, String)>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select r.title, r.body
           from revision r
           join article a on a.published_revision_id = r.id
          where r.id = $1")
        .bind(revision).fetch_optional(c).await)?)
}
