//! Reads a calendar file: what each of its events asks for, and which of them belong together.

use super::{
    event::{self, Identity, Reading, Wanted},
    moment::{Times, invalid, unsupported},
    series::{self, Whole, is_following},
    zones::Zones,
};
use crate::text::ical::read::{self, RawEvent, RawFile, ReadProblem};
use domain::{
    DomainError,
    base::local_time::second_text,
    error::ValidationError,
    meetings::{ImportProblem, MAX_IMPORT_EVENTS},
};
use std::collections::HashMap;

/// Maximum number of events of a file that repeat and are read; fewer of them can become series.
const MAX_READ_SERIES: u32 = 1_000;

/// An event of the file, and what it asks for.
pub struct Item {
    pub line: usize,
    pub title: String,
    pub wish: Wish,
}

/// What an event asks for.
pub enum Wish {
    /// It is a meeting, or a series of them.
    Meet(Box<Wanted>),
    /// It does not take place any more.
    Cancel(Identity),
    /// It only changes a series of the file.
    Merged,
    /// The file has a newer one of the same UID.
    Older,
    /// It cannot become a meeting.
    Refused(ImportProblem),
}

impl Wish {
    /// By what the event is known again; `None`: it is not.
    pub fn identity(&self) -> Option<&Identity> {
        match self {
            Self::Meet(wanted) => Some(&wanted.identity),
            Self::Cancel(identity) => Some(identity),
            Self::Merged | Self::Older | Self::Refused(_) => None,
        }
    }
}

/// Reads the events of a text.
pub fn items(text: &str, by: Reading<'_>) -> Result<Vec<Item>, DomainError> {
    let file = read::file(text, MAX_IMPORT_EVENTS).map_err(|problem| match problem {
        ReadProblem::TooMany => {
            let max = u32::try_from(MAX_IMPORT_EVENTS).unwrap_or(u32::MAX);
            DomainError::invalid("file", ValidationError::TooMany { max })
        }
        other => {
            let why = other.to_string();
            DomainError::invalid("file", ValidationError::Unreadable { why })
        }
    })?;
    let zones = Zones::new(&file.calendars, by.floating, by.now);
    let reader = Reader::new(&file, &zones, by);
    let item = |(place, event): (usize, &RawEvent)| Item {
        line: event.line,
        title: event::shown_title(event),
        wish: reader.wish(place, event).unwrap_or_else(Wish::Refused),
    };
    Ok(file.events.iter().enumerate().map(item).collect())
}

/// Whether a method asks for what a file can do here: show, add, change or cancel events.
fn is_supported(method: &str) -> bool {
    matches!(method, "" | "PUBLISH" | "REQUEST" | "CANCEL")
}

/// The events of one UID.
#[derive(Default)]
struct Group<'f> {
    /// The event itself, unless the file only has some times of its series.
    main: Option<&'f RawEvent>,
    /// Times of its series that are events of their own.
    others: Vec<&'f RawEvent>,
    /// Its times; `None`: it does not repeat.
    whole: Option<Result<Whole, ImportProblem>>,
}

/// The events of a file, by what they belong to.
struct Reader<'f> {
    file: &'f RawFile,
    zones: &'f Zones<'f>,
    by: Reading<'f>,
    groups: HashMap<String, Group<'f>>,
    /// Place of the newest event of each UID and recurrence id.
    newest: HashMap<String, usize>,
}

impl<'f> Reader<'f> {
    fn new(file: &'f RawFile, zones: &'f Zones<'f>, by: Reading<'f>) -> Self {
        let mut reader = Self { file, zones, by, groups: HashMap::new(), newest: HashMap::new() };
        for (place, event) in file.events.iter().enumerate() {
            if is_supported(reader.method(event)) {
                let newest = reader.newest.entry(raw_key(event)).or_insert(place);
                if is_newer(event, &file.events[*newest]) {
                    *newest = place;
                }
            }
        }
        let mut places: Vec<usize> = reader.newest.values().copied().collect();
        places.sort_unstable();
        for event in places.into_iter().map(|place| &file.events[place]) {
            let group = reader.groups.entry(uid(event)).or_default();
            match event.find("RECURRENCE-ID") {
                Some(_) => group.others.push(event),
                None => group.main = Some(event),
            }
        }
        reader.read_series();
        reader
    }

    /// Reads the times of each event that repeats.
    fn read_series(&mut self) {
        let mut count = 0_u32;
        let is_cancelled: HashMap<String, bool> = self
            .groups
            .iter()
            .filter_map(|(uid, group)| Some((uid.clone(), self.is_cancelled(group.main?))))
            .collect();
        for (uid, group) in &mut self.groups {
            let Some(main) = group.main.filter(|_| is_cancelled.get(uid) == Some(&false)) else { continue };
            let is_following = group.others.iter().any(|other| is_following(other));
            if main.find("RRULE").is_none() && !is_following {
                continue;
            }
            count += 1;
            group.whole = Some(match count > MAX_READ_SERIES {
                true => {
                    let problem = ValidationError::TooMany { max: MAX_READ_SERIES };
                    Err(invalid(DomainError::invalid("rule", problem)))
                }
                false => Whole::read(main, self.zones, &group.others),
            });
        }
    }

