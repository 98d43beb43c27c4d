//! Rooms as the API reads and returns them.

use super::present;
use crate::http::api::{
    extract::word,
    hours::HoursBody,
    numbers::{WholeNumber, optional_integer, required_integer},
};
use domain::{
    DomainError, Role, Timestamp,
    meetings::{
        Approval, ApprovalDeadline, Busy, CheckInPolicy, DeadlineDecision, FreeRoom, OpeningHours, Room,
        RoomPolicy, RoomSettings,
    },
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// A room. A new one needs a name; in a change, fields that are absent stay.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RoomFields {
    /// For a change: `version` of the room that the caller saw; a different current one is a
    /// conflict.
    #[serde(default, deserialize_with = "optional_integer")]
    pub seen_version: Option<i32>,
    /// For a change: whether it can no longer be booked.
    pub is_archived: Option<bool>,
    /// Name, unique among rooms.
    #[schema(min_length = 1, max_length = 100)]
    name: Option<String>,
    /// Number of persons; null: unknown, not checked.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<i32>, minimum = 1, maximum = 100_000)]
    capacity: Option<Option<i32>>,
    /// Where it is.
    #[schema(max_length = 200)]
    place: Option<String>,
    /// What it has, e.g. `projector`.
    #[schema(max_items = 30)]
    equipment: Option<Vec<String>>,
    /// IANA time zone of its opening hours; that of the site if absent.
    #[schema(max_length = 128)]
    zone: Option<String>,
    /// Lowest role that may book it: `creator` (every account, if absent), `reviewer` or `admin`.
    booked_by: Option<String>,
    /// `none` (if absent) or `required`: whether a reviewer or an admin must approve a booking.
    approval: Option<String>,
    /// Whether a request holds the room until it is decided; true if absent.
    request_holds: Option<bool>,
    /// When a request is decided by itself; null: at the start of the meeting, by a rejection.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<DeadlineBody>)]
    approval_deadline: Option<Option<DeadlineBody>>,
    /// Minutes between two bookings; 0 if absent.
    #[serde(default, deserialize_with = "optional_integer")]
    #[schema(minimum = 0, maximum = 720)]
    buffer_minutes: Option<i32>,
    /// When it can be booked; an empty list or null: always.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Vec<HoursBody>>)]
    opening_hours: Option<Option<Vec<HoursBody>>>,
    /// Releases the room if no user checks in; null: it is not released.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<CheckInBody>)]
    check_in: Option<Option<CheckInBody>>,
    /// How long the room is held for a meeting that waited for it, in minutes; 30 if absent.
    #[serde(default, deserialize_with = "optional_integer")]
    #[schema(minimum = 1, maximum = 10_080)]
    offer_minutes: Option<i32>,
    /// When organizer and attendees are reminded by mail of a meeting for which no reminders were chosen, in minutes
    /// before the start; an empty list: as the settings of the organizer say.
    #[schema(value_type = Option<Vec<i32>>, max_items = 3)]
    reminder_minutes: Option<Vec<WholeNumber>>,
}

/// The deadline of an approval: the earlier of the two moments that is still to come when the
/// request is made, at the latest the start.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DeadlineBody {
    /// Minutes after the request.
    #[serde(default, deserialize_with = "optional_integer")]
    #[schema(minimum = 1, maximum = 86_400)]
    after_minutes: Option<i32>,
    /// Minutes before the start.
    #[serde(default, deserialize_with = "optional_integer")]
    #[schema(minimum = 0, maximum = 86_400)]
    before_start_minutes: Option<i32>,
    /// `reject` (if absent), `confirm` or `hold`: it waits for an admin until the end.
    decision: Option<String>,
}

