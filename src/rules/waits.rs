//! The waits of a rule: who waits until when, and what became of the others.

use crate::{
    app_state::AppState,
    services::{Presenter, cursor, internal_error},
    tasks::{change, unit_of_work::parsed},
};
use domain::{
    Actor, DomainError, Page, RuleId, State, TaskId, Version, WaitId,
    base::page::PageStart,
    input_limits::{DEFAULT_PAGE_ITEMS, MAX_PAGE_ITEMS},
    task::{Change, TaskRow, reason},
    wait::{WaitChange, WaitEntry, WaitOutcome, WaitQuery, WaitRow},
};
use std::collections::HashMap;
use store::{
    PoolRole, ReadConn, rule, rule_activity, task_list,
    wait_list::{self, WaitFilter, WaitRecord},
};
use uuid::Uuid;

fn present(presenter: &Presenter<'_>, record: WaitRecord) -> Result<WaitRow, DomainError> {
    let closed_by = record.closed_name.zip(record.closed_at);
    Ok(WaitRow {
        id: WaitId(record.id),
        rule_id: RuleId(record.rule_id),
        subject: record.subject,
        key: record.key,
        state: parsed(&record.state)?,
        version: Version(record.version),
        due: presenter.moment(record.due_at),
        opened: presenter.moment(record.opened_at),
        outcome: record.outcome.as_deref().map(parsed).transpose()?,
        closed_by: closed_by.map(|(name, at)| (name, presenter.moment(at))),
        fired: record
            .executed_at
            .filter(|_| record.reason.as_deref() != Some(reason::CAPPED))
            .map(|at| presenter.moment(at)),
        reason: record.reason,
        task_id: TaskId(record.task_id),
        came_after: None,
    })
}

/// Returns one page of the waits of a rule, also of a deleted one.
pub async fn list(
    parts: &AppState,
    actor: &Actor,
    id: RuleId,
    query: WaitQuery,
) -> Result<Page<WaitRow>, DomainError> {
    let limit = query.limit.unwrap_or(DEFAULT_PAGE_ITEMS).clamp(1, MAX_PAGE_ITEMS);
    let start = match &query.cursor {
        None => PageStart::first(),
        Some(cursor) => PageStart { place: Some(cursor::read_forward_id(cursor)?), is_backward: false },
    };
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let rule = rule::find(lease.conn(), id).await.map_err(internal_error)?;
    rule.ok_or_else(|| DomainError::no_such("rule"))?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let filter = WaitFilter {
        rule: id,
        subject: query.subject.as_deref(),
        state: query.state,
        before: start.place,
        // One more than requested shows whether there is another page.
        limit: i64::from(limit) + 1,
    };
    let records = wait_list::page(lease.conn(), filter).await.map_err(internal_error)?;
    let rows: Vec<WaitRow> =
        records.into_iter().map(|record| present(&presenter, record)).collect::<Result<_, _>>()?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let page = Page::of_rows(rows, limit, start, |row| row.id.0, |id, _| id.to_string());
    // The list has no way back.
    Ok(Page { previous_cursor: None, ..page })
}

/// Returns the same page with the tasks, and what came after the rule had acted.
pub async fn list_with_tasks(
    parts: &AppState,
    actor: &Actor,
    id: RuleId,
    query: WaitQuery,
) -> Result<Page<WaitEntry>, DomainError> {
    let Page { items, next_cursor, previous_cursor } = list(parts, actor, id, query).await?;
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let ids: Vec<Uuid> = items.iter().map(|row| row.task_id.0).collect();
    let tasks = task_list::find_many(lease.conn(), &ids).await.map_err(internal_error)?;
    let names = match rule::find(lease.conn(), id).await.map_err(internal_error)? {
        Some(rule) => rule.settings().map_err(internal_error)?.unless,
        None => Vec::new(),
    };
    let fired = items.iter().filter(|row| row.outcome == Some(WaitOutcome::Fired)).map(|row| row.id);
    let fired: Vec<WaitId> = fired.collect();
    let mut after = rule_activity::came_after(lease.conn(), &fired, &names).await.map_err(internal_error)?;
    let tasks = presenter.tasks(tasks).into_iter().map(|task| (task.id, task));
    let tasks: HashMap<TaskId, TaskRow> = tasks.collect();
    let entry = |row: WaitRow| {
        let came_after = after.remove(&row.id.0).map(|(name, at)| (name, presenter.moment(at)));
        let task = tasks.get(&row.task_id).cloned()?;
        Some(WaitEntry { wait: WaitRow { came_after, ..row }, task })
    };
    let items = items.into_iter().filter_map(entry).collect();
    Ok(Page { items, next_cursor, previous_cursor })
}

/// Changes a wait through its task, if it still has the version that the actor saw.
pub async fn change(
    parts: &AppState,
    actor: &Actor,
    id: WaitId,
    change: WaitChange,
    seen: Option<Version>,
) -> Result<WaitRow, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let record = record(&mut lease, id).await?;
    if parsed::<State>(&record.state)? == State::Cancelled {
        let task = task_list::find_many(lease.conn(), &[record.task_id]).await.map_err(internal_error)?;
        if task.iter().any(|task| task.state == State::Scheduled.as_str()) {
            // Its rule has cancelled it; the task `rule.update_waits` has not come to it yet.
            return Err(DomainError::Changed);
        }
    }
    drop(lease);
    let change = match change {
        WaitChange::Fire => Change::PublishNow,
        WaitChange::Cancel => Change::Cancel,
        WaitChange::Reschedule { when } => Change::Reschedule { when },
    };
    let seen = seen.unwrap_or(Version(record.version));
    change::change(parts, actor, TaskId(record.task_id), change, seen).await?;
    find(parts, actor, id).await
}

async fn record(lease: &mut ReadConn, id: WaitId) -> Result<WaitRecord, DomainError> {
    let record = wait_list::find(lease.conn(), id).await.map_err(internal_error)?;
    record.ok_or_else(|| DomainError::no_such("wait"))
}

/// Returns one wait, with what came after its rule had acted.
pub async fn find(parts: &AppState, actor: &Actor, id: WaitId) -> Result<WaitRow, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let row = present(&presenter, record(&mut lease, id).await?)?;
    if row.outcome != Some(WaitOutcome::Fired) {
        return Ok(row);
    }
    let Some(rule) = rule::find(lease.conn(), row.rule_id).await.map_err(internal_error)? else {
        return Ok(row);
    };
    let names = rule.settings().map_err(internal_error)?.unless;
    let came_after = wait_list::came_after(lease.conn(), id, &names).await.map_err(internal_error)?;
    Ok(WaitRow { came_after: came_after.map(|(name, at)| (name, presenter.moment(at))), ..row })
}
