//! Rooms and meetings: bookings that cannot overlap, and what happens to them by themselves.
//!
//! Every change loads a [`Booking`] once, decides in a pure function of [`decide`] and is applied
//! by a compare-and-set. The tasks of a meeting follow from its booking, see [`Booking::tasks`].

mod attendee;
mod availability;
mod booking;
mod bulk;
pub mod decide;
mod import;
mod meeting;
mod opening;
mod recurring;
mod room;
#[cfg(test)]
mod tests;
pub mod use_cases;
pub mod waiting;

pub use crate::error::conflict::{BookingConflict, OccurrenceConflict, SkipReason};
pub use attendee::{Answer, Attendee, NewAttendee};
pub use availability::{Busy, FreeQuery, FreeRoom, MAX_CONFLICTS_EACH, PersonBusy, RoomDay, equipment_of};
pub use booking::{Booking, BookingTask, LocalSpan, MeetingTask};
pub use bulk::{MAX_BULK_MEETINGS, MeetingSelection, MeetingsChange};
pub use import::{
    ImportAttendees, ImportCounts, ImportItem, ImportOutcome, ImportProblem, ImportReport, MAX_IMPORT_BYTES,
    MAX_IMPORT_CHANGES, MAX_IMPORT_EVENTS, MAX_IMPORT_INVITATIONS, MAX_IMPORT_SERIES, MeetingImport, OnKnown,
    OnProblem,
};
pub use meeting::{
    Meeting, MeetingChange, MeetingCounts, MeetingEdit, MeetingQuery, MeetingRow, MeetingScope, MeetingState,
    MeetingTime, MeetingUndo, NewMeeting, Repeats,
};
pub use opening::{OpeningHours, after_open_time, is_open, open_spans};
pub use recurring::{
    BookedSeries, ChangedSeries, MAX_LISTED_OCCURRENCES, MeetingSeries, MeetingTemplate, NewMeetingSeries,
    OccurrenceRef, OnConflict, PlannedOccurrence, SeriesChange, SeriesDryRun, SeriesEdit, Slot,
};
pub use room::{Approval, ApprovalDeadline, CheckInPolicy, DeadlineDecision, Room, RoomPolicy, RoomSettings};

/// Maximum number of rooms, archived ones included.
pub const MAX_ROOMS: usize = 500;
/// Maximum length of the place of a room, in characters.
pub const MAX_PLACE_CHARS: usize = 200;
/// Maximum number of pieces of equipment of a room.
pub const MAX_EQUIPMENT: usize = 30;
/// Maximum length of the name of a piece of equipment, in characters.
pub const MAX_EQUIPMENT_CHARS: usize = 50;
/// Maximum capacity of a room, in persons.
pub const MAX_CAPACITY: i32 = 100_000;
/// Maximum time between two bookings of a room, in minutes: 12 hours.
pub const MAX_BUFFER_MINUTES: i32 = 720;
/// Maximum number of opening hours of a room.
pub const MAX_OPENING_HOURS: usize = 50;
/// Maximum grace of a check-in, in minutes: 4 hours.
pub const MAX_GRACE_MINUTES: i32 = 240;
/// How long before the start of a meeting a user can check in, in minutes.
pub const EARLY_CHECK_IN_MINUTES: i32 = 15;
/// Maximum distance of a deadline from the request or from the start, in minutes: 60 days.
pub const MAX_DEADLINE_MINUTES: i32 = 60 * 24 * 60;
/// Maximum length of a meeting, in minutes: 14 days.
pub const MAX_MEETING_MINUTES: i32 = 14 * 24 * 60;
/// How far ahead a meeting may start, in months.
pub const MAX_MONTHS_AHEAD: u32 = 18;
/// The same in milliseconds: 18 months of 31 days.
pub const MAX_AHEAD_MS: i64 = 18 * 31 * 24 * 3_600_000;
/// How long ago a new meeting may have started, in milliseconds: 15 minutes.
pub const MAX_STARTED_MS: i64 = 15 * 60_000;
/// How long the offer of a room that became free is open unless the room has another time, in minutes.
/// An offer ends at the start of the meeting at the latest.
pub const OFFER_MINUTES: i32 = 30;
/// Maximum of it: a week.
pub const MAX_OFFER_MINUTES: i32 = 7 * 24 * 60;
/// Maximum number of meetings that wait for a room at some time of one meeting.
pub const MAX_WAITING: i64 = 100;
/// Maximum number of attendees of a meeting.
pub const MAX_ATTENDEES: usize = 200;
/// Maximum size of the description of a meeting, in bytes of UTF-8.
pub const MAX_DESCRIPTION_BYTES: usize = 20_000;
/// Maximum length of a reason, in characters.
pub const MAX_REASON_CHARS: usize = 500;
/// Maximum size of the link of a meeting, in bytes.
pub const MAX_LINK_BYTES: usize = 2_000;
/// Maximum number of conflicts in a refusal.
pub const MAX_CONFLICTS: usize = 20;
/// Maximum range of a question about free and busy time, in days.
pub const MAX_RANGE_DAYS: i64 = 62;
/// How much later than its moment a no-show release may still be executed, in milliseconds. Until
/// then the server was not running, and no user could check in: the room is kept.
pub const MAX_RELEASE_DELAY_MS: i64 = 60_000;
