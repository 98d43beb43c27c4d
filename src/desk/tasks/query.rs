//! Reading tasks: the list, one with its history, the log, what a time means.

use crate::{
    desk::{Lens, broken},
    parts::Parts,
    zone::{self, Zone},
};
use domain::{
    Actor, Moment, Page, Refusal, TaskId, When,
    event::{Audience, Event},
    lag::ON_TIME_MS,
    late,
    limit::{PAGE_DEFAULT, PAGE_EVENTS, PAGE_ITEMS, SEARCH_CHARS},
    refusal::Problem,
    task::{Stages, Task, TaskQuery, TaskRow},
    time::Picks,
};
use store::{
    Who,
    event::{self, EventRow},
    task_list::{self, Choice, Line, Rest},
};
use uuid::Uuid;

/// Events on the page of one task.
const TIMELINE: u32 = 500;
/// Lines about the engine that are looked through for why a task was late.
const NOTES: u32 = 200;
/// Bad weather is noted so long after it is over at most, milliseconds.
const NOTED_MS: i64 = 30_000;

/// One page of the list.
pub async fn list(parts: &Parts, actor: &Actor, query: TaskQuery) -> Result<Page<TaskRow>, Refusal> {
    if query.q.as_ref().is_some_and(|q| q.chars().count() > SEARCH_CHARS) {
        let max = u32::try_from(SEARCH_CHARS).unwrap_or(u32::MAX);
        return Err(Refusal::invalid("q", Problem::TooLong { max }));
    }
    let limit = usize::try_from(query.limit.unwrap_or(PAGE_DEFAULT).clamp(1, PAGE_ITEMS)).unwrap_or(1);
    let choice = Choice {
        state: query.state,
        kind: query.kind,
        from: query.from.map_or(i64::MIN, domain::Timestamp::millis),
        to: query.to.map_or(i64::MAX, domain::Timestamp::millis),
        q: query.q.as_deref().map(str::trim).filter(|q| !q.is_empty()),
        after: query.cursor.as_deref().map(place).transpose()?,
        // One more than asked for says whether there is another page.
        limit: i64::try_from(limit + 1).unwrap_or(i64::MAX),
    };
    let mut lease = parts.store.read(Who::People).await.map_err(broken)?;
    let lens = Lens::of(lease.conn(), actor, parts.clock.now()).await?;
    let mut lines = task_list::list(lease.conn(), choice).await.map_err(broken)?;
    let has_more = lines.len() > limit;
    lines.truncate(limit);
    let next_cursor = lines.last().filter(|_| has_more).map(cursor);
    Ok(Page { items: lens.tasks(lines), next_cursor })
}

fn cursor(line: &Line) -> String {
    format!("{}.{}", line.due_at, line.id.simple())
}

fn place(cursor: &str) -> Result<(i64, Uuid), Refusal> {
    let unreadable = || {
        let why = "is not a cursor of this list".to_owned();
        Refusal::invalid("cursor", Problem::Unreadable { why })
    };
    let (due_at, id) = cursor.split_once('.').ok_or_else(unreadable)?;
    Ok((due_at.parse().map_err(|_| unreadable())?, id.parse().map_err(|_| unreadable())?))
}

/// One task with its history.
pub async fn find(parts: &Parts, actor: &Actor, id: TaskId) -> Result<Task, Refusal> {
    let no_such = || Refusal::no_such("task");
    let mut lease = parts.store.read(Who::People).await.map_err(broken)?;
    let lens = Lens::of(lease.conn(), actor, parts.clock.now()).await?;
    let line = task_list::find(lease.conn(), id).await.map_err(broken)?.ok_or_else(no_such)?;
    let rest = task_list::rest(lease.conn(), id).await.map_err(broken)?.ok_or_else(no_such)?;
    let timeline = event::of(lease.conn(), id.0, TIMELINE).await.map_err(broken)?;
    let stages = stages(&rest);
    let late = match &stages {
        Some(stages) if stages.executed_at.millis() - line.due_at > ON_TIME_MS => {
            let notes = notes(lease.conn(), stages).await?;
            late::why(line.due_at.into(), stages, rest.attempts, &late::spells(&notes, stages.executed_at))
        }
        _ => None,
    };
    Ok(Task {
        row: lens.task(line).ok_or_else(no_such)?,
        revision: rest.revision,
        created: lens.moment(rest.created_at),
        attempts: rest.attempts,
        late_grace: rest.late_grace,
        is_public: rest.is_public,
        stages,
        late,
        timeline: timeline.into_iter().map(|row| lens.event(row)).collect(),
    })
}

/// What the log says of the engine around the time of a late task.
async fn notes(conn: store::Conn<'_>, stages: &Stages) -> Result<Vec<late::Note>, Refusal> {
    // What held a task up is often noted only after the task has gone out.
    let until = stages.executed_at.plus(NOTED_MS);
    event::notes(conn, until, NOTES).await.map_err(broken)
}

fn stages(rest: &Rest) -> Option<Stages> {
    Some(Stages {
        hinted_at: rest.hinted_at.map(Into::into),
        moved_at: rest.moved_at.map(Into::into),
        popped_at: rest.popped_at.map(Into::into),
        started_at: rest.started_at?.into(),
        executed_at: rest.ended_at?.into(),
    })
}

/// What a time means. Whether it has passed is not looked at.
pub async fn resolve(parts: &Parts, actor: &Actor, when: &When) -> Result<Moment, Refusal> {
    let at = zone::resolve(when)?;
    let mut lease = parts.store.read(Who::People).await.map_err(broken)?;
    let lens = Lens::of(lease.conn(), actor, parts.clock.now()).await?;
    Ok(lens.moment(at))
}

/// The times people often want, in `zone`; in the actor's own if that is no zone.
pub fn usual_times(parts: &Parts, actor: &Actor, zone: &str) -> Picks {
    let zone = Zone::named(zone).unwrap_or_else(|_| Zone::stored(&actor.zone));
    zone::usual_times(zone, parts.clock.now())
}

/// The log from `after` on.
pub async fn events(parts: &Parts, actor: &Actor, after: i64, limit: u32) -> Result<Page<Event>, Refusal> {
    let limit = limit.clamp(1, PAGE_EVENTS);
    let now = parts.clock.now();
    let mut lease = parts.store.read(Who::People).await.map_err(broken)?;
    let lens = Lens::of(lease.conn(), actor, now).await?;
    let rows = event::since(lease.conn(), after, limit, now).await.map_err(broken)?;
    let is_full = rows.len() == usize::try_from(limit).unwrap_or(usize::MAX);
    let next_cursor = rows.last().filter(|_| is_full).map(|row| row.seq.to_string());
    let may_see = |row: &EventRow| Audience::of(&row.entity, row.entity_id).includes(actor);
    Ok(Page { items: rows.into_iter().filter(may_see).map(|row| lens.event(row)).collect(), next_cursor })
}
