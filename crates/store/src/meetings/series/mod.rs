//! Series of meetings, and the occurrences that were not booked.

pub mod hand_over;
pub mod invite;

use super::meeting::{MeetingRow, meeting_columns};
use crate::{Conn, StoreError, db::with_conn, json_rows::encode, row::row};
use domain::{Timestamp, Version, meetings::MeetingTemplate, series::RuleFields};
use uuid::Uuid;

row! {
    /// A series as stored.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SeriesRow {
        /// Id.
        pub id: Uuid,
        /// Title of the meetings.
        pub title: String,
        /// Account that organizes them.
        pub owner_id: Uuid,
        /// Grows with every change.
        pub version: i32,
        /// Local time from which on the rule applies.
        pub starts_local: String,
        /// IANA time zone.
        pub time_zone: String,
        /// JSON of [`RuleFields`].
        pub rule: String,
        /// JSON of [`MeetingTemplate`].
        pub template: String,
        /// Original local time up to which occurrences were added.
        pub stored_until: Option<String>,
        /// The series that this one continues.
        pub split_from: Option<Uuid>,
        /// The last change that can be undone, JSON.
        pub undo: Option<String>,
    }
}

impl SeriesRow {
    /// Returns when it repeats.
    pub fn rule(&self) -> Result<RuleFields, StoreError> {
        serde_json::from_str(&self.rule).map_err(|_| self.corrupt("rule"))
    }

    /// Returns what its meetings get.
    pub fn template(&self) -> Result<MeetingTemplate, StoreError> {
        serde_json::from_str(&self.template).map_err(|_| self.corrupt("template"))
    }

    /// Returns the error for a part that cannot be read.
    #[must_use]
    pub fn corrupt(&self, what: &str) -> StoreError {
        StoreError::Corrupt(format!("{what} of the series {}", self.id))
    }
}

macro_rules! series {
    ($rest:literal) => {
        concat!(
            "select id, title, owner_id, version, starts_local, time_zone, rule, template, stored_until, split_from, undo
               from series ",
            $rest
        )
    };
}

/// Returns one series; `None`: it does not exist.
pub async fn find(conn: Conn<'_>, id: Uuid) -> Result<Option<SeriesRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(series!("where id = $1")).bind(id).fetch_optional(c).await)?)
}

/// Returns these series, by id.
pub async fn load(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<SeriesRow>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(series!("where id in (select unhex(value) from jsonb_each($1)) order by id"))
                .bind(encode(ids.iter().map(Uuid::as_simple))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(series!("where id = any($1) order by id")).bind(ids).fetch_all(c).await?
        }
    })
}

/// Stores a new series; it gets version 1.
pub async fn insert(conn: Conn<'_>, new: &SeriesRow, at: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into series (id, title, owner_id, starts_local, time_zone, rule, template, stored_until, split_from, undo,
                             created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)")
        .bind(new.id).bind(&new.title).bind(new.owner_id).bind(&new.starts_local).bind(&new.time_zone)
        .bind(&new.rule).bind(&new.template).bind(&new.stored_until).bind(new.split_from).bind(&new.undo)
        .bind(at.millis()).execute(c).await.map(drop))?;
    Ok(())
}

