//! Reads reminders.

use super::input::time;
use crate::{
    app_state::AppState,
    deliveries::outside,
    services::{
        Presenter,
        cursor::{self, Place},
        internal_error,
    },
    tasks::unit_of_work::parsed,
    zone::Zone,
};
use domain::{
    AccountId, Actor, DomainError, Page, ReminderId, TaskId, Timestamp, Version,
    base::page::PageStart,
    error::ValidationError,
    input_limits::{DEFAULT_PAGE_ITEMS, MAX_PAGE_ITEMS, MAX_SEARCH_CHARS},
    reminders::{
        Recipient, Reminder, ReminderAbout, ReminderCounts, ReminderQuery, ReminderView, Subject, decide,
    },
    task::reason,
};
use std::collections::HashMap;
use store::{
    Conn, PoolRole,
    reminder_list::{self, ReminderFilter, ReminderRow},
};
use uuid::Uuid;

/// Presents reminders with their mails that a limit holds: one statement finds those of all.
pub async fn present_all(
    conn: Conn<'_>,
    presenter: &Presenter<'_>,
    rows: Vec<ReminderRow>,
) -> Result<Vec<Reminder>, DomainError> {
    let shows_mails = |row: &&ReminderRow| {
        let is_by_mail = matches!(row.recipient_kind.as_str(), "mail" | "attendees");
        is_by_mail && row.sent_at.is_some() && presenter.actor.may_change(row.owner())
    };
    let ids: Vec<Uuid> = rows.iter().filter(shows_mails).map(|row| row.id).collect();
    let mut held = match ids.is_empty() {
        true => HashMap::new(),
        false => outside::held_of_reminders(conn, presenter, &ids).await?,
    };
    let with_mails = |row: ReminderRow| {
        let held_mails = held.remove(&row.id).unwrap_or_default();
        present(presenter, row).map(|reminder| Reminder { held_mails, ..reminder })
    };
    rows.into_iter().map(with_mails).collect()
}

/// Presents a reminder with its mails that a limit holds; `None`: it does not exist.
async fn present_found(
    conn: Conn<'_>,
    presenter: &Presenter<'_>,
    row: Option<ReminderRow>,
) -> Result<Reminder, DomainError> {
    let found = present_all(conn, presenter, row.into_iter().collect()).await?;
    found.into_iter().next().ok_or_else(|| DomainError::no_such("reminder"))
}

/// Presents a reminder without its mails.
pub fn present(presenter: &Presenter<'_>, row: ReminderRow) -> Result<Reminder, DomainError> {
    let plan = row.plan().map_err(internal_error)?;
    let recipient = row.recipient().map_err(internal_error)?;
    let is_bell = recipient == Recipient::Bell;
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
        repeats: plan.repeats,
        about,
        reason: row.reason.clone(),
        sent: row.sent_at.map(|at| presenter.moment(at)),
        owner_id: row.owner(),
        owner: row.owner.clone(),
        created: presenter.moment(row.created_at),
        task_id: row.task_id.map(TaskId),
        undo,
        may_change,
        held_mails: Vec::new(),
        text: if is_bell { String::new() } else { row.text },
    })
}

/// Reads and presents a reminder.
pub async fn one(
    mut conn: Conn<'_>,
    presenter: &Presenter<'_>,
    id: ReminderId,
) -> Result<Reminder, DomainError> {
    let row = reminder_list::find(conn.reborrow(), id).await.map_err(internal_error)?;
    present_found(conn, presenter, row).await
}

/// Returns one reminder that the actor created or that is for it; admins see all.
pub async fn find(parts: &AppState, actor: &Actor, id: ReminderId) -> Result<Reminder, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let row = reminder_list::find(lease.conn(), id).await.map_err(internal_error)?;
    present_found(lease.conn(), &presenter, row.filter(|row| is_visible(actor, row))).await
}

