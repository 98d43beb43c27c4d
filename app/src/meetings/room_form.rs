//! A room as submitted by its form.

#[cfg(feature = "ssr")]
use domain::{
    DomainError, FieldProblems,
    base::when::clock_text,
    error::ValidationError,
    meetings::{
        ApprovalDeadline, CheckInPolicy, MAX_BUFFER_MINUTES, MAX_CAPACITY, MAX_DEADLINE_MINUTES,
        MAX_GRACE_MINUTES, MAX_OFFER_MINUTES, OpeningHours, RoomPolicy, RoomSettings, equipment_of,
    },
    reminders::typed_minutes,
};
use domain::{
    Role,
    meetings::{Approval, DeadlineDecision},
};
use serde::{Deserialize, Serialize};

/// A room as submitted by its form. Numbers are texts, so that invalid ones can be named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoomForm {
    /// Name.
    pub name: String,
    /// Seats; empty: not limited.
    #[serde(default)]
    pub capacity: String,
    /// Place.
    #[serde(default)]
    pub place: String,
    /// Equipment, separated by commas.
    #[serde(default)]
    pub equipment: String,
    /// Time zone.
    #[serde(default)]
    pub zone: String,
    /// Lowest role that may book it.
    pub booked_by: Role,
    /// Begin of the opening hours; empty with `closes`: always open.
    #[serde(default)]
    pub opens: String,
    /// End of the opening hours.
    #[serde(default)]
    pub closes: String,
    /// Days of the opening hours; empty: every day.
    #[serde(default)]
    pub weekdays: Vec<String>,
    /// Whether the opening hours stay as they are, because the form cannot show them.
    #[serde(default)]
    pub keeps_hours: bool,
    /// Minutes between two bookings.
    #[serde(default)]
    pub buffer_minutes: String,
    /// Whether bookings need an approval.
    pub approval: Approval,
    /// Whether a request holds the time.
    #[serde(default)]
    pub request_holds: bool,
    /// Deadline after the request, in minutes; empty: none.
    #[serde(default)]
    pub after_minutes: String,
    /// Deadline before the start, in minutes; empty: none.
    #[serde(default)]
    pub before_start_minutes: String,
    /// What happens at the deadline.
    pub decision: DeadlineDecision,
    /// Whether the room is released without a check-in.
    #[serde(default)]
    pub has_check_in: bool,
    /// Time to check in, in minutes after the start.
    #[serde(default)]
    pub grace_minutes: String,
    /// How long the room is held for a meeting that waited for it, in minutes; empty: as before.
    #[serde(default)]
    pub offer_minutes: String,
    /// Usual reminders, in minutes before the start, separated by commas.
    #[serde(default)]
    pub reminder_minutes: String,
}

#[cfg(feature = "ssr")]
impl RoomForm {
    /// Returns the settings. `before`: those of the room that is changed.
    pub fn read(self, before: Option<RoomSettings>) -> Result<RoomSettings, DomainError> {
        let mut problems = FieldProblems::default();
        let mut number = |field: &str, text: &str, max: i32| problems.take(whole(field, text, max));
        let capacity = number("capacity", &self.capacity, MAX_CAPACITY)?;
        let buffer = number("buffer_minutes", &self.buffer_minutes, MAX_BUFFER_MINUTES)?;
        let after_minutes = number("after_minutes", &self.after_minutes, MAX_DEADLINE_MINUTES)?;
        let before_start_minutes =
            number("before_start_minutes", &self.before_start_minutes, MAX_DEADLINE_MINUTES)?;
        let grace = number("grace_minutes", &self.grace_minutes, MAX_GRACE_MINUTES)?;
        let offer = number("offer_minutes", &self.offer_minutes, MAX_OFFER_MINUTES)?;
        problems.finish()?;
        let before = before.unwrap_or_default();
        let check_in = self.has_check_in.then(|| {
            let usual = before.policy.check_in.unwrap_or_default();
            CheckInPolicy { grace_minutes: grace.unwrap_or(usual.grace_minutes), ..usual }
        });
        let opening_hours = match (self.keeps_hours, self.opens.trim(), self.closes.trim()) {
            (true, ..) => before.policy.opening_hours,
            (false, from, to) => OpeningHours::typed(self.weekdays, &clock_text(from), &clock_text(to)),
        };
        Ok(RoomSettings {
            name: self.name.trim().to_owned(),
            capacity,
            place: self.place.trim().to_owned(),
            equipment: equipment_of(&self.equipment),
            zone: Some(self.zone.trim().to_owned()).filter(|zone| !zone.is_empty()),
            booked_by: self.booked_by,
            policy: RoomPolicy {
                approval: self.approval,
                request_holds: self.request_holds,
                deadline: ApprovalDeadline { after_minutes, before_start_minutes, decision: self.decision },
                buffer_minutes: buffer.unwrap_or(0),
                opening_hours,
                check_in,
                offer_minutes: offer.unwrap_or(before.policy.offer_minutes),
                reminder_minutes: typed_minutes("reminder_minutes", &self.reminder_minutes)?,
            },
        })
    }
}

/// Parses a number; `None` for an empty text. The range is checked by the service, too.
#[cfg(feature = "ssr")]
fn whole(field: &str, text: &str, max: i32) -> Result<Option<i32>, DomainError> {
    match text.trim() {
        "" => Ok(None),
        text => text
            .parse()
            .map(Some)
            .map_err(|_| DomainError::invalid(field, ValidationError::NotBetween { min: 0, max })),
    }
}
