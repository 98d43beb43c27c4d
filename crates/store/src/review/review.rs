//! Reviews of articles: one row for each article that was submitted.

use crate::{Conn, StoreError, db::with_conn, json_rows::encode, row::row};
use domain::{
    AccountId, ArticleId, Timestamp,
    review::{
        FoundTerm, Verdict,
        workflow::{DeadlineDecision, ReviewState},
    },
    state::ParseEnumError,
};
use std::str::FromStr;
use uuid::Uuid;

row! {
    /// A review, with what is known of its article.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ReviewRow {
        /// Id.
        pub id: Uuid,
        /// Id of the article.
        pub article_id: Uuid,
        /// State.
        pub state: String,
        /// Increases with each change.
        pub version: i32,
        /// Id of the revision.
        pub revision_id: Uuid,
        /// Number of the revision.
        pub revision: i32,
        /// Hash of its title and text.
        pub hash: String,
        /// Milliseconds.
        pub submitted_at: i64,
        /// Milliseconds; `None`: no deadline.
        pub deadline_at: Option<i64>,
        /// What happens then.
        pub decision: String,
        /// The only reviewer besides admins.
        pub assigned_id: Option<Uuid>,
        /// Name of that reviewer.
        pub assigned: Option<String>,
        /// Name of the one who decided.
        pub reviewer: Option<String>,
        /// The account that decided; `None`: none, by itself, or a person with a link.
        pub reviewer_id: Option<Uuid>,
        /// Who gave the first of two approvals, or created the link that did.
        pub first_reviewer_id: Option<Uuid>,
        /// Name of that reviewer, or of the person with the link.
        pub first_reviewer: Option<String>,
        /// Milliseconds; `None`: there is no first approval.
        pub first_approved_at: Option<i64>,
        /// Milliseconds; `None`: not decided.
        pub decided_at: Option<i64>,
        /// When owner and reviewers were notified that it is held, milliseconds; `None`: they were not.
        pub announced_at: Option<i64>,
        /// Why it was sent back.
        pub reason: String,
        /// Result of the content review.
        pub verdict: String,
        /// JSON of its hits.
        pub hits: String,
        /// Number of all hits.
        pub hit_count: i32,
        /// Title of the revision.
        pub title: String,
        /// Account that wrote the revision.
        pub author_id: Uuid,
        /// Owner of the article.
        pub owner_id: Uuid,
        /// Name of the owner.
        pub owner: String,
        /// The public revision; `None`: the article is not public.
        pub published_revision_id: Option<Uuid>,
        /// Number of revisions that were saved since.
        pub newer_edits: i64,
        /// Number of comments on the article that are not resolved.
        pub open_comments: i64,
        /// When a task publishes the revision, milliseconds; `None`: none is scheduled.
        pub planned_at: Option<i64>,
        /// When the held task was to publish this revision or an older one, milliseconds: the approval
        /// publishes this one at once. `None`: no task is held.
        pub held_at: Option<i64>,
    }
}

fn corrupt(id: Uuid) -> StoreError {
    StoreError::Corrupt(format!("the review {id} cannot be read"))
}

fn word<T: FromStr<Err = ParseEnumError>>(id: Uuid, text: &str) -> Result<T, StoreError> {
    text.parse().map_err(|_| corrupt(id))
}

impl ReviewRow {
    /// State.
    pub fn state(&self) -> Result<ReviewState, StoreError> {
        word(self.id, &self.state)
    }

    /// Verdict of the content review.
    pub fn verdict(&self) -> Result<Verdict, StoreError> {
        word(self.id, &self.verdict)
    }

    /// What happens at the deadline.
    pub fn decision(&self) -> Result<DeadlineDecision, StoreError> {
        word(self.id, &self.decision)
    }

