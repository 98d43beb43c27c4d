//! Zones, for the pages: their names, and what their wall clocks show.

use crate::calls::schedule::Pick;
use chrono::{Datelike, Days, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Timelike};
use chrono_tz::{TZ_VARIANTS, Tz};
use domain::Timestamp;

/// Names of all zones people use: places, and UTC.
pub fn zones() -> Vec<String> {
    let is_place = |name: &str| {
        name == "UTC" || (name.contains('/') && !name.starts_with("Etc/") && !name.starts_with("US/"))
    };
    TZ_VARIANTS.iter().map(|zone| zone.name()).filter(|name| is_place(name)).map(str::to_owned).collect()
}

/// What a wall clock in `zone` shows at `at`; `None`: there is no such zone.
pub fn wall_clock(zone: &str, at: Timestamp) -> Option<NaiveDateTime> {
    let zone: Tz = zone.parse().ok()?;
    Some(at.utc().with_timezone(&zone).naive_local())
}

/// In an hour (at a full minute), tomorrow at nine, next Monday at nine: as wall clocks in `zone` will show them.
/// `None`: there is no such zone.
pub fn usual_times(zone: &str, now: Timestamp) -> Option<Vec<Pick>> {
    let in_an_hour = wall_clock(zone, now.plus(3_600_000))?;
    let in_an_hour = in_an_hour.with_second(0)?.with_nanosecond(0)? + TimeDelta::minutes(1);
    let today = wall_clock(zone, now)?.date();
    let to_monday = 7 - u64::from(today.weekday().num_days_from_monday());
    Some(vec![
        pick("hour", in_an_hour),
        pick("tomorrow", nine(today, 1)?),
        pick("monday", nine(today, to_monday)?),
    ])
}

fn pick(name: &str, at: NaiveDateTime) -> Pick {
    Pick {
        name: name.to_owned(),
        date: at.format("%Y-%m-%d").to_string(),
        time: at.format("%H:%M").to_string(),
    }
}

fn nine(today: NaiveDate, days: u64) -> Option<NaiveDateTime> {
    Some(today.checked_add_days(Days::new(days))?.and_time(NaiveTime::from_hms_opt(9, 0, 0)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn next_monday_is_never_today() {
        let monday: Timestamp = "2026-06-08T07:00:00Z".parse().unwrap();
        let picks = usual_times("Europe/Berlin", monday).unwrap();
        let picks: Vec<_> = picks.iter().map(|pick| format!("{} {}", pick.date, pick.time)).collect();
        assert_eq!(picks, ["2026-06-08 10:01", "2026-06-09 09:00", "2026-06-15 09:00"]);
    }

    #[test]
    fn an_unknown_zone_has_no_wall_clock() {
        assert_eq!(wall_clock("Mars/Olympus", Timestamp::FIRST), None);
    }
}