/// Stores several series with one statement.
pub async fn insert_all(conn: Conn<'_>, all: &[SeriesRow], at: Timestamp) -> Result<(), StoreError> {
    macro_rules! insert {
        ($rows:expr) => {
            concat!(
                "insert into series (id, title, owner_id, starts_local, time_zone, rule, template, stored_until, created_at)
                 select e.id, e.title, e.owner_id, e.starts_local, e.time_zone, e.rule, e.template, e.stored_until, $2 from ",
                $rows
            )
        };
    }
    if all.is_empty() {
        return Ok(());
    }
    let rows = encode(all.iter().map(|one| {
        serde_json::json!({
            "id": one.id.simple(), "title": one.title, "owner_id": one.owner_id.simple(),
            "starts_local": one.starts_local, "time_zone": one.time_zone, "rule": one.rule,
            "template": one.template, "stored_until": one.stored_until,
        })
    }))?;
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(insert!(
                "(select unhex(value ->> 'id') as id, value ->> 'title' as title, unhex(value ->> 'owner_id') as owner_id,
                         value ->> 'starts_local' as starts_local, value ->> 'time_zone' as time_zone,
                         value ->> 'rule' as rule, value ->> 'template' as template,
                         value ->> 'stored_until' as stored_until from jsonb_each($1)) as e"
            ))
            .bind(rows)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(insert!(
                "json_to_recordset($1::json) as e (id uuid, title text, owner_id uuid, starts_local text, time_zone text,
                                                   rule text, template text, stored_until text)"
            ))
            .bind(rows)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

/// Replaces rule, horizon and undo of a series that still has the seen version. Returns the new
/// version; `None`: it was changed meanwhile.
pub async fn update(conn: Conn<'_>, to: &SeriesRow) -> Result<Option<Version>, StoreError> {
    let version: Option<i32> = with_conn!(conn, c => sqlx::query_scalar(
        "update series set rule = $3, stored_until = $4, undo = $5, version = version + 1
          where id = $1 and version = $2
         returning version")
        .bind(to.id).bind(to.version).bind(&to.rule).bind(&to.stored_until).bind(&to.undo)
        .fetch_optional(c).await)?;
    Ok(version.map(Version))
}

/// Sets how far the occurrences of series were added. Their targets must be locked.
pub async fn set_stored_until(conn: Conn<'_>, all: &[(Uuid, String)]) -> Result<(), StoreError> {
    match conn {
        _ if all.is_empty() => {}
        Conn::Sqlite(c) => {
            sqlx::query(
                "update series set stored_until = e.value ->> 1, version = version + 1
                   from jsonb_each($1) e where series.id = unhex(e.value ->> 0)",
            )
            .bind(encode(all.iter().map(|(id, local)| (id.simple(), local)))?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "update series s set stored_until = e.local, version = s.version + 1
                   from unnest($1::uuid[], $2::text[]) as e (id, local) where s.id = e.id",
            )
            .bind(all.iter().map(|one| one.0).collect::<Vec<_>>())
            .bind(all.iter().map(|one| one.1.as_str()).collect::<Vec<_>>())
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

row! {
    /// A meeting of a series with its identity.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct OccurrenceRow {
        /// The meeting.
        flat pub meeting: MeetingRow,
        /// Local time by the rule.
        pub original_local: String,
    }
}

/// Returns the meetings of a series that start after a moment, by original local time.
pub async fn occurrences(
    conn: Conn<'_>,
    series: Uuid,
    after: Timestamp,
) -> Result<Vec<OccurrenceRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(concat!(
        "select ", meeting_columns!(), ", m.original_local
           from meeting m
          where m.series_id = $1 and m.starts_at > $2
          order by m.original_local"))
        .bind(series).bind(after.millis()).fetch_all(c).await)?)
}

/// Returns the ids of the meetings of a series.
pub async fn meeting_ids(conn: Conn<'_>, series: Uuid) -> Result<Vec<Uuid>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar("select id from meeting where series_id = $1")
        .bind(series).fetch_all(c).await)?)
}

