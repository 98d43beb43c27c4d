//! Adds the next occurrences of a series. Those that are not possible are recorded.

use super::{new_task, schedule};
use crate::{
    kinds::{new_tasks::store_tasks, task_kind::TaskKind},
    meetings::{
        invite,
        rooms::locked::LockedRoom,
        series::plan::{self, Blocked, Candidate},
    },
    reminders::{meeting_by_engine, meeting_by_engine::BookedMeeting},
    zone::Zone,
};
use async_trait::async_trait;
use domain::{
    AccountId, KindClass, RoomId, TaskId, Timestamp,
    meetings::{Booking, MeetingTemplate, SkipReason},
    series::{MAX_STORED_AHEAD, Series},
    task::reason,
};
use engine::error_chain;
use std::collections::{HashMap, HashSet};
use store::{
    StoreError, Tx, due_meetings,
    event::NewEvent,
    execute::{ClaimedTask, SideEffects, Verdict},
    meeting_batch, room,
    series::{self, NewSkip, SeriesRow},
};
use uuid::Uuid;

/// Its word.
pub const EXTEND_SERIES: &str = "series.extend";
/// What its targets are.
const SERIES: &str = "series";

/// The kind `series.extend`.
pub struct ExtendSeries;

#[async_trait]
impl TaskKind for ExtendSeries {
    fn word(&self) -> &'static str {
        EXTEND_SERIES
    }

    fn class(&self) -> KindClass {
        KindClass::Machines
    }

    fn target_kind(&self) -> &'static str {
        SERIES
    }

    fn is_managed(&self) -> bool {
        true
    }

    fn is_step(&self) -> bool {
        true
    }

    /// One decision for each series, however long no node ran: occurrences that passed meanwhile are
    /// recorded, not booked.
    async fn execute(
        &self,
        tx: &mut Tx,
        tasks: &[ClaimedTask],
        at: Timestamp,
        after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        let ids: Vec<Uuid> = tasks.iter().map(|task| task.target_id).collect();
        let (mut all, mut unreadable) = (Vec::new(), HashSet::new());
        let rows = series::load(tx.conn(), &ids).await?;
        let rooms = lock_rooms(tx, &rows).await?;
        for row in rows {
            let Some(task) = tasks.iter().find(|task| task.target_id == row.id) else { continue };
            match Growing::of(row, task.id, &rooms, at) {
                Ok(one) => all.push(one),
                // The others of the batch go on.
                Err(error @ StoreError::Corrupt(_)) => {
                    let series = task.target_id;
                    tracing::error!(%series, error = %error_chain(&error), "the rule of a series cannot be read");
                    unreadable.insert(series);
                }
                Err(error) => return Err(error),
            }
        }
        forget_stored(tx, &mut all).await?;
        block_taken(tx, &mut all).await?;
        write(tx, &all, at).await?;
        let bookings: Vec<(TaskId, Uuid, &Booking)> =
            all.iter().flat_map(Growing::free).map(|(task, one)| (task, one.id.0, &one.booking)).collect();
        schedule(tx, &bookings, at, after).await?;
        add_reminders(tx, &all, at, after).await?;
        let notified: Vec<(TaskId, Uuid)> =
            all.iter().flat_map(Growing::free).map(|(task, one)| (task, one.id.0)).collect();
        schedule_again(tx, &all, at, after).await?;
        let extended: Vec<Uuid> = all.iter().map(|one| one.row.id).collect();
        invite::send_of_series(tx, (&notified, &extended), at, after).await?;
        after.log.extend(all.iter().flat_map(|one| one.events(at)));
        let found: HashSet<Uuid> = all.iter().map(|one| one.row.id).collect();
        let verdict = |id: &Uuid| match found.contains(id) {
            true => Verdict::Done,
            false if unreadable.contains(id) => Verdict::Dead(reason::SERIES_RULE),
            false => Verdict::Dead(reason::TARGET_GONE),
        };
        Ok(ids.iter().map(verdict).collect())
    }
}

/// A series that gets its next occurrences.
struct Growing {
    row: SeriesRow,
    template: MeetingTemplate,
    task: TaskId,
    candidates: Vec<Candidate>,
    again_at: Option<Timestamp>,
}

