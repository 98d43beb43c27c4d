//! Reads reminders.

use super::time;
use crate::{
    server::app_state::AppState,
    services::{Presenter, internal_error},
    tasks::unit::parsed,
};
use domain::{
    AccountId, Actor, DomainError, Page, ReminderId, TaskId, Version,
    base::page::PageStart,
    error::ValidationError,
    input_limits::{DEFAULT_PAGE_ITEMS, MAX_PAGE_ITEMS},
    reminders::{Reminder, ReminderAbout, ReminderQuery, Subject, decide},
    task::reason,
};
use store::{
    Conn, PoolRole,
    reminder_list::{self, ReminderFilter, ReminderRow},
};
use uuid::Uuid;

/// Presents a reminder.
pub fn present(presenter: &Presenter<'_>, row: ReminderRow) -> Result<Reminder, DomainError> {
    let plan = row.plan().map_err(internal_error)?;
    let recipient = row.recipient().map_err(internal_error)?;
    let actor = presenter.actor;
    let may_change = actor.may_change(row.owner());
    let undo = row.undo().and_then(|(verb, before)| {
        let may_undo = may_change || matches!(verb, "snooze" | "done");
        (may_undo && decide::undone(&before, presenter.now).is_some()).then(|| verb.to_owned())
    });
    let about = match (row.about_id, &row.anchor, row.offset_minutes) {
        (Some(id), Some(anchor), Some(offset_minutes)) => Some(ReminderAbout {
            // Without a target it is gone.
            subject: row.about_kind.as_deref().map_or(Ok(Subject::Meeting), parsed)?,
            id,
            title: row.about_title.clone().unwrap_or_default(),
            anchor: parsed(anchor)?,
            offset_minutes,
        }),
        _ => None,
    };
    Ok(Reminder {
        id: ReminderId(row.id),
        recipient,
        recipient_name: row.recipient_name.clone(),
        state: plan.state,
        version: Version(row.version),
        due: presenter.moment(plan.due_at),
        local: plan.local,
        about,
        reason: row.reason.clone(),
        sent: row.sent_at.map(|at| presenter.moment(at)),
        owner_id: row.owner(),
        owner: row.owner.clone(),
        created: presenter.moment(row.created_at),
        task_id: row.task_id.map(TaskId),
        undo,
        may_change,
        text: row.text,
    })
}

/// Reads and presents a reminder.
pub async fn one(conn: Conn<'_>, presenter: &Presenter<'_>, id: ReminderId) -> Result<Reminder, DomainError> {
    let row = reminder_list::find(conn, id).await.map_err(internal_error)?;
    present(presenter, row.ok_or_else(|| DomainError::no_such("reminder"))?)
}

/// Returns one reminder that the actor created or that is for it; admins see all.
pub async fn find(parts: &AppState, actor: &Actor, id: ReminderId) -> Result<Reminder, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let row = reminder_list::find(lease.conn(), id).await.map_err(internal_error)?;
    present(
        &presenter,
        row.filter(|row| is_visible(actor, row)).ok_or_else(|| DomainError::no_such("reminder"))?,
    )
}

/// Returns the reminders of users about an article or a meeting that the actor created or that are
/// for the actor; an admin sees all.
pub async fn about(parts: &AppState, actor: &Actor, id: Uuid) -> Result<Vec<Reminder>, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let rows = reminder_list::about(lease.conn(), id).await.map_err(internal_error)?;
    let is_own = |row: &ReminderRow| matches!(row.recipient_kind.as_str(), "account" | "mail" | "channel");
    let is_shown = |row: &ReminderRow| is_own(row) && !is_removed(row) && is_visible(actor, row);
    rows.into_iter().filter(is_shown).map(|row| present(&presenter, row)).collect()
}

/// Whether the actor created the reminder or gets it; admins see all.
fn is_visible(actor: &Actor, row: &ReminderRow) -> bool {
    actor.may_change(row.owner()) || row.recipient_id.map(AccountId) == Some(actor.account)
}

/// Whether a user cancelled the reminder.
pub fn is_removed(row: &ReminderRow) -> bool {
    row.state == "cancelled" && row.reason.as_deref() != Some(reason::TARGET_OVER)
}

/// Returns one page of the list.
pub async fn list(
    parts: &AppState,
    actor: &Actor,
    query: ReminderQuery,
) -> Result<Page<Reminder>, DomainError> {
    let limit = query.limit.unwrap_or(DEFAULT_PAGE_ITEMS).clamp(1, MAX_PAGE_ITEMS);
    let start = match &query.cursor {
        None => PageStart::first(),
        Some(cursor) => PageStart { place: Some(read_cursor(cursor)?), is_backward: false },
    };
    let now = parts.clock.now();
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, now).await?;
    let filter = ReminderFilter {
        account: actor.account,
        view: query.view,
        state: query.state,
        tomorrow: time::tomorrow(actor, now),
        start: start.place,
        // One more than requested shows whether there is another page.
        limit: i64::from(limit) + 1,
    };
    let rows = reminder_list::page(lease.conn(), filter).await.map_err(internal_error)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let place = |row: &ReminderRow| (row.due_at, row.id);
    let page =
        Page::of_rows(rows, limit, start, place, |(due_at, id), _| format!("{due_at}.{}", id.simple()));
    let items = page.items.into_iter().map(|row| present(&presenter, row)).collect::<Result<_, _>>()?;
    // The list has no way back.
    Ok(Page { items, next_cursor: page.next_cursor, previous_cursor: None })
}

fn read_cursor(cursor: &str) -> Result<(i64, Uuid), DomainError> {
    let place = cursor.split_once('.').and_then(|(at, id)| Some((at.parse().ok()?, id.parse().ok()?)));
    place.ok_or_else(|| {
        let why = "is not a cursor of this list".to_owned();
        DomainError::invalid("cursor", ValidationError::Unreadable { why })
    })
}
