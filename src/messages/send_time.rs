//! When a message is sent: an instant, a local time, or a delay.

use crate::zone;
use domain::{DomainError, Timestamp, When, error::ValidationError, message::SendTime};
use jiff::{Span, tz::Offset};

/// Maximum length of a duration, in bytes.
const MAX_DURATION_BYTES: usize = 100;
/// Maximum number of digits of a number within a duration that can be read.
const MAX_DIGITS: usize = 5;

/// Resolves the time of a request that arrived at `now` to a time of a task. Refuses a time that
/// has passed.
pub fn resolve(time: &SendTime, now: Timestamp) -> Result<When, DomainError> {
    match time {
        SendTime::At(when) => {
            let at = zone::resolve(when)?;
            if at < now { Err(DomainError::past(at).in_field(when.field())) } else { Ok(when.clone()) }
        }
        SendTime::After(delay) => {
            let at = after(now, delay).map_err(|problem| DomainError::invalid("delay", problem))?;
            Ok(When::At { due_at: at })
        }
    }
}

/// Returns the time this duration (ISO 8601) after `now`, in UTC; never rounded down.
pub fn after(now: Timestamp, duration: &str) -> Result<Timestamp, ValidationError> {
    shifted(now, duration, |span| span)
}

/// Returns the time this duration before `end`.
pub fn before(end: Timestamp, duration: &str) -> Result<Timestamp, ValidationError> {
    shifted(end, duration, Span::negate)
}

fn shifted(now: Timestamp, duration: &str, turn: fn(Span) -> Span) -> Result<Timestamp, ValidationError> {
    let is_written = duration.trim_start_matches(['+', '-']).starts_with('P');
    if !is_written || duration.len() > MAX_DURATION_BYTES {
        return Err(ValidationError::NotADuration);
    }
    let span: Span = duration.parse().map_err(|_| match is_too_long(duration) {
        true => ValidationError::OutOfRange,
        false => ValidationError::NotADuration,
    })?;
    if span.is_negative() {
        return Err(ValidationError::Negative);
    }
    let at = jiff::Timestamp::from_millisecond(now.millis()).map_err(|_| ValidationError::OutOfRange)?;
    let at = Offset::UTC.to_datetime(at).checked_add(turn(span)).map_err(|_| ValidationError::OutOfRange)?;
    let at = Offset::UTC.to_timestamp(at).map_err(|_| ValidationError::OutOfRange)?;
    let millis = (at.as_nanosecond() + 999_999).div_euclid(1_000_000);
    let at = Timestamp::from_millis(i64::try_from(millis).map_err(|_| ValidationError::OutOfRange)?);
    if at.is_valid_due_time() { Ok(at) } else { Err(ValidationError::OutOfRange) }
}

/// Whether a number of the duration has too many digits.
fn is_too_long(duration: &str) -> bool {
    duration.split(|c: char| !c.is_ascii_digit()).any(|digits| digits.len() > MAX_DIGITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_added_in_utc() {
        let now: Timestamp = "2027-01-31T08:00:00Z".parse().unwrap();
        let text = |duration: &str| after(now, duration).map(|at| at.to_string());
        for (duration, expected) in [
            ("PT0S", "2027-01-31T08:00:00.000Z"),
            ("PT30M", "2027-01-31T08:30:00.000Z"),
            ("P1DT2H", "2027-02-01T10:00:00.000Z"),
            ("P1M", "2027-02-28T08:00:00.000Z"),
            ("P2W", "2027-02-14T08:00:00.000Z"),
            ("PT0.0001S", "2027-01-31T08:00:00.001Z"),
            ("P10Y", "2037-01-31T08:00:00.000Z"),
        ] {
            assert_eq!(text(duration), Ok(expected.to_owned()), "{duration}");
        }
        for (duration, problem) in [
            ("-PT1S", ValidationError::Negative),
            ("PT-1S", ValidationError::NotADuration),
            ("-1", ValidationError::NotADuration),
            ("30 minutes", ValidationError::NotADuration),
            ("", ValidationError::NotADuration),
            ("P500Y", ValidationError::OutOfRange),
            ("P8000Y", ValidationError::OutOfRange),
            ("P99999999Y", ValidationError::OutOfRange),
            ("PT99999999999999999999S", ValidationError::OutOfRange),
        ] {
            assert_eq!(text(duration), Err(problem), "{duration}");
        }
    }
}
