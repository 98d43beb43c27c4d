//! Stores the signals of a request.

pub mod apply;
mod descendants;
mod rate;

use super::check;
use crate::{
    app_state::AppState,
    services::write_error,
    tasks::unit_of_work::{UnitOfWork, find_idempotent_result},
};
use apply::{Applied, Sending};
use domain::{
    Actor, DomainError, SignalId, Timestamp,
    signal::{NewSignal, Signal, SignalResult},
};
use uuid::Uuid;

/// Maximum number of attempts when a concurrent request stores the same signal (PostgreSQL only).
const MAX_ATTEMPTS: usize = 3;

/// Stores all signals, or none.
pub async fn store(
    parts: &AppState,
    actor: &Actor,
    new: Vec<NewSignal>,
) -> Result<Vec<SignalResult>, DomainError> {
    check::count(new.len())?;
    let now = parts.clock.now();
    match &new[..] {
        [one] => check::signal(one, now)?,
        all => check_all(all, now)?,
    }
    let signals = signals(new, now);
    for _ in 0..MAX_ATTEMPTS {
        match attempt(parts, actor, &signals).await {
            Ok(None) => {}
            Ok(Some(results)) => return Ok(results),
            Err(refusal) => {
                if matches!(refusal, DomainError::SignalRate { .. }) {
                    rate::report(parts, actor).await;
                }
                return Err(refusal);
            }
        }
    }
    Err(DomainError::Changed)
}

/// Refuses the signals that are invalid, by index.
pub fn check_all(new: &[NewSignal], now: Timestamp) -> Result<(), DomainError> {
    let invalid =
        new.iter().enumerate().filter_map(|(place, one)| Some((place, check::signal(one, now).err()?)));
    let invalid: Vec<(usize, DomainError)> = invalid.collect();
    if invalid.is_empty() { Ok(()) } else { Err(DomainError::bulk(invalid)) }
}

/// Returns the signals of one request: their ids count up from the first.
fn signals(new: Vec<NewSignal>, now: Timestamp) -> Vec<Signal> {
    let first = SignalId::generate();
    let all = new.into_iter().zip(0..);
    all.map(|(new, place)| Signal { id: nth(first, place), ..signal(new, now) }).collect()
}

/// Returns the id of the signal at this place of a request.
fn nth(first: SignalId, place: u128) -> SignalId {
    SignalId(Uuid::from_u128(first.0.as_u128().wrapping_add(place)))
}

/// Returns a signal as it is stored when it comes now.
pub(super) fn signal(new: NewSignal, now: Timestamp) -> Signal {
    Signal {
        id: SignalId::generate(),
        sender_id: new.id,
        name: new.name,
        subject: new.subject,
        key: new.key,
        at: new.at.unwrap_or(now),
        data: new.data,
        depth: 0,
        root: None,
    }
}

/// `None`: a concurrent request has stored one of the signals.
async fn attempt(
    parts: &AppState,
    actor: &Actor,
    signals: &[Signal],
) -> Result<Option<Vec<SignalResult>>, DomainError> {
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    if let Some(first) = signals.first()
        && let Some(first) = find_idempotent_result(&mut unit, first.id.0).await?
    {
        return Ok(Some(repeated(SignalId(first), signals)));
    }
    let now = unit.now();
    rate::count_signals(&mut unit.tx, actor.account, signals.len(), now).await?;
    let buckets = parts.hints.buckets();
    let sending = Sending { account: actor.account, now, buckets, waits: true };
    let applied = match apply::apply(&mut unit.tx, sending, signals).await {
        Err(error) if error.is_unique_violation() => return Ok(None),
        other => other.map_err(write_error(parts))?,
    };
    let Some(Applied { results, tasks, events, hints, opened, .. }) = applied else { return Ok(None) };
    rate::count_waits(&mut unit.tx, &opened, now).await?;
    unit.record_events(events);
    if !tasks.is_empty() {
        unit.insert(&tasks).await?;
    }
    hints.into_iter().for_each(|hint| unit.add_hint(hint));
    unit.commit().await?;
    let result = |(signal, (is_duplicate, opened, closed)): (&Signal, (bool, u32, u32))| SignalResult {
        id: shown_id(signal, signal.id),
        is_duplicate,
        opened,
        closed,
    };
    Ok(Some(signals.iter().zip(results).map(result).collect()))
}

/// Returns the id that the sender gave the signal, else its own.
fn shown_id(signal: &Signal, id: SignalId) -> String {
    signal.sender_id.clone().unwrap_or_else(|| id.to_string())
}

/// Returns the results of a request whose key was used before: all signals are stored already. `first`:
/// id of its first signal then.
fn repeated(first: SignalId, signals: &[Signal]) -> Vec<SignalResult> {
    let result = |(signal, place): (&Signal, u128)| SignalResult {
        id: shown_id(signal, nth(first, place)),
        is_duplicate: true,
        opened: 0,
        closed: 0,
    };
    signals.iter().zip(0..).map(result).collect()
}
