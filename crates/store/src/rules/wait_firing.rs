//! Waits whose moment has come: reads what their rules need, and records that they acted.

use crate::{Conn, StoreError, json_rows::encode, row::row};
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
                w.subject, w.key, w.opened_at, w.data, w.depth
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
    let [sqlite, postgres] = ids_sql!("update wait set outcome = 'fired', ended_at = $2 where id ", "");
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
