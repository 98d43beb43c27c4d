//! Texts that are put under review, many at once.

use super::review::FoundHits;
use crate::{
    Conn, StoreError,
    json_rows::{column, encode},
};
use domain::{
    AccountId, ArticleId, Timestamp,
    review::workflow::{DeadlineDecision, ReviewState},
};
use std::collections::HashMap;
use uuid::Uuid;

/// A text that is put under review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReview {
    /// Id; if the article has a review, that keeps its own.
    pub id: Uuid,
    /// The article.
    pub article: ArticleId,
    /// Id of the revision.
    pub revision_id: Uuid,
    /// Its number.
    pub revision: i32,
    /// Hash of its title and text.
    pub hash: String,
    /// State.
    pub state: ReviewState,
    /// Who submitted it.
    pub by: AccountId,
    /// When it is decided by itself.
    pub deadline_at: Option<Timestamp>,
    /// What happens then.
    pub decision: DeadlineDecision,
    /// Result of the content review.
    pub found: FoundHits,
}

/// The statement of [`put_all`]; the databases differ in how the rows are passed.
macro_rules! put {
    ($rows:literal) => {
        concat!(
            "insert into review (id, article_id, state, version, revision_id, revision, hash, submitted_by,
                                 submitted_at, deadline_at, decision, decided_at, verdict, hits, hit_count) ",
            $rows,
            "    on conflict (article_id) do update
                set state = excluded.state, version = review.version + 1, revision_id = excluded.revision_id,
                    revision = excluded.revision, hash = excluded.hash, submitted_by = excluded.submitted_by,
                    submitted_at = excluded.submitted_at, deadline_at = excluded.deadline_at,
                    decision = excluded.decision, assigned_id = null, reviewer_id = null, link_name = null,
                    decided_at = excluded.decided_at, reason = '', announced_at = null,
                    first_reviewer_id = null, first_link_name = null, first_approved_at = null,
                    verdict = excluded.verdict, hits = excluded.hits, hit_count = excluded.hit_count
             returning article_id, id"
        )
    };
}

/// Puts texts under review, each in the place of the one before, of articles that differ. Returns the id of the
/// review of each article.
pub async fn put_all(
    conn: Conn<'_>,
    new: &[NewReview],
    at: Timestamp,
) -> Result<HashMap<Uuid, Uuid>, StoreError> {
    let rows: Vec<(Uuid, Uuid)> = match conn {
        _ if new.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(put!(
                "select unhex(value ->> '$[0][0]'), unhex(value ->> '$[0][1]'), value ->> '$[0][2]', 1,
                        unhex(value ->> '$[0][3]'), value ->> '$[0][4]', value ->> '$[0][5]',
                        unhex(value ->> '$[0][6]'), $2, value ->> '$[1][0]', value ->> '$[1][1]',
                        case when value ->> '$[0][2]' = 'approved' then $2 end, value ->> '$[1][2]',
                        value ->> '$[1][3]', value ->> '$[1][4]'
                   from jsonb_each($1)
                  where true"
            ))
            .bind(encode(new.iter().map(packed))?)
            .bind(at.millis())
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(put!(
                "select n.id, n.article_id, n.state, 1, n.revision_id, n.revision, n.hash, n.submitted_by, $13,
                        n.deadline_at, n.decision, case when n.state = 'approved' then $13 end, n.verdict, n.hits,
                        n.hit_count
                   from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::integer[], $6::text[], $7::uuid[],
                               $8::bigint[], $9::text[], $10::text[], $11::text[], $12::integer[])
                     as n (id, article_id, state, revision_id, revision, hash, submitted_by, deadline_at, decision,
                           verdict, hits, hit_count)"
            ))
            .bind(column(new, |one| one.id))
            .bind(column(new, |one| one.article.0))
            .bind(column(new, |one| one.state.as_str()))
            .bind(column(new, |one| one.revision_id))
            .bind(column(new, |one| one.revision))
            .bind(column(new, |one| one.hash.as_str()))
            .bind(column(new, |one| one.by.0))
            .bind(column(new, |one| one.deadline_at.map(Timestamp::millis)))
            .bind(column(new, |one| one.decision.as_str()))
            .bind(column(new, |one| one.found.verdict.as_str()))
            .bind(column(new, |one| one.found.hits.as_str()))
            .bind(column(new, |one| one.found.count))
            .bind(at.millis())
            .fetch_all(c)
            .await?
        }
    };
    Ok(rows.into_iter().collect())
}

