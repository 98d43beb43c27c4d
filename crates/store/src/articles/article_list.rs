//! The list of articles: filtered, searched, paged.

use crate::{
    Conn, StoreError,
    article::ArticleRecord,
    db::{COUNT_LIMIT, with_conn},
    like_escape::contains_pattern,
    row::row,
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
    /// Only articles whose current revision has the tag with this key.
    pub tag: Option<String>,
    /// Only articles of this account.
    pub owner: Option<AccountId>,
    /// Whether public articles are listed by the time of their publication.
    pub is_by_publication: bool,
    /// Whether the oldest change or publication comes first.
    pub is_ascending: bool,
    /// Only beyond this time and id, in the order of the list; `None`: the first page.
    pub start: Option<(i64, Uuid)>,
    /// Maximum number of rows.
    pub limit: u32,
}

/// The columns of a [`ListedArticle`], from an article `a` and an account `p`.
macro_rules! columns {
    () => {
        "a.id, a.slug, a.owner_id,
         coalesce((select case v.state when 'approved' then 'approved' when 'sent_back' then 'sent_back'
                                       when 'expired' then 'sent_back' else 'in_review' end
                     from review v where v.article_id = a.id and v.revision_id = a.revision_id), a.state) as state,
         a.revision_id, a.revision, a.title, a.published_revision_id,
         a.published_at, a.updated_at, a.created_at, a.changed_at, a.deleted_at, p.name as owner"
    };
}
pub(crate) use columns;

/// Condition: the article `a` has a scheduled task, or is in a scheduled release. Tasks are looked up by
/// article (`|| ''` disables the index on the state), not among all scheduled tasks.
macro_rules! is_scheduled {
    () => {
        "(exists (select 1 from task t where t.target_id = a.id and t.state || '' = 'scheduled')
          or exists (select 1 from article_release_item i
                       join task t on t.target_id = i.release_id
                      where i.article_id = a.id and i.is_open = 1 and t.kind = 'release.publish'
                        and t.state || '' = 'scheduled'))"
    };
}
pub(crate) use is_scheduled;

