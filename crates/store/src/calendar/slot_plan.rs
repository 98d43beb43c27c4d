//! Posting slots, and which of them are free.

use crate::{Conn, StoreError, db::with_conn, json_rows::encode, row::row};
use domain::{
    Timestamp, Version,
    calendar::{SlotDay, SlotPlan, SlotSettings},
};

row! {
    /// The stored plan.
    #[derive(Debug, Clone, PartialEq, Eq)]
    struct PlanRow {
        version: i32,
        time_zone: String,
        days: String,
        holidays: String,
    }
}

impl PlanRow {
    fn plan(self) -> Result<SlotPlan, StoreError> {
        let corrupt = |error: serde_json::Error| StoreError::Corrupt(format!("slots: {error}"));
        let days: Vec<SlotDay> = serde_json::from_str(&self.days).map_err(corrupt)?;
        let holidays: Vec<String> = serde_json::from_str(&self.holidays).map_err(corrupt)?;
        let settings = SlotSettings { zone: self.time_zone, days, holidays };
        Ok(SlotPlan { version: Version(self.version), settings })
    }
}

/// Returns the plan; `None`: it was never set.
pub async fn find(conn: Conn<'_>) -> Result<Option<SlotPlan>, StoreError> {
    let row: Option<PlanRow> = with_conn!(conn, c => sqlx::query_as(
        "select version, time_zone, days, holidays from slot_plan where id = 1").fetch_optional(c).await)?;
    row.map(PlanRow::plan).transpose()
}

/// Increases the number of taken slots, which locks the plan until the transaction ends, and returns
/// the plan; `None`: it was never set.
pub async fn lock(conn: Conn<'_>) -> Result<Option<SlotPlan>, StoreError> {
    let row: Option<PlanRow> = with_conn!(conn, c => sqlx::query_as(
        "update slot_plan set taken = taken + 1 where id = 1
         returning version, time_zone, days, holidays").fetch_optional(c).await)?;
    row.map(PlanRow::plan).transpose()
}

/// Stores the settings if `seen` is the version of the plan (0: none is stored). Returns its new
/// version; `None`: it has another one.
pub async fn save(
    conn: Conn<'_>,
    settings: &SlotSettings,
    seen: Version,
    now: Timestamp,
) -> Result<Option<Version>, StoreError> {
    let version: Option<i32> = with_conn!(conn, c => sqlx::query_scalar(
        "insert into slot_plan (id, version, time_zone, days, holidays, changed_at)
         select 1, $1 + 1, $2, $3, $4, cast($5 as bigint) where $1 = 0 or exists (select 1 from slot_plan where version = $1)
         on conflict (id) do update
            set version = slot_plan.version + 1, time_zone = excluded.time_zone, days = excluded.days,
                holidays = excluded.holidays, changed_at = excluded.changed_at
          where slot_plan.version = $1
         returning version")
        .bind(seen.0).bind(&settings.zone).bind(json(&settings.days)?).bind(json(&settings.holidays)?)
        .bind(now.millis()).fetch_optional(c).await)?;
    Ok(version.map(Version))
}

fn json(value: &impl serde::Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Corrupt(format!("slots: {error}")))
}

/// A slot is free unless a publication is scheduled for exactly that moment.
macro_rules! free {
    ($slots:literal) => {
        concat!(
            "select s.at from ", $slots, "
              where not exists (select 1 from task t
                                 where t.state = 'scheduled' and t.due_at = s.at and t.kind = 'article.publish')
              order by s.at limit $2"
        )
    };
}

/// Returns the first `limit` of these slots that are free, by time.
pub async fn free(conn: Conn<'_>, slots: &[Timestamp], limit: i64) -> Result<Vec<Timestamp>, StoreError> {
    let slots: Vec<i64> = slots.iter().map(|at| at.millis()).collect();
    let found: Vec<i64> = match conn {
        Conn::Sqlite(c) => {
            sqlx::query_scalar(free!("(select value as at from jsonb_each($1)) s"))
                .bind(encode(&slots)?)
                .bind(limit)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_scalar(free!("unnest($1::bigint[]) as s (at)"))
                .bind(&slots)
                .bind(limit)
                .fetch_all(c)
                .await?
        }
    };
    Ok(found.into_iter().map(Timestamp::from_millis).collect())
}
