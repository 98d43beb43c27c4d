//! Publishes and unpublishes articles in batches: the effects of tasks. Called by the execution
//! only.

use crate::{Conn, StoreError, json_rows::encode, row::row};
use domain::{ArticleId, RevisionId, Timestamp};
use std::collections::HashSet;
use uuid::Uuid;

row! {
    /// An article whose published text changed.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct PublicationChange {
        /// Id of the article.
        pub id: Uuid,
        /// Number of the published revision; of the current one, if the article was unpublished.
        pub revision: i32,
        /// Whether it was not public before.
        pub is_first: bool,
        /// Whether a channel is configured that may want a message.
        pub has_channels: bool,
    }
}

/// Publishes these revisions at `at`; an article that is public already keeps its date, unless the
/// details of the revision have one. Returns
/// those that exist with that revision, unless a newer one is public: a page never shows an older
/// text than before. Each article at most once.
///
/// Publishes nothing while texts are reviewed, unless these are: `is_reviewed`.
pub async fn publish(
    conn: Conn<'_>,
    articles: &[(ArticleId, RevisionId)],
    at: Timestamp,
    is_reviewed: bool,
) -> Result<Vec<PublicationChange>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "update article
                    set published_revision_id = put.revision_id,
                        published_at = coalesce((select r.dated_at from revision r where r.id = put.revision_id), published_at, $2),
                        updated_at = case when published_at is null
                                           and (select r.dated_at from revision r where r.id = put.revision_id) is not null
                                          then null else $2 end,
                        state = 'approved'
                   from (select unhex(value ->> 0) as id, unhex(value ->> 1) as revision_id from jsonb_each($1)) as put
                  where article.id = put.id and article.deleted_at is null
                    and ($3 = 1 or not exists (select 1 from setting where name = 'review_active'))
                    and exists (select 1 from revision r
                                 where r.id = put.revision_id and r.article_id = article.id
                                   and r.number >= coalesce((select p.number from revision p where p.id = article.published_revision_id), 0))
                 returning id, (select r.number from revision r where r.id = published_revision_id) as revision,
                        published_at = $2 or updated_at is null as is_first, exists (select 1 from channel where channel.state <> 'off') as has_channels",
            )
            .bind(encode(articles.iter().map(|(article, revision)| (article.0.simple(), revision.0.simple())))?)
            .bind(at.millis())
            .bind(i32::from(is_reviewed))
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(
                "update article a
                    set published_revision_id = r.id,
                        published_at = coalesce(r.dated_at, a.published_at, $3),
                        updated_at = case when a.published_at is null and r.dated_at is not null then null else $3 end,
                        state = 'approved'
                   from unnest($1::uuid[], $2::uuid[]) as put (id, revision_id)
                   join revision r on r.id = put.revision_id and r.article_id = put.id
                  where a.id = put.id and a.deleted_at is null
                    and ($4 = 1 or not exists (select 1 from setting where name = 'review_active'))
                    and r.number >= coalesce((select p.number from revision p where p.id = a.published_revision_id), 0)
                 returning a.id, r.number as revision, a.published_at = $3 or a.updated_at is null as is_first,
                        exists (select 1 from channel where channel.state <> 'off') as has_channels",
            )
            .bind(articles.iter().map(|(article, _)| article.0).collect::<Vec<_>>())
            .bind(articles.iter().map(|(_, revision)| revision.0).collect::<Vec<_>>())
            .bind(at.millis())
            .bind(i32::from(is_reviewed))
            .fetch_all(c)
            .await?
        }
    })
}

/// Returns which of these revisions are older than the public text of their article.
pub async fn older_than_public(conn: Conn<'_>, revisions: &[Uuid]) -> Result<HashSet<Uuid>, StoreError> {
    macro_rules! older {
        ($which:literal) => {
            concat!(
                "select r.id
                   from revision r
                   join article a on a.id = r.article_id
                   join revision p on p.id = a.published_revision_id
                  where p.number > r.number and ",
                $which
            )
        };
    }
    if revisions.is_empty() {
        return Ok(HashSet::new());
    }
    let found: Vec<Uuid> = match conn {
        Conn::Sqlite(c) => {
            sqlx::query_scalar(older!("r.id in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(revisions.iter().map(Uuid::as_simple))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_scalar(older!("r.id = any($1)")).bind(revisions).fetch_all(c).await?
        }
    };
    Ok(found.into_iter().collect())
}

/// Unpublishes articles. Returns those that exist, public before or not.
pub async fn unpublish(
    conn: Conn<'_>,
    articles: &[ArticleId],
    at: Timestamp,
) -> Result<Vec<PublicationChange>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "update article
                    set published_revision_id = null, published_at = null, updated_at = $2
                  where id in (select unhex(value) from jsonb_each($1))
                 returning id, revision, false as is_first,
                        exists (select 1 from channel where channel.state <> 'off') as has_channels",
            )
            .bind(encode(articles.iter().map(|article| article.0.simple()))?)
            .bind(at.millis())
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(
                "update article
                    set published_revision_id = null, published_at = null, updated_at = $2
                  where id = any($1::uuid[])
                 returning id, revision, false as is_first,
                        exists (select 1 from channel where channel.state <> 'off') as has_channels",
            )
            .bind(articles.iter().map(|article| article.0).collect::<Vec<_>>())
            .bind(at.millis())
            .fetch_all(c)
            .await?
        }
    })
}
