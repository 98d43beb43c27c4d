//! Prepares the rows of a change of several occurrences: their bookings, and whether the room is free.

use super::{
    changes::Changes,
    conflicts,
    load::LoadedSeries,
    plan::{self, Candidate},
};
use crate::{
    meetings::{
        book::wish,
        change::Current,
        check::Times,
        write::{self, LockedRoom},
    },
    services::internal_error,
    tasks::unit_of_work::UnitOfWork,
};
use domain::{
    DomainError, MeetingId,
    base::local_time::minute_text,
    meetings::{Booking, LocalSpan, MeetingTemplate, Slot, decide},
    reminders::MeetingReminder,
    series::{
        EditPlan, Occurrence, RowChange, RuleFields, Series, StoredOccurrence, ZoneRules as _, instant_of,
    },
};
use store::{attendee, meeting::MeetingRow, series::SeriesRow};
use uuid::Uuid;

/// The rows of a change.
pub struct Work {
    /// Meetings with new values.
    pub updates: Vec<RowUpdate>,
    /// Occurrences that are new among the stored ones. Blocked ones are not booked.
    pub added: Vec<Candidate>,
    /// The series after the change: it ends before the changed meetings.
    pub ended: SeriesRow,
    /// The series that continues it, with its rule; `None`: none does.
    pub next: Option<(SeriesRow, Series)>,
    /// New reminders of the meetings; `None`: unchanged.
    pub reminders: Option<Vec<MeetingReminder>>,
    /// The change that can be undone.
    pub verb: &'static str,
}

/// A meeting with new values.
pub struct RowUpdate {
    pub row: MeetingRow,
    /// Local time by the rule before.
    pub was_local: String,
    pub before: Booking,
    /// Series and local time by its rule, afterwards.
    pub series: (Uuid, String),
    pub booking: Booking,
    pub title: String,
    pub description: String,
    pub link: Option<String>,
    pub reason: String,
}

/// What the bookings are made of.
struct Frame<'a> {
    loaded: &'a LoadedSeries,
    changes: &'a Changes,
    room: Option<LockedRoom>,
    /// The series that continues.
    next: Option<(SeriesRow, Series)>,
    template: MeetingTemplate,
    /// Whether the actor may approve the meetings.
    decides: bool,
}

/// Prepares the rows of a plan. Locks the room. `OccurrencesTaken` if one of the meetings cannot be
/// moved.
pub async fn prepare(
    unit: &mut UnitOfWork<'_>,
    loaded: &LoadedSeries,
    (current, changes): (&Current, &Changes),
    plan: EditPlan,
) -> Result<Work, DomainError> {
    let template = new_template(loaded, changes)?;
    let rooms = [template.room_id, loaded.template.room_id].into_iter().flatten();
    let rooms = write::lock_rooms(unit, rooms).await?;
    let room = match template.room_id {
        Some(id) => Some(rooms.into_iter().find(|room| room.id == id).ok_or_else(write::unknown_room)?),
        None => None,
    };
    if let Some(room) = room.as_ref().filter(|_| template.room_id != loaded.template.room_id) {
        room.check_bookable(unit.presenter.actor.role)?;
        let id = MeetingId(current.row.id);
        let persons = attendee::list(unit.tx.conn(), id).await.map_err(internal_error)?.len();
        room.check_capacity(persons)?;
    }
    let mut frame = Frame { loaded, changes, room, next: None, template, decides: current.decides };
    let mut ended = loaded.row.clone();
    let (mut updates, mut added) = (Vec::new(), Vec::new());
    for change in plan.changes {
        match change {
            RowChange::Part { id, after: Some(part), .. } if id == loaded.row.id => {
                ended.rule = super::book::text(&RuleFields::from(&part.series.rule))?;
            }
            RowChange::Part { id, after: Some(part), .. } => frame.continue_as(id, part.series)?,
            RowChange::Part { .. } => {}
            RowChange::Occurrence { id, before: Some(before), after: Some(after) } => {
                updates.push(frame.update(id, &before, &after, unit)?);
            }
            RowChange::Occurrence { after: Some(after), .. } => added.extend(frame.added(&after, unit)),
            RowChange::Occurrence { .. } => {}
        }
    }
    check_free(unit, &frame, &updates, &mut added).await?;
    let verb = if frame.next.is_some() { "move_series" } else { "cancel_series" };
    let reminders = changes.reminders().map(<[_]>::to_vec);
    Ok(Work { updates, added, ended, next: frame.next, reminders, verb })
}

