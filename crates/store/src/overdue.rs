//! What is due and was not executed: the sweeper's source, and the counts behind "never silent".

use crate::{Conn, StoreError, board, canary, db::on, execute::Claim, failing::attention, pause, restore};
use domain::{TaskId, Timestamp};
use uuid::Uuid;

/// Where a page of [`page`] ended: the moment and the task.
pub type Place = (Timestamp, TaskId);

/// Some overdue tasks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overdue {
    /// What to claim, oldest first. Tasks of unknown kinds are left out.
    pub claims: Vec<Claim>,
    /// From where to go on; `None`: that was all.
    pub next: Option<Place>,
}

type Row = (Uuid, i32, String, String, i32, i64);

/// Waiting tasks of these kinds due before `before` that may run at `now`, from `after` on, at most `limit`.
pub async fn page(
    conn: Conn<'_>,
    kinds: &[&str],
    before: Timestamp,
    now: Timestamp,
    after: Option<Place>,
    limit: u32,
) -> Result<Overdue, StoreError> {
    let (after_due, after_id) = after.unwrap_or((Timestamp::from_millis(i64::MIN), TaskId(Uuid::nil())));
    let rows: Vec<Row> = on!(conn, c => sqlx::query_as(
        "select id, version, kind, lane, bucket, due_at
           from task
          where state = 'scheduled'
            and due_at < $1
            and (due_at, id) > ($3, $4)
            and (not_before is null or not_before <= $2)
          order by due_at, id
          limit $5")
        .bind(before.millis())
        .bind(now.millis())
        .bind(after_due.millis())
        .bind(after_id.0)
        .bind(i64::from(limit))
        .fetch_all(c)
        .await)?;
    let is_full = rows.len() >= usize::try_from(limit).unwrap_or(usize::MAX);
    let next = rows.last().filter(|_| is_full).map(|row| (Timestamp::from_millis(row.5), TaskId(row.0)));
    let known = rows.iter().filter(|row| kinds.contains(&row.2.as_str()));
    let claims = known.map(|(id, version, _, lane, bucket, _)| Claim::found((*id, *version, lane, *bucket)));
    Ok(Overdue { claims: claims.collect::<Result<_, _>>()?, next })
}

/// The kinds of what is due before `before` and may run at `now`.
pub async fn kinds(conn: Conn<'_>, before: Timestamp, now: Timestamp) -> Result<Vec<String>, StoreError> {
    Ok(on!(conn, c => sqlx::query_scalar(
        "select distinct kind
           from task
          where state = 'scheduled'
            and due_at < $1
            and (not_before is null or not_before <= $2)")
        .bind(before.millis())
        .bind(now.millis())
        .fetch_all(c)
        .await)?)
}

/// What the engine must know of SQL each second.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Vitals {
    /// Whether an admin has paused the engine.
    pub is_paused: bool,
    /// Whether messages are held until an admin confirms.
    pub is_held: bool,
    /// How many tasks are overdue and could have run.
    pub overdue: u64,
    /// How many things need a person, as Attention shows them.
    pub attention: u64,
    /// When the canary is due; `None`: it does not wait.
    pub canary: Option<Timestamp>,
}

/// The vitals, with *overdue* meaning due before `before`. What needs a person is counted as Attention shows it.
pub async fn vitals(conn: Conn<'_>, before: Timestamp, now: Timestamp) -> Result<Vitals, StoreError> {
    let (paused, held, overdue, attention, canary): (Option<String>, Option<String>, i64, i64, Option<i64>) =
        on!(conn, c => sqlx::query_as(concat!(
        "select (select value from setting where name = 'engine.paused'),
                (select value from setting where name = $5),
                (select count(*)
                   from task
                  where state = 'scheduled'
                    and due_at < $1
                    and id <> $4
                    and (not_before is null or not_before <= $3)),
                ", attention!(), ",
                (select due_at from task where id = $4 and state || '' = 'scheduled')"))
        .bind(before.millis())
        .bind(now.plus(-board::FORGOTTEN_MS).millis())
        .bind(now.millis())
        .bind(canary::ID.0)
        .bind(restore::HELD)
        .fetch_one(c)
        .await)?;
    let whole = |count: i64| u64::try_from(count).unwrap_or(0);
    Ok(Vitals {
        is_paused: paused.as_deref() == Some(pause::PAUSED),
        is_held: held.is_some(),
        overdue: whole(overdue),
        attention: whole(attention),
        canary: canary.map(Timestamp::from_millis),
    })
}
