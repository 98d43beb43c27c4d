//! What waits of somebody whose account is shut.

use crate::{Conn, StoreError, db::on};
use domain::{PersonId, task::reason};
use uuid::Uuid;

/// How many tasks of a person wait.
pub async fn count(conn: Conn<'_>, owner: PersonId) -> Result<u64, StoreError> {
    let count: i64 = on!(conn, c => sqlx::query_scalar(
        "select count(*) from task where owner_id = $1 and state = 'scheduled'")
        .bind(owner.0).fetch_one(c).await)?;
    Ok(u64::try_from(count).unwrap_or(0))
}

/// Locks what their waiting tasks are about, in the order of ids: targets first, tasks after them.
pub async fn lock_targets(conn: Conn<'_>, owner: PersonId) -> Result<(), StoreError> {
    // SQLite has one writer: whoever writes holds the lock of everything.
    if let Conn::Postgres(c) = conn {
        sqlx::query(
            "select id from article
              where id in (select target_id from task where owner_id = $1 and state = 'scheduled')
              order by id for no key update",
        )
        .bind(owner.0)
        .execute(c)
        .await?;
    }
    Ok(())
}

/// Makes all that waits another person's, with the articles it is about; answers each task with its version, which stays.
pub async fn hand_over(
    mut conn: Conn<'_>,
    owner: PersonId,
    to: PersonId,
) -> Result<Vec<(Uuid, i32)>, StoreError> {
    on!(conn.again(), c => sqlx::query(
        "update article
            set owner_id = $2
          where owner_id = $1
            and id in (select target_id from task where owner_id = $1 and state = 'scheduled')")
        .bind(owner.0).bind(to.0).execute(c).await.map(drop))?;
    Ok(on!(conn, c => sqlx::query_as(
        "update task set owner_id = $2 where owner_id = $1 and state = 'scheduled' returning id, version")
        .bind(owner.0).bind(to.0).fetch_all(c).await)?)
}

/// Cancels all of their waiting tasks; answers each with its new version.
pub async fn cancel(conn: Conn<'_>, owner: PersonId) -> Result<Vec<(Uuid, i32)>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(
        "update task
            set state = 'cancelled', version = version + 1, reason = $2
          where owner_id = $1 and state = 'scheduled'
         returning id, version")
        .bind(owner.0).bind(reason::OWNER_DISABLED).fetch_all(c).await)?)
}