    /// The hits.
    pub fn hits(&self) -> Result<Vec<FoundTerm>, StoreError> {
        serde_json::from_str(&self.hits).map_err(|_| corrupt(self.id))
    }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "select v.id, v.article_id, v.state, v.version, v.revision_id, v.revision, v.hash, v.submitted_at,
                    v.deadline_at, v.decision, v.assigned_id, s.name as assigned, coalesce(v.link_name, p.name) as reviewer,
                    v.reviewer_id, v.first_reviewer_id, coalesce(v.first_link_name, f.name) as first_reviewer, v.first_approved_at,
                    v.decided_at, v.announced_at, v.reason, v.verdict, v.hits, v.hit_count, r.title, r.author_id, a.owner_id,
                    coalesce(o.name, '') as owner, a.published_revision_id,
                    (select count(*) from revision n where n.article_id = a.id and n.number > v.revision) as newer_edits,
                    (select count(*) from review_comment c where c.article_id = a.id and c.resolved_at is null)
                    as open_comments,
                    (select min(t.due_at) from task t
                      where t.target_id = a.id and t.state || '' = 'scheduled'
                        and (t.revision_id = v.revision_id
                             or (t.kind = 'article.publish' and t.approved_version is distinct from t.version)))
                    as planned_at,
                    (select max(t.due_at) from task t
                      where t.target_id = a.id and t.kind = 'article.publish'
                        and coalesce((select n.number from revision n where n.id = t.revision_id), 0) <= v.revision
                        and ",
            $crate::approval::is_held!("t"),
            "       ) as held_at
               from review v
               join article a on a.id = v.article_id
               join revision r on r.id = v.revision_id
               left join account o on o.id = a.owner_id
               left join account p on p.id = v.reviewer_id
               left join account s on s.id = v.assigned_id
               left join account f on f.id = v.first_reviewer_id ",
            $rest
        )
    };
}

/// Returns the review of an article; `None`: it was never submitted.
pub async fn find(conn: Conn<'_>, article: ArticleId) -> Result<Option<ReviewRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(select!("where v.article_id = $1"))
        .bind(article.0).fetch_optional(c).await)?)
}

/// Returns the reviews of these articles.
pub async fn by_articles(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<ReviewRow>, StoreError> {
    Ok(match conn {
        _ if ids.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(select!("where v.article_id in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(ids.iter().map(Uuid::as_simple))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(select!("where v.article_id = any($1)")).bind(ids).fetch_all(c).await?
        }
    })
}

/// Returns these reviews.
pub async fn by_ids(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<ReviewRow>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(select!("where v.id in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(ids.iter().map(Uuid::as_simple))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => sqlx::query_as(select!("where v.id = any($1)")).bind(ids).fetch_all(c).await?,
    })
}

/// Returns the reviews that wait for a reviewer, earliest deadline first; held ones before, and before
/// all those for which this account was asked.
pub async fn waiting(conn: Conn<'_>, asked: AccountId, limit: u32) -> Result<Vec<ReviewRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(select!(
        "where v.state in ('submitted', 'held') and a.deleted_at is null
          order by case when exists (select 1 from review_asked q where q.review_id = v.id and q.account_id = $2)
                        then 0 else 1 end,
                   case when v.state = 'held' then 0 else 1 end, coalesce(v.deadline_at, 9007199254740991),
                   v.submitted_at, v.id
          limit $1"))
        .bind(i64::from(limit)).bind(asked.0).fetch_all(c).await)?)
}

/// Returns the number of reviews that wait for a reviewer, without those of this account's articles
/// (`None`: all), without those assigned to another one than `reviewer`, and without those that
/// `approver` approved first.
pub async fn count_waiting(
    conn: Conn<'_>,
    but_of: Option<AccountId>,
    reviewer: Option<AccountId>,
    approver: Option<AccountId>,
) -> Result<u64, StoreError> {
    let count: i64 = with_conn!(conn, c => sqlx::query_scalar(
        "select count(*)
           from review v
           join article a on a.id = v.article_id
          where v.state in ('submitted', 'held') and a.deleted_at is null
            and ($1 is null or a.owner_id <> $1)
            and ($2 is null or v.assigned_id is null or v.assigned_id = $2)
            and ($3 is null or v.first_reviewer_id is null or v.first_reviewer_id <> $3)")
        .bind(but_of.map(|account| account.0)).bind(reviewer.map(|account| account.0))
        .bind(approver.map(|account| account.0))
        .fetch_one(c).await)?;
    Ok(count.unsigned_abs())
}

/// Hits of a content review as they are stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundHits {
    /// The verdict.
    pub verdict: Verdict,
    /// JSON of the hits.
    pub hits: String,
    /// Number of all hits.
    pub count: i32,
}

