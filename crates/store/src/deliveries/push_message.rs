//! Outbox of push messages: stored with their notification, claimed with a lease, deleted when their push
//! service has accepted them or they are given up.

use crate::{
    Conn, StoreError,
    db::with_conn,
    json_rows::{column, encode},
    pg::timeline_id,
    row::row,
};
use domain::{Timestamp, channel::MAIL_SERVER};
use uuid::Uuid;

/// Stores the messages of these notifications: one for each browser of their accounts. A disabled account
/// gets none. They are sent from `due` on.
pub async fn enqueue(
    conn: Conn<'_>,
    notifications: &[Uuid],
    at: Timestamp,
    due: Timestamp,
) -> Result<(), StoreError> {
    macro_rules! enqueue_sql {
        ($id:literal, $ids:literal, $lock:literal) => {
            concat!(
                "insert into push_message (id, subscription_id, notification_id, text, link, created_at, due_at)
                 select ",
                $id,
                ", s.id, n.id, n.text, n.link, $2, $3
                   from notification n
                   join push_subscription s on s.account_id = n.account_id
                   join account a on a.id = n.account_id
                  where a.is_disabled = 0 and n.id ",
                $ids,
                $lock
            )
        };
    }
    match conn {
        _ if notifications.is_empty() => {}
        Conn::Sqlite(c) => {
            sqlx::query(enqueue_sql!("randomblob(16)", "in (select unhex(value) from jsonb_each($1))", ""))
                .bind(encode(notifications.iter().map(Uuid::as_simple))?)
                .bind(at.millis())
                .bind(due.millis())
                .execute(c)
                .await?;
        }
        Conn::Postgres(c) => {
            // The lock skips browsers that are being deleted. Without it the foreign key would fail the change.
            let sql = enqueue_sql!("gen_random_uuid()", "= any($1)", " order by s.id for key share of s");
            sqlx::query(sql).bind(notifications).bind(at.millis()).bind(due.millis()).execute(c).await?;
        }
    }
    Ok(())
}

/// Deletes the messages of these notifications.
pub(crate) async fn delete_of(conn: Conn<'_>, notifications: &[Uuid]) -> Result<(), StoreError> {
    match conn {
        _ if notifications.is_empty() => {}
        Conn::Sqlite(c) => {
            sqlx::query(
                "delete from push_message where notification_id in (select unhex(value) from jsonb_each($1))",
            )
            .bind(encode(notifications.iter().map(Uuid::as_simple))?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query("delete from push_message where notification_id = any($1)")
                .bind(notifications)
                .execute(c)
                .await?;
        }
    }
    Ok(())
}

row! {
    /// A message that is about to be sent.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ClaimedPush {
        /// Id of the message.
        pub id: Uuid,
        /// Number of the attempt, from 1. Fencing token.
        pub attempts: i32,
        /// When it was stored, milliseconds.
        pub created_at: i64,
        /// The browser.
        pub subscription_id: Uuid,
        /// Account of the browser.
        pub account_id: Uuid,
        /// The notification.
        pub notification_id: Uuid,
        /// What it says.
        pub text: String,
        /// Path of the page it is about.
        pub link: String,
        /// Address at the push service.
        pub endpoint: String,
        /// Public key of the browser, base64url.
        pub p256dh: String,
        /// Authentication secret of the browser, base64url.
        pub auth: String,
    }
}

/// Condition on PostgreSQL: no living node has yet to compare its acknowledged writes with the database
/// after a failover.
const IS_SAME_TIMELINE: &str = concat!(
    " and not exists (select 1 from node
                       where state = 'alive'
                         and case when timeline_id is null then false else timeline_id <> ",
    timeline_id!(),
    " end)"
);

/// Whether messages are due. None is while deliveries are held: after a restored backup, on a copy, or after
/// a failover that lost writes or may have.
pub async fn has_due(conn: Conn<'_>, now: Timestamp) -> Result<bool, StoreError> {
    const HAS_DUE: &str = "select 1 where exists (select 1 from push_message where due_at <= $1)
                           and not exists (select 1 from setting where name = 'delivery_hold')";
    let found: Option<i32> = match conn {
        Conn::Sqlite(c) => sqlx::query_scalar(HAS_DUE).bind(now.millis()).fetch_optional(c).await?,
        Conn::Postgres(c) => {
            let sql = sqlx::AssertSqlSafe(format!("{HAS_DUE}{IS_SAME_TIMELINE}"));
            sqlx::query_scalar(sql).bind(now.millis()).fetch_optional(c).await?
        }
    };
    Ok(found.is_some())
}

/// Claims up to `limit` due messages, oldest first. Until `lease_until`, no node claims them again.
pub async fn claim(
    conn: Conn<'_>,
    limit: i64,
    now: Timestamp,
    lease_until: Timestamp,
) -> Result<Vec<ClaimedPush>, StoreError> {
    // Materialized: PostgreSQL may run a subquery that skips locked rows once per row, and claim too many.
    macro_rules! claim_sql {
        ($lock:literal) => {
            concat!(
                "with due as materialized (
                     select m.id from push_message m where m.due_at <= $1 order by m.due_at, m.id limit $2 ",
                $lock,
                ")
                 update push_message
                    set due_at = $3, attempts = attempts + 1
                  where id in (select due.id from due) and due_at <= $1
                 returning id, attempts, created_at, subscription_id, notification_id, text, link,
                           (select s.account_id from push_subscription s where s.id = push_message.subscription_id) as account_id,
                           (select s.endpoint from push_subscription s where s.id = push_message.subscription_id) as endpoint,
                           (select s.p256dh from push_subscription s where s.id = push_message.subscription_id) as p256dh,
                           (select s.auth from push_subscription s where s.id = push_message.subscription_id) as auth"
            )
        };
    }
    Ok(match conn {
        Conn::Sqlite(c) => {
            let query = sqlx::query_as(claim_sql!("")).bind(now.millis()).bind(limit);
            query.bind(lease_until.millis()).fetch_all(c).await?
        }
        Conn::Postgres(c) => {
            let query = sqlx::query_as(claim_sql!("for update skip locked")).bind(now.millis()).bind(limit);
            query.bind(lease_until.millis()).fetch_all(c).await?
        }
    })
}

