//! Articles that wait for an approval: submitted or held, or with a publication that waits for one.

use crate::{
    Conn, StoreError,
    approval::is_held,
    attention::ATTENTION_RETENTION_MS,
    db::with_conn,
    task_list::{TaskListRow, task_rows},
};
use domain::Timestamp;
use uuid::Uuid;

/// Selects the ids of the articles as `id`. $1: held publications that were due before are left out.
macro_rules! waiting {
    () => {
        concat!(
            "select a.id from article a
              where a.deleted_at is null
                and a.id in (select v.article_id from review v where v.state in ('submitted', 'held')
                             union
                             select t.target_id from task t
                              where t.state = 'scheduled' and t.kind = 'article.publish'
                                and t.approved_version is distinct from t.version
                             union
                             select t.target_id from task t
                              where t.state in ('failed', 'missed') and t.kind = 'article.publish' and t.due_at >= $1
                                and ",
            is_held!("t"),
            ")"
        )
    };
}

/// Returns their ids, in order.
pub async fn articles(conn: Conn<'_>, now: Timestamp) -> Result<Vec<Uuid>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(concat!(waiting!(), " order by a.id"))
        .bind(now.plus(-ATTENTION_RETENTION_MS).millis()).fetch_all(c).await)?)
}

/// Returns their number.
pub async fn count(conn: Conn<'_>, now: Timestamp) -> Result<u64, StoreError> {
    let count: i64 = with_conn!(conn, c => sqlx::query_scalar(concat!("select count(*) from (", waiting!(), ") as w"))
        .bind(now.plus(-ATTENTION_RETENTION_MS).millis()).fetch_one(c).await)?;
    Ok(count.unsigned_abs())
}

/// Returns the scheduled publications whose revisions no reviewer has approved, in due order; at most
/// `limit`.
pub async fn scheduled(conn: Conn<'_>, limit: i64) -> Result<Vec<TaskListRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(task_rows!(
        "select * from task
          where state = 'scheduled' and kind = 'article.publish'
            and not exists (select 1 from approval where approval.revision_id = task.revision_id)
          order by due_at, id limit $1",
        "t.due_at, t.id"))
        .bind(limit).fetch_all(c).await)?)
}