fn new_template(loaded: &LoadedSeries, changes: &Changes) -> Result<MeetingTemplate, DomainError> {
    let mut template = loaded.template.clone();
    if let Some(reminders) = changes.reminders() {
        template.reminders = reminders.to_vec();
    }
    if let Changes::Edit { description, link, room_id, .. } = changes {
        template.description = description.clone().unwrap_or(template.description);
        template.link = link.clone().unwrap_or(template.link);
        template.room_id = room_id.unwrap_or(template.room_id);
    }
    if let Some(minutes) = changes.length(loaded.zone)? {
        template.length_minutes = minutes;
    }
    Ok(template)
}

impl Frame<'_> {
    /// The continuing series.
    fn continue_as(&mut self, id: Uuid, series: Series) -> Result<(), DomainError> {
        let old = &self.loaded.row;
        let title = match self.changes {
            Changes::Edit { title: Some(title), .. } => title.clone(),
            _ => old.title.clone(),
        };
        let row = SeriesRow {
            id,
            title,
            owner_id: old.owner_id,
            version: 1,
            starts_local: minute_text(series.starts_local),
            time_zone: series.zone.clone(),
            rule: super::book::text(&RuleFields::from(&series.rule))?,
            template: super::book::text(&self.template)?,
            stored_until: None,
            split_from: Some(old.id),
            undo: None,
        };
        self.next = Some((row, series));
        Ok(())
    }

    /// New values of a stored meeting.
    fn update(
        &self,
        id: Uuid,
        before: &StoredOccurrence,
        after: &StoredOccurrence,
        unit: &UnitOfWork<'_>,
    ) -> Result<RowUpdate, DomainError> {
        let stored = self.loaded.meetings.iter().find(|one| one.meeting.id == id);
        let stored = stored.ok_or(DomainError::Changed)?;
        let row = stored.meeting.clone();
        let was = row.booking().map_err(internal_error)?;
        let (booking, reason) = match self.changes {
            Changes::Cancel(reason) => (decide::cancel(&was)?, reason.clone()),
            Changes::Edit { .. } if after.is_cancelled => (decide::cancel(&was)?, String::new()),
            Changes::Edit { .. } => {
                let times = self.times(&was, before, after);
                let booking =
                    decide::move_to(&was, wish(&times, self.room_of(&was)), self.decides, unit.now())?;
                (booking, row.reason.clone())
            }
        };
        let (title, description, link) = self.texts(&row);
        let series = (after.part, minute_text(after.original_local));
        let was_local = stored.original_local.clone();
        Ok(RowUpdate { row, was_local, before: was, series, booking, title, description, link, reason })
    }

    /// The room of a meeting afterwards. It keeps its own unless the change names a room.
    fn room_of(&self, was: &Booking) -> Option<&LockedRoom> {
        let room = self.room.as_ref();
        match self.changes {
            Changes::Edit { room_id: Some(_), .. } => room,
            _ => room.filter(|room| was.room_id == Some(room.id)),
        }
    }

    fn texts(&self, row: &MeetingRow) -> (String, String, Option<String>) {
        let was = (row.title.clone(), row.description.clone(), row.link.clone());
        match self.changes {
            Changes::Edit { title, description, link, .. } => (
                title.clone().unwrap_or(was.0),
                description.clone().unwrap_or(was.1),
                link.clone().unwrap_or(was.2),
            ),
            Changes::Cancel(_) => was,
        }
    }

    /// Start and end of a meeting afterwards. One that keeps its own time keeps its length.
    fn times(&self, was: &Booking, before: &StoredOccurrence, after: &StoredOccurrence) -> Times {
        let stays = !self.changes.has_time() || after.own_local.is_some();
        let slot = if stays { None } else { self.slot(after) };
        let fields = ("local_start", "local_end");
        match slot {
            Some(slot) => {
                let (starts_at, ends_at, local) = (slot.starts_at, slot.ends_at, Some(slot.local));
                Times { starts_at, ends_at, local, zone: None, fields }
            }
            None => {
                debug_assert!(before.at == was.starts_at, "the state was read from the booking");
                let (starts_at, ends_at, local) = (was.starts_at, was.ends_at, was.local.clone());
                Times { starts_at, ends_at, local, zone: None, fields }
            }
        }
    }

    fn slot(&self, after: &StoredOccurrence) -> Option<Slot> {
        let (_, series) = self.next.as_ref()?;
        let (_, mark) = instant_of(after.original_local, series.rule.choices, &self.loaded.zone)?;
        let offset_seconds = self.loaded.zone.offset_seconds(after.at);
        let (original_local, at) = (after.original_local, after.at);
        let occurrence = Occurrence { original_local, at, offset_seconds, mark };
        Some(series.slot(&self.loaded.zone, &occurrence, self.template.length_minutes))
    }

    /// An occurrence that is new.
    fn added(&self, after: &StoredOccurrence, unit: &UnitOfWork<'_>) -> Option<Candidate> {
        let slot = self.slot(after)?;
        let local = Some(slot.local.clone());
        let times = Times {
            starts_at: slot.starts_at,
            ends_at: slot.ends_at,
            local,
            zone: None,
            fields: ("local_start", "local_end"),
        };
        let room = self.room.as_ref();
        let booking = decide::book(wish(&times, room), unit.now());
        let blocked = room.and_then(|room| plan::blocked_by(room, &slot));
        Some(Candidate { id: MeetingId::generate(), slot, booking, blocked })
    }
}