/// Returns the title of the desk, and the endpoint of its mail server as JSON; `None`: not set.
pub async fn sender(conn: Conn<'_>) -> Result<(Option<String>, Option<String>), StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select (select value from setting where name = 'title'), (select endpoint from channel where id = $1)")
        .bind(MAIL_SERVER.0).fetch_one(c).await)?)
}

/// What follows from an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PushVerdict {
    /// The push service accepted the message.
    Delivered,
    /// The browser no longer exists: it is deleted with all its messages.
    Gone,
    /// The message is given up.
    Failed,
    /// Another attempt at this moment.
    Retry(Timestamp),
}

/// The result of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PushResult {
    /// The message.
    pub id: Uuid,
    /// Number of the attempt.
    pub attempts: i32,
    /// The browser.
    pub subscription: Uuid,
    /// Account of the browser.
    pub account: Uuid,
    /// What follows.
    pub verdict: PushVerdict,
}

/// Records attempts. One that another node has repeated meanwhile changes its browser only.
pub async fn record(mut conn: Conn<'_>, ended: &[PushResult], now: Timestamp) -> Result<(), StoreError> {
    let browsers = |verdict: PushVerdict| -> Vec<Uuid> {
        ended.iter().filter(|one| one.verdict == verdict).map(|one| one.subscription).collect()
    };
    delete_browsers(conn.reborrow(), &browsers(PushVerdict::Gone)).await?;
    let is_over = |one: &&PushResult| matches!(one.verdict, PushVerdict::Delivered | PushVerdict::Failed);
    delete(conn.reborrow(), &ended.iter().filter(is_over).collect::<Vec<_>>()).await?;
    let again = |one: &PushResult| match one.verdict {
        PushVerdict::Retry(at) => Some((one.id, one.attempts, at.millis())),
        _ => None,
    };
    postpone(conn.reborrow(), &ended.iter().filter_map(again).collect::<Vec<_>>()).await?;
    mark(conn.reborrow(), &browsers(PushVerdict::Delivered), now, true).await?;
    mark(conn, &browsers(PushVerdict::Failed), now, false).await
}

async fn delete_browsers(conn: Conn<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    match conn {
        _ if ids.is_empty() => {}
        Conn::Sqlite(c) => {
            sqlx::query(
                "delete from push_subscription where id in (select unhex(value) from jsonb_each($1))",
            )
            .bind(encode(ids.iter().map(Uuid::as_simple))?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query("delete from push_subscription where id = any($1)").bind(ids).execute(c).await?;
        }
    }
    Ok(())
}

async fn delete(conn: Conn<'_>, over: &[&PushResult]) -> Result<(), StoreError> {
    match conn {
        _ if over.is_empty() => {}
        Conn::Sqlite(c) => {
            sqlx::query(
                "delete from push_message
                  where (id, attempts) in (select unhex(value ->> 0), value ->> 1 from jsonb_each($1))",
            )
            .bind(encode(over.iter().map(|one| (one.id.simple(), one.attempts)))?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "delete from push_message
                  where (id, attempts) in (select * from unnest($1::uuid[], $2::integer[]))",
            )
            .bind(column(over, |one| one.id))
            .bind(column(over, |one| one.attempts))
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

async fn postpone(conn: Conn<'_>, again: &[(Uuid, i32, i64)]) -> Result<(), StoreError> {
    match conn {
        _ if again.is_empty() => {}
        Conn::Sqlite(c) => {
            sqlx::query(
                "update push_message set due_at = e.value ->> 2 from jsonb_each($1) e
                  where push_message.id = unhex(e.value ->> 0) and push_message.attempts = e.value ->> 1",
            )
            .bind(encode(again.iter().map(|(id, attempts, at)| (id.simple(), attempts, at)))?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "update push_message m set due_at = e.due_at
                   from unnest($1::uuid[], $2::integer[], $3::bigint[]) as e (id, attempts, due_at)
                  where m.id = e.id and m.attempts = e.attempts",
            )
            .bind(column(again, |one| one.0))
            .bind(column(again, |one| one.1))
            .bind(column(again, |one| one.2))
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

/// Stores when the push services of these browsers last accepted a message, or when one was given up.
async fn mark(conn: Conn<'_>, ids: &[Uuid], now: Timestamp, is_accepted: bool) -> Result<(), StoreError> {
    macro_rules! mark_sql {
        ($ids:literal) => {
            concat!(
                "update push_subscription
                    set used_at = case when $2 = 1 then $3 else used_at end,
                        failed_at = case when $2 = 1 then null else $3 end
                  where id ",
                $ids
            )
        };
    }
    match conn {
        _ if ids.is_empty() => {}
        Conn::Sqlite(c) => {
            sqlx::query(mark_sql!("in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(ids.iter().map(Uuid::as_simple))?)
                .bind(i32::from(is_accepted))
                .bind(now.millis())
                .execute(c)
                .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(mark_sql!("= any($1)"))
                .bind(ids)
                .bind(i32::from(is_accepted))
                .bind(now.millis())
                .execute(c)
                .await?;
        }
    }
    Ok(())
}
