//! Accounts that are warned before a deadline: those that decide, and the ones who asked.

use crate::{Conn, StoreError, db::with_conn, json_rows::encode, row::row};
use uuid::Uuid;

row! {
    /// An account that gets a warning.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ApproverRow {
        /// Id.
        pub id: Uuid,
        /// E-mail address.
        pub email: String,
        /// Language.
        pub language: String,
        /// IANA name of the time zone.
        pub time_zone: String,
        /// Role.
        pub role: String,
        /// What it has chosen to be notified of, a JSON object; `None`: nothing.
        pub notification_choices: Option<String>,
    }
}

/// Returns the reviewers and admins who may decide, admins first.
pub async fn approvers(conn: Conn<'_>, limit: i64) -> Result<Vec<ApproverRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select id, email, language, time_zone, role, notification_choices from account
          where role in ('reviewer', 'admin') and is_disabled = 0 order by role, id limit $1")
        .bind(limit).fetch_all(c).await)?)
}

/// Returns these accounts, without those that are disabled.
pub async fn accounts(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<ApproverRow>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select id, email, language, time_zone, role, notification_choices from account
                  where id in (select unhex(value) from jsonb_each($1)) and is_disabled = 0",
            )
            .bind(encode(ids.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => sqlx::query_as(
            "select id, email, language, time_zone, role, notification_choices from account where id = any($1) and is_disabled = 0",
        )
        .bind(ids)
        .fetch_all(c)
        .await?,
    })
}