/// Returns the reminders of users about an article or a meeting that the actor created or that are
/// for the actor; an admin sees all.
pub async fn about(parts: &AppState, actor: &Actor, id: Uuid) -> Result<Vec<Reminder>, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let rows = reminder_list::about(lease.conn(), id).await.map_err(internal_error)?;
    let is_own = |row: &ReminderRow| matches!(row.recipient_kind.as_str(), "account" | "mail" | "channel");
    let is_shown = |row: &ReminderRow| is_own(row) && !is_removed(row) && is_visible(actor, row);
    let shown: Vec<ReminderRow> = rows.into_iter().filter(is_shown).collect();
    present_all(lease.conn(), &presenter, shown).await
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
    if query.q.as_ref().is_some_and(|q| q.chars().count() > MAX_SEARCH_CHARS) {
        let max = u32::try_from(MAX_SEARCH_CHARS).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("q", ValidationError::TooLong { max }));
    }
    let limit = query.limit.unwrap_or(DEFAULT_PAGE_ITEMS).clamp(1, MAX_PAGE_ITEMS);
    let limit = usize::try_from(limit).unwrap_or(1);
    let start = query.cursor.as_deref().map_or(Ok(PageStart::first()), cursor::read)?;
    let is_descending = query.is_latest_first.unwrap_or(query.view == Some(ReminderView::Done));
    let (from, to) = match query.day.as_deref().filter(|_| query.cursor.is_none()) {
        Some(day) => bounds(Zone::stored(&actor.zone).day_bounds("day", day)?, is_descending),
        None => (i64::MIN, i64::MAX),
    };
    let now = parts.clock.now();
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, now).await?;
    let filter = ReminderFilter {
        account: actor.account,
        view: query.view,
        state: query.state,
        q: query.q.as_deref().map(str::trim).filter(|q| !q.is_empty()),
        tomorrow: time::tomorrow(actor, now),
        from,
        to,
        is_descending,
        start: None,
        // One more than requested shows whether there is another page.
        limit: i64::try_from(limit + 1).unwrap_or(i64::MAX),
    };
    let (rows, start) = rows_from(&mut lease, filter, start, limit).await?;
    let place = |row: &ReminderRow| (row.due_at, row.id);
    let page = Page::of_rows(rows, limit, start, place, cursor::write);
    let items = present_all(lease.conn(), &presenter, page.items).await?;
    Ok(Page { items, next_cursor: page.next_cursor, previous_cursor: page.previous_cursor })
}

/// From a day on, or until its end if the latest comes first.
const fn bounds((begin, end): (Timestamp, Timestamp), is_descending: bool) -> (i64, i64) {
    if is_descending { (i64::MIN, end.millis()) } else { (begin.millis(), i64::MAX) }
}

/// Reads the rows of a page. If the way back ends on this page, it is the first page, read from its
/// start so that it is full.
async fn rows_from(
    lease: &mut store::ReadConn,
    filter: ReminderFilter<'_>,
    start: PageStart<Place>,
    limit: usize,
) -> Result<(Vec<ReminderRow>, PageStart<Place>), DomainError> {
    let is_descending = filter.is_descending != start.is_backward;
    let asked = ReminderFilter { is_descending, start: start.place, ..filter };
    let rows = reminder_list::page(lease.conn(), asked).await.map_err(internal_error)?;
    if start.is_backward && rows.len() <= limit {
        let rows = reminder_list::page(lease.conn(), filter).await.map_err(internal_error)?;
        return Ok((rows, PageStart::first()));
    }
    Ok((rows, start))
}

/// Returns the numbers of reminders in the parts of the list.
pub async fn counts(parts: &AppState, actor: &Actor) -> Result<ReminderCounts, DomainError> {
    let tomorrow = time::tomorrow(actor, parts.clock.now());
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let found = reminder_list::counts(lease.conn(), actor.account, tomorrow).await;
    let (today, coming, done) = found.map_err(internal_error)?;
    let count = |count: i64| u64::try_from(count).unwrap_or_default();
    Ok(ReminderCounts { today: count(today), coming: count(coming), done: count(done) })
}
