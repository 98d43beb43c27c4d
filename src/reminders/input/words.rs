//! Says what a time in words means for a reminder.

use super::time;
use crate::{
    app_state::AppState,
    services::{Presenter, internal_error},
    tasks,
    zone::Zone,
};
use domain::{
    Actor, DomainError,
    base::when::{TypedWords, WordsMeaning, WordsReading},
    error::ValidationError,
    reminders::{LocalTimeInZone, ReminderWords},
    series::ZoneRules as _,
};
use store::PoolRole;

/// Returns what the words mean: a moment, or a series with its first occurrence.
pub async fn read(parts: &AppState, actor: &Actor, words: &TypedWords) -> Result<ReminderWords, DomainError> {
    let Some(repeated) = time::repeat_words(&words.text)? else {
        let meaning = tasks::words::read(parts, actor, words).await?;
        return Ok(ReminderWords { meaning, repeats: None });
    };
    let now = parts.clock.now();
    let first = time::repeating(&repeated, time::reader(words.zone.as_deref(), actor, now)?)?;
    let out_of_range = || DomainError::invalid("text", ValidationError::OutOfRange);
    let LocalTimeInZone { local, zone } = first.local.ok_or_else(out_of_range)?;
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, now).await?;
    let reading = WordsReading {
        moment: presenter.moment(first.due_at),
        local,
        offset_seconds: Zone::stored(&zone).offset_seconds(first.due_at),
        disambiguation: None,
    };
    let meaning = WordsMeaning { zone, is_slot: false, question: None, readings: vec![reading] };
    Ok(ReminderWords { meaning, repeats: first.repeats.map(|repeats| repeats.rule) })
}
