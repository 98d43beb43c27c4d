//! The front page as it will be, by the scheduled tasks of articles and releases: for admins only.

use super::{Neighbour, PublishedArticle};
use crate::{Conn, StoreError, db::with_conn};

/// Which articles of the front page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PublicAt {
    /// All.
    All,
    /// Featured ones only.
    Featured,
}

/// A select from the articles `a`, their last tasks `l` until $1, and the revisions `r` that will then be
/// public. $2: the limit.
macro_rules! planned {
    ($columns:literal, $joins:literal, $rest:literal) => {
        concat!(
            "with planned as (
                 select t.target_id, t.kind, t.revision_id, cast(null as bigint) as was_published_at, t.due_at, t.id
                   from task t
                  where t.state = 'scheduled' and t.due_at <= $1
                    and t.kind in ('article.publish', 'article.unpublish')
                 union all
                 select i.article_id, 'article.' || i.action, i.revision_id, null, t.due_at, t.id
                   from task t
                   join article_release_item i on i.release_id = t.target_id
                  where t.state = 'scheduled' and t.due_at <= $1 and t.kind = 'release.publish'
                 union all
                 select i.article_id,
                        case when i.was_revision_id is null then 'article.unpublish' else 'article.publish' end,
                        i.was_revision_id, i.was_published_at, t.due_at, t.id
                   from task t
                   join article_release_item i on i.release_id = t.target_id
                  where t.state = 'scheduled' and t.due_at <= $1 and t.kind = 'release.revert'),
             last_task as (
                 select p.target_id, p.kind, p.revision_id, p.was_published_at, p.due_at
                   from (select planned.*,
                                row_number() over (partition by target_id order by due_at desc, id desc) as place
                           from planned) as p
                  where p.place = 1)
             select ",
            $columns,
            " from article a
               left join last_task l on l.target_id = a.id
               join revision r on r.id = case when l.kind is null then a.published_revision_id
                                              when l.kind = 'article.publish' then l.revision_id end ",
            $joins,
            " where a.deleted_at is null and ",
            $rest,
            " limit $2"
        )
    };
}

/// Returns the articles that will be public at a time, milliseconds, newest first, without their texts.
pub async fn public_at(
    conn: Conn<'_>,
    which: PublicAt,
    at: i64,
    limit: u32,
) -> Result<Vec<PublishedArticle>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(planned!(
        "a.id, a.slug, r.id as revision_id, r.title, d.renderer, cast(null as text) as html,
         cast(coalesce(octet_length(d.html), 0) as bigint) as html_bytes, d.lead, d.language,
         coalesce(r.dated_at, l.was_published_at, a.published_at, l.due_at) as published_at, a.updated_at,
         p.name as owner,
         (select string_agg(n.name, '\n' order by ra.position)
            from revision_author ra
            join account n on n.id = ra.account_id
           where ra.revision_id = r.id) as named_authors,
         r.details, r.words",
        "left join rendered d on d.revision_id = r.id join account p on p.id = a.owner_id",
        "r.template = 'article' and ($3 = 0 or r.is_featured = 1) order by published_at desc, a.id desc"))
        .bind(at).bind(i64::from(limit)).bind(i32::from(which == PublicAt::Featured)).fetch_all(c).await)?)
}

/// Returns the pages that will be public at a time, milliseconds, in the order of their titles.
pub async fn pages_at(conn: Conn<'_>, at: i64, limit: u32) -> Result<Vec<Neighbour>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(planned!(
        "a.slug, r.title",
        "",
        "r.template = 'page' order by r.title, a.slug"))
        .bind(at).bind(i64::from(limit)).fetch_all(c).await)?)
}
