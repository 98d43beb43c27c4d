//! Rooms, meetings and attendees.

pub mod approver;
pub mod attendee;
pub mod availability;
pub mod door;
pub mod due_meetings;
pub mod imported_event;
pub mod meeting;
pub mod meeting_attention;
pub mod meeting_batch;
pub mod meeting_invite;
pub mod meeting_list;
pub mod room;
pub mod series;
pub mod waiting;

/// The longest time that a booking takes, the buffer included, in milliseconds: those that overlap
/// a moment start at most that long before. The CHECK constraints of the table ensure it.
pub(crate) const MAX_BOOKING_MS: i64 = 1_252_800_000;
