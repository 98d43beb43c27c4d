//! When a notification is mailed.

use crate::zone::Zone;
use chrono::{NaiveDate, NaiveDateTime};
use domain::{
    Timestamp,
    reminders::{MailTime, NotificationChoices, QuietHours},
};

/// Returns when a notification of now is mailed; `None`: it is not.
pub fn mail_at(
    choices: &NotificationChoices,
    mail: MailTime,
    zone: Zone,
    now: Timestamp,
) -> Option<Timestamp> {
    match mail {
        MailTime::Off => None,
        MailTime::Now => Some(after_quiet(choices.quiet, zone, now)),
        MailTime::Daily => Some(next(choices.daily_at, zone, now)),
    }
}

/// Returns now, or the end of the quiet hours.
pub fn after_quiet(quiet: Option<QuietHours>, zone: Zone, now: Timestamp) -> Timestamp {
    let local = now.plus(i64::from(zone.offset_minutes(now)) * 60_000);
    let minute = u16::try_from(local.millis().div_euclid(60_000).rem_euclid(24 * 60)).unwrap_or_default();
    match quiet {
        Some(quiet) if quiet.contains(minute) => next(quiet.until, zone, now),
        _ => now,
    }
}

/// Returns the next time that this minute of the day begins. A day that skips it counts from the change of the clock.
fn next(minute: u16, zone: Zone, now: Timestamp) -> Timestamp {
    let (year, month, day) = zone.day(now);
    let date = |year: i16, month: i8, day: i8| {
        NaiveDate::from_ymd_opt(year.into(), month.try_into().ok()?, day.try_into().ok()?)
    };
    let at = |day: NaiveDate| -> Option<Timestamp> {
        let wall: NaiveDateTime = day.and_hms_opt(u32::from(minute) / 60, u32::from(minute) % 60, 0)?;
        zone.first_instant(wall)
    };
    let today = date(year, month, day);
    let days = [today, today.and_then(|day| day.succ_opt())];
    let found = days.into_iter().flatten().filter_map(at).find(|at| *at > now);
    found.unwrap_or_else(|| now.plus(24 * 3_600_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(text: &str) -> Timestamp {
        Timestamp::from_millis(chrono::DateTime::parse_from_rfc3339(text).unwrap().timestamp_millis())
    }

    #[test]
    fn a_mail_waits_for_the_end_of_the_quiet_hours() {
        let berlin = Zone::stored("Europe/Berlin");
        let night = Some(QuietHours { from: 22 * 60, until: 7 * 60 });
        for (now, expected) in [
            ("2027-01-10T12:00:00+01:00", "2027-01-10T12:00:00+01:00"),
            ("2027-01-10T22:00:00+01:00", "2027-01-11T07:00:00+01:00"),
            ("2027-01-11T06:59:59+01:00", "2027-01-11T07:00:00+01:00"),
            ("2027-01-11T07:00:00+01:00", "2027-01-11T07:00:00+01:00"),
            // The clock goes forward in this night.
            ("2027-03-27T23:30:00+01:00", "2027-03-28T07:00:00+02:00"),
        ] {
            assert_eq!(after_quiet(night, berlin, moment(now)), moment(expected), "{now}");
        }
        assert_eq!(after_quiet(None, berlin, moment("2027-01-10T23:00:00Z")), moment("2027-01-10T23:00:00Z"));
    }

    #[test]
    fn the_daily_mail_is_sent_at_the_next_such_time() {
        let choices = NotificationChoices { daily_at: 150, ..NotificationChoices::default() };
        let berlin = Zone::stored("Europe/Berlin");
        let daily = |now| mail_at(&choices, MailTime::Daily, berlin, moment(now)).unwrap();
        assert_eq!(daily("2027-01-10T02:29:00+01:00"), moment("2027-01-10T02:30:00+01:00"));
        assert_eq!(daily("2027-01-10T02:30:00+01:00"), moment("2027-01-11T02:30:00+01:00"));
        // 2:30 does not exist on this day.
        assert_eq!(daily("2027-03-28T00:30:00+01:00"), moment("2027-03-28T03:00:00+02:00"));
        assert_eq!(mail_at(&choices, MailTime::Off, berlin, moment("2027-01-10T02:29:00Z")), None);
    }
}
