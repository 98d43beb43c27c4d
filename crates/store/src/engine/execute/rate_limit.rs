//! The rate of a kind: at most a given number of its executions start in any second or minute, over all nodes.
//!
//! The row of the kind says when the next one may start, and when the queue of those that wait ends. Each waiting
//! task has its turn (`not_before`), so that it is not claimed before. On PostgreSQL one transaction at a time
//! gives turns of a kind; no other one waits for it.

use super::Claim;
use crate::{Conn, StoreError, db::with_conn, json_rows::encode, row::row};
use domain::{Timestamp, rate::Rate};
use std::collections::HashMap;
use uuid::Uuid;

row! {
    /// A scheduled task of a limited kind.
    pub(super) struct WaitingTask {
        pub id: Uuid,
        pub kind: String,
        /// 1: it may start as far as its own times go.
        pub is_due: i32,
        /// 1: it has waited for a turn or after a failure.
        pub has_turn: i32,
    }
}

/// When the next execution may start, and when the queue ends, milliseconds.
type Queue = (Option<i64>, Option<i64>);
/// The rate of a kind and its period, followed by its queue.
type Stored = (Option<i32>, String, Option<i64>, Option<i64>);

/// Lets tasks start as far as the rate of their kind allows it, at most `most` at once. Returns the turns of the
/// others; `None`: another transaction gives turns now.
pub(super) async fn take_turns(
    mut conn: Conn<'_>,
    kind: &str,
    most: i64,
    tasks: &[&WaitingTask],
    now: Timestamp,
) -> Result<Option<HashMap<Uuid, Timestamp>>, StoreError> {
    let mut due: Vec<&WaitingTask> = tasks.iter().copied().filter(|task| task.is_due != 0).collect();
    if due.is_empty() {
        return Ok(Some(HashMap::new()));
    }
    due.sort_by_key(|task| task.has_turn == 0);
    let Some((max, per, ready_at, queued_until)) = locked_queue(conn.reborrow(), kind).await? else {
        return Ok(None);
    };
    // This node knows a change within a second only: turns that it gives by the earlier rate would stay.
    let Some(max) = max else { return Ok(Some(HashMap::new())) };
    let plan = Plan::new((Rate::stored(max, &per), most), (ready_at, queued_until), &due, now.millis());
    set_queue(conn, kind, plan.queue).await?;
    Ok(Some(plan.turns))
}

/// Who starts now, and the turns of the others.
#[derive(Debug, PartialEq, Eq)]
struct Plan {
    queue: Queue,
    turns: HashMap<Uuid, Timestamp>,
}

impl Plan {
    /// `tasks`: those that had a turn first. Others do not overtake a queue, but are its new end. At most `most`
    /// start at once.
    fn new((rate, most): (Rate, i64), queue: Queue, tasks: &[&WaitingTask], now: i64) -> Self {
        let (ready_at, queued_until) = queue;
        let has_queue = queued_until.is_some_and(|until| until > now);
        let free = usize::try_from(rate.allowed(ready_at, now).min(most)).unwrap_or(0);
        let may_start = tasks.iter().filter(|task| task.has_turn != 0 || !has_queue).count();
        let started = free.min(may_start);
        let ready_at = if started > 0 { Some(rate.ready_after(now)) } else { ready_at };
        let next = ready_at.unwrap_or(now).max(now);
        let begin = queued_until.unwrap_or(next).max(next);
        let (mut turns, mut late, mut queued) = (HashMap::new(), 0, 0);
        for task in tasks.iter().skip(started) {
            let at = if task.has_turn == 0 {
                queued += 1;
                rate.turn_after(begin, queued - 1)
            } else {
                late += 1;
                rate.turn_after(next, late - 1)
            };
            turns.insert(task.id, Timestamp::from_millis(at));
        }
        let queued_until = if queued > 0 { Some(rate.end_after(begin, queued)) } else { queued_until };
        Self { queue: (ready_at, queued_until), turns }
    }
}

/// Returns the rate and the queue of a kind and locks them until the transaction ends; `None`: they are locked.
async fn locked_queue(conn: Conn<'_>, kind: &str) -> Result<Option<Stored>, StoreError> {
    macro_rules! queue {
        ($lock:literal) => {
            concat!(
                "select rate, rate_per, rate_ready_at, rate_queued_until from kind_limit where kind = $1",
                $lock
            )
        };
    }
    Ok(match conn {
        Conn::Sqlite(c) => sqlx::query_as(queue!("")).bind(kind).fetch_optional(c).await?,
        Conn::Postgres(c) => {
            sqlx::query_as(queue!(" for no key update skip locked")).bind(kind).fetch_optional(c).await?
        }
    })
}

