//! Signals: stores them, finds repeated ones, and the newest of each name and subject.

use crate::{
    Conn, StoreError,
    db::with_conn,
    json_rows::{column, encode},
    row::row,
};
use domain::{
    AccountId, SignalId, Timestamp,
    rules::{decide::SignalKey, signal::SIGNAL_RETENTION_MS},
    signal::Signal,
};
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// Class of the advisory locks on subjects.
const LOCK_CLASS: i32 = 0x7369_676e;
/// Number of locks that all subjects share: a transaction may lock all of them.
const LOCKS: u64 = 256;
/// The lock on all rules: signals and acting rules share it, and a change of a rule has it alone.
const RULES_LOCK: i32 = -1;

/// Returns the lock of a subject, the same on every node.
fn lock_of(subject: &str) -> i32 {
    let hash = subject.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    i32::try_from((hash ^ (hash >> 32)) % LOCKS).unwrap_or(0)
}

/// Locks all rules for a change until the transaction ends. Waits for those who read them under
/// [`lock_subjects`]: no rule acts and no signal is processed by what a rule was before the change.
pub async fn lock_rules(conn: Conn<'_>) -> Result<(), StoreError> {
    // SQLite has one writer, which holds the only lock.
    if let Conn::Postgres(c) = conn {
        sqlx::query("select pg_advisory_xact_lock($1, $2)")
            .bind(LOCK_CLASS)
            .bind(RULES_LOCK)
            .execute(c)
            .await?;
    }
    Ok(())
}

/// Locks subjects until the transaction ends, so that signals about one of them are processed one
/// after another, and shares the lock on all rules, so that none of them changes. `waits`: whether to
/// wait for other transactions. False: a lock was taken. On SQLite the only writer has all locks.
pub async fn lock_subjects(
    conn: Conn<'_>,
    subjects: impl Iterator<Item = &str>,
    waits: bool,
) -> Result<bool, StoreError> {
    let Conn::Postgres(c) = conn else { return Ok(true) };
    let locks: HashSet<i32> = subjects.map(lock_of).chain([RULES_LOCK]).collect();
    let mut locks: Vec<i32> = locks.into_iter().collect();
    locks.sort_unstable();
    let taken: i64 = match waits {
        // In order of the array, so that two transactions never wait for each other.
        true => {
            sqlx::query_scalar(
                "select count(*)
                   from (select case when l < 0 then pg_advisory_xact_lock_shared($1, l)
                                     else pg_advisory_xact_lock($1, l) end
                           from unnest($2::integer[]) as l
                         offset 0) as locked",
            )
            .bind(LOCK_CLASS)
            .bind(&locks)
            .fetch_one(c)
            .await?
        }
        false => {
            sqlx::query_scalar(
                "select count(*) filter (where is_free)
                   from (select case when l < 0 then pg_try_advisory_xact_lock_shared($1, l)
                                     else pg_try_advisory_xact_lock($1, l) end as is_free
                           from unnest($2::integer[]) as l
                         offset 0) as locked",
            )
            .bind(LOCK_CLASS)
            .bind(&locks)
            .fetch_one(c)
            .await?
        }
    };
    Ok(usize::try_from(taken).is_ok_and(|taken| taken == locks.len()))
}

/// Returns which of these ids the account has used.
pub async fn known(
    conn: Conn<'_>,
    account: AccountId,
    sender_ids: &[&str],
) -> Result<HashSet<String>, StoreError> {
    let rows: Vec<String> = match conn {
        _ if sender_ids.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_scalar(
                "select sender_id from signal where account_id = $1 and sender_id in (select value from jsonb_each($2))",
            )
            .bind(account.0)
            .bind(encode(sender_ids)?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_scalar("select sender_id from signal where account_id = $1 and sender_id = any($2)")
                .bind(account.0)
                .bind(sender_ids)
                .fetch_all(c)
                .await?
        }
    };
    Ok(rows.into_iter().collect())
}

/// Returns the moment of the newest signal of each of these names, subjects and keys.
pub async fn newest(
    conn: Conn<'_>,
    keys: &HashSet<SignalKey>,
) -> Result<HashMap<SignalKey, Timestamp>, StoreError> {
    let keys: Vec<&SignalKey> = keys.iter().collect();
    let rows: Vec<(String, String, String, Option<i64>)> = match conn {
        _ if keys.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select value ->> 0, value ->> 1, value ->> 2,
                        (select max(s.at)
                           from signal s indexed by signal_subject
                          where s.subject = value ->> 1 and s.key = value ->> 2 and s.name = value ->> 0)
                   from jsonb_each($1)",
            )
            .bind(encode(keys)?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(
                "select g.name, g.subject, g.key,
                        (select s.at
                           from signal s
                          where s.subject = g.subject and s.key = g.key and s.name = g.name
                          order by s.subject desc, s.key desc, s.name desc, s.at desc
                          limit 1)
                   from unnest($1::text[], $2::text[], $3::text[]) as g (name, subject, key)",
            )
            .bind(column(&keys, |key| key.0.as_str()))
            .bind(column(&keys, |key| key.1.as_str()))
            .bind(column(&keys, |key| key.2.as_str()))
            .fetch_all(c)
            .await?
        }
    };
    let known = rows.into_iter().filter_map(|(name, subject, key, at)| Some(((name, subject, key), at?)));
    Ok(known.map(|(key, at)| (key, Timestamp::from_millis(at))).collect())
}