impl Growing {
    fn of(
        row: SeriesRow,
        task: TaskId,
        rooms: &HashMap<RoomId, LockedRoom>,
        at: Timestamp,
    ) -> Result<Self, StoreError> {
        let (series, template, zone) =
            (plan::series_of(&row)?, row.template()?, Zone::stored(&row.time_zone));
        let until = row.stored_until.as_deref().map(domain::base::local_time::parse).transpose();
        let until = until.map_err(|_| row.corrupt("horizon"))?;
        let room = template.room_id.and_then(|room| rooms.get(&room));
        let extension = series.extension(&zone, until, at);
        let length = template.length_minutes;
        let mut candidates = missed(&series, &zone, (until, length), at);
        candidates.extend(plan::candidates(&series, &zone, (&extension.occurrences, length), room, at));
        Ok(Self { row, template, task, candidates, again_at: extension.again_at })
    }

    /// The occurrences that are booked, with the task that books them.
    fn free(&self) -> impl Iterator<Item = (TaskId, &Candidate)> {
        self.candidates.iter().filter(|one| one.blocked.is_none()).map(|one| (self.task, one))
    }

    fn skips(&self) -> Vec<NewSkip> {
        plan::skips(self.row.id, self.candidates.iter())
    }

    fn events(&self, at: Timestamp) -> Vec<NewEvent> {
        let booked = self.free().map(|(_, one)| NewEvent {
            to_state: Some(one.booking.state.as_str()),
            version: Some(1),
            detail: detail(&one.booking).to_string(),
            ..NewEvent::simple(at, None, super::MEETING, one.id.0, "book")
        });
        let skips = self.skips();
        let counts = serde_json::json!({"booked": self.free().count(), "skipped": skips.len()});
        let own = NewEvent {
            version: Some(self.row.version + 1),
            detail: counts.to_string(),
            ..NewEvent::simple(at, None, SERIES, self.row.id, "extend")
        };
        booked.chain([own]).collect()
    }
}

/// Room and times of a new meeting.
fn detail(booking: &Booking) -> serde_json::Value {
    let Booking { room_id, starts_at, ends_at, .. } = booking;
    serde_json::json!({"room_id": room_id, "starts_at": starts_at, "ends_at": ends_at})
}

/// Returns the occurrences that passed while no node ran, the last ones.
fn missed(
    series: &Series,
    zone: &Zone,
    (until, length): (Option<jiff::civil::DateTime>, i32),
    at: Timestamp,
) -> Vec<Candidate> {
    let mut passed = series.occurrences(zone, Timestamp::EARLIEST, at.plus(1), usize::MAX);
    passed.retain(|one| until.is_none_or(|until| one.original_local > until));
    let first = passed.len().saturating_sub(MAX_STORED_AHEAD);
    let mut all = plan::candidates(series, zone, (&passed[first..], length), None, at);
    for one in &mut all {
        one.blocked = Some(Blocked::by(SkipReason::Missed));
    }
    all
}

async fn lock_rooms(tx: &mut Tx, rows: &[SeriesRow]) -> Result<HashMap<RoomId, LockedRoom>, StoreError> {
    let mut ids = HashSet::new();
    for row in rows {
        // One that cannot be read is reported later.
        ids.extend(row.template().ok().and_then(|template| template.room_id));
    }
    let ids: Vec<RoomId> = ids.into_iter().collect();
    let locked = room::lock(tx.conn(), &ids).await?;
    locked.iter().map(|row| Ok((RoomId(row.id), LockedRoom::of(row)?))).collect()
}

/// Leaves out what was stored before: a repeated task does nothing.
async fn forget_stored(tx: &mut Tx, all: &mut [Growing]) -> Result<(), StoreError> {
    let keys: Vec<(Uuid, &str)> = all
        .iter()
        .flat_map(|one| one.candidates.iter().map(|it| (one.row.id, it.slot.original_local.as_str())))
        .collect();
    let stored: HashSet<(Uuid, String)> = series::stored(tx.conn(), &keys).await?.into_iter().collect();
    for one in all {
        let id = one.row.id;
        one.candidates.retain(|it| !stored.contains(&(id, it.slot.original_local.clone())));
    }
    Ok(())
}

