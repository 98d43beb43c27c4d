//! Changes all open waits of a rule.

use crate::{Conn, StoreError, db::with_conn};
use domain::RuleId;
use uuid::Uuid;

/// Locks the targets of all open waits of a rule in id order, so that it does not act before the
/// transaction ends.
pub async fn lock(conn: Conn<'_>, rule: RuleId) -> Result<(), StoreError> {
    // SQLite has one writer, which holds the only lock.
    if let Conn::Postgres(c) = conn {
        sqlx::query(
            "select id from target
              where id in (select w.id from wait w where w.rule_id = $1 and w.outcome is null)
              order by id for no key update",
        )
        .bind(rule.0)
        .execute(c)
        .await?;
    }
    Ok(())
}

/// Cancels all open waits of a rule. Returns each task with its new version.
pub async fn cancel(mut conn: Conn<'_>, rule: RuleId) -> Result<Vec<(Uuid, i32)>, StoreError> {
    lock(conn.reborrow(), rule).await?;
    Ok(with_conn!(conn, c => sqlx::query_as(
        "update task
            set state = 'cancelled', version = version + 1, reason = 'rule'
          where id in (select w.task_id from wait w where w.rule_id = $1 and w.outcome is null)
            and state || '' = 'scheduled'
         returning id, version")
        .bind(rule.0).fetch_all(c).await)?)
}

/// Lets tasks of a rule be executed again that were put off while it was paused.
pub async fn act_now(mut conn: Conn<'_>, rule: RuleId) -> Result<(), StoreError> {
    lock(conn.reborrow(), rule).await?;
    with_conn!(conn, c => sqlx::query(
        "update task set not_before = null
          where id in (select w.task_id from wait w where w.rule_id = $1 and w.outcome is null)
            and state || '' = 'scheduled' and not_before is not null")
        .bind(rule.0).execute(c).await.map(drop))?;
    Ok(())
}