fn json(signal: &Signal) -> String {
    serde_json::to_string(&signal.data).unwrap_or_else(|_| "{}".to_owned())
}

/// Stores signals. [`StoreError::is_unique_violation`]: the account has used an id meanwhile.
pub async fn insert(
    conn: Conn<'_>,
    account: AccountId,
    new: &[Signal],
    at: Timestamp,
) -> Result<(), StoreError> {
    match conn {
        _ if new.is_empty() => {}
        Conn::Sqlite(c) => {
            let rows = encode(new.iter().map(|s| {
                (s.id.0.simple(), &s.sender_id, &s.name, &s.subject, &s.key, s.at.millis(), json(s), s.depth)
            }))?;
            sqlx::query(
                "insert into signal (id, sender_id, account_id, name, subject, key, at, data, depth, created_at)
                 select unhex(value ->> 0), value ->> 1, $2, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
                        value ->> 6, value ->> 7, $3
                   from jsonb_each($1)",
            )
            .bind(rows)
            .bind(account.0)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "insert into signal (id, sender_id, account_id, name, subject, key, at, data, depth, created_at)
                 select id, sender_id, $9, name, subject, key, at, data, depth, $10
                   from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::integer[])
                        as new (id, sender_id, name, subject, key, at, data, depth)",
            )
            .bind(column(new, |s| s.id.0))
            .bind(column(new, |s| s.sender_id.as_deref()))
            .bind(column(new, |s| s.name.as_str()))
            .bind(column(new, |s| s.subject.as_str()))
            .bind(column(new, |s| s.key.as_str()))
            .bind(column(new, |s| s.at.millis()))
            .bind(column(new, json))
            .bind(column(new, |s| s.depth))
            .bind(account.0)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

row! {
    /// A stored signal.
    struct SignalRecord {
        id: Uuid,
        name: String,
        subject: String,
        key: String,
        at: i64,
        data: String,
        depth: i32,
        created_at: i64,
    }
}

/// Returns the signals of these names that arrived after `since`, in the order of arrival, at most
/// `limit`; each after the moment at which it arrived.
pub async fn since(
    conn: Conn<'_>,
    names: &[&str],
    since: Timestamp,
    limit: i64,
) -> Result<Vec<(Timestamp, Signal)>, StoreError> {
    let rows: Vec<SignalRecord> = match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select id, name, subject, key, at, data, depth, created_at
                   from signal
                  where created_at >= $1 and name in (select value from jsonb_each($2))
                  order by created_at, id
                  limit $3",
            )
            .bind(since.millis())
            .bind(encode(names)?)
            .bind(limit)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(
                "select id, name, subject, key, at, data, depth, created_at
                   from signal
                  where created_at >= $1 and name = any($2)
                  order by created_at, id
                  limit $3",
            )
            .bind(since.millis())
            .bind(names)
            .bind(limit)
            .fetch_all(c)
            .await?
        }
    };
    let signal = |row: SignalRecord| {
        let signal = Signal {
            id: SignalId(row.id),
            sender_id: None,
            name: row.name,
            subject: row.subject,
            key: row.key,
            at: row.at.into(),
            data: serde_json::from_str(&row.data).unwrap_or_default(),
            depth: row.depth,
            root: None,
        };
        (row.created_at.into(), signal)
    };
    Ok(rows.into_iter().map(signal).collect())
}

/// Returns the names of the newest signals, at most `among`, and how often each is among them, the most frequent
/// first; at most `limit` names.
pub async fn newest_names(conn: Conn<'_>, among: i64, limit: i64) -> Result<Vec<(String, i64)>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select name, count(*) as seen
           from (select name from signal order by created_at desc, id desc limit $1) as newest
          group by name
          order by count(*) desc, name
          limit $2")
        .bind(among).bind(limit).fetch_all(c).await)?)
}

/// Deletes signals that are kept no longer, a few in each call.
pub async fn delete_expired(conn: Conn<'_>, now: Timestamp) -> Result<u64, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query(
        "delete from signal
          where id in (select id from signal where created_at < $1 order by created_at limit 20000)")
        .bind(now.plus(-SIGNAL_RETENTION_MS).millis())
        .execute(c)
        .await?
        .rows_affected()))
}
