//! Reviews whose deadline has come, and texts that are held at the moment of publishing; many at a
//! time. Called by executions.

use super::review::FoundHits;
use crate::{
    Conn, StoreError,
    json_rows::{column, encode},
};
use domain::{Timestamp, review::workflow::ReviewState};
use uuid::Uuid;

/// A review that its deadline decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expired {
    /// Id of the review.
    pub id: Uuid,
    /// Its version before.
    pub version: i32,
    /// New state.
    pub state: ReviewState,
    /// The reviewer it is assigned to; `None`: unchanged.
    pub assigned: Option<Uuid>,
}

/// Decides these reviews. Their targets are locked.
pub async fn expire(conn: Conn<'_>, all: &[Expired], at: Timestamp) -> Result<(), StoreError> {
    if all.is_empty() {
        return Ok(());
    }
    match conn {
        Conn::Sqlite(c) => {
            let rows = all.iter().map(|one| {
                (one.id.simple(), one.version, one.state.as_str(), one.assigned.map(Uuid::simple))
            });
            sqlx::query(
                "update review
                    set state = e.state, version = review.version + 1, deadline_at = null,
                        assigned_id = coalesce(e.assigned, assigned_id),
                        decided_at = case when e.state = 'held' then null else $2 end
                   from (select unhex(value ->> 0) as id, value ->> 1 as version, value ->> 2 as state,
                                unhex(value ->> 3) as assigned
                           from jsonb_each($1)) as e
                  where review.id = e.id and review.version = e.version",
            )
            .bind(encode(rows)?)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "update review v
                    set state = e.state, version = v.version + 1, deadline_at = null,
                        assigned_id = coalesce(e.assigned, v.assigned_id),
                        decided_at = case when e.state = 'held' then null else $5::bigint end
                   from unnest($1::uuid[], $2::integer[], $3::text[], $4::uuid[]) as e (id, version, state, assigned)
                  where v.id = e.id and v.version = e.version",
            )
            .bind(column(all, |one| one.id))
            .bind(column(all, |one| one.version))
            .bind(column(all, |one| one.state.as_str()))
            .bind(column(all, |one| one.assigned))
            .bind(at.millis())
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

/// A text that may not be published now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldText {
    /// Id of a new review.
    pub id: Uuid,
    /// The article.
    pub article: Uuid,
    /// The revision.
    pub revision: Uuid,
    /// Hash of its title and text.
    pub hash: String,
    /// What was found.
    pub found: FoundHits,
}

/// The texts as rows of JSON.
fn held_rows(all: &[HeldText]) -> Result<String, StoreError> {
    encode(all.iter().map(|one| {
        let ids = (one.id.simple(), one.article.simple(), one.revision.simple());
        let found = &one.found;
        (ids.0, ids.1, ids.2, &one.hash, found.verdict.as_str(), &found.hits, found.count)
    }))
}

/// Holds the reviews of these texts, with what was found; creates those that are missing. A review of
/// another revision stays as it is.
pub async fn hold(conn: Conn<'_>, all: &[HeldText], at: Timestamp) -> Result<(), StoreError> {
    if all.is_empty() {
        return Ok(());
    }
    macro_rules! hold {
        ($from:literal) => {
            concat!(
                "insert into review (id, article_id, state, version, revision_id, revision, hash, submitted_by,
                                     submitted_at, decision, verdict, hits, hit_count)
                 select e.id, e.article, 'held', 1, e.revision, r.number, e.hash, a.owner_id, $2, 'hold', e.verdict, e.hits,
                        e.hit_count
                   from ",
                $from,
                "  join article a on a.id = e.article
                   join revision r on r.id = e.revision
                  where true
                     on conflict (article_id) do update
                    set state = 'held', version = review.version + 1, deadline_at = null, decided_at = null,
                        reviewer_id = null, link_name = null,
                        first_reviewer_id = case when review.hits = excluded.hits then review.first_reviewer_id end,
                        first_link_name = case when review.hits = excluded.hits then review.first_link_name end,
                        first_approved_at = case when review.hits = excluded.hits then review.first_approved_at end,
                        verdict = excluded.verdict, hits = excluded.hits, hit_count = excluded.hit_count
                  where review.revision_id = excluded.revision_id"
            )
        };
    }
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(hold!(
                "(select unhex(value ->> 0) as id, unhex(value ->> 1) as article, unhex(value ->> 2) as revision,
                         value ->> 3 as hash, value ->> 4 as verdict, value ->> 5 as hits, value ->> 6 as hit_count
                    from jsonb_each($1)) as e "
            ))
            .bind(held_rows(all)?)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(hold!(
                "unnest($1::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::integer[])
                     as e (id, article, revision, hash, verdict, hits, hit_count) "
            ))
            .bind(column(all, |one| one.id))
            .bind(at.millis())
            .bind(column(all, |one| one.article))
            .bind(column(all, |one| one.revision))
            .bind(column(all, |one| one.hash.as_str()))
            .bind(column(all, |one| one.found.verdict.as_str()))
            .bind(column(all, |one| one.found.hits.as_str()))
            .bind(column(all, |one| one.found.count))
            .execute(c)
            .await?;
        }
    }
    Ok(())
}
