//! Waits: opens, moves and closes them.

use crate::{
    Conn, StoreError,
    json_rows::{column, encode},
    row::row,
};
use domain::{
    AccountId, RuleId, SignalId, TaskId, Timestamp, WaitId, rules::decide::OpenWait, signal::Signal,
};
use std::collections::HashSet;
use uuid::Uuid;

/// Rule, subject and key.
pub type WaitKey = (RuleId, String, String);

row! {
    struct OpenRecord {
        id: Uuid,
        rule_id: Uuid,
        subject: String,
        key: String,
        opened_at: i64,
        rule_version: i32,
    }
}

/// Returns the open waits of these rules, subjects and keys, each with the version of its rule by which
/// it was opened or moved last.
pub async fn open(conn: Conn<'_>, keys: &HashSet<WaitKey>) -> Result<Vec<(OpenWait, i32)>, StoreError> {
    let keys: Vec<&WaitKey> = keys.iter().collect();
    let rows: Vec<OpenRecord> = match conn {
        _ if keys.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select w.id, w.rule_id, w.subject, w.key, w.opened_at, w.rule_version
                   from jsonb_each($1) g
                  cross join wait w indexed by wait_open
                  cross join task t
                  where w.subject = g.value ->> 1 and w.key = g.value ->> 2 and w.rule_id = unhex(g.value ->> 0)
                    and w.outcome is null and t.id = w.task_id and +t.state = 'scheduled'
                  order by w.id",
            )
            .bind(encode(keys.iter().map(|(rule, subject, key)| (rule.0.simple(), subject, key)))?)
            .fetch_all(c)
            .await?
        }
        // `offset 0`: one index lookup per group, whatever the statistics say.
        Conn::Postgres(c) => {
            sqlx::query_as(
                "select w.id, w.rule_id, w.subject, w.key, w.opened_at, w.rule_version
                   from unnest($1::uuid[], $2::text[], $3::text[]) as g (rule_id, subject, key)
                  cross join lateral (select o.*
                                        from wait o
                                       where o.subject = g.subject and o.key = g.key and o.rule_id = g.rule_id
                                         and o.outcome is null
                                      offset 0) as w
                  cross join lateral (select 1
                                        from task t
                                       where t.id = w.task_id and t.state || '' = 'scheduled'
                                      offset 0) as t
                  order by w.id",
            )
            .bind(column(&keys, |key| key.0.0))
            .bind(column(&keys, |key| key.1.as_str()))
            .bind(column(&keys, |key| key.2.as_str()))
            .fetch_all(c)
            .await?
        }
    };
    let open = |row: OpenRecord| {
        let wait = OpenWait {
            id: WaitId(row.id),
            rule: RuleId(row.rule_id),
            subject: row.subject,
            key: row.key,
            opened_at: row.opened_at.into(),
        };
        (wait, row.rule_version)
    };
    Ok(rows.into_iter().map(open).collect())
}

/// Locks the targets of waits in id order, so that no rule acts before the transaction ends.
/// `waits`: whether to wait for other transactions. False: some are locked.
pub async fn lock(conn: Conn<'_>, ids: &[WaitId], waits: bool) -> Result<bool, StoreError> {
    let Conn::Postgres(c) = conn else { return Ok(true) };
    if ids.is_empty() {
        return Ok(true);
    }
    macro_rules! lock_sql {
        ($skip:literal) => {
            concat!(
                "with locked as (select id from target where id = any($1) order by id for no key update",
                $skip,
                ") select count(*) from locked"
            )
        };
    }
    let statement = if waits { lock_sql!("") } else { lock_sql!(" skip locked") };
    let locked: i64 = sqlx::query_scalar(statement).bind(column(ids, |id| id.0)).fetch_one(c).await?;
    Ok(usize::try_from(locked).is_ok_and(|locked| locked == ids.len()))
}

/// A wait before it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct NewWait<'s> {
    /// Id.
    pub id: WaitId,
    /// Its rule.
    pub rule: RuleId,
    /// Version of the rule.
    pub rule_version: i32,
    /// The signal that opened it.
    pub signal: &'s Signal,
    /// Its task.
    pub task: TaskId,
    /// Owner of the rule.
    pub owner: AccountId,
}

fn json(signal: &Signal) -> String {
    serde_json::to_string(&signal.data).unwrap_or_else(|_| "{}".to_owned())
}

