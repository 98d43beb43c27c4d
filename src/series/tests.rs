//! Compares the occurrences with those of python-dateutil (`tests/series/make.py`), with the
//! built-in time-zone data.

use crate::zone::Zone;
use domain::{
    Timestamp,
    base::local_time::parse_date,
    series::{RuleFields, Series, Step},
};
use jiff::civil::date;

const FIXTURE: &str = include_str!("../../tests/series/occurrences.txt");

/// Number and digest of the occurrences until 2035, as make.py computes them.
fn digest(series: &Series, zone: Zone) -> String {
    let last_day = parse_date("2035-12-31").unwrap();
    let (mut count, mut digest) = (0, 0xCBF2_9CE4_8422_2325_u64);
    let found = series.steps(&zone).filter_map(Step::occurrence);
    for one in found.take_while(|one| one.original_local.date() <= last_day) {
        count += 1;
        let local = one.original_local.duration_since(date(1970, 1, 1).at(0, 0, 0, 0)).as_secs();
        for number in [local, one.at.millis() / 1_000] {
            digest = (digest ^ u64::try_from(number).unwrap()).wrapping_mul(0x0100_0000_01B3);
            digest ^= digest >> 29;
        }
    }
    format!("{count}:{digest:016x}")
}

#[test]
fn the_built_in_zones_give_the_occurrences_of_a_second_implementation() {
    let mut lines = FIXTURE.lines().filter(|line| !line.starts_with('#'));
    let zones: Vec<Zone> = lines.next().unwrap().split(' ').map(|name| Zone::named(name).unwrap()).collect();
    let (mut compared, mut wrong) = (0, Vec::new());
    for line in lines {
        let parts: Vec<&str> = line.split(" | ").collect();
        let rule: RuleFields = serde_json::from_str(parts[1]).unwrap();
        let mut expected = "";
        for (result, zone) in parts[2].split(' ').zip(&zones) {
            expected = if result == "=" { expected } else { result };
            let actual = digest(&Series::read(parts[0], zone.name(), rule.clone()).unwrap(), *zone);
            if actual != expected {
                wrong.push(format!("{} {}: {actual}, not {expected}", zone.name(), parts[1]));
            }
            compared += 1;
        }
    }
    assert!(wrong.is_empty(), "{} wrong: {:#?}", wrong.len(), &wrong[..wrong.len().min(5)]);
    assert_eq!(compared, 4_000);
}

#[test]
fn a_day_that_a_zone_does_not_have_moves_the_occurrence_and_never_doubles_it() {
    // Apia had no 30 December 2011.
    let rule: RuleFields = serde_json::from_str(r#"{"frequency":"daily","count":3}"#).unwrap();
    let zone = Zone::named("Pacific/Apia").unwrap();
    for (time, count) in [("00:00", 2), ("12:00", 3)] {
        let series = Series::read(&format!("2011-12-29T{time}"), zone.name(), rule.clone()).unwrap();
        let found = series.occurrences(&zone, Timestamp::EARLIEST, Timestamp::LATEST, 9);
        assert_eq!(found.len(), count, "{found:?}");
        assert!(found.windows(2).all(|two| two[1].at.since(two[0].at) >= 3_600_000), "{found:?}");
    }
}
