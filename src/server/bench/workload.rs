//! Scheduling, rescheduling and cancelling the driver's tasks: with the same statements, events and
//! hints as other tasks.

use super::{kind_of, name};
use crate::{app_state::AppState, services::hints::PendingHints};
use domain::{AccountId, Hint, KindClass, Priority, TaskId, Timestamp, Version};
use futures::{StreamExt, TryStreamExt, stream};
use std::{
    collections::HashSet,
    time::{Duration, Instant},
};
use store::{
    PoolRole, StoreError,
    bulk::{self, Transition, TransitionRequest},
    event::NewEvent,
    task::{self, NewTaskRow},
};
use uuid::Uuid;

/// Number of tasks in one transaction of a bulk call.
const BULK_SIZE: u64 = 5_000;
/// Number of concurrent transactions: one is prepared while the database executes the other.
const CONCURRENT_TRANSACTIONS: usize = 2;

/// How many tasks are changed by one call, and how many calls run at the same time.
#[derive(Debug, Clone, Copy)]
pub struct Changes {
    /// Tasks in one transaction.
    pub per_call: usize,
    /// Concurrent transactions.
    pub concurrency: usize,
}

impl Changes {
    /// Many tasks per call.
    pub const BULK: Self = Self { per_call: 1_000, concurrency: CONCURRENT_TRANSACTIONS };
    /// One task per call, like concurrent users.
    pub const SINGLE: Self = Self { per_call: 1, concurrency: 50 };
}

/// Tasks that differ only in their number.
#[derive(Debug, Clone)]
pub struct Batch {
    /// Number of tasks.
    pub count: u64,
    /// Due time of the first task, milliseconds.
    pub t0: f64,
    /// Milliseconds between two due times.
    pub step: f64,
    /// Prefix of their names.
    pub prefix: String,
    /// Priority.
    pub priority: Priority,
    /// Class of their kind.
    pub class: KindClass,
}

impl Batch {
    fn task(&self, parts: &AppState, number: u64) -> Option<NewTaskRow> {
        let id = TaskId::generate();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_precision_loss,
            reason = "milliseconds of this century"
        )]
        let due_at = Timestamp::from_millis((self.t0 + self.step * number as f64).ceil() as i64);
        Some(NewTaskRow {
            id,
            kind: kind_of(self.class),
            grace_ms: 24 * 3_600_000,
            unique_key: None,
            priority: self.priority,
            bucket: queue::bucket_of(id, parts.hints.buckets()),
            target_id: name::target(&self.prefix, number)?,
            revision_id: None,
            due_at,
            local_time: None,
            time_zone: None,
            request_id: None,
            owner: AccountId(Uuid::nil()),
        })
    }

    fn tasks(&self, parts: &AppState, numbers: std::ops::Range<u64>) -> Vec<NewTaskRow> {
        numbers.filter_map(|number| self.task(parts, number)).collect()
    }
}

/// Generates the load.
pub struct Workload {
    /// State of the tested server.
    pub parts: AppState,
}

impl Workload {
    /// Schedules all tasks, thousands per transaction. Returns the time until all were committed
    /// and their hints added.
    pub async fn bulk(&self, batch: &Batch) -> Result<Duration, StoreError> {
        let began = Instant::now();
        let calls = (0..batch.count.div_ceil(BULK_SIZE)).map(|call| async move {
            let numbers = call * BULK_SIZE..((call + 1) * BULK_SIZE).min(batch.count);
            self.schedule(&batch.tasks(&self.parts, numbers)).await?.push().await;
            Ok(())
        });
        all(calls, CONCURRENT_TRANSACTIONS).await?;
        Ok(began.elapsed())
    }

    /// Schedules one task after another. Returns for each the time until it was committed. Hints
    /// are added concurrently, as for users.
    pub async fn one_by_one(&self, batch: &Batch) -> Result<Vec<Duration>, StoreError> {
        let mut took = Vec::new();
        for number in 0..batch.count {
            let began = Instant::now();
            let hints = self.schedule(&batch.tasks(&self.parts, number..number + 1)).await?;
            took.push(began.elapsed());
            hints.push().await;
        }
        Ok(took)
    }