/// When a room is released because no user checked in.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckInBody {
    /// Minutes after the start.
    #[serde(deserialize_with = "required_integer")]
    #[schema(minimum = 0, maximum = 240)]
    grace_minutes: i32,
    /// Meetings of at least this number of minutes need no check-in; 480 if absent.
    #[serde(default, deserialize_with = "optional_integer")]
    #[schema(minimum = 1, maximum = 20_160)]
    exempt_over_minutes: Option<i32>,
    /// Meetings booked less than this number of minutes before their start need no check-in; 120 if
    /// absent.
    #[serde(default, deserialize_with = "optional_integer")]
    #[schema(minimum = 0, maximum = 20_160)]
    auto_if_booked_within_minutes: Option<i32>,
}

impl RoomFields {
    /// Writes the given fields over these settings.
    pub fn apply_to(self, mut settings: RoomSettings) -> Result<RoomSettings, DomainError> {
        settings.name = self.name.unwrap_or(settings.name);
        settings.capacity = self.capacity.unwrap_or(settings.capacity);
        settings.place = self.place.unwrap_or(settings.place);
        settings.equipment = self.equipment.unwrap_or(settings.equipment);
        settings.zone = self.zone.or(settings.zone);
        if let Some(role) = self.booked_by {
            settings.booked_by = word("booked_by", &role, Role::NAMES)?;
        }
        let policy = &mut settings.policy;
        if let Some(approval) = self.approval {
            policy.approval = word("approval", &approval, Approval::NAMES)?;
        }
        policy.request_holds = self.request_holds.unwrap_or(policy.request_holds);
        policy.buffer_minutes = self.buffer_minutes.unwrap_or(policy.buffer_minutes);
        policy.offer_minutes = self.offer_minutes.unwrap_or(policy.offer_minutes);
        if let Some(minutes) = self.reminder_minutes {
            policy.reminder_minutes = minutes.into_iter().map(|one| one.0).collect();
        }
        if let Some(deadline) = self.approval_deadline {
            policy.deadline = deadline.map(ApprovalDeadline::try_from).transpose()?.unwrap_or_default();
        }
        if let Some(hours) = self.opening_hours {
            policy.opening_hours = hours.unwrap_or_default().into_iter().map(OpeningHours::from).collect();
        }
        if let Some(check_in) = self.check_in {
            policy.check_in = check_in.map(CheckInPolicy::from);
        }
        Ok(settings)
    }
}

impl TryFrom<DeadlineBody> for ApprovalDeadline {
    type Error = DomainError;
    fn try_from(body: DeadlineBody) -> Result<Self, DomainError> {
        let decision = body.decision.as_deref().unwrap_or(DeadlineDecision::Reject.as_str());
        Ok(Self {
            after_minutes: body.after_minutes,
            before_start_minutes: body.before_start_minutes,
            decision: word("approval_deadline.decision", decision, DeadlineDecision::NAMES)?,
        })
    }
}

impl From<CheckInBody> for CheckInPolicy {
    fn from(body: CheckInBody) -> Self {
        let usual = Self::default();
        Self {
            grace_minutes: body.grace_minutes,
            exempt_over_minutes: body.exempt_over_minutes.unwrap_or(usual.exempt_over_minutes),
            auto_if_booked_within_minutes: body
                .auto_if_booked_within_minutes
                .unwrap_or(usual.auto_if_booked_within_minutes),
        }
    }
}

/// A room.
#[derive(Debug, Serialize, ToSchema)]
pub struct RoomBody {
    /// Id of the room.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// Name.
    name: String,
    /// Incremented by every change; send it back as `seen_version`.
    version: i32,
    /// Number of persons; null: unknown.
    capacity: Option<i32>,
    /// Where it is.
    place: String,
    /// What it has.
    equipment: Vec<String>,
    /// IANA time zone.
    zone: String,
    /// Lowest role that may book it.
    booked_by: &'static str,
    /// `none` or `required`.
    approval: &'static str,
    /// Whether a request holds the room until it is decided.
    request_holds: bool,
    /// When a request is decided by itself.
    approval_deadline: DeadlineBody,
    /// Minutes between two bookings.
    buffer_minutes: i32,
    /// When it can be booked; empty: always.
    opening_hours: Vec<HoursBody>,
    /// When it is released; null: never.
    check_in: Option<CheckInBody>,
    /// How long it is held for a meeting that waited for it, in minutes.
    offer_minutes: i32,
    /// When organizer and attendees are reminded of a meeting for which no reminders were chosen, in minutes before
    /// the start.
    reminder_minutes: Vec<i32>,
    /// Whether it can no longer be booked.
    is_archived: bool,
    /// Whether the caller may book it.
    may_book: bool,
}