/// Rows of waits, for SQLite.
fn rows_in_json(new: &[NewWait<'_>]) -> Result<String, StoreError> {
    encode(new.iter().map(|w| {
        (
            w.id.0.simple(),
            w.rule.0.simple(),
            &w.signal.subject,
            &w.signal.key,
            w.task.0.simple(),
            w.signal.id.0.simple(),
            w.signal.at.millis(),
            json(w.signal),
            w.signal.depth,
            w.owner.0.simple(),
            w.rule_version,
            w.signal.root.map(|root| root.0.simple()),
        )
    }))
}

/// Stores waits; their targets exist afterwards.
pub async fn insert(conn: Conn<'_>, new: &[NewWait<'_>], at: Timestamp) -> Result<(), StoreError> {
    match conn {
        _ if new.is_empty() => {}
        Conn::Sqlite(c) => {
            sqlx::query(
                "insert into wait (id, rule_id, subject, key, task_id, signal_id, opened_at, data, depth, owner_id, created_at,
                                   rule_version, root_id)
                 select unhex(value ->> 0), unhex(value ->> 1), value ->> 2, value ->> 3, unhex(value ->> 4),
                        unhex(value ->> 5), value ->> 6, value ->> 7, value ->> 8, unhex(value ->> 9), $2, value ->> 10,
                        unhex(value ->> 11)
                   from jsonb_each($1)",
            )
            .bind(rows_in_json(new)?)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "insert into wait (id, rule_id, subject, key, task_id, signal_id, opened_at, data, depth, owner_id, created_at,
                                   rule_version, root_id)
                 select id, rule_id, subject, key, task_id, signal_id, opened_at, data, depth, owner_id, $11, rule_version,
                        root_id
                   from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::uuid[], $7::bigint[], $8::text[],
                               $9::integer[], $10::uuid[], $12::integer[], $13::uuid[])
                        as new (id, rule_id, subject, key, task_id, signal_id, opened_at, data, depth, owner_id, rule_version,
                                root_id)",
            )
            .bind(column(new, |w| w.id.0))
            .bind(column(new, |w| w.rule.0))
            .bind(column(new, |w| w.signal.subject.as_str()))
            .bind(column(new, |w| w.signal.key.as_str()))
            .bind(column(new, |w| w.task.0))
            .bind(column(new, |w| w.signal.id.0))
            .bind(column(new, |w| w.signal.at.millis()))
            .bind(column(new, |w| json(w.signal)))
            .bind(column(new, |w| w.signal.depth))
            .bind(column(new, |w| w.owner.0))
            .bind(at.millis())
            .bind(column(new, |w| w.rule_version))
            .bind(column(new, |w| w.signal.root.map(|root| root.0)))
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

/// Closes waits whose targets are locked: each with the signal that closes it. Returns task, version
/// and wait of those that were open.
pub async fn close(
    mut conn: Conn<'_>,
    closings: &[(WaitId, SignalId)],
    at: Timestamp,
) -> Result<Vec<(Uuid, i32, Uuid)>, StoreError> {
    if closings.is_empty() {
        return Ok(Vec::new());
    }
    let rows = encode(closings.iter().map(|(wait, signal)| (wait.0.simple(), signal.0.simple())))?;
    let closed: Vec<(Uuid, i32, Uuid)> = match conn.reborrow() {
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "update task
                    set state = 'cancelled', version = version + 1, reason = 'signal'
                  where id in (select w.task_id from wait w where w.id in (select unhex(value ->> 0) from jsonb_each($1)))
                    and +state = 'scheduled'
                 returning id, version, target_id",
            )
            .bind(&rows)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(
                "update task t
                    set state = 'cancelled', version = t.version + 1, reason = 'signal'
                   from wait w
                  where w.id = any($1) and t.id = w.task_id and t.state || '' = 'scheduled'
                 returning t.id, t.version, t.target_id",
            )
            .bind(column(closings, |(wait, _)| wait.0))
            .fetch_all(c)
            .await?
        }
    };
    let done: HashSet<Uuid> = closed.iter().map(|(.., wait)| *wait).collect();
    let done: Vec<&(WaitId, SignalId)> = closings.iter().filter(|(wait, _)| done.contains(&wait.0)).collect();
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(
                "update wait set outcome = 'closed', closed_by = closing.signal, ended_at = $2
                   from (select unhex(value ->> 0) as id, unhex(value ->> 1) as signal from jsonb_each($1)) as closing
                  where wait.id = closing.id",
            )
            .bind(encode(done.iter().map(|(wait, signal)| (wait.0.simple(), signal.0.simple())))?)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "update wait w set outcome = 'closed', closed_by = closing.signal, ended_at = $3
                   from unnest($1::uuid[], $2::uuid[]) as closing (id, signal)
                  where w.id = closing.id",
            )
            .bind(column(&done, |closing| closing.0.0))
            .bind(column(&done, |closing| closing.1.0))
            .bind(at.millis())
            .execute(c)
            .await?;
        }
    }
    Ok(closed)
}