/// Blocks occurrences whose room is taken: by a booking, or by another series of this batch.
async fn block_taken(tx: &mut Tx, all: &mut [Growing]) -> Result<(), StoreError> {
    let mut candidates: Vec<&mut Candidate> = all.iter_mut().flat_map(|one| &mut one.candidates).collect();
    plan::block_taken(tx.conn(), &mut candidates, &[]).await?;
    let mut kept: HashMap<RoomId, Vec<(Timestamp, Timestamp)>> = HashMap::new();
    for one in candidates.into_iter().filter(|one| one.blocked.is_none() && one.booking.holds) {
        let Some(room) = one.booking.room_id else { continue };
        let (from, to) = (one.booking.starts_at, one.booking.free_at);
        let held = kept.entry(room).or_default();
        if held.iter().any(|other| other.0 < to && from < other.1) {
            one.blocked = Some(Blocked::by(SkipReason::RoomTaken));
        } else {
            held.push((from, to));
        }
    }
    Ok(())
}

/// Writes the meetings, the occurrences that are not booked, and how far the series were added.
async fn write(tx: &mut Tx, all: &[Growing], at: Timestamp) -> Result<(), StoreError> {
    let rows: Vec<_> = all
        .iter()
        .flat_map(|one| one.free().map(move |(_, it)| plan::new_row(&one.row, &one.template, it, at)))
        .collect();
    meeting_batch::insert(tx.conn(), &rows, None, at).await?;
    let attendees: Vec<_> =
        all.iter().flat_map(|one| plan::attendees(&one.template, one.free().map(|(_, it)| it.id))).collect();
    meeting_batch::add_attendees(tx.conn(), &attendees).await?;
    let skips: Vec<NewSkip> = all.iter().flat_map(Growing::skips).collect();
    series::insert_skips(tx.conn(), &skips, at).await?;
    let last = |one: &Growing| Some((one.row.id, one.candidates.last()?.slot.original_local.clone()));
    let until: Vec<(Uuid, String)> = all.iter().filter_map(last).collect();
    series::set_stored_until(tx.conn(), &until).await
}

/// Gives the new meetings the reminders of their series.
async fn add_reminders(
    tx: &mut Tx,
    all: &[Growing],
    at: Timestamp,
    after: &mut SideEffects,
) -> Result<(), StoreError> {
    let by: Vec<TaskId> =
        all.iter().filter(|one| !one.template.reminders.is_empty()).map(|one| one.task).collect();
    if by.is_empty() {
        return Ok(());
    }
    let origins = due_meetings::origins(tx.conn(), &by).await?;
    let mut booked = Vec::new();
    for one in all {
        let Some(origin) = origins.iter().find(|origin| origin.id == one.task.0) else { continue };
        let bucket = u16::try_from(origin.bucket).unwrap_or_default();
        booked.extend(one.free().map(|(_, it)| BookedMeeting {
            id: it.id.0,
            owner: AccountId(one.row.owner_id),
            booking: &it.booking,
            reminders: &one.template.reminders,
            bucket,
        }));
    }
    meeting_by_engine::add(tx, &booked, at, after).await
}

/// Schedules the next extension of each series that has more occurrences.
async fn schedule_again(
    tx: &mut Tx,
    all: &[Growing],
    at: Timestamp,
    after: &mut SideEffects,
) -> Result<(), StoreError> {
    let again: Vec<(&Growing, Timestamp)> = all.iter().filter_map(|one| Some((one, one.again_at?))).collect();
    if again.is_empty() {
        return Ok(());
    }
    let by: Vec<TaskId> = again.iter().map(|(one, _)| one.task).collect();
    let origins = due_meetings::origins(tx.conn(), &by).await?;
    let mut new = Vec::with_capacity(again.len());
    for (one, due_at) in again {
        let Some(origin) = origins.iter().find(|origin| origin.id == one.task.0) else { continue };
        new.push(new_task(origin, one.row.id, EXTEND_SERIES, due_at)?);
    }
    store_tasks(tx, &new, at, after).await
}