fn packed(one: &NewReview) -> impl serde::Serialize + '_ {
    let found = &one.found;
    (
        (
            one.id.simple(),
            one.article.0.simple(),
            one.state.as_str(),
            one.revision_id.simple(),
            one.revision,
            &one.hash,
            one.by.0.simple(),
        ),
        (
            one.deadline_at.map(Timestamp::millis),
            one.decision.as_str(),
            found.verdict.as_str(),
            &found.hits,
            found.count,
        ),
    )
}

/// Changes the deadlines of submitted reviews.
pub async fn set_deadlines(
    conn: Conn<'_>,
    deadlines: &[(Uuid, Option<Timestamp>)],
) -> Result<(), StoreError> {
    macro_rules! set {
        ($rows:literal) => {
            concat!(
                "update review set deadline_at = n.deadline_at, version = version + 1 from (",
                $rows,
                ") as n where review.id = n.id and review.state = 'submitted'"
            )
        };
    }
    match conn {
        _ if deadlines.is_empty() => {}
        Conn::Sqlite(c) => {
            sqlx::query(set!(
                "select unhex(value ->> 0) as id, value ->> 1 as deadline_at from jsonb_each($1)"
            ))
            .bind(encode(deadlines.iter().map(|(id, at)| (id.simple(), at.map(Timestamp::millis))))?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(set!("select * from unnest($1::uuid[], $2::bigint[]) as u (id, deadline_at)"))
                .bind(column(deadlines, |one| one.0))
                .bind(column(deadlines, |one| one.1.map(Timestamp::millis)))
                .execute(c)
                .await?;
        }
    }
    Ok(())
}

/// Submits held reviews again with new deadlines, because their texts are scheduled again. First approvals are kept.
pub async fn resubmit_all(
    conn: Conn<'_>,
    deadlines: &[(Uuid, Option<Timestamp>)],
    decision: DeadlineDecision,
    at: Timestamp,
) -> Result<(), StoreError> {
    macro_rules! resubmit {
        ($rows:literal, $decision:literal, $at:literal) => {
            concat!(
                "update review
                    set state = 'submitted', version = version + 1, submitted_at = ",
                $at,
                ", deadline_at = n.deadline_at, decision = ",
                $decision,
                ", announced_at = null
                  from (",
                $rows,
                ") as n where review.id = n.id and review.state = 'held'"
            )
        };
    }
    match conn {
        _ if deadlines.is_empty() => {}
        Conn::Sqlite(c) => {
            sqlx::query(resubmit!(
                "select unhex(value ->> 0) as id, value ->> 1 as deadline_at from jsonb_each($1)",
                "$2",
                "$3"
            ))
            .bind(encode(deadlines.iter().map(|(id, at)| (id.simple(), at.map(Timestamp::millis))))?)
            .bind(decision.as_str())
            .bind(at.millis())
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(resubmit!(
                "select * from unnest($1::uuid[], $2::bigint[]) as u (id, deadline_at)",
                "$3",
                "$4"
            ))
            .bind(column(deadlines, |one| one.0))
            .bind(column(deadlines, |one| one.1.map(Timestamp::millis)))
            .bind(decision.as_str())
            .bind(at.millis())
            .execute(c)
            .await?;
        }
    }
    Ok(())
}