/// A wait that starts again.
#[derive(Debug, Clone, PartialEq)]
pub struct MovedWait<'s> {
    /// The wait.
    pub id: WaitId,
    /// Version of its rule.
    pub rule_version: i32,
    /// The signal from which it starts.
    pub signal: &'s Signal,
    /// When the rule acts.
    pub due_at: Timestamp,
}

/// A task that was moved.
pub type MovedTask = (Uuid, i32, i64, String, i32);

/// Starts waits again whose targets are locked. Returns task, version, due time, priority and bucket
/// of those that were open.
pub async fn restart(mut conn: Conn<'_>, restarts: &[MovedWait<'_>]) -> Result<Vec<MovedTask>, StoreError> {
    if restarts.is_empty() {
        return Ok(Vec::new());
    }
    match conn.reborrow() {
        Conn::Sqlite(c) => {
            let rows = encode(restarts.iter().map(|w| {
                (
                    w.id.0.simple(),
                    w.signal.id.0.simple(),
                    w.signal.at.millis(),
                    json(w.signal),
                    w.signal.depth,
                    w.rule_version,
                    w.signal.root.map(|root| root.0.simple()),
                )
            }))?;
            sqlx::query(
                "update wait
                    set signal_id = new.signal_id, opened_at = new.opened_at, data = new.data, depth = new.depth,
                        rule_version = new.rule_version, root_id = new.root_id
                   from (select unhex(value ->> 0) as id, unhex(value ->> 1) as signal_id, value ->> 2 as opened_at,
                                value ->> 3 as data, value ->> 4 as depth, value ->> 5 as rule_version,
                                unhex(value ->> 6) as root_id
                           from jsonb_each($1)) as new
                  where wait.id = new.id",
            )
            .bind(rows)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "update wait w
                    set signal_id = new.signal_id, opened_at = new.opened_at, data = new.data, depth = new.depth,
                        rule_version = new.rule_version, root_id = new.root_id
                   from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::text[], $5::integer[], $6::integer[], $7::uuid[])
                        as new (id, signal_id, opened_at, data, depth, rule_version, root_id)
                  where w.id = new.id",
            )
            .bind(column(restarts, |w| w.id.0))
            .bind(column(restarts, |w| w.signal.id.0))
            .bind(column(restarts, |w| w.signal.at.millis()))
            .bind(column(restarts, |w| json(w.signal)))
            .bind(column(restarts, |w| w.signal.depth))
            .bind(column(restarts, |w| w.rule_version))
            .bind(column(restarts, |w| w.signal.root.map(|root| root.0)))
            .execute(c)
            .await?;
        }
    }
    reschedule(conn, &restarts.iter().map(|w| (w.id, w.due_at)).collect::<Vec<_>>()).await
}

/// Moves the tasks of open waits whose targets are locked.
pub async fn reschedule(conn: Conn<'_>, moved: &[(WaitId, Timestamp)]) -> Result<Vec<MovedTask>, StoreError> {
    Ok(match conn {
        _ if moved.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "update task
                    set due_at = new.due_at, not_before = null, version = version + 1, approved_version = version + 1,
                        local_time = null, time_zone = null
                   from (select w.task_id as id, g.value ->> 1 as due_at
                           from jsonb_each($1) g
                          cross join wait w
                          where w.id = unhex(g.value ->> 0)) as new
                  where task.id = new.id and +task.state = 'scheduled'
                 returning id, version, due_at, priority, bucket",
            )
            .bind(encode(moved.iter().map(|(id, due_at)| (id.0.simple(), due_at.millis())))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(
                "update task t
                    set due_at = new.due_at, not_before = null, version = t.version + 1, approved_version = t.version + 1,
                        local_time = null, time_zone = null
                   from unnest($1::uuid[], $2::bigint[]) as new (id, due_at)
                   join wait w on w.id = new.id
                  where t.id = w.task_id and t.state || '' = 'scheduled'
                 returning t.id, t.version, t.due_at, t.priority, t.bucket",
            )
            .bind(column(moved, |(id, _)| id.0))
            .bind(column(moved, |(_, due_at)| due_at.millis()))
            .fetch_all(c)
            .await?
        }
    })
}
