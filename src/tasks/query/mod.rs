//! Reads tasks: the list, a task with its history, the event log, and the meaning of a time input.

pub mod activity;
mod wanted;

pub use wanted::{Wanted, owner};

use crate::{
    app_state::AppState,
    kinds,
    services::{
        Presenter,
        cursor::{self, Place},
        internal_error,
    },
    tasks::slots,
    zone::{self, Zone},
};
use domain::{
    Actor, DomainError, LocalizedTime, Page, TaskId, TimePresets, When,
    base::page::PageStart,
    event::{Audience, Event},
    input_limits::{DEFAULT_PAGE_ITEMS, MAX_PAGE_EVENTS, MAX_PAGE_ITEMS},
    late_cause,
    lateness::ON_TIME_MS,
    task::{StageTimes, Task, TaskCounts, TaskQuery, TaskRow},
};
use std::collections::HashSet;
use store::{
    Conn, PoolRole, dashboard,
    event::{self, EventRow},
    publication,
    task_list::{self, TaskDetails, TaskListRow},
    task_page::{self, TaskFilter},
};
use uuid::Uuid;

/// Maximum number of events on the page of a task.
const MAX_TIMELINE_EVENTS: u32 = 500;
/// Maximum number of engine events scanned to explain why a task was late.
const MAX_ENGINE_EVENTS: u32 = 200;
/// Maximum delay with which the end of an incident is recorded, milliseconds.
const INCIDENT_DELAY_MS: i64 = 30_000;

/// Returns one page of the list.
pub async fn list(parts: &AppState, actor: &Actor, query: TaskQuery) -> Result<Page<TaskRow>, DomainError> {
    let limit =
        usize::try_from(query.limit.unwrap_or(DEFAULT_PAGE_ITEMS).clamp(1, MAX_PAGE_ITEMS)).unwrap_or(1);
    let start = page_start(actor, &query)?;
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let wanted = Wanted::of(lease.conn(), actor, &query, presenter.now).await?;
    // One more than requested shows whether there is another page.
    let choice = wanted.filter(i64::try_from(limit + 1).unwrap_or(i64::MAX));
    let (rows, start) = rows_from(&mut lease, choice, start, limit).await?;
    let page = Page::of_rows(rows, limit, start, |row| (row.due_at, row.id), cursor::write);
    let (next_cursor, previous_cursor) = (page.next_cursor, page.previous_cursor);
    Ok(Page { items: presenter.tasks(page.items), next_cursor, previous_cursor })
}

/// Reads the rows of a page. If the way back ends on this page, it is the first page, read from its
/// start so that it is full.
async fn rows_from(
    lease: &mut store::ReadConn,
    choice: TaskFilter<'_>,
    start: PageStart<Place>,
    limit: usize,
) -> Result<(Vec<TaskListRow>, PageStart<Place>), DomainError> {
    let is_descending = choice.is_descending != start.is_backward;
    let asked = TaskFilter { is_descending, start: start.place, ..choice };
    let rows = task_page::page(lease.conn(), asked).await.map_err(internal_error)?;
    if start.is_backward && rows.len() <= limit {
        let rows = task_page::page(lease.conn(), choice).await.map_err(internal_error)?;
        return Ok((rows, PageStart::first()));
    }
    Ok((rows, start))
}

/// Returns the start that the cursor or the day of the query names.
fn page_start(actor: &Actor, query: &TaskQuery) -> Result<PageStart<Place>, DomainError> {
    if let Some(cursor) = &query.cursor {
        return cursor::read(cursor);
    }
    let Some(day) = &query.day else { return Ok(PageStart::first()) };
    let (begin, end) = Zone::stored(&actor.zone).day_bounds("day", day)?;
    let at = if query.is_latest_first { end } else { begin };
    Ok(PageStart { place: Some((at.millis(), Uuid::nil())), is_backward: false })
}

/// Returns the number of tasks in each state.
pub async fn counts(parts: &AppState, actor: &Actor) -> Result<TaskCounts, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let counts =
        task_page::counts(lease.conn(), kinds::words_hidden_from(actor)).await.map_err(internal_error)?;
    Ok(TaskCounts {
        scheduled: counts.scheduled.unsigned_abs(),
        executed: counts.executed.unsigned_abs(),
        failed: counts.failed.unsigned_abs(),
        missed: counts.missed.unsigned_abs(),
        cancelled: counts.cancelled.unsigned_abs(),
    })
}

