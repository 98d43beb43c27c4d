//! Presets of the time picker, in local time.

use super::Zone;
use domain::{
    TimePresets, Timestamp,
    base::{local_time::minute_text, time_presets::TimePreset, when::ZoneWindow},
};
use jiff::{
    ToSpan as _,
    civil::{Date, DateTime, time},
};

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;

/// In an hour (at a full minute), tomorrow at nine, next Monday at nine, in that zone.
#[must_use]
pub fn time_presets(zone: Zone, now: Timestamp) -> TimePresets {
    let in_an_hour = (now.plus(HOUR_MS).millis().div_euclid(MINUTE_MS) + 1) * MINUTE_MS;
    let today = zone.wall(now).date();
    let to_monday = 8 - today.weekday().to_monday_one_offset();
    let presets = [
        ("hour", Some(zone.wall(in_an_hour.into()))),
        ("tomorrow", at_nine(today, 1)),
        ("monday", at_nine(today, to_monday)),
    ];
    let presets = presets.into_iter().filter_map(|(name, at)| Some(preset(name, at?))).collect();
    let rules = ZoneWindow::new(zone.name(), &zone, now);
    TimePresets { zone: zone.name().to_owned(), presets, rules, next_slot: None }
}

fn at_nine(today: Date, days: i8) -> Option<DateTime> {
    Some(today.checked_add(days.days()).ok()?.to_datetime(time(9, 0, 0, 0)))
}

fn preset(name: &str, at: DateTime) -> TimePreset {
    let text = minute_text(at);
    let (date, time) = text.split_once('T').unwrap_or((&text, ""));
    TimePreset { name: name.to_owned(), date: date.to_owned(), time: time.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picks(zone: &str, now: &str) -> Vec<String> {
        let picks = time_presets(Zone::named(zone).unwrap(), now.parse().unwrap()).presets;
        picks.iter().map(|pick| format!("{} {}", pick.date, pick.time)).collect()
    }

    #[test]
    fn next_monday_is_never_today() {
        let monday = "2026-06-08T07:00:00Z";
        assert_eq!(
            picks("Europe/Berlin", monday),
            ["2026-06-08 10:01", "2026-06-09 09:00", "2026-06-15 09:00"]
        );
    }

    #[test]
    fn an_hour_from_now_is_a_time_that_exists() {
        assert_eq!(picks("Europe/Berlin", "2027-03-27T23:59:30Z")[0], "2027-03-28 03:00");
        // The day begins at one o'clock.
        assert_eq!(picks("Africa/Cairo", "2027-04-29T20:59:59Z")[0], "2027-04-30 01:00");
    }
}
