//! Limits, grace and retry schedules by task kind, set by admins. `execute` enforces the limits and counts the
//! retries; new tasks get the grace, see [`crate::task::insert`].

use crate::{Conn, StoreError, db::with_conn, row::row};
use domain::{Timestamp, kind::KindValues};

/// Maximum number of waiting tasks that a change of the rate concerns at once; others keep their turn.
const MAX_RELEASED: i64 = 10_000;

row! {
    /// What admins have set for a kind.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct KindLimitRow {
        /// The kind.
        pub kind: String,
        /// Maximum number of tasks executed at the same time; `None`: unlimited.
        pub max_concurrency: Option<i32>,
        /// How late new tasks may be executed, milliseconds; `None`: as the kind says.
        pub grace_ms: Option<i64>,
        /// Maximum number of executions that start in a period; `None`: no limit.
        pub rate: Option<i32>,
        /// That period: `second` or `minute`.
        pub rate_per: String,
        /// Delays after executions that failed; `None`: the default.
        pub retry_schedule: Option<String>,
        /// Version, from 1.
        pub version: i32,
    }
}

impl KindLimitRow {
    /// Returns what is set. What only a newer release can read counts as not set.
    #[must_use]
    pub fn values(&self) -> KindValues {
        KindValues {
            max_concurrency: self.max_concurrency.and_then(|most| u16::try_from(most).ok()),
            grace_ms: self.grace_ms,
            rate: self.rate.and_then(|rate| u16::try_from(rate).ok()),
            rate_per: self.rate_per.parse().unwrap_or(KindValues::UNSET.rate_per),
            retry_schedule: self.retry_schedule.as_deref().and_then(|text| text.parse().ok()),
        }
    }
}

/// Returns all rows, including those of kinds that only a newer release knows.
pub async fn all(conn: Conn<'_>) -> Result<Vec<KindLimitRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select kind, max_concurrency, grace_ms, rate, rate_per, retry_schedule, version from kind_limit")
        .fetch_all(c).await)?)
}

/// Sets the values of a kind and returns its new version. `None`: `seen` is not the current version
/// (0: never set). A new rate begins with an empty queue, see [`release_turns`].
pub async fn set(
    conn: Conn<'_>,
    kind: &str,
    values: &KindValues,
    seen: i32,
) -> Result<Option<i32>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "insert into kind_limit (kind, max_concurrency, grace_ms, rate, rate_per, retry_schedule, version)
         select $1, $2, $4, $5, $6, $7, 1
          where $3 = 0 or exists (select 1 from kind_limit where kind = $1)
         on conflict (kind) do update
            set max_concurrency = excluded.max_concurrency, grace_ms = excluded.grace_ms, rate = excluded.rate,
                rate_per = excluded.rate_per, retry_schedule = excluded.retry_schedule,
                rate_ready_at = case when kind_limit.rate = excluded.rate and kind_limit.rate_per = excluded.rate_per
                                     then kind_limit.rate_ready_at end,
                rate_queued_until = case when kind_limit.rate = excluded.rate and kind_limit.rate_per = excluded.rate_per
                                         then kind_limit.rate_queued_until end,
                version = kind_limit.version + 1
          where kind_limit.version = $3
         returning version")
        .bind(kind)
        .bind(values.max_concurrency.map(i32::from))
        .bind(seen)
        .bind(values.grace_ms)
        .bind(values.rate.map(i32::from))
        .bind(values.rate_per.as_str())
        .bind(values.retry_schedule.as_ref().map(ToString::to_string))
        .fetch_optional(c)
        .await)?)
}

/// Makes tasks of a kind due that wait for their turn at `now`: the rate has changed. Tasks that wait after a
/// failure keep their delay.
pub async fn release_turns(conn: Conn<'_>, kind: &str, now: Timestamp) -> Result<(), StoreError> {
    macro_rules! release {
        ($lock:literal) => {
            concat!(
                "update task set not_before = null
                  where id in (select id from task
                                where state = 'scheduled' and kind = $1 and due_at <= $2 and not_before > $2
                                  and crash_count = 0
                                order by due_at, id
                                limit $3",
                $lock,
                ")"
            )
        };
    }
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(release!("")).bind(kind).bind(now.millis()).bind(MAX_RELEASED).execute(c).await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(release!(" for update skip locked"))
                .bind(kind)
                .bind(now.millis())
                .bind(MAX_RELEASED)
                .execute(c)
                .await?;
        }
    }
    Ok(())
}