    fn method(&self, event: &RawEvent) -> &'f str {
        self.file.calendars.get(event.calendar).map_or("", |calendar| calendar.method.as_str())
    }

    fn is_cancelled(&self, event: &RawEvent) -> bool {
        series::is_cancelled(event) || self.method(event) == "CANCEL"
    }

    /// What an event asks for.
    fn wish(&self, place: usize, event: &RawEvent) -> Result<Wish, ImportProblem> {
        let method = self.method(event);
        if !is_supported(method) {
            let name = method.chars().filter(|letter| letter.is_alphanumeric()).take(40).collect();
            return Err(ImportProblem::Method { name });
        }
        let uid = uid(event);
        if uid.is_empty() {
            return Err(ImportProblem::NoUid);
        }
        match self.newest.get(&raw_key(event)).map(|newest| (*newest, &self.file.events[*newest])) {
            Some((newest, other)) if newest != place => {
                let is_same = event.properties == other.properties;
                let is_older = is_newer(other, event);
                return if is_older || is_same { Ok(Wish::Older) } else { Err(ImportProblem::Duplicate) };
            }
            _ => {}
        }
        let group = self.groups.get(&uid);
        let whole = group.and_then(|group| group.whole.as_ref());
        let identity = self.identity(event, uid, whole)?;
        let is_excluded = |whole: &Whole| identity.original.as_ref().is_some_and(|one| whole.excludes(one));
        if matches!(whole, Some(Ok(whole)) if is_excluded(whole)) {
            return Ok(Wish::Merged);
        }
        let is_time_of_file = identity.original.is_some() && matches!(whole, Some(Ok(_)));
        match (self.is_cancelled(event), whole) {
            (true, _) if is_time_of_file => return Ok(Wish::Merged),
            (true, _) => return Ok(Wish::Cancel(identity)),
            // A time of a series that cannot be read may still be a meeting of its own.
            (false, Some(Err(problem))) if identity.original.is_none() || identity.is_following => {
                return Err(problem.clone());
            }
            _ => {}
        }
        let whole = whole.and_then(|whole| whole.as_ref().ok());
        let is_main_without = identity.original.is_none() && whole.is_none() && event.find("RRULE").is_some();
        if is_main_without {
            return Err(unsupported("RRULE"));
        }
        let wanted = event::read(event, identity, whole, (self.by, self.zones));
        match wanted {
            // Others take the place of all times that are still to come.
            Err(ImportProblem::Past) if whole.is_some_and(Whole::is_split) => Ok(Wish::Merged),
            wanted => Ok(Wish::Meet(Box::new(wanted?))),
        }
    }

    fn identity(
        &self,
        event: &RawEvent,
        uid: String,
        whole: Option<&Result<Whole, ImportProblem>>,
    ) -> Result<Identity, ImportProblem> {
        let sequence = event::sequence(event);
        let Some(id) = event.find("RECURRENCE-ID") else {
            return Ok(Identity { key: uid.clone(), uid, original: None, is_following: false, sequence });
        };
        let start = whole.and_then(|whole| whole.as_ref().ok()).map(Whole::start);
        let times = Times { zones: self.zones, calendar: event.calendar };
        let original = times.original_of(id, start.map(|(_, zone)| zone))?;
        let local = start.and_then(|of| Some(second_text(original.date_in(of)?.to_datetime(of.0.time()))));
        let local = local.map(|local| local.replace(['-', ':'], ""));
        let key = format!("{uid}\n{}", local.as_deref().unwrap_or(id.value.trim()));
        Ok(Identity { key, uid, original: Some(original), is_following: is_following(event), sequence })
    }
}

fn uid(event: &RawEvent) -> String {
    event.text("UID").trim().to_owned()
}

/// UID and recurrence id as the file writes them.
fn raw_key(event: &RawEvent) -> String {
    let id = event.find("RECURRENCE-ID");
    let zone = id.and_then(|id| id.parameter("TZID")).unwrap_or_default();
    format!("{}\n{zone}\n{}", uid(event), id.map(|id| id.value.trim()).unwrap_or_default())
}

/// Whether an event replaces another one of the same UID.
fn is_newer(event: &RawEvent, than: &RawEvent) -> bool {
    let rank = |event: &RawEvent| (event::sequence(event), event.text("DTSTAMP").trim().to_owned());
    rank(event) > rank(than)
}