/// Returns which of these occurrences (series and original local time) are stored, as meetings or
/// as skipped.
pub async fn stored(conn: Conn<'_>, all: &[(Uuid, &str)]) -> Result<Vec<(Uuid, String)>, StoreError> {
    macro_rules! stored {
        ($rows:expr) => {
            concat!(
                "select e.series_id, e.local from ",
                $rows,
                " where exists (select 1 from meeting m where m.series_id = e.series_id and m.original_local = e.local)
                     or exists (select 1 from series_skip s where s.series_id = e.series_id and s.original_local = e.local)"
            )
        };
    }
    Ok(match conn {
        _ if all.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(stored!(
                "(select unhex(value ->> 0) as series_id, value ->> 1 as local from jsonb_each($1)) as e"
            ))
            .bind(encode(all.iter().map(|(id, local)| (id.simple(), local)))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(stored!("unnest($1::uuid[], $2::text[]) as e (series_id, local)"))
                .bind(all.iter().map(|one| one.0).collect::<Vec<_>>())
                .bind(all.iter().map(|one| one.1).collect::<Vec<_>>())
                .fetch_all(c)
                .await?
        }
    })
}

/// An occurrence that is not booked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSkip {
    /// The series.
    pub series_id: Uuid,
    /// Local time by the rule.
    pub original_local: String,
    /// When it would start.
    pub starts_at: Timestamp,
    /// When it would end.
    pub ends_at: Timestamp,
    /// Why.
    pub reason: &'static str,
    /// The meeting that was in the way.
    pub meeting_id: Option<Uuid>,
}

/// Stores occurrences that are not booked.
pub async fn insert_skips(conn: Conn<'_>, all: &[NewSkip], at: Timestamp) -> Result<(), StoreError> {
    macro_rules! insert {
        ($rows:expr) => {
            concat!(
                "insert into series_skip (series_id, original_local, starts_at, ends_at, reason, meeting_id, skipped_at)
                 select e.series_id, e.original_local, e.starts_at, e.ends_at, e.reason, e.meeting_id, $2 from ",
                $rows,
                " where true on conflict (series_id, original_local) do nothing"
            )
        };
    }
    if all.is_empty() {
        return Ok(());
    }
    let rows = encode(all.iter().map(|one| {
        serde_json::json!({
            "series_id": one.series_id.simple(), "original_local": one.original_local,
            "starts_at": one.starts_at.millis(), "ends_at": one.ends_at.millis(), "reason": one.reason,
            "meeting_id": one.meeting_id.map(Uuid::simple)
        })
    }))?;
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(insert!(
                "(select unhex(value ->> 'series_id') as series_id, value ->> 'original_local' as original_local,
                         value ->> 'starts_at' as starts_at, value ->> 'ends_at' as ends_at, value ->> 'reason' as reason,
                         unhex(value ->> 'meeting_id') as meeting_id from jsonb_each($1)) as e"
            ))
            .bind(rows)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(insert!(
                "json_to_recordset($1::json) as e
                    (series_id uuid, original_local text, starts_at bigint, ends_at bigint, reason text, meeting_id uuid)"
            ))
            .bind(rows)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

row! {
    /// An occurrence that was not booked, and the meeting that was in the way.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SkipRow {
        /// Local time by the rule.
        pub original_local: String,
        /// When it would start.
        pub starts_at: i64,
        /// When it would end.
        pub ends_at: i64,
        /// Why.
        pub reason: String,
        /// The meeting that was in the way.
        pub meeting_id: Option<Uuid>,
        /// Its title.
        pub title: Option<String>,
        /// When it starts.
        pub meeting_starts_at: Option<i64>,
        /// When it ends.
        pub meeting_ends_at: Option<i64>,
    }
}

/// Returns the occurrences of a series that were not booked and would end after a moment, by start.
pub async fn skips(
    conn: Conn<'_>,
    series: Uuid,
    after: Timestamp,
    limit: i64,
) -> Result<Vec<SkipRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select s.original_local, s.starts_at, s.ends_at, s.reason, s.meeting_id, m.title,
                m.starts_at as meeting_starts_at, m.ends_at as meeting_ends_at
           from series_skip s
           left join meeting m on m.id = s.meeting_id
          where s.series_id = $1 and s.ends_at > $2
          order by s.starts_at
          limit $3")
        .bind(series).bind(after.millis()).bind(limit).fetch_all(c).await)?)
}
