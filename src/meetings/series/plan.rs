//! Which occurrences can be booked, and why others cannot.

use crate::{
    meetings::{present, write::LockedRoom},
    services::{Presenter, internal_error},
    zone::Zone,
};
use domain::{
    DomainError, MeetingId, Timestamp,
    base::local_time::date_text,
    error::ValidationError,
    meetings::{
        Booking, OccurrenceConflict, PlannedOccurrence, SkipReason, Slot,
        decide::{self, RoomFacts, Wish},
    },
    series::{Occurrence, Omission, PreviewItem, Series, SeriesProblem},
};
use store::{
    Conn, StoreError,
    meeting::ConflictRow,
    meeting_batch::{self, WantedTime},
    series::NewSkip,
};
use uuid::Uuid;

/// An occurrence that is to be booked.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Id of its meeting.
    pub id: MeetingId,
    pub slot: Slot,
    pub booking: Booking,
    /// Why it cannot be booked; `None`: it can.
    pub blocked: Option<Blocked>,
}

/// Why an occurrence cannot be booked.
#[derive(Debug, Clone)]
pub struct Blocked {
    pub reason: SkipReason,
    /// What is in the way.
    pub meetings: Vec<ConflictRow>,
}

impl Blocked {
    /// For a reason that is not another meeting.
    pub fn by(reason: SkipReason) -> Self {
        Self { reason, meetings: Vec::new() }
    }
}

/// Returns the occurrences with their bookings. Those outside the opening hours are blocked.
pub fn candidates(
    series: &Series,
    zone: &Zone,
    (occurrences, length_minutes): (&[Occurrence], i32),
    room: Option<&LockedRoom>,
    now: Timestamp,
) -> Vec<Candidate> {
    let candidate = |occurrence: &Occurrence| {
        let slot = series.slot(zone, occurrence, length_minutes);
        let wish = Wish {
            starts_at: slot.starts_at,
            ends_at: slot.ends_at,
            local: Some(slot.local.clone()),
            room: room.map(|room| RoomFacts { id: room.id, policy: &room.settings.policy }),
        };
        let booking = decide::book(wish, now);
        let blocked = room.and_then(|room| blocked_by(room, &slot));
        Candidate { id: MeetingId::generate(), slot, booking, blocked }
    };
    occurrences.iter().map(candidate).collect()
}

/// Whether the room itself is in the way.
pub fn blocked_by(room: &LockedRoom, slot: &Slot) -> Option<Blocked> {
    if room.is_archived {
        return Some(Blocked::by(SkipReason::NoRoom));
    }
    let is_open = room.is_open(slot.starts_at, slot.ends_at);
    (!is_open).then(|| Blocked::by(SkipReason::Closed))
}

/// Refuses occurrences that overlap one another. `field`: name of the end.
pub fn check_distance(all: &[Candidate], field: &str) -> Result<(), DomainError> {
    if all.windows(2).all(|two| two[0].booking.free_at <= two[1].booking.starts_at) {
        return Ok(());
    }
    Err(DomainError::invalid(field, ValidationError::Series { why: SeriesProblem::OverlapsItself }))
}

/// Blocks those whose room another booking holds, except the meetings `except`. The rooms must be
/// locked, so that the result stays valid until the commit.
pub async fn block_taken(
    conn: Conn<'_>,
    all: &mut [&mut Candidate],
    except: &[Uuid],
) -> Result<(), StoreError> {
    let mut open: Vec<(&mut Candidate, WantedTime)> = Vec::with_capacity(all.len());
    for one in all.iter_mut().filter(|one| one.blocked.is_none() && one.booking.holds) {
        let Some(room) = one.booking.room_id else { continue };
        let wanted = WantedTime { room, from: one.booking.starts_at, to: one.booking.free_at };
        open.push((one, wanted));
    }
    let wanted: Vec<WantedTime> = open.iter().map(|(_, wanted)| *wanted).collect();
    let found = meeting_batch::conflicts(conn, &wanted, except).await?;
    for ((one, _), meetings) in open.into_iter().zip(found) {
        if !meetings.is_empty() {
            one.blocked = Some(Blocked { reason: SkipReason::RoomTaken, meetings });
        }
    }
    Ok(())
}

/// The same for one series, on a request.
pub async fn check_taken(conn: Conn<'_>, all: &mut [Candidate], except: &[Uuid]) -> Result<(), DomainError> {
    let mut all: Vec<&mut Candidate> = all.iter_mut().collect();
    block_taken(conn, &mut all, except).await.map_err(internal_error)
}

/// Presents the occurrences that cannot be booked.
pub fn conflicts(presenter: &Presenter<'_>, all: &[Candidate]) -> Vec<OccurrenceConflict> {
    let conflict = |one: &Candidate| {
        let blocked = one.blocked.as_ref()?;
        Some(OccurrenceConflict {
            original_local: one.slot.original_local.clone(),
            starts: presenter.moment(one.slot.starts_at),
            ends: presenter.moment(one.slot.ends_at),
            reason: blocked.reason,
            meetings: blocked.meetings.iter().map(|row| present::conflict(presenter, row.clone())).collect(),
        })
    };
    all.iter().filter_map(conflict).collect()
}

/// Presents the next occurrences, with what is special about their times.
pub fn planned(
    presenter: &Presenter<'_>,
    (series, zone): (&Series, &Zone),
    all: &[Candidate],
) -> Vec<PlannedOccurrence> {
    let preview = series.preview(zone, zone, presenter.now);
    let planned = |(item, one): (PreviewItem, &Candidate)| PlannedOccurrence {
        original_local: one.slot.original_local.clone(),
        starts: presenter.moment(one.slot.starts_at),
        ends: presenter.moment(one.slot.ends_at),
        mark: item.occurrence.mark,
        has_other_offset: item.offset_before_seconds.is_some(),
        omitted: item.omitted.into_iter().map(omitted).collect(),
    };
    preview.items.into_iter().zip(all).map(planned).collect()
}

fn omitted(omission: Omission) -> String {
    match omission {
        Omission::Month(first) => date_text(first).chars().take(7).collect(),
        Omission::Exception(date) => date_text(date),
        Omission::SkippedTime(local) => date_text(local.date()),
    }
}

/// Returns the rows of the occurrences that are not booked.
pub fn skips<'c>(series: Uuid, all: impl Iterator<Item = &'c Candidate>) -> Vec<NewSkip> {
    let skip = |one: &Candidate| {
        let blocked = one.blocked.as_ref()?;
        Some(NewSkip {
            series_id: series,
            original_local: one.slot.original_local.clone(),
            starts_at: one.slot.starts_at,
            ends_at: one.slot.ends_at,
            reason: blocked.reason.as_str(),
            meeting_id: blocked.meetings.first().map(|row| row.id),
        })
    };
    all.filter_map(skip).collect()
}
