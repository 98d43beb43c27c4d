//! Lists of the public site: by tag, by author, by month, featured ones, and all addresses.

use super::{PublishedArticle, select};
use crate::{Conn, StoreError, db::with_conn, json_rows::encode, row::row};
use uuid::Uuid;

row! {
    /// A tag of public articles.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct TagName {
        /// Key: the name in NFKC, case folded.
        pub key: String,
        /// Name.
        pub name: String,
        /// Number of public articles.
        pub count: i64,
    }
}

row! {
    /// A span of time with public articles.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Month {
        /// Publication time of an article, milliseconds.
        pub at: i64,
    }
}

row! {
    /// Address of a public article, for the sitemap.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct PublicAddress {
        /// Slug.
        pub slug: String,
        /// When its text last changed, milliseconds.
        pub changed_at: i64,
        /// Details as JSON; `None`: all defaults.
        pub details: Option<String>,
        /// Language, detected from the script.
        pub guessed: Option<String>,
        /// Slug of the article that the details name as its original; `None`: they name none.
        pub original: Option<String>,
    }
}

/// Returns public articles with this tag, newest first, without their texts. `after`: publication time
/// and id of the last row of the previous page.
pub async fn by_tag(
    conn: Conn<'_>,
    key: &str,
    after: Option<(i64, Uuid)>,
    limit: u32,
) -> Result<Vec<PublishedArticle>, StoreError> {
    let (before, id) = after.unwrap_or((i64::MAX, Uuid::max()));
    Ok(with_conn!(conn, c => sqlx::query_as(select!(
        "cast(null as text)",
        "(a.published_at, a.id) < ($1, $2) and r.template = 'article'
         and exists (select 1 from revision_tag rt where rt.revision_id = r.id and rt.key = $4)
         order by a.published_at desc, a.id desc limit $3"))
        .bind(before).bind(id).bind(i64::from(limit)).bind(key).fetch_all(c).await)?)
}

/// Returns public articles that name an author with this name, or none and belong to an account with
/// it, newest first, without their texts. `after`: publication time and id of the last row of the
/// previous page.
pub async fn by_author(
    conn: Conn<'_>,
    name: &str,
    after: Option<(i64, Uuid)>,
    limit: u32,
) -> Result<Vec<PublishedArticle>, StoreError> {
    let (before, id) = after.unwrap_or((i64::MAX, Uuid::max()));
    Ok(with_conn!(conn, c => sqlx::query_as(select!(
        "cast(null as text)",
        "a.id in (select owned.id
                    from (select o.id
                            from article o
                            join revision t on t.id = o.published_revision_id and t.template = 'article'
                           where o.owner_id in (select id from account where name = $4)
                             and (o.published_at, o.id) < ($1, $2)
                             and not exists (select 1 from revision_author ra
                                              where ra.revision_id = o.published_revision_id)
                           order by o.published_at desc, o.id desc
                           limit $3) as owned
                   union
                  select named.id
                    from (select distinct o.id, o.published_at
                            from account n
                            join revision_author ra on ra.account_id = n.id
                            join article o on o.published_revision_id = ra.revision_id
                            join revision t on t.id = o.published_revision_id and t.template = 'article'
                           where n.name = $4
                             and (o.published_at, o.id) < ($1, $2)
                           order by o.published_at desc, o.id desc
                           limit $3) as named)
         order by a.published_at desc, a.id desc limit $3"))
        .bind(before).bind(id).bind(i64::from(limit)).bind(name).fetch_all(c).await)?)
}

/// Returns public articles of a span of time, newest first, without their texts.
pub async fn in_month(
    conn: Conn<'_>,
    (from, until): (i64, i64),
    limit: u32,
) -> Result<Vec<PublishedArticle>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(select!(
        "cast(null as text)",
        "a.published_at >= $1 and a.published_at < $2 and r.template = 'article'
         order by a.published_at desc, a.id desc limit $3"))
        .bind(from).bind(until).bind(i64::from(limit)).fetch_all(c).await)?)
}

/// Returns the featured articles, newest first, without their texts.
pub async fn featured(conn: Conn<'_>, limit: u32) -> Result<Vec<PublishedArticle>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(select!(
        "cast(null as text)",
        "r.is_featured = 1 and r.template = 'article' order by a.published_at desc, a.id desc limit $1"))
        .bind(i64::from(limit)).fetch_all(c).await)?)
}

