//! Scheduling, moving and cancelling the driver's tasks: the same statements, events and hints as for any other.

use super::{KIND, name};
use crate::{desk::hint::News, parts::Parts};
use domain::{Hint, Lane, PersonId, TaskId, Timestamp, Version};
use futures::{StreamExt, TryStreamExt, stream};
use std::{
    collections::HashSet,
    time::{Duration, Instant},
};
use store::{
    StoreError, Who,
    bulk::{self, Becomes, Wish},
    event::NewEvent,
    task::{self, Fresh},
};
use uuid::Uuid;

/// Tasks in one transaction of a bulk call.
const BULK: u64 = 5_000;
/// Transactions under way at once: one is prepared while the database works on the other.
const AT_ONCE: usize = 2;

/// How many tasks are moved or cancelled in one call, and how many calls are under way at once.
#[derive(Debug, Clone, Copy)]
pub struct Changes {
    /// Tasks in one transaction.
    pub each: usize,
    /// Transactions under way.
    pub at_once: usize,
}

impl Changes {
    /// Many in a call.
    pub const BULK: Self = Self { each: 1_000, at_once: AT_ONCE };
    /// One in a call, as many people at once do it.
    pub const SINGLE: Self = Self { each: 1, at_once: 50 };
}

/// Tasks that differ by their number only.
#[derive(Debug, Clone)]
pub struct Many {
    /// How many.
    pub count: u64,
    /// When the first one is due, milliseconds.
    pub t0: f64,
    /// Milliseconds from one to the next.
    pub step: f64,
    /// What their names begin with.
    pub prefix: String,
    /// Their priority.
    pub lane: Lane,
}

impl Many {
    fn task(&self, parts: &Parts, number: u64) -> Option<Fresh> {
        let id = TaskId::fresh();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_precision_loss,
            reason = "milliseconds of this century"
        )]
        let due_at = Timestamp::from_millis((self.t0 + self.step * number as f64).ceil() as i64);
        Some(Fresh {
            id,
            kind: KIND,
            late_grace: 24 * 3_600_000,
            unique_key: None,
            lane: self.lane,
            bucket: queue::bucket_of(id, parts.hints.buckets()),
            target_id: name::target(&self.prefix, number)?,
            revision_id: None,
            due_at,
            local: None,
            zone: None,
            request: None,
            owner: PersonId(Uuid::nil()),
        })
    }

    fn tasks(&self, parts: &Parts, numbers: std::ops::Range<u64>) -> Vec<Fresh> {
        numbers.filter_map(|number| self.task(parts, number)).collect()
    }
}

/// What the driver asks of the engine.
pub struct Wishes {
    /// What it asks through.
    pub parts: Parts,
}

impl Wishes {
    /// Schedules all of them, thousands in a transaction; how long it took until all were committed and hinted.
    pub async fn bulk(&self, many: &Many) -> Result<Duration, StoreError> {
        let began = Instant::now();
        let calls = (0..many.count.div_ceil(BULK)).map(|call| async move {
            let numbers = call * BULK..((call + 1) * BULK).min(many.count);
            self.schedule(&many.tasks(&self.parts, numbers)).await?.give().await;
            Ok(())
        });
        all(calls, AT_ONCE).await?;
        Ok(began.elapsed())
    }

    /// Schedules one after the other; how long each took until it was committed. Hints are given meanwhile, as for people.
    pub async fn singly(&self, many: &Many) -> Result<Vec<Duration>, StoreError> {
        let mut took = Vec::new();
        for number in 0..many.count {
            let began = Instant::now();
            let hints = self.schedule(&many.tasks(&self.parts, number..number + 1)).await?;
            took.push(began.elapsed());
            hints.give().await;
        }
        Ok(took)
    }

