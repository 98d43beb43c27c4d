//! One change of many reminders, in transactions of a hundred. One undo reverts all of it.

use super::{check_rights, outside};
use crate::{
    app_state::AppState,
    reminders::{
        apply::{self, PlanChange},
        read,
    },
    services::{Presenter, internal_error, write_error, zone::Zone},
    tasks::{bulk::items, unit_of_work::UnitOfWork},
    zone,
};
use domain::{
    Actor, BatchId, DomainError, TaskId,
    bulk_change::{BulkChange, BulkItem, BulkMove, BulkOutcome, BulkRefusal, MAX_LISTED},
    error::ValidationError,
    input_limits::MAX_PAGE_ITEMS,
    reminders::{
        LocalTimeInZone, MAX_BULK_REMINDERS, Plan, ReminderChange, ReminderEdit, ReminderQuery,
        ReminderSelection, ReminderState, RemindersChange, decide,
    },
};
use std::collections::{HashMap, HashSet};
use store::{
    batch::{self, BatchItem, ItemKind},
    reminder_list::{self, ReminderRow},
    target,
};
use uuid::Uuid;

/// Number of reminders in one transaction.
const CHUNK: usize = 100;

/// Changes the selected reminders. `is_dry_run`: changes nothing and lists what would happen.
pub async fn change(
    parts: &AppState,
    actor: &Actor,
    selection: ReminderSelection,
    wanted: RemindersChange,
    is_dry_run: bool,
) -> Result<BulkOutcome, DomainError> {
    if let RemindersChange::Shift { days, minutes } = wanted {
        BulkChange::Shift { days, minutes }.check()?;
    }
    // The idempotency key applies to the whole request, not to each reminder.
    let actor = Actor { idempotency: None, ..actor.clone() };
    let ids = selected(parts, &actor, selection).await?;
    let over_limit = outside::refused(parts, &actor, &ids, |presenter, row| {
        decided(presenter, row, wanted).ok().flatten()
    })
    .await?;
    let batch = BatchId::generate();
    let mut outcome = BulkOutcome { matched: ids.len() as u64, ..BulkOutcome::default() };
    for chunk in ids.chunks(CHUNK) {
        let mut unit = UnitOfWork::begin(parts, &actor).await?;
        let rows = locked(&mut unit, chunk).await?;
        let mut changes = Vec::new();
        for (id, row) in each(chunk, &rows) {
            let decided = row.map_or_else(|| Err(no_such()), |row| decided(&unit.presenter, row, wanted));
            match decided.and_then(|change| within_limits(&over_limit, id, change)) {
                Ok(change) => changes.extend(change),
                Err(why) => outcome.refused.push(refusal(id, row, why)),
            }
        }
        let first = usize::try_from(outcome.changed).unwrap_or(usize::MAX);
        outcome.changed += changes.len() as u64;
        if is_dry_run {
            list(&unit.presenter, &changes, &mut outcome);
        } else if !changes.is_empty() {
            write(&mut unit, batch, &changes, first).await?;
            unit.commit().await?;
            outcome.batch = Some(batch);
        }
    }
    outcome.moves.sort_by_key(|one| one.to.at);
    outcome.moves.truncate(MAX_LISTED);
    outcome.items.truncate(MAX_LISTED);
    Ok(outcome)
}

/// The ids of the selection in the order of locks, each once.
async fn selected(
    parts: &AppState,
    actor: &Actor,
    selection: ReminderSelection,
) -> Result<Vec<Uuid>, DomainError> {
    let (ids, field): (HashSet<Uuid>, _) = match selection {
        ReminderSelection::Reminders(ids) if ids.is_empty() => {
            return Err(DomainError::invalid("ids", ValidationError::Empty));
        }
        ReminderSelection::Reminders(ids) => (ids.into_iter().map(|id| id.0).collect(), "ids"),
        ReminderSelection::Matching(query) => (matching(parts, actor, *query).await?, "filter"),
    };
    if ids.len() > MAX_BULK_REMINDERS {
        let max = u32::try_from(MAX_BULK_REMINDERS).unwrap_or(u32::MAX);
        return Err(DomainError::invalid(field, ValidationError::TooMany { max }));
    }
    let mut ids: Vec<Uuid> = ids.into_iter().collect();
    ids.sort_unstable();
    Ok(ids)
}

