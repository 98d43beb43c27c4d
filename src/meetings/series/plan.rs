//! Which occurrences can be booked, and why others cannot.

use crate::{meetings::rooms::locked::LockedRoom, zone::Zone};
use domain::{
    AccountId, DomainError, MeetingId, Timestamp,
    error::ValidationError,
    meetings::{
        Booking, MeetingTemplate, SkipReason, Slot,
        decide::{self, RoomFacts, Wish},
    },
    series::{Occurrence, Series, SeriesProblem},
};
use store::{
    Conn, StoreError,
    meeting::{ConflictRow, NewMeetingRow},
    meeting_batch::{self, WantedTime},
    series::{NewSkip, SeriesRow},
};
use uuid::Uuid;

/// Returns the rule of a stored series.
pub fn series_of(row: &SeriesRow) -> Result<Series, StoreError> {
    let rule = row.rule()?;
    Series::read(&row.starts_local, &row.time_zone, rule).map_err(|_| row.corrupt("rule"))
}

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

/// Returns the row of the meeting of an occurrence.
pub fn new_row<'r>(
    series: &'r SeriesRow,
    template: &'r MeetingTemplate,
    one: &'r Candidate,
    now: Timestamp,
) -> NewMeetingRow<'r> {
    NewMeetingRow {
        id: one.id,
        title: &series.title,
        description: &template.description,
        link: template.link.as_deref(),
        organizer: AccountId(series.owner_id),
        zone: &series.time_zone,
        booking: &one.booking,
        occurrence: Some((series.id, &one.slot.original_local)),
        created_at: now,
    }
}

/// Returns the attendees of each of these meetings.
pub fn attendees(
    template: &MeetingTemplate,
    meetings: impl Iterator<Item = MeetingId>,
) -> Vec<(Uuid, &str, &str)> {
    let of = |id: MeetingId| {
        template.attendees.iter().map(move |(email, name)| (id.0, email.as_str(), name.as_str()))
    };
    meetings.flat_map(of).collect()
}
