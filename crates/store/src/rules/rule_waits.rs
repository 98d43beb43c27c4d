//! Changes all open waits of a rule.

use crate::{
    Conn, StoreError,
    db::with_conn,
    failing,
    json_rows::{column, encode},
    row::row,
};
use domain::{AccountId, DeliveryId, RuleId, Timestamp, WaitId};
use uuid::Uuid;

/// What a rule has sent and the channel has not delivered yet.
macro_rules! sent_by {
    () => {
        "from delivery d
         join task t on t.id = d.task_id and t.kind = 'rule.fire'
         join wait w on w.id = t.target_id
        where d.state in ('pending', 'held') and w.rule_id = $1"
    };
}

/// Locks the targets of all open waits of a rule in id order, so that it does not act before the
/// transaction ends.
async fn lock(conn: Conn<'_>, rule: RuleId) -> Result<(), StoreError> {
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

row! {
    /// An open wait whose task is not as its rule has decided.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct OutdatedWait {
        /// Id.
        pub id: Uuid,
        /// Moment of the signal that opened it, milliseconds.
        pub opened_at: i64,
        /// Data of the signal, a JSON object.
        pub data: String,
        /// Version of the rule by which it was opened or moved last.
        pub rule_version: i32,
        /// 1: this transaction has claimed its task.
        pub is_claimed: i32,
    }
}

/// Returns the open waits of a rule of older versions than `version`, those after `after` in id order; also
/// those whose tasks this transaction has claimed at `at`, and may put off.
pub async fn outdated(
    conn: Conn<'_>,
    rule: RuleId,
    version: i32,
    (after, limit): (Uuid, i64),
    at: Timestamp,
) -> Result<Vec<OutdatedWait>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select w.id, w.opened_at, w.data, w.rule_version,
                case when t.state || '' = 'scheduled' then 0 else 1 end as is_claimed
           from wait w
           join task t on t.id = w.task_id
          where w.rule_id = $1 and w.id > $2 and w.outcome is null and w.rule_version < $3
            and (t.state || '' = 'scheduled' or t.state || '' = 'executed' and t.executed_at >= $5)
          order by w.id
          limit $4")
        .bind(rule.0).bind(after).bind(version).bind(limit).bind(at.millis()).fetch_all(c).await)?)
}

/// Cancels open waits whose targets are locked, because their rules have cancelled them. Returns each
/// task with its new version.
pub async fn cancel(conn: Conn<'_>, waits: &[WaitId]) -> Result<Vec<(Uuid, i32)>, StoreError> {
    macro_rules! cancel_sql {
        ($ids:literal) => {
            concat!(
                "update task
                    set state = 'cancelled', version = version + 1, reason = 'rule'
                  where id in (select w.task_id from wait w where w.id ",
                $ids,
                ") and state || '' = 'scheduled'
                 returning id, version"
            )
        };
    }
    Ok(match conn {
        _ if waits.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(cancel_sql!("in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(waits.iter().map(|wait| wait.0.simple()))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(cancel_sql!("= any($1)")).bind(column(waits, |wait| wait.0)).fetch_all(c).await?
        }
    })
}

/// Records by which version of their rule waits were moved.
pub async fn set_version(conn: Conn<'_>, waits: &[WaitId], version: i32) -> Result<(), StoreError> {
    match conn {
        _ if waits.is_empty() => {}
        Conn::Sqlite(c) => {
            sqlx::query(
                "update wait set rule_version = $2 where id in (select unhex(value) from jsonb_each($1))",
            )
            .bind(encode(waits.iter().map(|wait| wait.0.simple()))?)
            .bind(version)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query("update wait set rule_version = $2 where id = any($1)")
                .bind(column(waits, |wait| wait.0))
                .bind(version)
                .execute(c)
                .await?;
        }
    }
    Ok(())
}

/// Cancels what a rule has sent and the channel has not delivered yet. An attempt that has begun ends.
pub async fn cancel_deliveries(mut conn: Conn<'_>, rule: RuleId, at: Timestamp) -> Result<(), StoreError> {
    if let Conn::Postgres(c) = conn.reborrow() {
        sqlx::query(concat!("select d.id ", sent_by!(), " order by d.id for no key update of d"))
            .bind(rule.0)
            .execute(c)
            .await?;
    }
    let ended: Vec<Uuid> = with_conn!(conn.reborrow(), c => sqlx::query_scalar(concat!(
        "update delivery set state = 'cancelled', ended_at = $2
          where state in ('pending', 'held') and id in (select d.id ", sent_by!(), ") returning id"))
        .bind(rule.0).bind(at.millis()).fetch_all(c).await)?;
    let ended: Vec<DeliveryId> = ended.into_iter().map(DeliveryId).collect();
    if ended.is_empty() { Ok(()) } else { failing::delete(conn, &ended).await }
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

/// Makes another account the owner of all open waits of a rule and of their tasks, whose versions
/// stay.
pub async fn reassign(mut conn: Conn<'_>, rule: RuleId, owner: AccountId) -> Result<(), StoreError> {
    lock(conn.reborrow(), rule).await?;
    for statement in [
        "update wait set owner_id = $2 where rule_id = $1 and outcome is null",
        "update task set owner_id = $2
          where id in (select w.task_id from wait w where w.rule_id = $1 and w.outcome is null)
            and state || '' = 'scheduled'",
    ] {
        with_conn!(conn.reborrow(), c => sqlx::query(statement)
            .bind(rule.0).bind(owner.0).execute(c).await.map(drop))?;
    }
    Ok(())
}

/// Lets tasks of all rules of an account be executed again that were put off while it was disabled.
pub async fn act_now_for(mut conn: Conn<'_>, owner: AccountId) -> Result<(), StoreError> {
    if let Conn::Postgres(c) = conn.reborrow() {
        sqlx::query(
            "select id from target
              where id in (select w.id
                             from rule r
                             join wait w on w.rule_id = r.id
                            where r.owner_id = $1 and w.outcome is null)
              order by id for no key update",
        )
        .bind(owner.0)
        .execute(c)
        .await?;
    }
    with_conn!(conn, c => sqlx::query(
        "update task set not_before = null
          where id in (select w.task_id
                         from rule r
                         join wait w on w.rule_id = r.id
                        where r.owner_id = $1 and w.outcome is null)
            and state || '' = 'scheduled' and not_before is not null")
        .bind(owner.0).execute(c).await.map(drop))?;
    Ok(())
}