async fn set_queue(conn: Conn<'_>, kind: &str, (ready_at, queued_until): Queue) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "update kind_limit set rate_ready_at = $2, rate_queued_until = $3 where kind = $1")
        .bind(kind).bind(ready_at).bind(queued_until)
        .execute(c).await.map(drop))?;
    Ok(())
}

/// Stores the turns of tasks that wait. Called when the transaction has all its other locks. A task that another
/// transaction holds is left out: it is claimed again.
pub(super) async fn postpone(conn: Conn<'_>, turns: &[(Claim, Timestamp)]) -> Result<(), StoreError> {
    match conn {
        _ if turns.is_empty() => {}
        Conn::Sqlite(c) => {
            sqlx::query(
                "update task
                    set not_before = turn.at
                   from (select unhex(value ->> 0) as id, value ->> 1 as seen, value ->> 2 as at
                           from jsonb_each($1)) as turn
                  where task.id = turn.id
                    and task.version = turn.seen
                    and +task.state = 'scheduled'",
            )
            .bind(encode(turns.iter().map(|(one, at)| (one.task.0.simple(), one.version.0, at.millis())))?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "update task t
                    set not_before = turn.at
                   from unnest($1::uuid[], $2::integer[], $3::bigint[]) as turn (id, seen, at)
                  where t.id = turn.id
                    and t.id in (select free.id from task free
                                  where free.id = any($1::uuid[])
                                  order by free.id
                                    for no key update skip locked)
                    and t.version = turn.seen
                    and t.state || '' = 'scheduled'",
            )
            .bind(turns.iter().map(|(one, _)| one.task.0).collect::<Vec<_>>())
            .bind(turns.iter().map(|(one, _)| one.version.0).collect::<Vec<_>>())
            .bind(turns.iter().map(|(_, at)| at.millis()).collect::<Vec<_>>())
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn due(id: Uuid, has_turn: bool) -> WaitingTask {
        WaitingTask { id, kind: String::new(), is_due: 1, has_turn: i32::from(has_turn) }
    }

    /// The moments at which the tasks start: each is claimed when it is its turn.
    fn starts(rate: Rate, count: usize) -> Vec<i64> {
        let mut queue = (None, None);
        let mut waiting: Vec<(i64, Uuid)> = (0..count).map(|_| (0, Uuid::new_v4())).collect();
        let (mut started, mut is_first) = (Vec::new(), true);
        while !waiting.is_empty() {
            let now = waiting.iter().map(|(at, _)| *at).min().unwrap();
            let (ready, rest): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|(at, _)| *at <= now);
            let tasks: Vec<WaitingTask> = ready.iter().map(|(_, id)| due(*id, !is_first)).collect();
            let plan = Plan::new((rate, i64::MAX), queue, &tasks.iter().collect::<Vec<_>>(), now);
            queue = plan.queue;
            started.extend(ready.iter().filter(|(_, id)| !plan.turns.contains_key(id)).map(|_| now));
            waiting = rest;
            waiting.extend(plan.turns.into_iter().map(|(id, at)| (at.millis(), id)));
            is_first = false;
        }
        started
    }

    #[test]
    fn tasks_that_are_due_together_start_one_after_another() {
        assert_eq!(starts(Rate::stored(2, "second"), 4), [0, 500, 1_000, 1_500]);
        assert_eq!(starts(Rate::stored(3, "minute"), 3), [0, 20_000, 40_000]);
        let fast = starts(Rate::stored(100, "second"), 200);
        let in_a_second = fast.iter().filter(|at| **at < 1_000).count();
        assert!((90..=100).contains(&in_a_second), "{in_a_second}");
    }

    #[test]
    fn a_new_task_does_not_overtake_the_queue() {
        let rate = Rate::stored(1, "second");
        let (first, new) = (due(Uuid::from_u128(1), true), due(Uuid::from_u128(2), false));
        let plan = Plan::new((rate, i64::MAX), (Some(1_000), Some(3_000)), &[&new], 1_000);
        assert_eq!((plan.queue, plan.turns[&new.id].millis()), ((Some(1_000), Some(4_000)), 3_000));
        let plan = Plan::new((rate, i64::MAX), plan.queue, &[&first, &new], 1_000);
        assert_eq!((plan.queue, plan.turns[&new.id].millis()), ((Some(2_000), Some(5_000)), 4_000));
        assert!(!plan.turns.contains_key(&first.id));
    }

    #[test]
    fn a_task_that_comes_too_early_for_its_turn_gets_the_next_one() {
        let rate = Rate::stored(1, "second");
        let task = due(Uuid::from_u128(1), true);
        let plan = Plan::new((rate, i64::MAX), (Some(1_500), None), &[&task], 1_000);
        assert_eq!((plan.queue, plan.turns[&task.id].millis()), ((Some(1_500), None), 1_500));
    }
}
