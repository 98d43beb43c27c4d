//! Approved revisions, and the tasks that wait for an approval.

use crate::{
    Conn, StoreError,
    db::with_conn,
    json_rows::{column, encode},
    row::row,
};
use domain::Timestamp;
use uuid::Uuid;

/// Name of the setting that exists while texts are reviewed before they are published.
pub const REVIEW_ACTIVE: &str = "review_active";
/// Name of the setting that exists while every text needs an approval.
pub const APPROVAL_REQUIRED: &str = "approval_required";

/// Whether a task may publish the revision `$revision`, as SQL: it is approved, or no approval is
/// needed. A text that waits for a reviewer needs one, even after the workflow was switched off.
macro_rules! is_approved {
    ($revision:literal) => {
        concat!(
            "(",
            $revision,
            " is null
              or exists (select 1 from approval where approval.revision_id = ",
            $revision,
            ")
              or not (exists (select 1 from setting where name = 'approval_required')
                      or exists (select 1 from review
                                  where review.revision_id = ",
            $revision,
            "                       and (review.state in ('submitted', 'held')
                                         or exists (select 1 from setting where name = 'review_active')))))"
        )
    };
}
pub(crate) use is_approved;

/// Whether the review holds the task `$task`, as SQL: it ended because its revision was not approved or
/// contains words of a list, and no newer task of the same article took its place.
macro_rules! is_held {
    ($task:literal) => {
        concat!(
            $task,
            ".state || '' in ('failed', 'missed') and ",
            $task,
            ".reason in ('not_approved', 'words_block', 'words_approval')
             and not exists (select 1 from task n
                              where n.target_id = ",
            $task,
            ".target_id and n.kind = ",
            $task,
            ".kind and n.id <> ",
            $task,
            ".id and (n.id > ",
            $task,
            ".id or n.state || '' = 'scheduled'))"
        )
    };
}
pub(crate) use is_held;

row! {
    /// An approved revision.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Approval {
        /// Id of the revision.
        pub revision_id: Uuid,
        /// Hash of its title and text.
        pub hash: String,
        /// JSON of the approved hits.
        pub hits: String,
    }
}

/// Approves the revisions of these reviews, with their hits.
pub async fn approve(conn: Conn<'_>, reviews: &[Uuid], at: Timestamp) -> Result<(), StoreError> {
    if reviews.is_empty() {
        return Ok(());
    }
    macro_rules! approve {
        ($which:literal) => {
            concat!(
                "insert into approval (revision_id, article_id, hash, reviewer_id, approved_at, hits)
                 select revision_id, article_id, hash, reviewer_id, $2, hits from review where ",
                $which,
                " on conflict (revision_id) do update
                    set hash = excluded.hash, reviewer_id = excluded.reviewer_id, approved_at = excluded.approved_at,
                        hits = excluded.hits"
            )
        };
    }
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(approve!("id in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(reviews.iter().map(Uuid::as_simple))?)
                .bind(at.millis())
                .execute(c)
                .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(approve!("id = any($1)")).bind(reviews).bind(at.millis()).execute(c).await?;
        }
    }
    Ok(())
}

/// Withdraws the approval of these revisions.
pub async fn withdraw(conn: Conn<'_>, revisions: &[Uuid]) -> Result<(), StoreError> {
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(
                "delete from approval where revision_id in (select unhex(value) from jsonb_each($1))",
            )
            .bind(encode(revisions.iter().map(Uuid::as_simple))?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query("delete from approval where revision_id = any($1)")
                .bind(revisions)
                .execute(c)
                .await?;
        }
    }
    Ok(())
}

/// Returns the revisions with a tag that are approved or under review.
pub async fn with_tag(conn: Conn<'_>, key: &str) -> Result<Vec<Uuid>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "select rt.revision_id from revision_tag rt
          where rt.key = $1
            and (exists (select 1 from approval p where p.revision_id = rt.revision_id)
                 or exists (select 1 from review v where v.revision_id = rt.revision_id))")
        .bind(key).fetch_all(c).await)?)
}

/// Binds approvals and reviews to another hash: revision, its hash before, its hash now. Those with
/// another hash stay.
pub async fn rebind(conn: Conn<'_>, all: &[(Uuid, String, String)]) -> Result<(), StoreError> {
    macro_rules! rebind {
        ($table:literal, $source:literal) => {
            concat!(
                "update ",
                $table,
                " set hash = n.hash from (",
                $source,
                ") as n where ",
                $table,
                ".revision_id = n.id and ",
                $table,
                ".hash = n.was"
            )
        };
    }
    match conn {
        _ if all.is_empty() => {}
        Conn::Sqlite(c) => {
            let rows = encode(all.iter().map(|(id, was, hash)| (id.simple(), was, hash)))?;
            for statement in [
                rebind!(
                    "approval",
                    "select unhex(value ->> 0) as id, value ->> 1 as was, value ->> 2 as hash from jsonb_each($1)"
                ),
                rebind!(
                    "review",
                    "select unhex(value ->> 0) as id, value ->> 1 as was, value ->> 2 as hash from jsonb_each($1)"
                ),
            ] {
                sqlx::query(statement).bind(rows.clone()).execute(&mut *c).await?;
            }
        }
        Conn::Postgres(c) => {
            for statement in [
                rebind!(
                    "approval",
                    "select * from unnest($1::uuid[], $2::text[], $3::text[]) as u (id, was, hash)"
                ),
                rebind!(
                    "review",
                    "select * from unnest($1::uuid[], $2::text[], $3::text[]) as u (id, was, hash)"
                ),
            ] {
                sqlx::query(statement)
                    .bind(column(all, |one| one.0))
                    .bind(column(all, |one| one.1.as_str()))
                    .bind(column(all, |one| one.2.as_str()))
                    .execute(&mut *c)
                    .await?;
            }
        }
    }
    Ok(())
}

