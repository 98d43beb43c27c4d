//! Rules.

use crate::{
    Conn, StoreError,
    db::with_conn,
    json_rows::{column, encode},
    row::row,
};
use domain::{
    AccountId, RuleId, Timestamp, Version, WaitId,
    rule::{RuleSettings, RuleState, Waiting},
};
use std::collections::BTreeSet;
use uuid::Uuid;

row! {
    /// A row of `rule`.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct RuleRecord {
        /// Id.
        pub id: Uuid,
        /// Its creator.
        pub owner_id: Uuid,
        settings: String,
        state: String,
        /// Increases with every change.
        pub version: i32,
        /// When it was last changed, milliseconds.
        pub changed_at: i64,
        /// Open waits of older versions are cancelled.
        pub cancelled_version: i32,
        /// Open waits of older versions end where the settings put them.
        pub recounted_version: i32,
        /// The last wait that was brought in line with these; `None`: none was.
        pub updated_to: Option<Uuid>,
        /// Name of the owner; `None`: the account does not exist.
        pub owner: Option<String>,
        owner_is_disabled: i32,
    }
}

impl RuleRecord {
    /// Returns what an admin wrote.
    pub fn settings(&self) -> Result<RuleSettings, StoreError> {
        serde_json::from_str(&self.settings).map_err(|_| self.corrupt())
    }

    /// Returns whether it opens waits.
    pub fn state(&self) -> Result<RuleState, StoreError> {
        self.state.parse().map_err(|_| self.corrupt())
    }

    /// Returns whether the account of its owner is disabled: then it does nothing.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.owner_is_disabled != 0
    }

    fn corrupt(&self) -> StoreError {
        StoreError::Corrupt(format!("rule {} cannot be read", self.id))
    }
}

macro_rules! rules {
    ($rest:literal) => {
        concat!(
            "select r.id, r.owner_id, r.settings, r.state, r.version, r.changed_at, r.cancelled_version, r.recounted_version,
                    r.updated_to, a.name as owner,
                    coalesce(a.is_disabled, 0) as owner_is_disabled
               from rule r
               left join account a on a.id = r.owner_id
              where ",
            $rest
        )
    };
}

/// Returns all rules that were not deleted.
pub async fn all(conn: Conn<'_>) -> Result<Vec<RuleRecord>, StoreError> {
    Ok(
        with_conn!(conn, c => sqlx::query_as(rules!("r.state <> 'deleted' order by r.id")).fetch_all(c).await)?,
    )
}

/// Returns one rule, also a deleted one; `None`: it does not exist.
pub async fn find(conn: Conn<'_>, id: RuleId) -> Result<Option<RuleRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(rules!("r.id = $1")).bind(id.0).fetch_optional(c).await)?)
}

/// Returns the rules that listen to one of these signals, in id order; also paused and deleted ones.
pub async fn listening_to(conn: Conn<'_>, names: &BTreeSet<&str>) -> Result<Vec<RuleRecord>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(rules!(
            "r.id in (select l.rule_id from rule_signal l where l.name in (select value from jsonb_each($1)))
                  order by r.id"
        ))
            .bind(encode(names)?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(rules!(
                "r.id in (select l.rule_id from rule_signal l where l.name = any($1)) order by r.id"
            ))
            .bind(names.iter().copied().collect::<Vec<_>>())
            .fetch_all(c)
            .await?
        }
    })
}

fn json(settings: &RuleSettings) -> Result<String, StoreError> {
    serde_json::to_string(settings).map_err(|why| StoreError::Corrupt(why.to_string()))
}

/// Stores a new, active rule.
pub async fn insert(
    mut conn: Conn<'_>,
    id: RuleId,
    owner: AccountId,
    new: &RuleSettings,
    at: Timestamp,
) -> Result<(), StoreError> {
    let settings = json(new)?;
    with_conn!(conn.reborrow(), c => sqlx::query(
        "insert into rule (id, owner_id, settings, created_at, changed_at) values ($1, $2, $3, $4, $4)")
        .bind(id.0).bind(owner.0).bind(&settings).bind(at.millis()).execute(c).await.map(drop))?;
    listen(conn, id, new).await
}

