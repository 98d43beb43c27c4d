//! Waits whose moment has come: reads what their rules need, and records that they acted.

use crate::{
    Conn, StoreError,
    json_rows::{column, encode},
    row::row,
};
use domain::Timestamp;
use uuid::Uuid;

row! {
    /// What a rule needs when it acts.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct FiringWait {
        /// Id.
        pub id: Uuid,
        /// Its rule.
        pub rule_id: Uuid,
        /// Settings of the rule, as JSON.
        pub settings: String,
        /// State of the rule.
        pub state: String,
        /// Owner of the rule.
        pub owner_id: Uuid,
        /// 1: the account of the owner is disabled.
        pub owner_is_disabled: i32,
        /// Whom or what it is about.
        pub subject: String,
        /// Part of the subject.
        pub key: String,
        /// Moment of the signal, milliseconds.
        pub opened_at: i64,
        /// Data of the signal, a JSON object.
        pub data: String,
        /// Number of rules that led to the signal.
        pub depth: i32,
        /// The signal.
        pub signal_id: Uuid,
        /// The signal that led to it through rules; `None`: itself.
        pub root_id: Option<Uuid>,
        /// Version of the rule by which it was opened or moved last.
        pub rule_version: i32,
        /// Waits of older versions are cancelled.
        pub cancelled_version: i32,
        /// Waits of older versions end where the settings put them.
        pub recounted_version: i32,
        /// 1: not all waits of older versions have been updated yet.
        pub is_updating: i32,
    }
}

macro_rules! ids_sql {
    ($begin:literal, $end:literal) => {
        [
            concat!($begin, "in (select unhex(value) from jsonb_each($1))", $end),
            concat!($begin, "= any($1)", $end),
        ]
    };
}

/// Returns these waits with their rules.
pub async fn firing(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<FiringWait>, StoreError> {
    let [sqlite, postgres] = ids_sql!(
        "select w.id, w.rule_id, r.settings, r.state, r.owner_id, coalesce(a.is_disabled, 0) as owner_is_disabled,
                w.subject, w.key, w.opened_at, w.data, w.depth, w.signal_id, w.root_id, w.rule_version, r.cancelled_version, r.recounted_version,
                case when r.updated_to is null then 0 else 1 end as is_updating
           from wait w
           join rule r on r.id = w.rule_id
           left join account a on a.id = r.owner_id
          where w.id ",
        ""
    );
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(sqlite).bind(encode(ids.iter().map(Uuid::as_simple))?).fetch_all(c).await?
        }
        Conn::Postgres(c) => sqlx::query_as(postgres).bind(ids).fetch_all(c).await?,
    })
}

/// Records that the rules acted at `at`.
pub async fn fired(conn: Conn<'_>, ids: &[Uuid], at: Timestamp) -> Result<(), StoreError> {
    let sql = ids_sql!("update wait set outcome = 'fired', ended_at = $2 where id ", "");
    end(conn, ids, at, sql).await
}

/// Records that the caps of the rules kept them from acting at `at`.
pub async fn capped(conn: Conn<'_>, ids: &[Uuid], at: Timestamp) -> Result<(), StoreError> {
    let sql = ids_sql!("update wait set is_capped = 1, ended_at = $2 where id ", "");
    end(conn, ids, at, sql).await
}

async fn end(
    conn: Conn<'_>,
    ids: &[Uuid],
    at: Timestamp,
    [sqlite, postgres]: [&'static str; 2],
) -> Result<(), StoreError> {
    match conn {
        _ if ids.is_empty() => {}
        Conn::Sqlite(c) => {
            let ids = encode(ids.iter().map(Uuid::as_simple))?;
            sqlx::query(sqlite).bind(ids).bind(at.millis()).execute(c).await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(postgres).bind(ids).bind(at.millis()).execute(c).await?;
        }
    }
    Ok(())
}

/// A question for [`fired_counts`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FiredQuestion<'a> {
    /// The rule.
    pub rule: Uuid,
    /// The subject.
    pub subject: &'a str,
    /// Only after this moment.
    pub since: Timestamp,
    /// Up to which number it is counted.
    pub limit: i32,
}

/// Returns how often rules acted for subjects, in the order of the questions.
pub async fn fired_counts(conn: Conn<'_>, questions: &[FiredQuestion<'_>]) -> Result<Vec<i64>, StoreError> {
    Ok(match conn {
        _ if questions.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            let rows = questions.iter().map(|one| (one.rule.simple(), one.subject, one.since.millis()));
            sqlx::query_scalar(
                "select (select count(*)
                           from (select 1
                                   from wait w indexed by wait_subject
                                  where w.rule_id = unhex(g.value ->> 0) and w.subject = g.value ->> 1
                                    and w.outcome = 'fired' and w.ended_at > g.value ->> 2
                                  limit 1000) as part)
                   from jsonb_each($1) g
                  order by cast(g.key as integer)",
            )
            .bind(encode(rows)?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_scalar(
                "select (select count(*)
                           from (select 1
                                   from wait w
                                  where w.rule_id = g.rule_id and w.subject = g.subject
                                    and w.outcome = 'fired' and w.ended_at > g.since
                                  limit g.most) as part)
                   from unnest($1::uuid[], $2::text[], $3::bigint[], $4::integer[]) with ordinality
                        as g (rule_id, subject, since, most, place)
                  order by g.place",
            )
            .bind(column(questions, |one| one.rule))
            .bind(column(questions, |one| one.subject))
            .bind(column(questions, |one| one.since.millis()))
            .bind(column(questions, |one| one.limit))
            .fetch_all(c)
            .await?
        }
    })
}