/// Returns the approvals of these revisions.
pub async fn of_revisions(conn: Conn<'_>, revisions: &[Uuid]) -> Result<Vec<Approval>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select revision_id, hash, hits from approval
                  where revision_id in (select unhex(value) from jsonb_each($1))",
            )
            .bind(encode(revisions.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as("select revision_id, hash, hits from approval where revision_id = any($1)")
                .bind(revisions)
                .fetch_all(c)
                .await?
        }
    })
}

/// Returns which of these revisions a task may not publish before a reviewer approves them.
pub async fn unapproved(conn: Conn<'_>, revisions: &[Uuid]) -> Result<Vec<Uuid>, StoreError> {
    Ok(match conn {
        _ if revisions.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_scalar(concat!(
                "select r.id from (select unhex(value) as id from jsonb_each($1)) as r where not ",
                is_approved!("r.id")
            ))
            .bind(encode(revisions.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_scalar(concat!(
                "select r.id from unnest($1::uuid[]) as r (id) where not ",
                is_approved!("r.id")
            ))
            .bind(revisions)
            .fetch_all(c)
            .await?
        }
    })
}

row! {
    /// The newest approved revision of an article.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct NewestApproval {
        /// The article.
        pub article_id: Uuid,
        /// Id of the revision.
        pub revision_id: Uuid,
        /// Its number.
        pub number: i32,
        /// When it was approved, milliseconds.
        pub approved_at: i64,
        /// Number of revisions that were saved since.
        pub newer_edits: i64,
    }
}

/// Returns the newest approved revision of each of these articles that is newer than the public one.
pub async fn newest(conn: Conn<'_>, articles: &[Uuid]) -> Result<Vec<NewestApproval>, StoreError> {
    macro_rules! newest {
        ($which:literal) => {
            concat!(
                "select p.article_id, p.revision_id, r.number, p.approved_at,
                        (select count(*) from revision n where n.article_id = a.id and n.number > r.number)
                        as newer_edits
                   from approval p
                   join revision r on r.id = p.revision_id
                   join article a on a.id = p.article_id
                  where p.article_id ",
                $which,
                "   and r.number > coalesce((select u.number from revision u where u.id = a.published_revision_id), 0)
                    and not exists (select 1 from approval q
                                      join revision s on s.id = q.revision_id
                                     where q.article_id = p.article_id and s.number > r.number)"
            )
        };
    }
    Ok(match conn {
        _ if articles.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(newest!("in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(articles.iter().map(Uuid::as_simple))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => sqlx::query_as(newest!("= any($1)")).bind(articles).fetch_all(c).await?,
    })
}

/// Lets the scheduled tasks that publish these revisions of these articles wait for an approval.
pub async fn suspend(conn: Conn<'_>, articles: &[Uuid], revisions: &[Uuid]) -> Result<(), StoreError> {
    match conn {
        _ if revisions.is_empty() => {}
        Conn::Sqlite(c) => {
            sqlx::query(
                "update task set approved_version = null
                  where target_id in (select unhex(value) from jsonb_each($1)) and state || '' = 'scheduled'
                    and revision_id in (select unhex(value) from jsonb_each($2))",
            )
            .bind(encode(articles.iter().map(Uuid::as_simple))?)
            .bind(encode(revisions.iter().map(Uuid::as_simple))?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "update task set approved_version = null
                  where target_id = any($1) and state || '' = 'scheduled' and revision_id = any($2)",
            )
            .bind(articles)
            .bind(revisions)
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

row! {
    /// What is reviewed of a revision.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct RevisionText {
        /// Id.
        pub id: Uuid,
        /// Title.
        pub title: String,
        /// Markdown.
        pub body: String,
        /// Details as JSON; `None`: all defaults.
        pub details: Option<String>,
    }
}

/// Returns what is reviewed of these revisions.
pub async fn texts(conn: Conn<'_>, revisions: &[Uuid]) -> Result<Vec<RevisionText>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select id, title, body, details from revision where id in (select unhex(value) from jsonb_each($1))",
            )
            .bind(encode(revisions.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as("select id, title, body, details from revision where id = any($1)")
                .bind(revisions)
                .fetch_all(c)
                .await?
        }
    })
}