/// Replaces the signals that a rule listens to.
async fn listen(mut conn: Conn<'_>, id: RuleId, settings: &RuleSettings) -> Result<(), StoreError> {
    with_conn!(conn.reborrow(), c => sqlx::query("delete from rule_signal where rule_id = $1")
        .bind(id.0).execute(c).await.map(drop))?;
    let names: BTreeSet<&str> =
        settings.unless.iter().map(String::as_str).chain([settings.after.as_str()]).collect();
    let names: Vec<&str> = names.into_iter().collect();
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query("insert into rule_signal (name, rule_id) select value, $2 from jsonb_each($1)")
                .bind(encode(&names)?)
                .bind(id.0)
                .execute(c)
                .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "insert into rule_signal (name, rule_id) select name, $2 from unnest($1::text[]) as n (name)",
            )
            .bind(column(&names, |name| *name))
            .bind(id.0)
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

/// Changes settings or state of a rule in the seen version. Returns the new version; `None`: it was
/// changed meanwhile.
pub async fn change(
    mut conn: Conn<'_>,
    id: RuleId,
    seen: Version,
    (settings, state): (&RuleSettings, RuleState),
    at: Timestamp,
) -> Result<Option<Version>, StoreError> {
    let text = json(settings)?;
    let version: Option<i32> = with_conn!(conn.reborrow(), c => sqlx::query_scalar(
        "update rule set settings = $3, state = $4, version = version + 1, changed_at = $5
          where id = $1 and version = $2 and state <> 'deleted'
         returning version")
        .bind(id.0).bind(seen.0).bind(&text).bind(state.as_str()).bind(at.millis()).fetch_optional(c).await)?;
    if version.is_some() {
        listen(conn, id, settings).await?;
    }
    Ok(version.map(Version))
}

/// Stores what becomes of all open waits of a rule of older versions than this one. It holds at once.
pub async fn decide_waits(
    conn: Conn<'_>,
    id: RuleId,
    version: Version,
    waiting: Waiting,
) -> Result<(), StoreError> {
    let statement = match waiting {
        Waiting::Keep => return Ok(()),
        Waiting::Cancel => "update rule set cancelled_version = $2, updated_to = null where id = $1",
        Waiting::Recount => "update rule set recounted_version = $2, updated_to = null where id = $1",
    };
    with_conn!(conn, c => sqlx::query(statement).bind(id.0).bind(version.0).execute(c).await.map(drop))?;
    Ok(())
}

/// Stores up to which wait the rows were brought in line; `None`: all were.
pub async fn set_updated_to(conn: Conn<'_>, id: RuleId, wait: Option<Uuid>) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("update rule set updated_to = $2 where id = $1")
        .bind(id.0).bind(wait).execute(c).await.map(drop))?;
    Ok(())
}

/// Returns whether a task is scheduled that brings the waits of a rule in line.
pub async fn has_update_task(conn: Conn<'_>, id: RuleId) -> Result<bool, StoreError> {
    let count: i64 = with_conn!(conn, c => sqlx::query_scalar(
        "select count(*) from task where target_id = $1 and state = 'scheduled'")
        .bind(id.0).fetch_one(c).await)?;
    Ok(count > 0)
}

/// Returns the number of rules that were not deleted.
pub async fn count(conn: Conn<'_>) -> Result<i64, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar("select count(*) from rule where state <> 'deleted'")
        .fetch_one(c).await)?)
}

/// Makes another account the owner of a rule in the seen version. Returns the new version; `None`: it
/// was changed meanwhile.
pub async fn take_over(
    conn: Conn<'_>,
    id: RuleId,
    seen: Version,
    owner: AccountId,
    at: Timestamp,
) -> Result<Option<Version>, StoreError> {
    let version: Option<i32> = with_conn!(conn, c => sqlx::query_scalar(
        "update rule set owner_id = $3, version = version + 1, changed_at = $4
          where id = $1 and version = $2 and state <> 'deleted'
         returning version")
        .bind(id.0).bind(seen.0).bind(owner.0).bind(at.millis()).fetch_optional(c).await)?;
    Ok(version.map(Version))
}

/// Returns the rule of a wait; `None`: the wait does not exist.
pub async fn of_wait(conn: Conn<'_>, id: WaitId) -> Result<Option<RuleId>, StoreError> {
    let rule: Option<Uuid> = with_conn!(conn, c => sqlx::query_scalar("select rule_id from wait where id = $1")
        .bind(id.0).fetch_optional(c).await)?;
    Ok(rule.map(RuleId))
}
