//! The list of articles: narrowed, searched, by page.

use crate::{Conn, StoreError, article::ArticleRecord, db::on, like::anywhere, row::row};
use domain::{ArticleId, PersonId, article::ArticleFilter};
use uuid::Uuid;

row! {
    /// One line of the list.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ListedArticle {
        /// The article.
        flat pub article: ArticleRecord,
        /// What its owner is called.
        pub owner: String,
    }
}

/// Which articles.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Only these.
    pub filter: Option<ArticleFilter>,
    /// Only what holds this, in any case of ASCII letters.
    pub q: Option<String>,
    /// Only articles of this person.
    pub owner: Option<PersonId>,
    /// Only what comes after this change and id; `None`: from the newest on.
    pub after: Option<(i64, Uuid)>,
    /// At most so many.
    pub limit: u32,
}

/// The columns of a [`ListedArticle`], of an article `a` and a person `p`.
macro_rules! columns {
    () => {
        "a.id, a.slug, a.owner_id, a.state, a.revision_id, a.revision, a.title, a.published_revision_id,
         a.published_at, a.updated_at, a.created_at, a.changed_at, a.deleted_at, p.name as owner"
    };
}
pub(crate) use columns;

/// Whether an article `a` is of this owner (1 and their identity; 0: of anyone) and of this filter. What waits for an article is
/// looked for by the article (`|| ''`), not among all that waits.
macro_rules! narrowed {
    ($has_owner:literal, $owner:literal, $filter:literal) => {
        concat!(
            "(",
            $has_owner,
            " = 0 or a.owner_id = ",
            $owner,
            ")
           and case ",
            $filter,
            " when 'trash' then a.deleted_at is not null else a.deleted_at is null end
           and case ",
            $filter,
            "
               when 'published' then a.published_at is not null
               when 'scheduled' then exists (select 1 from task t where t.target_id = a.id and t.state || '' = 'scheduled')
               when 'draft' then a.published_at is null
                             and not exists (select 1 from task t where t.target_id = a.id and t.state || '' = 'scheduled')
               else true end"
        )
    };
}
pub(crate) use narrowed;

macro_rules! select {
    ($rest:expr) => {
        concat!(
            "select ",
            columns!(),
            " from article a
               join person p on p.id = a.owner_id ",
            $rest
        )
    };
}

/// One page, newest change first. Words are looked for in every text: that is slow, and only for as long as the index of the search
/// is not filled yet (see [`crate::search`]).
pub async fn page(conn: Conn<'_>, wanted: &Wanted) -> Result<Vec<ListedArticle>, StoreError> {
    let filter = wanted.filter.map_or("", ArticleFilter::as_str);
    let like = wanted.q.as_deref().map(|q| anywhere(&q.to_lowercase())).unwrap_or_default();
    let (before, id) = wanted.after.unwrap_or((i64::MAX, Uuid::max()));
    Ok(on!(conn, c => sqlx::query_as(select!(concat!(
        "where (a.changed_at, a.id) < ($1, $2)
           and ", narrowed!("$3", "$4", "$5"), "
           and ($6 = '' or lower(a.title) like $6 escape '!' or a.slug like $6 escape '!'
                or exists (select 1 from revision r
                            where r.id = a.revision_id and lower(r.body) like $6 escape '!'))
         order by a.changed_at desc, a.id desc
         limit $7")))
        .bind(before).bind(id)
        .bind(i32::from(wanted.owner.is_some())).bind(wanted.owner.map_or(Uuid::nil(), Uuid::from))
        .bind(filter).bind(like).bind(i64::from(wanted.limit))
        .fetch_all(c).await)?)
}

/// One line; `None`: there is no such article.
pub async fn find(conn: Conn<'_>, id: ArticleId) -> Result<Option<ListedArticle>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(select!("where a.id = $1")).bind(id.0).fetch_optional(c).await)?)
}