impl From<Room> for RoomBody {
    fn from(room: Room) -> Self {
        let zone = room.zone().to_owned();
        let RoomSettings { name, capacity, place, equipment, booked_by, policy, .. } = room.settings;
        let RoomPolicy {
            approval,
            request_holds,
            deadline,
            buffer_minutes,
            opening_hours,
            check_in,
            offer_minutes,
            reminder_minutes,
        } = policy;
        Self {
            id: room.id.0,
            name,
            version: room.version.0,
            capacity,
            place,
            equipment,
            zone,
            booked_by: booked_by.as_str(),
            approval: approval.as_str(),
            request_holds,
            approval_deadline: DeadlineBody {
                after_minutes: deadline.after_minutes,
                before_start_minutes: deadline.before_start_minutes,
                decision: Some(deadline.decision.as_str().to_owned()),
            },
            buffer_minutes,
            opening_hours: opening_hours.into_iter().map(HoursBody::from).collect(),
            check_in: check_in.map(|policy| CheckInBody {
                grace_minutes: policy.grace_minutes,
                exempt_over_minutes: Some(policy.exempt_over_minutes),
                auto_if_booked_within_minutes: Some(policy.auto_if_booked_within_minutes),
            }),
            offer_minutes,
            reminder_minutes,
            is_archived: room.is_archived,
            may_book: room.may_book,
        }
    }
}

/// All rooms.
#[derive(Debug, Serialize, ToSchema)]
pub struct RoomPage {
    /// In their order.
    pub items: Vec<RoomBody>,
}

/// A room that is free in the whole range.
#[derive(Debug, Serialize, ToSchema)]
pub struct FreeRoomBody {
    /// The room.
    #[serde(flatten)]
    room: RoomBody,
    /// Until when it stays free; null: no later booking.
    #[schema(value_type = Option<String>, format = DateTime)]
    free_until: Option<Timestamp>,
}

impl From<FreeRoom> for FreeRoomBody {
    fn from(free: FreeRoom) -> Self {
        Self { room: free.room.into(), free_until: free.free_until.map(|until| until.at) }
    }
}

/// Rooms that are free in the whole range.
#[derive(Debug, Serialize, ToSchema)]
pub struct FreeRoomPage {
    /// In their order.
    pub items: Vec<FreeRoomBody>,
}

/// A booking that holds a room.
#[derive(Debug, Serialize, ToSchema)]
pub struct BusyBody {
    /// Id of the meeting.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// Its title.
    title: String,
    /// Its state.
    state: &'static str,
    /// When it starts.
    #[schema(value_type = String, format = DateTime)]
    starts_at: Timestamp,
    /// When it ends.
    #[schema(value_type = String, format = DateTime)]
    ends_at: Timestamp,
    /// When the room is free again: the end and the buffer.
    #[schema(value_type = String, format = DateTime)]
    free_at: Timestamp,
}

impl From<Busy> for BusyBody {
    fn from(busy: Busy) -> Self {
        Self {
            id: busy.meeting_id.0,
            title: busy.title,
            state: busy.state.as_str(),
            starts_at: busy.starts.at,
            ends_at: busy.ends.at,
            free_at: busy.free.at,
        }
    }
}

/// What holds a room.
#[derive(Debug, Serialize, ToSchema)]
pub struct BusyPage {
    /// By start.
    pub items: Vec<BusyBody>,
}