/// Condition: the article `a` matches the owner, the filter and the tag (empty: any). `$has_owner` is
/// 1 or 0 (any owner).
macro_rules! filter_condition {
    ($has_owner:literal, $owner:literal, $filter:literal, $tag:literal) => {
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
               when 'scheduled' then ",
            $crate::article_list::is_scheduled!(),
            "
               when 'draft' then a.published_at is null and not ",
            $crate::article_list::is_scheduled!(),
            "
               else true end
           and (",
            $tag,
            " = '' or exists (select 1 from revision_tag rt where rt.revision_id = a.revision_id and rt.key = ",
            $tag,
            "))"
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

/// One page beyond the start, in the order of the index (changed_at, id) or (published_at, id), which
/// has public articles only.
macro_rules! in_order {
    ($time:literal, $only:literal, $beyond:literal, $order:literal) => {
        select!(concat!(
            "where (",
            $time,
            ", a.id) ",
            $beyond,
            " ($1, $2)
           and ",
            $only,
            filter_condition!("$3", "$4", "$5", "$8"),
            "
           and ($6 = '' or lower(a.title) like $6 escape '!' or a.slug like $6 escape '!'
                or exists (select 1 from revision r
                            where r.id = a.revision_id
                              and (lower(r.body) like $6 escape '!' or lower(r.details) like $6 escape '!')))
         order by ",
            $time,
            $order,
            ", a.id",
            $order,
            " limit $7"
        ))
    };
}

/// The statements in descending and ascending order.
const BY_CHANGE: [&str; 2] =
    [in_order!("a.changed_at", "", "<", " desc"), in_order!("a.changed_at", "", ">", "")];
const BY_PUBLICATION: [&str; 2] = [
    in_order!("a.published_at", "a.published_at is not null and ", "<", " desc"),
    in_order!("a.published_at", "a.published_at is not null and ", ">", ""),
];

/// Returns one page by the time of the last change or of the publication. The search text is matched against every text,
/// which is slow. It is used only until the search index is filled, see [`crate::search`].
pub async fn page(conn: Conn<'_>, wanted: &ArticleListQuery) -> Result<Vec<ListedArticle>, StoreError> {
    let filter = wanted.filter.map_or("", ArticleFilter::as_str);
    let like = wanted.q.as_deref().map(|q| contains_pattern(&q.to_lowercase())).unwrap_or_default();
    let statements = if wanted.is_by_publication { BY_PUBLICATION } else { BY_CHANGE };
    let first = if wanted.is_ascending { (i64::MIN, Uuid::nil()) } else { (i64::MAX, Uuid::max()) };
    let (at, id) = wanted.start.unwrap_or(first);
    Ok(with_conn!(conn, c => sqlx::query_as(statements[usize::from(wanted.is_ascending)])
        .bind(at).bind(id)
        .bind(i32::from(wanted.owner.is_some())).bind(wanted.owner.map_or(Uuid::nil(), Uuid::from))
        .bind(filter).bind(like).bind(i64::from(wanted.limit)).bind(wanted.tag.as_deref().unwrap_or_default())
        .fetch_all(c).await)?)
}

row! {
    /// Number of articles, counted by their rows only.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct ArticleTotals {
        /// Not in the trash.
        pub total: i64,
        /// Public.
        pub published: i64,
        /// In the trash.
        pub trash: i64,
    }
}

/// Counts the articles that meet a condition, up to the limit, of one owner or of all.
macro_rules! counted {
    ($condition:literal, $name:literal) => {
        concat!(
            "(select count(*) from (select 1 from article where ",
            $condition,
            " and ($1 = 0 or owner_id = $2) limit $3) as counted) as ",
            $name
        )
    };
}

/// Returns the number of articles of one owner or of all, each up to one more than
/// [`domain::engine::MAX_COUNTED`].
pub async fn totals(conn: Conn<'_>, owner: Option<AccountId>) -> Result<ArticleTotals, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(concat!(
        "select ", counted!("deleted_at is null", "total"), ", ",
        counted!("published_at is not null", "published"), ", ",
        counted!("deleted_at is not null", "trash")))
        .bind(i32::from(owner.is_some())).bind(owner.map_or(Uuid::nil(), Uuid::from)).bind(COUNT_LIMIT)
        .fetch_one(c).await)?)
}

row! {
    /// Number of articles by their scheduled tasks.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct SchedulingCounts {
        /// Not public and not scheduled.
        pub drafts: i64,
        /// With a scheduled task.
        pub scheduled: i64,
    }
}

/// Returns the number of drafts and of scheduled articles of one owner or of all. Looks for a
/// scheduled task of every article (10 µs each), so it is only for a small number of articles.
pub async fn scheduling_counts(
    conn: Conn<'_>,
    owner: Option<AccountId>,
) -> Result<SchedulingCounts, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(concat!(
        "select coalesce(sum(case when is_public = 0 and is_scheduled = 0 then 1 else 0 end), 0) as drafts,
                coalesce(sum(is_scheduled), 0) as scheduled
           from (select case when a.published_at is null then 0 else 1 end as is_public,
                        case when ", is_scheduled!(), " then 1 else 0 end as is_scheduled
                   from article a
                  where a.deleted_at is null and ($1 = 0 or a.owner_id = $2)) as listed"))
        .bind(i32::from(owner.is_some())).bind(owner.map_or(Uuid::nil(), Uuid::from))
        .fetch_one(c).await)?)
}

/// Returns one row; `None`: the article does not exist.
pub async fn find(conn: Conn<'_>, id: ArticleId) -> Result<Option<ListedArticle>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(select!("where a.id = $1")).bind(id.0).fetch_optional(c).await)?)
}
