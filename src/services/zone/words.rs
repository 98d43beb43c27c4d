//! Reads a time in words.

use super::Zone;
use domain::{
    DomainError, Timestamp, When,
    base::{
        local_time::shortest_text,
        when::{self, Context, Question, Readings, problem::WhenProblem},
    },
    error::ValidationError,
    series::ZoneRules as _,
};

/// Who reads a time in words.
#[derive(Debug, Clone, Copy)]
pub struct Reader {
    /// The current time.
    pub now: Timestamp,
    /// The zone of times that name none.
    pub zone: Zone,
    /// Whether `6/9` is June 9 only.
    pub is_month_first: bool,
}

/// A time in words that was read.
#[derive(Debug)]
pub enum ReadTime {
    /// The next free posting slot.
    NextSlot,
    /// The zone that the text names, else the reader's, and the moments.
    Moments(Zone, Readings),
}

impl Reader {
    /// Reads a text: the only entry for pages, API, plans, reminders and the command line. `Invalid` for
    /// the field `text`, or `Past`.
    pub fn read(self, text: &str) -> Result<ReadTime, DomainError> {
        let phrase = when::parse(text)?;
        if phrase.is_next_slot() {
            return Ok(ReadTime::NextSlot);
        }
        let zone = phrase.zone().map_or(Ok(self.zone), Zone::named)?;
        let own_today = self.zone.local_at(self.now).map(|local| local.date());
        let context = Context {
            now: self.now,
            rules: &zone,
            base: None,
            is_month_first: self.is_month_first,
            keeps_past: false,
            own_today: own_today.filter(|_| phrase.zone().is_some()),
        };
        Ok(ReadTime::Moments(zone, phrase.readings(&context)?))
    }
}

/// The only moment of a typed text, as it is stored, and its instant; if there are several, the refusal
/// for `field` that offers them.
pub fn only_moment(
    field: &str,
    typed: &str,
    zone: Zone,
    found: &Readings,
) -> Result<(When, Timestamp), DomainError> {
    let name = zone.name().to_owned();
    let field = field.to_owned();
    match (found.question, &found.all[..]) {
        (_, [only]) => {
            let (local, disambiguation) = (shortest_text(only.local), only.disambiguation);
            Ok((When::Local { local, zone: name, disambiguation }, only.at))
        }
        (Some(Question::DoubledTime), [earlier, later]) => Err(DomainError::DoubledTime {
            field,
            local: shortest_text(earlier.local),
            zone: name,
            earlier: earlier.at,
            later: later.at,
        }),
        (Some(Question::SkippedTime), [before, after]) => {
            let (before, after) = (shortest_text(before.local), shortest_text(after.local));
            Err(DomainError::SkippedTime { field, local: typed.to_owned(), zone: name, before, after })
        }
        (_, all) => {
            let locals = all.iter().map(|one| shortest_text(one.local)).collect();
            Err(DomainError::invalid(&field, ValidationError::When { why: WhenProblem::Several { locals } }))
        }
    }
}