    /// Reschedules all tasks by an hour, then cancels them. Returns both durations and the number
    /// of tasks still scheduled.
    pub async fn change(
        &self,
        batch: &Batch,
        changes: Changes,
    ) -> Result<(Duration, Duration, u64), StoreError> {
        let Changes { per_call, concurrency } = changes;
        let tasks = batch.tasks(&self.parts, 0..batch.count);
        for part in tasks.chunks(Changes::BULK.per_call) {
            self.schedule(part).await?.push().await;
        }
        let began = Instant::now();
        all(tasks.chunks(per_call).map(|part| self.reschedule(part)), concurrency).await?;
        let moved = began.elapsed();
        let began = Instant::now();
        let cancelled: u64 =
            all(tasks.chunks(per_call).map(|part| self.cancel(part)), concurrency).await?.into_iter().sum();
        Ok((moved, began.elapsed(), batch.count - cancelled))
    }

    async fn schedule(&self, tasks: &[NewTaskRow]) -> Result<PendingHints, StoreError> {
        let now = self.parts.clock.now();
        let mut tx = self.parts.store.begin_single(PoolRole::Web).await?;
        let events: Vec<NewEvent> = tasks
            .iter()
            .map(|task| NewEvent {
                to_state: Some("scheduled"),
                version: Some(1),
                detail: due(task.due_at),
                ..NewEvent::simple(now, None, "task", task.id.0, "schedule")
            })
            .collect();
        task::insert(tx.conn(), tasks, now, &events).await?;
        tx.commit().await?;
        Ok(PendingHints::of(
            &self.parts,
            tasks.iter().map(|task| hint(task, Version::FIRST, task.due_at)).collect(),
        ))
    }

    /// Reschedules each task by an hour.
    async fn reschedule(&self, tasks: &[NewTaskRow]) -> Result<u64, StoreError> {
        let now = self.parts.clock.now();
        let requests: Vec<TransitionRequest> = tasks
            .iter()
            .map(|task| {
                let due_at = task.due_at.plus(3_600_000);
                request(now, task, Version::FIRST, Transition::Scheduled, due_at)
            })
            .collect();
        let moved = self.make(&requests).await?;
        let hints = requests.iter().zip(tasks).filter(|(request, _)| moved.contains(&request.id));
        let hints = hints.map(|(request, task)| hint(task, Version(2), request.due_at));
        PendingHints::of(&self.parts, hints.collect()).push().await;
        Ok(moved.len() as u64)
    }

    async fn cancel(&self, tasks: &[NewTaskRow]) -> Result<u64, StoreError> {
        let now = self.parts.clock.now();
        let requests: Vec<TransitionRequest> = tasks
            .iter()
            .map(|task| request(now, task, Version(2), Transition::Cancelled, task.due_at.plus(3_600_000)))
            .collect();
        Ok(self.make(&requests).await?.len() as u64)
    }

    /// Runs many changes in one transaction; a single one like a user's change.
    async fn make(&self, requests: &[TransitionRequest]) -> Result<HashSet<TaskId>, StoreError> {
        if let [one] = requests {
            let is_made = self.parts.group_commit.change(&self.parts.store, one.clone()).await?;
            return Ok(is_made.then_some(one.id).into_iter().collect());
        }
        let mut tx = self.parts.store.begin_single(PoolRole::Web).await?;
        let made = bulk::change_all(tx.conn(), requests).await?;
        tx.commit().await?;
        Ok(made)
    }
}

/// Runs all calls, some of them concurrently.
async fn all<T>(
    calls: impl Iterator<Item = impl Future<Output = Result<T, StoreError>>>,
    concurrency: usize,
) -> Result<Vec<T>, StoreError> {
    stream::iter(calls).buffer_unordered(concurrency).try_collect().await
}

fn hint(task: &NewTaskRow, version: Version, due_at: Timestamp) -> Hint {
    Hint { version, due_at, ..task.hint() }
}

fn due(at: Timestamp) -> String {
    format!(r#"{{"due_at":"{at}"}}"#)
}

fn request(
    now: Timestamp,
    task: &NewTaskRow,
    seen: Version,
    transition: Transition,
    due_at: Timestamp,
) -> TransitionRequest {
    let (verb, detail) = match transition {
        Transition::Cancelled | Transition::Dismissed(_) => ("cancel", "{}".to_owned()),
        Transition::Restored | Transition::Reopened(_) => ("undo", "{}".to_owned()),
        Transition::Scheduled | Transition::Reschedule(_) => ("reschedule", due(due_at)),
    };
    let event = NewEvent {
        from_state: Some(transition.from_state().as_str()),
        to_state: Some(transition.to_state().as_str()),
        version: Some(seen.0 + 1),
        detail,
        ..NewEvent::simple(now, None, "task", task.id.0, verb)
    };
    let (local_time, time_zone, reason) = (None, None, None);
    TransitionRequest { id: task.id, seen, transition, due_at, local_time, time_zone, reason, event }
}