/// The reminders that match, or the first of them if they are too many.
async fn matching(
    parts: &AppState,
    actor: &Actor,
    query: ReminderQuery,
) -> Result<HashSet<Uuid>, DomainError> {
    let mut query = ReminderQuery { cursor: None, limit: Some(MAX_PAGE_ITEMS), ..query };
    let mut ids = HashSet::new();
    while ids.len() <= MAX_BULK_REMINDERS {
        let page = read::list(parts, actor, query.clone()).await?;
        ids.extend(page.items.into_iter().map(|reminder| reminder.id.0));
        query.cursor = page.next_cursor;
        if query.cursor.is_none() {
            break;
        }
    }
    Ok(ids)
}

async fn locked(unit: &mut UnitOfWork<'_>, ids: &[Uuid]) -> Result<Vec<ReminderRow>, DomainError> {
    target::lock(unit.tx.conn(), ids).await.map_err(internal_error)?;
    reminder_list::find_many(unit.tx.conn(), ids).await.map_err(internal_error)
}

/// The rows of these ids; `None`: there is no such reminder.
fn each<'r>(
    ids: &'r [Uuid],
    rows: &'r [ReminderRow],
) -> impl Iterator<Item = (Uuid, Option<&'r ReminderRow>)> {
    let rows: HashMap<Uuid, &ReminderRow> = rows.iter().map(|row| (row.id, row)).collect();
    ids.iter().map(move |id| (*id, rows.get(id).copied()))
}

/// What the change makes of a reminder; `None`: it is as wanted already.
fn decided<'r>(
    presenter: &Presenter<'_>,
    row: &'r ReminderRow,
    wanted: RemindersChange,
) -> Result<Option<PlanChange<'r>>, DomainError> {
    let alone = match wanted {
        RemindersChange::Shift { .. } => ReminderChange::Edit(ReminderEdit::default()),
        RemindersChange::Done => ReminderChange::Done,
        RemindersChange::Cancel => ReminderChange::Cancel,
    };
    check_rights(presenter.actor, row, &alone)?;
    let before = row.plan().map_err(internal_error)?;
    let (verb, after) = match wanted {
        RemindersChange::Shift { days, minutes } => ("edit", shifted(presenter, row, (days, minutes))?),
        RemindersChange::Done => ("done", decide::done(&before)?),
        RemindersChange::Cancel => ("cancel", decide::cancelled(&before)?),
    };
    Ok((after != before).then_some(PlanChange { row, before, after, verb, can_undo: true }))
}

/// Returns the change, or why its mail may not be planned.
fn within_limits<T>(over_limit: &HashMap<Uuid, DomainError>, id: Uuid, change: T) -> Result<T, DomainError> {
    over_limit.get(&id).map_or(Ok(change), |why| Err(why.clone()))
}

/// Another moment for a reminder that was not sent: in the zone in which it was set, else that of the user.
fn shifted(
    presenter: &Presenter<'_>,
    row: &ReminderRow,
    (days, minutes): (i32, i32),
) -> Result<Plan, DomainError> {
    let due_at = row.due_at.into();
    match row.state.parse() {
        Ok(ReminderState::Scheduled) if due_at > presenter.now => {}
        Ok(ReminderState::Scheduled) => return Err(DomainError::past(due_at)),
        _ => {
            return Err(DomainError::WrongState { what: "reminder".to_owned(), state: row.state.clone() });
        }
    }
    let own = Zone::stored(row.time_zone.as_deref().unwrap_or(&presenter.actor.zone));
    let when = own.shifted(due_at, days, minutes)?;
    let at = zone::resolve(&when)?;
    decide::check_time(at, presenter.now, "days")?;
    Ok(decide::moved(at, zone::typed(&when).map(|(local, zone)| LocalTimeInZone { local, zone })))
}

