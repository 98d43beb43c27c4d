//! One change of several meetings, each in a transaction of its own, as if it alone were changed. One undo
//! reverts all of them.

use super::change_in;
use crate::{
    app_state::AppState,
    meetings::{
        check::{self, Times},
        edit::{self, Checked},
        read, series,
    },
    services::{internal_error, write_error, zone::Zone},
    tasks::{bulk::items, unit_of_work::UnitOfWork},
    zone::resolve,
};
use domain::{
    Actor, BatchId, DomainError, LocalizedTime, MeetingId, TaskId, Version, When,
    bulk_change::{BulkChange, BulkItem, BulkMove, BulkOutcome, BulkRefusal, MAX_LISTED},
    error::ValidationError,
    input_limits::MAX_PAGE_ITEMS,
    meetings::{
        MAX_BULK_MEETINGS, MAX_CONFLICTS, MeetingChange, MeetingQuery, MeetingSelection, MeetingTime,
        MeetingsChange,
    },
};
use std::collections::{HashMap, HashSet};
use store::{
    PoolRole,
    batch::{self, BatchItem, ItemKind},
    due_meetings,
    meeting::{self, MeetingRow},
};
use uuid::Uuid;

/// Changes the selected meetings. `is_dry_run`: changes nothing and lists what would happen.
pub async fn change(
    parts: &AppState,
    actor: &Actor,
    selection: MeetingSelection,
    wanted: &MeetingsChange,
    is_dry_run: bool,
) -> Result<BulkOutcome, DomainError> {
    if let MeetingsChange::Shift { days, minutes } = *wanted {
        BulkChange::Shift { days, minutes }.check()?;
    }
    if let MeetingsChange::Cancel { reason } | MeetingsChange::Reject { reason } = wanted {
        check::reason(reason)?;
    }
    // The idempotency key applies to the whole request, not to each meeting.
    let actor = Actor { idempotency: None, ..actor.clone() };
    let ids = selected(parts, &actor, selection).await?;
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let mut rows = due_meetings::load(lease.conn(), &ids).await.map_err(internal_error)?;
    drop(lease);
    // Each moves to where those before it have left.
    rows.sort_unstable_by_key(|row| (row.starts_at, row.id));
    if is_later(wanted) {
        rows.reverse();
    }
    let task = Task { parts, actor: &actor, wanted, is_dry_run, batch: BatchId::generate() };
    let found: HashSet<Uuid> = rows.iter().map(|row| row.id).collect();
    let missing = ids.iter().filter(|id| !found.contains(id));
    let mut refused: Vec<BulkRefusal> =
        missing.map(|id| refusal(*id, String::new(), DomainError::no_such("meeting"))).collect();
    let (mut changed, mut failure): (Vec<Changed>, Option<DomainError>) = (Vec::new(), None);
    for row in &rows {
        let done = match &failure {
            Some(why) => Err(why.clone()),
            None => task.one(row, &changed).await,
        };
        match done {
            Ok(one) => changed.extend(one),
            Err(why) => {
                // What was changed before stays changed, and can be undone.
                failure = failure.or_else(|| is_failure(&why).then(|| why.clone()));
                refused.push(refusal(row.id, row.title.clone(), why));
            }
        }
    }
    match failure {
        Some(why) if changed.is_empty() => Err(why),
        _ => Ok(task.outcome(ids.len(), changed, refused)),
    }
}

/// Whether nothing more can be changed now.
fn is_failure(why: &DomainError) -> bool {
    why.status() >= 500
}

fn is_later(wanted: &MeetingsChange) -> bool {
    match wanted {
        MeetingsChange::Shift { days, minutes } => i64::from(*days) * 1_440 + i64::from(*minutes) > 0,
        _ => false,
    }
}

/// The ids of the selection, each once.
async fn selected(
    parts: &AppState,
    actor: &Actor,
    selection: MeetingSelection,
) -> Result<Vec<Uuid>, DomainError> {
    let too_many = |field: &str| {
        let max = u32::try_from(MAX_BULK_MEETINGS).unwrap_or(u32::MAX);
        DomainError::invalid(field, ValidationError::TooMany { max })
    };
    match selection {
        MeetingSelection::Meetings(ids) if ids.is_empty() => {
            Err(DomainError::invalid("ids", ValidationError::Empty))
        }
        MeetingSelection::Meetings(ids) if ids.len() > MAX_BULK_MEETINGS => Err(too_many("ids")),
        MeetingSelection::Meetings(ids) => {
            Ok(ids.into_iter().map(|id| id.0).collect::<HashSet<_>>().into_iter().collect())
        }
        MeetingSelection::Matching(query) => {
            let query = MeetingQuery { cursor: None, limit: Some(MAX_PAGE_ITEMS), ..*query };
            let page = read::list(parts, actor, query).await?;
            if page.next_cursor.is_some() {
                return Err(too_many("filter"));
            }
            Ok(page.items.into_iter().map(|row| row.id.0).collect())
        }
    }
}

/// A change in progress.
struct Task<'a> {
    parts: &'a AppState,
    actor: &'a Actor,
    wanted: &'a MeetingsChange,
    is_dry_run: bool,
    batch: BatchId,
}

/// A meeting that was changed, or would be.
struct Changed {
    id: Uuid,
    title: String,
    /// Its start before the change.
    from: LocalizedTime,
    /// Its start after it, if it is moved.
    to: Option<LocalizedTime>,
}

