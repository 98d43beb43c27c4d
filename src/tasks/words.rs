//! Says what a time in words means for a user. The next free posting slot is one of the words.

use super::slots;
use crate::{
    app_state::AppState,
    services::{Presenter, internal_error},
    zone::{
        Zone,
        words::{ReadTime, Reader},
    },
};
use domain::{
    Actor, DomainError, Timestamp,
    account::Language,
    base::{
        local_time::shortest_text,
        when::{TypedWords, WordsMeaning, WordsReading, problem::WhenProblem},
    },
    error::ValidationError,
    series::ZoneRules as _,
};
use store::PoolRole;

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
