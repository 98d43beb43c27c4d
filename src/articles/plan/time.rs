//! The time of a row.

use crate::zone::{
    Zone,
    words::{ReadTime, only_moment},
};
use domain::{
    DomainError, Timestamp, When,
    base::{city::City, when::problem::WhenProblem},
    error::ValidationError,
};

pub use crate::zone::words::Reader as Clock;

/// Field of errors about a time.
const FIELD: &str = "time";

/// When an article is published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlannedTime {
    /// Not yet: it is a draft.
    Draft,
    /// In the next free posting slot.
    Slot,
    /// Then.
    At(When, Timestamp),
}

/// Reads the cells with time and zone. One that has passed or has two meanings is refused. Returns the
/// zone too.
pub fn read(text: &str, zone: &str, clock: Clock) -> Result<(PlannedTime, Zone), DomainError> {
    let (text, zone) = (text.trim(), zone.trim());
    let own = if zone.is_empty() { clock.zone } else { Zone::named(zone)? };
    if text.is_empty() {
        return Ok((PlannedTime::Draft, own));
    }
    if let Ok(at) = text.parse::<Timestamp>() {
        return Ok((exact(at, clock.now)?, own));
    }
    let clock = Clock { zone: own, ..clock };
    match clock.read(text).map_err(|refusal| refusal.in_field(FIELD))? {
        ReadTime::NextSlot => Ok((PlannedTime::Slot, own)),
        ReadTime::Moments(named, _) if !zone.is_empty() && canonical(named) != canonical(own) => {
            let (one, other) = (own.name().to_owned(), named.name().to_owned());
            Err(DomainError::invalid(
                FIELD,
                ValidationError::When { why: WhenProblem::TwoZones { one, other } },
            ))
        }
        ReadTime::Moments(zone, found) => {
            let (when, at) = only_moment(FIELD, text, zone, &found)?;
            Ok((PlannedTime::At(when, at), zone))
        }
    }
}

/// The current IANA name of a zone.
fn canonical(zone: Zone) -> &'static str {
    City::of_zone(zone.name()).map_or(zone.name(), |city| city.zone)
}

fn exact(at: Timestamp, now: Timestamp) -> Result<PlannedTime, DomainError> {
    if !at.is_valid_due_time() {
        return Err(DomainError::invalid(FIELD, ValidationError::OutOfRange));
    }
    if at <= now { Err(DomainError::past(at).in_field(FIELD)) } else { Ok(PlannedTime::At(at.into(), at)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, zone: &str) -> Result<String, &'static str> {
        let now = "2027-03-01T08:00:00Z".parse().unwrap();
        let clock = Clock { now, zone: Zone::stored("Europe/Berlin"), is_month_first: false };
        match read(text, zone, clock) {
            Ok((PlannedTime::Draft, _)) => Ok("draft".to_owned()),
            Ok((PlannedTime::Slot, _)) => Ok("slot".to_owned()),
            Ok((PlannedTime::At(_, at), _)) => Ok(at.to_string()),
            Err(refusal) => Err(refusal.code()),
        }
    }

    #[test]
    fn a_time_is_an_instant_a_local_time_or_words() {
        for (text, zone, expected) in [
            ("", "", "draft"),
            ("next free slot", "", "slot"),
            ("2027-06-09 09:00", "", "2027-06-09T07:00:00.000Z"),
            ("2027-06-09T09:00", "Asia/Tokyo", "2027-06-09T00:00:00.000Z"),
            ("2027-06-09T09:00:30", " UTC ", "2027-06-09T09:00:30.000Z"),
            ("2027-06-09T09:00:00+05:45", "", "2027-06-09T03:15:00.000Z"),
            ("tomorrow 9am", "", "2027-03-02T08:00:00.000Z"),
            ("明天上午九点", "", "2027-03-02T08:00:00.000Z"),
            ("2027-06-09 09:00", "reunion", "2027-06-09T05:00:00.000Z"),
            ("2027-06-09 09:00 kolkata", "Asia/Calcutta", "2027-06-09T03:30:00.000Z"),
            ("2027-06-09 09:00 tokyo", "", "2027-06-09T00:00:00.000Z"),
            ("2027-06-09 09:00 tokyo", "Asia/Tokyo", "2027-06-09T00:00:00.000Z"),
            // The instant is exact: the hour occurs twice.
            ("2027-10-31T02:30:00+01:00", "", "2027-10-31T01:30:00.000Z"),
        ] {
            assert_eq!(at(text, zone), Ok(expected.to_owned()), "{text} {zone}");
        }
    }

    #[test]
    fn what_is_past_or_has_two_meanings_is_refused() {
        for (text, zone, code) in [
            ("2027-02-28 09:00", "", "past"),
            ("2026-06-09T09:00:00Z", "", "past"),
            ("2027-03-28 02:30", "", "skipped_time"),
            ("2027-10-31 02:30", "", "doubled_time"),
            ("6/9/2027 9:00", "", "invalid"),
            // Its first reading has passed.
            ("2/4/2027 9:00", "", "invalid"),
            ("12/2/2027 9:00", "", "invalid"),
            ("christmas 9am", "", "invalid"),
            ("easter monday 9am", "", "invalid"),
            ("reunion 9am", "", "invalid"),
            ("9am center", "", "invalid"),
            ("tomorrow 9am tokyo", "Europe/Berlin", "invalid"),
            ("soon", "", "invalid"),
            ("2027-06-09", "", "invalid"),
            ("2027-06-09 09:00", "Mars/Base", "invalid"),
            ("", "Mars/Base", "invalid"),
            ("2300-01-01T00:00:00Z", "", "invalid"),
        ] {
            assert_eq!(at(text, zone), Err(code), "{text} {zone}");
        }
    }
}
