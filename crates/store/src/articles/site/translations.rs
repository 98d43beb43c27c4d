//! Articles that are translations of each other. One of them is the original, which the details of the
//! others name by its slug.

use crate::{Conn, StoreError, db::with_conn, details, row::row};
use uuid::Uuid;

/// Maximum number of translations of one original.
const MAX_TRANSLATIONS: i64 = 100;

row! {
    /// An article that a slug names, now or formerly.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct NamedArticle {
        /// Id.
        pub id: Uuid,
        /// Its slug.
        pub slug: String,
        /// Details of its current revision as JSON.
        pub details: Option<String>,
    }
}

row! {
    struct PublicRow {
        slug: String,
        guessed: Option<String>,
        details: Option<String>,
        is_original: i32,
    }
}

/// A public article of a group of translations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Translation {
    /// Slug.
    pub slug: String,
    /// Language tag: of its details, else guessed from the script; `None`: that of the site.
    pub language: Option<String>,
    /// Whether the others name it as their original.
    pub is_original: bool,
}

impl Translation {
    /// Returns a public article with these details, JSON; `None`: search engines are not to list it.
    #[must_use]
    pub fn of(slug: &str, details: Option<&str>, guessed: Option<&str>, is_original: bool) -> Option<Self> {
        let details = details::parse(details).unwrap_or_default();
        if details.is_noindex || !details.canonical.is_empty() {
            return None;
        }
        let given = Some(details.language).filter(|given| !given.is_empty());
        let language = given.or_else(|| guessed.map(str::to_owned));
        Some(Self { slug: slug.to_owned(), language, is_original })
    }
}

/// Returns the article that has or had this slug and is not in the trash.
pub async fn named(conn: Conn<'_>, slug: &str) -> Result<Option<NamedArticle>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select a.id, a.slug, r.details
           from article a
           join revision r on r.id = a.revision_id
          where a.deleted_at is null
            and a.id = (select n.id from article n where n.slug = $1
                         union all
                        select f.article_id from slug_redirect f where f.slug = $1
                         limit 1)")
        .bind(slug).fetch_optional(c).await)?)
}

/// The public original, and the public articles whose public revision names one of its slugs.
/// `$name`: the slug of the original in the details of a revision, as the index has it.
macro_rules! public_group {
    ($name:literal) => {
        concat!(
            "select a.slug, d.language as guessed, r.details, case when a.id = $1 then 1 else 0 end as is_original
               from revision r
               join article a on a.published_revision_id = r.id
               left join rendered d on d.revision_id = r.id
              where a.published_at is not null
                and r.id in (select o.published_revision_id from article o
                              where o.id = $1 and o.published_revision_id is not null
                              union all
                             select t.id from revision t
                              where ",
            $name,
            " in (select n.slug || '' from article n where n.id = $1
                                     union all
                                    select f.slug || '' from slug_redirect f where f.article_id = $1))
              order by is_original desc, a.published_at, a.id
              limit $2"
        )
    };
}

/// Returns the public articles of the group of an article, which `translation_of` names the original of,
/// the original first; without those that search engines are not to list.
pub async fn translations(
    mut conn: Conn<'_>,
    article: Uuid,
    translation_of: &str,
) -> Result<Vec<Translation>, StoreError> {
    let original = match translation_of {
        "" => None,
        slug => named(conn.reborrow(), slug).await?,
    };
    let original = original.map_or(article, |named| named.id);
    let rows: Vec<PublicRow> = match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(public_group!("t.details ->> 'translation_of'"))
                .bind(original)
                .bind(MAX_TRANSLATIONS)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(public_group!("t.details::jsonb ->> 'translation_of'"))
                .bind(original)
                .bind(MAX_TRANSLATIONS)
                .fetch_all(c)
                .await?
        }
    };
    let one = |row: PublicRow| {
        let PublicRow { slug, guessed, details, is_original } = row;
        Translation::of(&slug, details.as_deref(), guessed.as_deref(), is_original == 1)
    };
    Ok(rows.into_iter().filter_map(one).collect())
}