impl Task<'_> {
    /// Changes one meeting; `None`: it is as wanted already. `before`: those that were changed before it.
    async fn one(&self, row: &MeetingRow, before: &[Changed]) -> Result<Option<Changed>, DomainError> {
        let (id, seen) = (MeetingId(row.id), Version(row.version));
        let times = match *self.wanted {
            MeetingsChange::Shift { days, minutes } => Some(shifted(row, days, minutes)?),
            _ => None,
        };
        let mut unit = UnitOfWork::begin(self.parts, self.actor).await?;
        let moment = |at| unit.presenter.moment(at);
        let (from, to) = (moment(row.starts_at.into()), times.as_ref().map(|times| moment(times.starts_at)));
        let changed = Changed { id: row.id, title: row.title.clone(), from, to };
        let done = match of_state(self.wanted) {
            Some(change) => change_in(&mut unit, id, change, seen).await,
            None => edit::edit_in(&mut unit, id, Checked::of_time(times), seen).await,
        };
        if self.is_dry_run {
            return match done {
                // They leave before it comes.
                Err(DomainError::RoomTaken { conflicts }) if leave(&conflicts, before) => Ok(Some(changed)),
                done => Ok(done?.then_some(changed)),
            };
        }
        if !done? {
            return Ok(None);
        }
        self.record(&mut unit, id, before.len()).await?;
        unit.commit().await?;
        Ok(Some(changed))
    }

    /// Adds a meeting to the batch.
    async fn record(
        &self,
        unit: &mut UnitOfWork<'_>,
        id: MeetingId,
        place: usize,
    ) -> Result<(), DomainError> {
        let now = unit.now();
        let written = async {
            let after = meeting::find(unit.tx.conn(), id).await?;
            let version = after.map(|row| row.version).unwrap_or_default();
            let item = BatchItem { id: id.0, kind: ItemKind::Meeting, version };
            batch::create(unit.tx.conn(), self.batch, self.actor.account, now).await?;
            batch::add_items(unit.tx.conn(), self.batch, &[item], place).await
        };
        written.await.map_err(write_error(self.parts))
    }

    fn outcome(&self, matched: usize, changed: Vec<Changed>, refused: Vec<BulkRefusal>) -> BulkOutcome {
        let mut outcome = BulkOutcome {
            batch: (!changed.is_empty() && !self.is_dry_run).then_some(self.batch),
            matched: matched as u64,
            changed: changed.len() as u64,
            refused,
            ..BulkOutcome::default()
        };
        for one in changed.into_iter().filter(|_| self.is_dry_run) {
            let (id, title, from) = (TaskId(one.id), one.title, one.from);
            match one.to {
                Some(to) => outcome.moves.push(BulkMove { id, title, from, to, is_conflict: false }),
                None => outcome.items.push(BulkItem { id, title, at: Some(from) }),
            }
        }
        outcome.moves.sort_by_key(|one| one.to.at);
        outcome.moves.truncate(MAX_LISTED);
        outcome.items.truncate(MAX_LISTED);
        outcome
    }
}

/// Whether all that is in the way was moved before.
fn leave(conflicts: &[domain::meetings::BookingConflict], before: &[Changed]) -> bool {
    let is_moved = |id: MeetingId| before.iter().any(|one| one.id == id.0);
    conflicts.len() < MAX_CONFLICTS && conflicts.iter().all(|conflict| is_moved(conflict.id))
}

/// The change of the state; `None`: the time is changed.
fn of_state(wanted: &MeetingsChange) -> Option<MeetingChange> {
    match wanted.clone() {
        MeetingsChange::Shift { .. } => None,
        MeetingsChange::Approve => Some(MeetingChange::Approve),
        MeetingsChange::Reject { reason } => Some(MeetingChange::Reject { reason }),
        MeetingsChange::Cancel { reason } => Some(MeetingChange::Cancel { reason }),
    }
}

/// Start and end, moved in the time zone of the meeting. Exact instants stay exact.
fn shifted(row: &MeetingRow, days: i32, minutes: i32) -> Result<Times, DomainError> {
    let zone = Zone::stored(&row.time_zone);
    let start = zone.shifted(row.starts_at.into(), days, minutes)?;
    let end = zone.shifted(row.ends_at.into(), days, minutes)?;
    let is_local = row.booking().map_err(internal_error)?.local.is_some();
    check::times(match (start, end) {
        (
            When::Local { local: local_start, zone, disambiguation: None },
            When::Local { local: local_end, disambiguation: None, .. },
        ) if is_local => MeetingTime::Local { local_start, local_end, zone, disambiguation: None },
        (start, end) => MeetingTime::At {
            starts_at: resolve(&start)?,
            ends_at: resolve(&end)?,
            zone: Some(row.time_zone.clone()),
        },
    })
}

fn refusal(id: Uuid, title: String, why: DomainError) -> BulkRefusal {
    BulkRefusal { id: TaskId(id), title, why }
}

/// Undoes a change of several meetings, as far as they were not changed since; `None`: it changed no
/// meetings.
pub async fn undo(parts: &AppState, actor: &Actor, id: BatchId) -> Result<Option<BulkOutcome>, DomainError> {
    let actor = Actor { idempotency: None, ..actor.clone() };
    let Some(changed) = items::take(parts, &actor, id, ItemKind::Meeting).await? else { return Ok(None) };
    let ids: Vec<Uuid> = changed.iter().map(|one| one.id).collect();
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let rows = due_meetings::load(lease.conn(), &ids).await.map_err(internal_error)?;
    drop(lease);
    let mut titles: HashMap<Uuid, String> = rows.into_iter().map(|row| (row.id, row.title)).collect();
    let mut outcome = BulkOutcome { matched: changed.len() as u64, ..BulkOutcome::default() };
    for one in changed {
        match series::undo(parts, &actor, MeetingId(one.id), Version(one.version)).await {
            Ok(_) => outcome.changed += 1,
            Err(why) => {
                outcome.refused.push(refusal(one.id, titles.remove(&one.id).unwrap_or_default(), why));
            }
        }
    }
    Ok(Some(outcome))
}
