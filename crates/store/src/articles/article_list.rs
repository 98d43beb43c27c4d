//! The list of articles: filtered, searched, paged.

use crate::{
    Conn, StoreError, article::ArticleRecord, db::with_conn, like_escape::contains_pattern, row::row,
};
use domain::{AccountId, ArticleId, article::ArticleFilter};
use uuid::Uuid;

row! {
    /// One row of the list.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ListedArticle {
        /// The article.
        flat pub article: ArticleRecord,
        /// Name of its owner.
        pub owner: String,
    }
}

/// Filter and page of the list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArticleListQuery {
    /// State filter; `None`: all.
    pub filter: Option<ArticleFilter>,
    /// Search text, matched without regard to the case of ASCII letters.
    pub q: Option<String>,
    /// Only articles of this account.
    pub owner: Option<AccountId>,
    /// Cursor: last change and id of the last row of the previous page; `None`: the first page.
    pub after: Option<(i64, Uuid)>,
    /// Maximum number of rows.
    pub limit: u32,
}

/// The columns of a [`ListedArticle`], from an article `a` and an account `p`.
macro_rules! columns {
    () => {
        "a.id, a.slug, a.owner_id, a.state, a.revision_id, a.revision, a.title, a.published_revision_id,
         a.published_at, a.updated_at, a.created_at, a.changed_at, a.deleted_at, p.name as owner"
    };
}
pub(crate) use columns;

/// Condition: the article `a` matches the owner and the filter. `$has_owner` is 1 or 0 (any owner).
/// Scheduled tasks are looked up by article (`|| ''` disables the index on the state), not among
/// all scheduled tasks.
macro_rules! filter_condition {
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
pub(crate) use filter_condition;

macro_rules! select {
    ($rest:expr) => {
        concat!(
            "select ",
            columns!(),
            " from article a
               join account p on p.id = a.owner_id ",
            $rest
        )
    };
}

/// Returns one page, newest change first. The search text is matched against every text, which is
/// slow. It is used only until the search index is filled, see [`crate::search`].
pub async fn page(conn: Conn<'_>, wanted: &ArticleListQuery) -> Result<Vec<ListedArticle>, StoreError> {
    let filter = wanted.filter.map_or("", ArticleFilter::as_str);
    let like = wanted.q.as_deref().map(|q| contains_pattern(&q.to_lowercase())).unwrap_or_default();
    let (before, id) = wanted.after.unwrap_or((i64::MAX, Uuid::max()));
    Ok(with_conn!(conn, c => sqlx::query_as(select!(concat!(
        "where (a.changed_at, a.id) < ($1, $2)
           and ", filter_condition!("$3", "$4", "$5"), "
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

/// Returns one row; `None`: the article does not exist.
pub async fn find(conn: Conn<'_>, id: ArticleId) -> Result<Option<ListedArticle>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(select!("where a.id = $1")).bind(id.0).fetch_optional(c).await)?)
}