/// Refuses meetings that cannot be moved, and blocks new ones that cannot be booked.
async fn check_free(
    unit: &mut UnitOfWork<'_>,
    frame: &Frame<'_>,
    updates: &[RowUpdate],
    added: &mut [Candidate],
) -> Result<(), DomainError> {
    let ids: Vec<Uuid> = updates.iter().map(|one| one.row.id).collect();
    let mut moved: Vec<Candidate> = Vec::new();
    for one in updates.iter().filter(|one| one.booking.takes_more_than(&one.before)) {
        moved.push(moved_candidate(frame, one));
    }
    if frame.changes.has_time() {
        let mut all: Vec<Candidate> = updates.iter().map(|one| moved_candidate(frame, one)).collect();
        all.retain(|one| one.booking.state.is_open());
        all.sort_by_key(|one| one.booking.starts_at);
        plan::check_distance(&all, "local_end")?;
    }
    let mut all: Vec<&mut Candidate> = moved.iter_mut().chain(added.iter_mut()).collect();
    plan::block_taken(unit.tx.conn(), &mut all, &ids).await.map_err(internal_error)?;
    if moved.iter().all(|one| one.blocked.is_none()) {
        return Ok(());
    }
    let all = conflicts::conflicts(&unit.presenter, &moved);
    Err(DomainError::OccurrencesTaken { conflicts: all, count: updates.len() })
}

fn moved_candidate(frame: &Frame<'_>, one: &RowUpdate) -> Candidate {
    let booking = one.booking.clone();
    let zone = one.row.time_zone.clone();
    let local = booking.local.clone().unwrap_or(LocalSpan { start: String::new(), end: String::new(), zone });
    let (starts_at, ends_at) = (booking.starts_at, booking.ends_at);
    let slot = Slot { original_local: one.series.1.clone(), starts_at, ends_at, local };
    let room = frame.room_of(&one.before);
    let blocked = room.filter(|_| booking.takes_more_than(&one.before));
    let blocked = blocked.and_then(|room| plan::blocked_by(room, &slot));
    Candidate { id: MeetingId(one.row.id), slot, booking, blocked }
}
