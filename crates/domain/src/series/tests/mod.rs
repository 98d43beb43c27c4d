//! Tests of series. Their time zones have the transitions of Python's zoneinfo
//! (`tests/zones/make.py`), for the years 2026 to 2036.

mod editing;
mod editing_property;
mod oracle;
mod preview;
mod rfc5545;
mod rules;
mod zone;

use super::{RuleFields, Series};
use crate::{DomainError, Timestamp, base::local_time::minute_text};
use serde_json::Value;
use zone::TestZone;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn fields(rule: &Value) -> RuleFields {
    serde_json::from_value(rule.clone()).unwrap()
}

fn try_series(starts: &str, zone: &str, rule: &Value) -> Result<Series, DomainError> {
    Series::read(starts, zone, fields(rule))
}

fn series(starts: &str, zone: &str, rule: &Value) -> Series {
    try_series(starts, zone, rule).unwrap()
}

/// Original local time and instant of the first occurrences.
fn first_occurrences(series: &Series, max: usize) -> Vec<String> {
    let zone = TestZone::named(&series.zone);
    let found = series.occurrences(&zone, Timestamp::EARLIEST, Timestamp::LATEST, max);
    found
        .iter()
        .map(|one| format!("{} = {}", minute_text(one.original_local), &one.at.to_string()[..16]))
        .collect()
}

/// Dates of the first occurrences.
fn first_dates(series: &Series, max: usize) -> Vec<String> {
    first_occurrences(series, max).into_iter().map(|text| text[..10].to_owned()).collect()
}