/// Adds to a preview what would be changed.
fn list(presenter: &Presenter<'_>, changes: &[PlanChange<'_>], outcome: &mut BulkOutcome) {
    for change in changes {
        let (id, title) = (TaskId(change.row.id), title(change.row));
        if change.before.due_at == change.after.due_at {
            outcome.items.push(BulkItem { id, title, at: Some(presenter.moment(change.before.due_at)) });
            continue;
        }
        let (from, to) = (presenter.moment(change.before.due_at), presenter.moment(change.after.due_at));
        outcome.moves.push(BulkMove { id, title, from, to, is_conflict: false });
    }
}

/// Writes the changes and adds the reminders to the batch.
async fn write(
    unit: &mut UnitOfWork<'_>,
    batch: BatchId,
    changes: &[PlanChange<'_>],
    first: usize,
) -> Result<(), DomainError> {
    apply::write(unit, changes).await?;
    let item = |change: &PlanChange<'_>| BatchItem {
        id: change.row.id,
        kind: ItemKind::Reminder,
        version: change.row.version + 1,
    };
    let items: Vec<BatchItem> = changes.iter().map(item).collect();
    let (account, now) = (unit.presenter.actor.account, unit.now());
    let written = async {
        batch::create(unit.tx.conn(), batch, account, now).await?;
        batch::add_items(unit.tx.conn(), batch, &items, first).await
    };
    written.await.map_err(write_error(unit.parts))
}

/// Undoes a change of many reminders, as far as they were not changed since; `None`: it changed no
/// reminders.
pub async fn undo(parts: &AppState, actor: &Actor, id: BatchId) -> Result<Option<BulkOutcome>, DomainError> {
    let actor = Actor { idempotency: None, ..actor.clone() };
    let Some(mut changed) = items::take(parts, &actor, id, ItemKind::Reminder).await? else {
        return Ok(None);
    };
    changed.sort_unstable_by_key(|one| one.id);
    let versions: HashMap<Uuid, i32> = changed.iter().map(|one| (one.id, one.version)).collect();
    let ids: Vec<Uuid> = changed.iter().map(|one| one.id).collect();
    let seen = |id: &Uuid| versions.get(id).copied();
    let over_limit =
        outside::refused(parts, &actor, &ids, |presenter, row| restored(presenter, row, seen(&row.id)).ok())
            .await?;
    let mut outcome = BulkOutcome { matched: ids.len() as u64, ..BulkOutcome::default() };
    for chunk in ids.chunks(CHUNK) {
        let mut unit = UnitOfWork::begin(parts, &actor).await?;
        let rows = locked(&mut unit, chunk).await?;
        let mut changes = Vec::new();
        for (id, row) in each(chunk, &rows) {
            let restored =
                row.map_or_else(|| Err(no_such()), |row| restored(&unit.presenter, row, seen(&id)));
            match restored.and_then(|change| within_limits(&over_limit, id, change)) {
                Ok(change) => changes.push(change),
                Err(why) => outcome.refused.push(refusal(id, row, why)),
            }
        }
        apply::write(&mut unit, &changes).await?;
        unit.commit().await?;
        outcome.changed += changes.len() as u64;
    }
    Ok(Some(outcome))
}

fn restored<'r>(
    presenter: &Presenter<'_>,
    row: &'r ReminderRow,
    seen: Option<i32>,
) -> Result<PlanChange<'r>, DomainError> {
    check_rights(presenter.actor, row, &ReminderChange::Undo)?;
    if seen != Some(row.version) {
        return Err(DomainError::Changed);
    }
    let (_, was) = row.undo().ok_or(DomainError::CannotUndo)?;
    let after = decide::undone(&was, presenter.now).ok_or(DomainError::CannotUndo)?;
    let before = row.plan().map_err(internal_error)?;
    Ok(PlanChange { row, before, after, verb: "undo", can_undo: false })
}

/// Its text; the title of its meeting if it has none.
fn title(row: &ReminderRow) -> String {
    let about = row.about_title.clone().filter(|_| row.text.is_empty());
    about.unwrap_or_else(|| row.text.clone())
}

fn no_such() -> DomainError {
    DomainError::no_such("reminder")
}

/// An invisible reminder is not named.
fn refusal(id: Uuid, row: Option<&ReminderRow>, why: DomainError) -> BulkRefusal {
    let row = row.filter(|_| !matches!(why, DomainError::NoSuch { .. }));
    BulkRefusal { id: TaskId(id), title: row.map(title).unwrap_or_default(), why }
}
