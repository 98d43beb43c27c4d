//! Compares the occurrences with those of python-dateutil (`tests/series/make.py`).

use super::{
    super::{Step, zone_rules::local_seconds},
    series,
    zone::TestZone,
};
use crate::base::local_time::parse_date;

const FIXTURE: &str = include_str!("../../../../../tests/series/occurrences.txt");
const LAST_DAY: &str = "2035-12-31";

/// The digest that make.py computes.
pub(super) struct Digest(pub u64);

impl Digest {
    pub(super) fn new() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }

    pub(super) fn add(&mut self, number: i64) {
        self.0 = (self.0 ^ u64::try_from(number).unwrap()).wrapping_mul(0x0100_0000_01B3);
        self.0 ^= self.0 >> 29;
    }
}

#[test]
fn ten_years_of_200_rules_in_20_zones_match_a_second_implementation() {
    let last_day = parse_date(LAST_DAY).unwrap();
    let mut lines = FIXTURE.lines().filter(|line| !line.starts_with('#'));
    let zones: Vec<(&str, TestZone)> =
        lines.next().unwrap().split(' ').map(|name| (name, TestZone::named(name))).collect();
    let (mut rules, mut total, mut wrong) = (0, 0, Vec::new());
    for line in lines {
        let parts: Vec<&str> = line.split(" | ").collect();
        let rule = serde_json::from_str(parts[1]).unwrap();
        let mut expected = "";
        for (result, (name, zone)) in parts[2].split(' ').zip(&zones) {
            expected = if result == "=" { expected } else { result };
            let series = series(parts[0], name, &rule);
            let (mut count, mut digest) = (0, Digest::new());
            let found = series.steps(zone).filter_map(Step::occurrence);
            for one in found.take_while(|one| one.original_local.date() <= last_day) {
                count += 1;
                digest.add(local_seconds(one.original_local));
                digest.add(one.at.millis() / 1_000);
            }
            total += count;
            let actual = format!("{count}:{:016x}", digest.0);
            if actual != expected {
                wrong.push(format!("{name} {} {}: {actual}, not {expected}", parts[0], parts[1]));
            }
        }
        rules += 1;
    }
    assert!(wrong.is_empty(), "{} wrong: {:#?}", wrong.len(), &wrong[..wrong.len().min(5)]);
    assert_eq!((rules, zones.len(), total), (200, 20, 603_458));
}
