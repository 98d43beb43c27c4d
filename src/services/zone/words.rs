//! Reads a time in words for a user. The next free posting slot is one of the words.

use super::Zone;
use crate::{
    app_state::AppState,
    calendar::slots,
    services::{Presenter, internal_error},
};
use domain::{
    Actor, DomainError, Timestamp, When,
    account::Language,
    base::{
        local_time::shortest_text,
        when::{
            self, Context, Question, Readings, TypedWords, WordsMeaning, WordsReading, problem::WhenProblem,
        },
    },
    error::ValidationError,
    series::ZoneRules as _,
};
use store::PoolRole;

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

/// Returns what the words mean; `Invalid` for the fields `text`, `zone` and `now`, or `Past`.
pub async fn read(parts: &AppState, actor: &Actor, words: &TypedWords) -> Result<WordsMeaning, DomainError> {
    let now = words.now.unwrap_or_else(|| parts.clock.now());
    if !now.is_valid_due_time() {
        return Err(DomainError::invalid("now", ValidationError::OutOfRange));
    }
    let own = Zone::named(words.zone.as_deref().unwrap_or(&actor.zone))?;
    let is_month_first = words.language.unwrap_or(actor.language) == Language::Zh;
    let (zone, found) = match (Reader { now, zone: own, is_month_first }).read(&words.text)? {
        ReadTime::NextSlot => return next_slot(parts, actor, own).await,
        ReadTime::Moments(zone, found) => (zone, found),
    };
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, now).await?;
    let readings = found.all.iter().map(|reading| WordsReading {
        moment: presenter.moment(reading.at),
        local: shortest_text(reading.local),
        offset_seconds: reading.offset_seconds,
        disambiguation: reading.disambiguation,
    });
    Ok(WordsMeaning {
        zone: zone.name().to_owned(),
        is_slot: false,
        question: found.question,
        readings: readings.collect(),
    })
}

/// The next free posting slot of the desk, in this zone.
async fn next_slot(parts: &AppState, actor: &Actor, zone: Zone) -> Result<WordsMeaning, DomainError> {
    let found = slots::next(parts, actor, 1).await?;
    let none = || DomainError::invalid("text", ValidationError::When { why: WhenProblem::NoSlots });
    let moment = found.first().ok_or_else(none)?.at;
    let local = zone.local_at(moment.at).ok_or_else(none)?;
    let reading = WordsReading {
        moment,
        local: shortest_text(local),
        offset_seconds: zone.offset_seconds(moment.at),
        disambiguation: disambiguation(zone, &shortest_text(local), moment.at),
    };
    Ok(WordsMeaning { zone: zone.name().to_owned(), is_slot: true, question: None, readings: vec![reading] })
}

/// Which of two instants with this local time it is; `None`: there is one.
fn disambiguation(zone: Zone, local: &str, at: Timestamp) -> Option<domain::time::Disambiguation> {
    use domain::time::{Disambiguation, Meaning};
    match zone.meaning_of(local)? {
        Meaning::Twice { earlier, .. } if earlier == at => Some(Disambiguation::Earlier),
        Meaning::Twice { .. } => Some(Disambiguation::Later),
        _ => None,
    }
}