/// Returns public articles and pages with unpublished changes, newest first, without their texts.
/// `after`: publication time and id of the last row of the previous page.
pub async fn changed(
    conn: Conn<'_>,
    after: Option<(i64, Uuid)>,
    limit: u32,
) -> Result<Vec<PublishedArticle>, StoreError> {
    let (before, id) = after.unwrap_or((i64::MAX, Uuid::max()));
    Ok(with_conn!(conn, c => sqlx::query_as(select!(
        "cast(null as text)",
        "(a.published_at, a.id) < ($1, $2) and a.published_revision_id <> a.revision_id
         order by a.published_at desc, a.id desc limit $3"))
        .bind(before).bind(id).bind(i64::from(limit)).fetch_all(c).await)?)
}

/// Returns those of the articles that are public, without their texts, in any order.
pub async fn of_ids(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<PublishedArticle>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(select!("cast(null as text)", "a.id in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(ids.iter().map(Uuid::as_simple))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(select!("cast(null as text)", "a.id = any($1)")).bind(ids).fetch_all(c).await?
        }
    })
}

/// Returns title and Markdown of the public revisions of these articles.
pub async fn public_texts(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<(Uuid, String, String)>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => sqlx::query_as(
            "select a.id, r.title, r.body from article a join revision r on r.id = a.published_revision_id
                  where a.published_at is not null and a.id in (select unhex(value) from jsonb_each($1))",
        )
        .bind(encode(ids.iter().map(Uuid::as_simple))?)
        .fetch_all(c)
        .await?,
        Conn::Postgres(c) => sqlx::query_as(
            "select a.id, r.title, r.body from article a join revision r on r.id = a.published_revision_id
                  where a.published_at is not null and a.id = any($1)",
        )
        .bind(ids)
        .fetch_all(c)
        .await?,
    })
}

/// Returns a tag of public articles; `None`: no public article has it.
pub async fn tag(conn: Conn<'_>, key: &str) -> Result<Option<TagName>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select t.key, t.name, cast(1 as bigint) as count from tag t
          where t.key = $1
            and exists (select 1 from revision_tag rt
                          join article a on a.published_revision_id = rt.revision_id
                          join revision r on r.id = rt.revision_id
                         where rt.key = t.key and a.published_at is not null and r.template = 'article')")
        .bind(key).fetch_optional(c).await)?)
}

/// Returns the tags of public articles, the most used first.
pub async fn tags(conn: Conn<'_>, limit: u32) -> Result<Vec<TagName>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select t.key, t.name, cast(count(*) as bigint) as count
           from article a
           join revision r on r.id = a.published_revision_id
           join revision_tag rt on rt.revision_id = r.id
           join tag t on t.key = rt.key
          where a.published_at is not null and r.template = 'article'
          group by t.key, t.name
          order by count(*) desc, t.key
          limit $1")
        .bind(i64::from(limit)).fetch_all(c).await)?)
}

/// Returns the publication times of public articles, newest first.
pub async fn months(conn: Conn<'_>, limit: u32) -> Result<Vec<Month>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select a.published_at as at
           from article a
           join revision r on r.id = a.published_revision_id
          where a.published_at is not null and r.template = 'article'
          order by a.published_at desc, a.id desc
          limit $1")
        .bind(i64::from(limit)).fetch_all(c).await)?)
}

/// All public articles and pages. `$name`: the slug of the original in the details.
macro_rules! all_public {
    ($name:literal) => {
        concat!(
            "select a.slug, coalesce(a.updated_at, a.published_at) as changed_at, r.details, d.language as guessed,
                    (select o.slug from article o
                      where o.deleted_at is null
                        and o.id = (select n.id from article n where n.slug = (",
            $name,
            ")
                                     union all
                                    select f.article_id from slug_redirect f where f.slug = (",
            $name,
            ")
                                     limit 1)) as original
               from article a
               join revision r on r.id = a.published_revision_id
               left join rendered d on d.revision_id = r.id
              where a.published_at is not null
              order by a.published_at desc, a.id desc
              limit $1"
        )
    };
}

/// Returns the addresses of public articles and pages, newest first.
pub async fn addresses(conn: Conn<'_>, limit: u32) -> Result<Vec<PublicAddress>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(all_public!("r.details ->> 'translation_of'"))
                .bind(i64::from(limit))
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(all_public!("r.details::jsonb ->> 'translation_of'"))
                .bind(i64::from(limit))
                .fetch_all(c)
                .await?
        }
    })
}
