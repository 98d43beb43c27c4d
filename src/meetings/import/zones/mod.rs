//! The time zones of a calendar file: names of the time-zone data, names of Windows, and those that the
//! file defines. A definition counts: a name that only looks like a zone never replaces it, and where both
//! are known and differ, the user is asked.

mod definition;
mod windows;

pub use definition::Definition;

use crate::{
    text::ical::read::{RawCalendar, RawZone},
    zone::Zone,
};
use domain::{Timestamp, series::ZoneRules as _};
use jiff::civil::DateTime;
use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    sync::Arc,
};

/// Definitions are compared with zones this long before now: 370 days, milliseconds.
const COMPARED_BEFORE_MS: i64 = 370 * 24 * 3_600_000;
/// And this long after now: 3 years, milliseconds.
const COMPARED_AFTER_MS: i64 = 3 * 366 * 24 * 3_600_000;
/// Number of years after this one for which definitions are computed.
const YEARS_AHEAD: i16 = 20;
/// Maximum number of definitions of a file for which an equal zone is searched.
const MAX_SEARCHES: usize = 50;
/// Maximum number of parts of a name: `/example.org/2026a/America/Argentina/Salta`.
const MAX_NAME_PARTS: usize = 8;

/// A zone that a file names.
#[derive(Debug, Clone)]
pub enum NamedZone {
    /// A zone of the time-zone data.
    Known(Zone),
    /// A zone of the time-zone data that the file defines differently.
    Disputed(Zone, Arc<Definition>),
    /// A zone that only the file has.
    Own(Arc<Definition>),
}

impl NamedZone {
    /// The instant of a local time; `None`: it cannot be said.
    pub fn instant(&self, local: DateTime) -> Option<Timestamp> {
        match self {
            Self::Known(zone) => zone.meaning(local).map(domain::time::Meaning::first),
            Self::Own(definition) => definition.instant(local),
            Self::Disputed(zone, definition) => {
                let at = zone.meaning(local).map(domain::time::Meaning::first)?;
                (definition.instant(local) == Some(at)).then_some(at)
            }
        }
    }
}

/// The zones that a file names.
pub struct Zones<'f> {
    calendars: &'f [RawCalendar],
    floating: Zone,
    now: Timestamp,
    /// Found before, by calendar and name.
    found: RefCell<HashMap<(usize, String), Option<NamedZone>>>,
    searches: Cell<usize>,
}

impl<'f> Zones<'f> {
    /// `floating`: the zone of times without one, unless a calendar names it.
    pub fn new(calendars: &'f [RawCalendar], floating: Zone, now: Timestamp) -> Self {
        Self { calendars, floating, now, found: RefCell::default(), searches: Cell::new(0) }
    }

    /// Time zone of times without one.
    pub fn floating(&self, calendar: usize) -> Zone {
        let named = self.calendars.get(calendar).map(|calendar| calendar.zone.as_str());
        named.filter(|name| !name.is_empty()).and_then(by_name).unwrap_or(self.floating)
    }

    /// Finds a zone by its name in a calendar; `None`: it is unknown.
    pub fn find(&self, calendar: usize, name: &str) -> Option<NamedZone> {
        let key = (calendar, name.trim().to_owned());
        if let Some(found) = self.found.borrow().get(&key) {
            return found.clone();
        }
        let found = self.search(calendar, &key.1);
        self.found.borrow_mut().insert(key, found.clone());
        found
    }

    fn search(&self, calendar: usize, name: &str) -> Option<NamedZone> {
        let named = by_name(name);
        let Some(raw) = self.definition(calendar, name) else { return named.map(NamedZone::Known) };
        let this_year = Zone::UTC.local_at(self.now)?.year();
        let Some(definition) = Definition::read(raw, (this_year - 1, this_year + YEARS_AHEAD)) else {
            return named.filter(|_| is_certain(name)).map(NamedZone::Known);
        };
        let window = (self.now.plus(-COMPARED_BEFORE_MS), self.now.plus(COMPARED_AFTER_MS));
        let is_equal = |zone: &Zone| definition.is_equal(*zone, window);
        if let Some(zone) = [named, by_name(&raw.location)].into_iter().flatten().find(is_equal) {
            return Some(NamedZone::Known(zone));
        }
        if let Some(zone) = named.filter(|_| is_certain(name)) {
            return Some(NamedZone::Disputed(zone, Arc::new(definition)));
        }
        let searches = self.searches.replace(self.searches.get() + 1);
        let equal =
            (searches < MAX_SEARCHES).then(|| candidates(name, self.floating).find(is_equal)).flatten();
        Some(equal.map_or_else(|| NamedZone::Own(Arc::new(definition)), NamedZone::Known))
    }

    /// The definition of a name, in its calendar or in another one of the file.
    fn definition(&self, calendar: usize, name: &str) -> Option<&'f RawZone> {
        let own = self.calendars.get(calendar).into_iter().chain(self.calendars);
        own.flat_map(|calendar| &calendar.zones)
            .find(|zone| zone.name.trim() == name && !zone.parts.is_empty())
    }
}

/// The zone of a name as programs write it: `Europe/Berlin`, `/example.org/2026a/Europe/Berlin` or
/// `W. Europe Standard Time`. A city alone is no name: `House/Singapore` may be a house anywhere.
fn by_name(name: &str) -> Option<Zone> {
    let name = name.trim().trim_matches('/');
    let parts: Vec<&str> = name.split('/').collect();
    if let Some(iana) = parts.last().and_then(|last| windows::iana_name(last)) {
        return Zone::iana(iana);
    }
    if parts.len() > MAX_NAME_PARTS {
        return None;
    }
    let ends = (0..parts.len()).map(|from| &parts[from..]);
    let mut names = ends.filter(|end| end.len() > 1 || parts.len() == 1).map(|end| end.join("/"));
    names.find_map(|name| Zone::iana(&name))
}

/// Whether a name is that of a zone beyond doubt: an area with a city, or a name of Windows.
fn is_certain(name: &str) -> bool {
    let name = name.trim();
    name.contains('/') || windows::iana_name(name).is_some()
}

/// Zones to compare with a definition: cities in its name first, then that of the user, then those of
/// Windows.
fn candidates(name: &str, floating: Zone) -> impl Iterator<Item = Zone> {
    let words = name.split(|letter: char| !letter.is_alphanumeric()).filter(|word| word.len() > 3);
    let cities: Vec<Zone> = words.take(10).filter_map(|word| Zone::named(word).ok()).collect();
    cities.into_iter().chain([floating]).chain(windows::iana_names().filter_map(Zone::iana))
}
