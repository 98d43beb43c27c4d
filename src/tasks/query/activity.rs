//! The activity of the desk.

use crate::{
    app_state::AppState,
    kinds::{self, TaskKind},
    services::{Presenter, cursor, internal_error},
};
use domain::{
    Actor, DomainError, LocalizedTime, Page, Timestamp,
    activity::{ActivityEntry, ActivityQuery, ActivitySubject},
    event::{Audience, Event},
    input_limits::{DEFAULT_PAGE_ITEMS, MAX_PAGE_ITEMS},
    review::workflow::ReviewState,
};
use serde_json::Value;
use store::{
    PoolRole,
    activity::{self, ActivityFilter, ActivityRow},
    event::EventRow,
};

/// Number of events that are read for each that is shown, because some are left out.
const READ_PER_SHOWN: usize = 4;
/// Maximum number of reads for one page.
const MAX_READS: usize = 5;

/// Returns one page of the activity that the actor may see. A page has fewer entries than asked for and is
/// not the last only if nearly all of the next events are left out.
pub async fn page(
    parts: &AppState,
    actor: &Actor,
    query: ActivityQuery,
) -> Result<Page<ActivityEntry>, DomainError> {
    let before = query.cursor.as_deref().map_or(Ok(i64::MAX), read_cursor)?;
    let limit = query.limit.unwrap_or(DEFAULT_PAGE_ITEMS).clamp(1, MAX_PAGE_ITEMS) as usize;
    let mut filter = ActivityFilter {
        person: query.person,
        item: query.item,
        with_engine: query.with_engine,
        before,
        limit: i64::try_from(limit * READ_PER_SHOWN).unwrap_or(i64::MAX),
    };
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let (mut shown, mut next) = (Vec::new(), None);
    for _ in 0..MAX_READS {
        let (mut rows, rest) = activity::page(lease.conn(), filter).await.map_err(internal_error)?;
        rows.retain(|row| may_see(actor, row) && !is_consequence(row, query.item.is_some()));
        shown.append(&mut rows);
        next = rest;
        match rest {
            Some(seq) if shown.len() <= limit => filter.before = seq,
            _ => break,
        }
    }
    if shown.len() > limit {
        shown.truncate(limit);
        next = shown.last().map(|row| row.event.seq);
    }
    Ok(Page {
        items: shown.into_iter().map(|row| entry(&presenter, row)).collect(),
        next_cursor: next.map(|seq| seq.to_string()),
        previous_cursor: None,
    })
}

/// Whether an account did it by changing something else: the tasks of a meeting follow the meeting, and the
/// meetings of a series follow the series; on request of one item, its own booking is shown. Of a publication,
/// the execution of its task is shown; of a task that follows from its target, what it did. A text that needs no
/// decision was only checked.
fn is_consequence(row: &ActivityRow, is_of_item: bool) -> bool {
    let kind = row.task_kind.as_deref().and_then(kinds::find);
    row.is_of_series == 1 && !is_of_item
        || is_by_own_task(&row.event)
        || is_check(&row.event)
        || kind.is_some_and(|kind| has_own_event(kind, &row.event))
}

/// Whether an event of a task has an effect with an event of its own: what users do to its target, or what it
/// does to the target itself. A warning has none.
fn has_own_event(kind: &dyn TaskKind, event: &EventRow) -> bool {
    let is_executed = event.verb == "execute" && !kind.is_warning();
    event.entity == "task" && kind.is_managed() && (event.actor_id.is_some() || is_executed)
}

/// Whether a text was submitted and needed no decision: it was only checked, mostly because it was scheduled.
fn is_check(event: &EventRow) -> bool {
    event.entity == "article" && event.verb == "submit" && {
        let detail: Value = serde_json::from_str(&event.detail).unwrap_or_default();
        detail.get("state").and_then(Value::as_str) == Some(ReviewState::Approved.as_str())
    }
}

/// Whether an article was published or unpublished by a task whose execution is an event too. The tasks of a
/// release have none.
fn is_by_own_task(event: &EventRow) -> bool {
    let is_publication = event.entity == "article" && matches!(event.verb.as_str(), "publish" | "unpublish");
    if !is_publication {
        return false;
    }
    let detail: Value = serde_json::from_str(&event.detail).unwrap_or_default();
    detail.get("release_id").is_none() && (detail.get("task").is_some() || detail.get("task_id").is_some())
}

/// Whether the actor may see an event.
fn may_see(actor: &Actor, row: &ActivityRow) -> bool {
    let is_hidden = row.task_kind.as_deref().is_some_and(|kind| kinds::is_hidden_from(actor, kind));
    !is_hidden && Audience::of(&row.event.entity, row.event.entity_id).includes(actor)
}

fn entry(presenter: &Presenter<'_>, row: ActivityRow) -> ActivityEntry {
    let event = presenter.event(row.event);
    let title = row.title.or_else(|| invited(&event)).unwrap_or_default();
    ActivityEntry {
        subject: ActivitySubject { kind: row.subject_kind, id: row.subject_id, title },
        kind: row.task_kind.and_then(|kind| kind.parse().ok()),
        starts: starts(presenter, &event),
        event,
    }
}

/// Name of the person whose invitation an event is about.
fn invited(event: &Event) -> Option<String> {
    let is_invitation = event.entity == "account" && event.entity_id.is_nil();
    event.detail.get("name").filter(|_| is_invitation)?.as_str().map(str::to_owned)
}

fn starts(presenter: &Presenter<'_>, event: &Event) -> Option<LocalizedTime> {
    let at: Timestamp = event.detail.get("starts_at")?.as_str()?.parse().ok()?;
    Some(presenter.moment(at))
}

fn read_cursor(cursor: &str) -> Result<i64, DomainError> {
    cursor.parse().ok().filter(|seq| *seq > 0).ok_or_else(cursor::unknown)
}