/// Returns a task with its history.
pub async fn find(parts: &AppState, actor: &Actor, id: TaskId) -> Result<Task, DomainError> {
    let no_such = || DomainError::no_such("task");
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let row = task_list::find(lease.conn(), id).await.map_err(internal_error)?.ok_or_else(no_such)?;
    if kinds::is_hidden_from(actor, &row.kind) {
        return Err(no_such());
    }
    let rest = task_list::details(lease.conn(), id).await.map_err(internal_error)?.ok_or_else(no_such)?;
    let is_public = publication::find(lease.conn(), row.target_id).await.map_err(internal_error)?.is_some();
    let timeline = event::history(lease.conn(), id.0, MAX_TIMELINE_EVENTS).await.map_err(internal_error)?;
    let stages = stages(&rest);
    let late = match &stages {
        Some(stages) if stages.executed_at.millis() - row.due_at > ON_TIME_MS => {
            let notes = notes(lease.conn(), stages).await?;
            late_cause::explain(
                row.due_at.into(),
                stages,
                rest.attempts,
                &late_cause::impaired_periods(&notes, stages.executed_at),
            )
        }
        _ => None,
    };
    Ok(Task {
        row: presenter.task(row).ok_or_else(no_such)?,
        revision: rest.revision,
        created: presenter.moment(rest.created_at),
        attempts: rest.attempts,
        grace_ms: rest.grace_ms,
        is_public,
        stages,
        late,
        timeline: timeline.into_iter().map(|row| presenter.event(row)).collect(),
    })
}

/// Returns the engine events around the execution of a late task.
async fn notes(
    conn: store::Conn<'_>,
    stages: &StageTimes,
) -> Result<Vec<late_cause::EngineEvent>, DomainError> {
    // The cause of a delay is often recorded only after the execution.
    let until = stages.executed_at.plus(INCIDENT_DELAY_MS);
    event::engine_events(conn, until, MAX_ENGINE_EVENTS).await.map_err(internal_error)
}

fn stages(rest: &TaskDetails) -> Option<StageTimes> {
    Some(StageTimes {
        hinted_at: rest.hinted_at.map(Into::into),
        moved_at: rest.moved_at.map(Into::into),
        popped_at: rest.popped_at.map(Into::into),
        started_at: rest.started_at?.into(),
        executed_at: rest.ended_at?.into(),
    })
}

/// Resolves a time input. It may lie in the past.
pub async fn resolve(parts: &AppState, actor: &Actor, when: &When) -> Result<LocalizedTime, DomainError> {
    let at = zone::resolve(when)?;
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    Ok(presenter.moment(at))
}

/// Returns frequently used times in `zone`, or in the actor's own zone if `zone` is invalid, and the
/// next free slot.
pub async fn time_presets(parts: &AppState, actor: &Actor, zone: &str) -> Result<TimePresets, DomainError> {
    let zone = Zone::named(zone).unwrap_or_else(|_| Zone::stored(&actor.zone));
    let next = slots::next(parts, actor, 1).await?;
    let presets = zone::time_presets(zone, parts.clock.now());
    Ok(TimePresets { next_slot: next.first().map(|slot| slot.at), ..presets })
}

/// Returns events after the sequence number `after`.
pub async fn events(
    parts: &AppState,
    actor: &Actor,
    after: i64,
    limit: u32,
) -> Result<Page<Event>, DomainError> {
    let limit = limit.clamp(1, MAX_PAGE_EVENTS);
    let now = parts.clock.now();
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, now).await?;
    let rows = event::since(lease.conn(), after, limit, now).await.map_err(internal_error)?;
    let is_full = rows.len() == usize::try_from(limit).unwrap_or(usize::MAX);
    let next_cursor = rows.last().filter(|_| is_full).map(|row| row.seq.to_string());
    let hidden = hidden_tasks(lease.conn(), actor, &rows).await?;
    let may_see = |row: &EventRow| {
        Audience::of(&row.entity, row.entity_id).includes(actor) && !hidden.contains(&row.entity_id)
    };
    Ok(Page {
        items: rows.into_iter().filter(may_see).map(|row| presenter.event(row)).collect(),
        next_cursor,
        previous_cursor: None,
    })
}

/// Returns the tasks of these events that the actor does not see in lists either.
async fn hidden_tasks(
    conn: Conn<'_>,
    actor: &Actor,
    rows: &[EventRow],
) -> Result<HashSet<Uuid>, DomainError> {
    // An event of a delivery may have the id of its task.
    let of_tasks = rows.iter().filter(|row| matches!(row.entity.as_str(), "task" | "delivery"));
    let tasks: HashSet<Uuid> = of_tasks.map(|row| row.entity_id).collect();
    if actor.is_admin() || tasks.is_empty() {
        return Ok(HashSet::new());
    }
    let tasks: Vec<Uuid> = tasks.into_iter().collect();
    let found = dashboard::find_many(conn, &tasks).await.map_err(internal_error)?;
    let hidden = found.into_iter().filter(|task| kinds::is_hidden_from(actor, &task.kind));
    Ok(hidden.map(|task| task.id).collect())
}
