//! Stores the signals of a request.

use super::{
    apply::{self, Applied, Sending},
    check,
};
use crate::{server::app_state::AppState, services::write_error, tasks::unit::UnitOfWork};
use domain::{
    Actor, DomainError, SignalId,
    signal::{NewSignal, Signal, SignalResult},
};

/// Maximum number of invalid items reported in a refusal.
const MAX_REPORTED_ERRORS: usize = 100;
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
    let invalid =
        new.iter().enumerate().filter_map(|(place, one)| Some((place, check::signal(one, now).err()?)));
    let mut invalid: Vec<(usize, DomainError)> = invalid.take(MAX_REPORTED_ERRORS).collect();
    if let (1, Some((_, refusal))) = (new.len(), invalid.first_mut()) {
        return Err(refusal.clone());
    }
    if !invalid.is_empty() {
        return Err(DomainError::Bulk { items: invalid });
    }
    let signals: Vec<Signal> = new.into_iter().map(|new| signal(new, now)).collect();
    for _ in 0..MAX_ATTEMPTS {
        if let Some(results) = attempt(parts, actor, &signals).await? {
            return Ok(results);
        }
    }
    Err(DomainError::Changed)
}

fn signal(new: NewSignal, now: domain::Timestamp) -> Signal {
    Signal {
        id: SignalId::generate(),
        sender_id: new.id,
        name: new.name,
        subject: new.subject,
        key: new.key,
        at: new.at.unwrap_or(now),
        data: new.data,
        depth: 0,
    }
}

/// `None`: a concurrent request has stored one of the signals.
async fn attempt(
    parts: &AppState,
    actor: &Actor,
    signals: &[Signal],
) -> Result<Option<Vec<SignalResult>>, DomainError> {
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    let buckets = parts.hints.buckets();
    let sending = Sending { account: actor.account, now: unit.now(), buckets, waits: true };
    let applied = match apply::apply(&mut unit.tx, sending, signals).await {
        Err(error) if error.is_unique_violation() => return Ok(None),
        other => other.map_err(write_error(parts))?,
    };
    let Some(Applied { results, tasks, events, hints }) = applied else { return Ok(None) };
    unit.record_events(events);
    if !tasks.is_empty() {
        unit.insert(&tasks).await?;
    }
    hints.into_iter().for_each(|hint| unit.add_hint(hint));
    unit.commit().await?;
    let result = |(signal, (is_duplicate, opened, closed)): (&Signal, (bool, u32, u32))| SignalResult {
        id: signal.sender_id.clone().unwrap_or_else(|| signal.id.to_string()),
        is_duplicate,
        opened,
        closed,
    };
    Ok(Some(signals.iter().zip(results).map(result).collect()))
}
