//! What a user or a program changes of several occurrences.

use super::{
    input::{length_between, renamed},
    load::LoadedSeries,
};
use crate::{
    meetings::check,
    reminders,
    zone::{self, Zone},
};
use domain::{
    DomainError, MeetingId, RoomId, Timestamp, When,
    base::local_time::{self, minute_text},
    error::ValidationError,
    meetings::{MeetingTime, SeriesChange},
    reminders::MeetingReminder,
    series::{EditChange, SeriesProblem, SeriesState, ZoneRules as _},
};
use jiff::civil::DateTime;

/// The validated change.
pub enum Changes {
    /// New text, time, room or reminders.
    Edit {
        title: Option<String>,
        description: Option<String>,
        link: Option<Option<String>>,
        room_id: Option<Option<RoomId>>,
        time: Option<MeetingTime>,
        reminders: Option<Vec<MeetingReminder>>,
    },
    /// Cancels, with this reason.
    Cancel(String),
}

impl Changes {
    /// Validates the change.
    pub fn read(change: SeriesChange) -> Result<Self, DomainError> {
        let edit = match change {
            SeriesChange::Cancel { reason } => return Ok(Self::Cancel(check::reason(&reason)?)),
            SeriesChange::Edit(edit) => edit,
        };
        if edit.attendees.is_some() {
            let why = "can be changed for one meeting at a time".to_owned();
            return Err(DomainError::invalid("attendees", ValidationError::Unreadable { why }));
        }
        Ok(Self::Edit {
            title: edit.title.as_deref().map(check::title).transpose()?,
            description: edit.description.as_deref().map(check::description).transpose()?,
            link: edit.link.map(check::link).transpose()?,
            room_id: edit.room_id,
            time: edit.time,
            reminders: edit.reminders.map(reminders::meeting::checked).transpose()?,
        })
    }

    /// Names of the fields of start and end.
    fn fields(&self) -> (&'static str, &'static str) {
        match self {
            Self::Edit { time: Some(MeetingTime::At { .. }), .. } => ("starts_at", "ends_at"),
            _ => ("local_start", "local_end"),
        }
    }

    /// Gives the problem of the series the name of the field that the caller used.
    pub fn renamed(&self, refusal: DomainError) -> DomainError {
        let start = self.fields().0;
        renamed(renamed(refusal, "starts_local", start), "local", start)
    }

    /// New reminders of each meeting; `None`: unchanged.
    pub fn reminders(&self) -> Option<&[MeetingReminder]> {
        match self {
            Self::Edit { reminders, .. } => reminders.as_deref(),
            Self::Cancel(_) => None,
        }
    }

    /// Whether it has a new time.
    pub fn has_time(&self) -> bool {
        matches!(self, Self::Edit { time: Some(_), .. })
    }

    /// The change as the decision on the series needs it. Without a new time the occurrences stay
    /// where they are by their rule.
    pub fn of_series(
        &self,
        loaded: &LoadedSeries,
        state: &SeriesState,
        id: MeetingId,
    ) -> Result<EditChange, DomainError> {
        if matches!(self, Self::Cancel(_)) {
            return Ok(EditChange::Cancel);
        }
        let stored = state.occurrences.get(&id.0).ok_or_else(|| DomainError::no_such("meeting"))?;
        let time = self.local_times(loaded.zone)?;
        Ok(EditChange::MoveTo(time.map_or(stored.original_local, |(start, _)| start)))
    }

    /// New length in wall-clock time, in minutes; `None`: unchanged.
    pub fn length(&self, zone: Zone) -> Result<Option<i32>, DomainError> {
        let times = self.local_times(zone)?;
        times.map(|(start, end)| length_between(start, end, self.fields().1)).transpose()
    }

    /// New start and end in the zone of the series; `None`: unchanged.
    fn local_times(&self, zone: Zone) -> Result<Option<(DateTime, DateTime)>, DomainError> {
        let Self::Edit { time: Some(time), .. } = self else { return Ok(None) };
        let (start, end) = self.fields();
        let (from, to) = match time {
            MeetingTime::At { starts_at, ends_at, .. } => {
                (local_of(zone, start, *starts_at)?, local_of(zone, end, *ends_at)?)
            }
            MeetingTime::Local { local_start, local_end, zone: typed, disambiguation } => {
                let typed = Zone::named(typed)?;
                let read = |field: &str, local: &str| {
                    if typed == zone {
                        return local_time::parse(local)
                            .map_err(|problem| DomainError::invalid(field, problem));
                    }
                    let name = typed.name().to_owned();
                    let when =
                        When::Local { local: local.to_owned(), zone: name, disambiguation: *disambiguation };
                    local_of(zone, field, zone::resolve(&when).map_err(|refusal| refusal.in_field(field))?)
                };
                (read(start, local_start)?, read(end, local_end)?)
            }
        };
        if from.second() != 0 {
            let why = SeriesProblem::NotAMinute;
            return Err(DomainError::invalid(start, ValidationError::Series { why }));
        }
        Ok(Some((from, to)))
    }
}

fn local_of(zone: Zone, field: &str, at: Timestamp) -> Result<DateTime, DomainError> {
    let out_of_range = || DomainError::invalid(field, ValidationError::OutOfRange);
    let local = zone.local_at(at).ok_or_else(out_of_range)?;
    local_time::parse(&minute_text(local)).map_err(|problem| DomainError::invalid(field, problem))
}