/// What a decision makes of a review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided<'t> {
    /// New state.
    pub state: ReviewState,
    /// Who decided; `None`: no user.
    pub reviewer: Option<AccountId>,
    /// Name of the person whose link decided.
    pub link_name: Option<&'t str>,
    /// Why it is sent back.
    pub reason: &'t str,
}

/// Decides a review that still has this version. Returns the new version.
pub async fn decide(
    conn: Conn<'_>,
    (id, version): (Uuid, i32),
    decided: &Decided<'_>,
    at: Timestamp,
) -> Result<Option<i32>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "update review
            set state = $3, version = version + 1, deadline_at = null, reviewer_id = $4, link_name = $5, reason = $6,
                decided_at = $7, announced_at = null
          where id = $1 and version = $2
         returning version")
        .bind(id).bind(version).bind(decided.state.as_str()).bind(decided.reviewer.map(|one| one.0))
        .bind(decided.link_name).bind(decided.reason).bind(at.millis())
        .fetch_optional(c).await)?)
}

/// Lets an approved review that still has this version wait for a reviewer again; the first of two approvals is
/// kept. Returns the new version.
pub async fn undo_approval(
    conn: Conn<'_>,
    (id, version): (Uuid, i32),
    deadline: Option<Timestamp>,
) -> Result<Option<i32>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "update review
            set state = 'submitted', version = version + 1, deadline_at = $3, reviewer_id = null, link_name = null,
                decided_at = null
          where id = $1 and version = $2 and state = 'approved'
         returning version")
        .bind(id).bind(version).bind(deadline.map(Timestamp::millis)).fetch_optional(c).await)?)
}

/// Gives the first of two approvals to a review that still has this version and none yet. Returns the
/// new version.
pub async fn approve_first(
    conn: Conn<'_>,
    (id, version): (Uuid, i32),
    (reviewer, link_name): (AccountId, Option<&str>),
    at: Timestamp,
) -> Result<Option<i32>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "update review
            set version = version + 1, first_reviewer_id = $3, first_link_name = $4, first_approved_at = $5
          where id = $1 and version = $2 and first_approved_at is null
         returning version")
        .bind(id).bind(version).bind(reviewer.0).bind(link_name).bind(at.millis())
        .fetch_optional(c).await)?)
}

/// Stores the result of another content review of the same text, which undoes a first approval:
/// it did not include the new hits. Returns the new version.
pub async fn set_hits(
    conn: Conn<'_>,
    (id, version): (Uuid, i32),
    found: &FoundHits,
) -> Result<Option<i32>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "update review
            set version = version + 1, verdict = $3, hits = $4, hit_count = $5, first_reviewer_id = null,
                first_link_name = null, first_approved_at = null
          where id = $1 and version = $2
         returning version")
        .bind(id).bind(version).bind(found.verdict.as_str()).bind(&found.hits).bind(found.count)
        .fetch_optional(c).await)?)
}

/// Notes a change beside the row of a review that still has this version. Returns the new version.
pub async fn touch(conn: Conn<'_>, id: Uuid, version: i32) -> Result<Option<i32>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "update review set version = version + 1 where id = $1 and version = $2 returning version")
        .bind(id).bind(version).fetch_optional(c).await)?)
}

/// Deletes a review that still has this version: its text is a draft again. False: it was changed.
pub async fn withdraw(conn: Conn<'_>, id: Uuid, version: i32) -> Result<bool, StoreError> {
    let gone = with_conn!(conn, c => sqlx::query("delete from review where id = $1 and version = $2")
        .bind(id).bind(version).execute(c).await.map(|done| done.rows_affected()))?;
    Ok(gone > 0)
}

/// Notes that owner and reviewers were notified at `at` that these texts are held.
pub async fn announced(conn: Conn<'_>, ids: &[Uuid], at: Timestamp) -> Result<(), StoreError> {
    match conn {
        _ if ids.is_empty() => {}
        Conn::Sqlite(c) => {
            sqlx::query(
                "update review set announced_at = $2 where id in (select unhex(value) from jsonb_each($1))",
            )
            .bind(encode(ids.iter().map(Uuid::as_simple))?)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query("update review set announced_at = $2 where id = any($1)")
                .bind(ids)
                .bind(at.millis())
                .execute(c)
                .await?;
        }
    }
    Ok(())
}