    /// Moves all of them to an hour later, then cancels them; how long each took and how many are left waiting.
    pub async fn change(
        &self,
        many: &Many,
        changes: Changes,
    ) -> Result<(Duration, Duration, u64), StoreError> {
        let Changes { each, at_once } = changes;
        let tasks = many.tasks(&self.parts, 0..many.count);
        for part in tasks.chunks(Changes::BULK.each) {
            self.schedule(part).await?.give().await;
        }
        let began = Instant::now();
        all(tasks.chunks(each).map(|part| self.reschedule(part)), at_once).await?;
        let moved = began.elapsed();
        let began = Instant::now();
        let cancelled: u64 =
            all(tasks.chunks(each).map(|part| self.cancel(part)), at_once).await?.into_iter().sum();
        Ok((moved, began.elapsed(), many.count - cancelled))
    }

    async fn schedule(&self, tasks: &[Fresh]) -> Result<News, StoreError> {
        let now = self.parts.clock.now();
        let mut tx = self.parts.store.single(Who::People).await?;
        let events: Vec<NewEvent> = tasks
            .iter()
            .map(|task| NewEvent {
                to_state: Some("scheduled"),
                version: Some(1),
                detail: due(task.due_at),
                ..NewEvent::plain(now, None, "task", task.id.0, "schedule")
            })
            .collect();
        task::insert(tx.conn(), tasks, now, &events).await?;
        tx.commit().await?;
        Ok(News::of(&self.parts, tasks.iter().map(|task| hint(task, Version::FIRST, task.due_at)).collect()))
    }

    /// Each to an hour later.
    async fn reschedule(&self, tasks: &[Fresh]) -> Result<u64, StoreError> {
        let now = self.parts.clock.now();
        let wishes: Vec<Wish> = tasks
            .iter()
            .map(|task| {
                let due_at = task.due_at.plus(3_600_000);
                wish(now, task, Version::FIRST, Becomes::Scheduled, due_at)
            })
            .collect();
        let moved = self.make(&wishes).await?;
        let hints = wishes.iter().zip(tasks).filter(|(wish, _)| moved.contains(&wish.id));
        let hints = hints.map(|(wish, task)| hint(task, Version(2), wish.due_at));
        News::of(&self.parts, hints.collect()).give().await;
        Ok(moved.len() as u64)
    }

    async fn cancel(&self, tasks: &[Fresh]) -> Result<u64, StoreError> {
        let now = self.parts.clock.now();
        let wishes: Vec<Wish> = tasks
            .iter()
            .map(|task| wish(now, task, Version(2), Becomes::Cancelled, task.due_at.plus(3_600_000)))
            .collect();
        Ok(self.make(&wishes).await?.len() as u64)
    }

    /// Many in a transaction; one as people's are made.
    async fn make(&self, wishes: &[Wish]) -> Result<HashSet<TaskId>, StoreError> {
        if let [one] = wishes {
            let is_made = self.parts.together.change(&self.parts.store, one.clone()).await?;
            return Ok(is_made.then_some(one.id).into_iter().collect());
        }
        let mut tx = self.parts.store.single(Who::People).await?;
        let made = bulk::change_all(tx.conn(), wishes).await?;
        tx.commit().await?;
        Ok(made)
    }
}

/// All of the calls, some at once.
async fn all<T>(
    calls: impl Iterator<Item = impl Future<Output = Result<T, StoreError>>>,
    at_once: usize,
) -> Result<Vec<T>, StoreError> {
    stream::iter(calls).buffer_unordered(at_once).try_collect().await
}

fn hint(task: &Fresh, version: Version, due_at: Timestamp) -> Hint {
    Hint { task: task.id, version, due_at, lane: task.lane, bucket: task.bucket }
}

fn due(at: Timestamp) -> String {
    format!(r#"{{"due_at":"{at}"}}"#)
}

fn wish(now: Timestamp, task: &Fresh, seen: Version, becomes: Becomes, due_at: Timestamp) -> Wish {
    let (verb, detail) = match becomes {
        Becomes::Cancelled => ("cancel", "{}".to_owned()),
        Becomes::Scheduled | Becomes::Again(_) => ("reschedule", due(due_at)),
    };
    let event = NewEvent {
        from_state: Some(becomes.was().as_str()),
        to_state: Some(becomes.state().as_str()),
        version: Some(seen.0 + 1),
        detail,
        ..NewEvent::plain(now, None, "task", task.id.0, verb)
    };
    Wish { id: task.id, seen, becomes, due_at, local: None, zone: None, event }
}
