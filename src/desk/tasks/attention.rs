//! The front page, and what needs a person.

use super::{change, together, zone_moves};
use crate::{
    desk::{Lens, broken},
    parts::Parts,
};
use domain::{
    Actor, Refusal, State, TaskId, Version,
    limit::RETRY_ITEMS,
    refusal::Problem,
    task::{AttentionGroup, Board, Change, Retried},
};
use std::collections::{HashMap, HashSet};
use store::{Who, board, task_list::Line};
use uuid::Uuid;

/// Rows of each list of the front page.
const BOARD_ROWS: i64 = 12;
/// Tasks shown of one cause.
const GROUP_ROWS: i64 = 50;

/// The front page.
pub async fn board(parts: &Parts, actor: &Actor) -> Result<Board, Refusal> {
    let now = parts.clock.now();
    let mut lease = parts.store.read(Who::People).await.map_err(broken)?;
    let lens = Lens::of(lease.conn(), actor, now).await?;
    let next = board::next(lease.conn(), BOARD_ROWS).await.map_err(broken)?;
    let recent = board::recent(lease.conn(), BOARD_ROWS).await.map_err(broken)?;
    let counts = board::counts(lease.conn(), now).await.map_err(broken)?;
    Ok(Board {
        next: lens.tasks(next),
        recent: lens.tasks(recent),
        scheduled: counts.scheduled.unsigned_abs(),
        attention: counts.attention.unsigned_abs(),
        executed_today: counts.executed_today.unsigned_abs(),
    })
}

/// What needs a person, by state and cause. What a newer task of the same target has dealt with is left out, and what is
/// older than 30 days. What newer time-zone data moved stays until it is dismissed.
pub async fn attention(parts: &Parts, actor: &Actor) -> Result<Vec<AttentionGroup>, Refusal> {
    let now = parts.clock.now();
    let mut lease = parts.store.read(Who::People).await.map_err(broken)?;
    let lens = Lens::of(lease.conn(), actor, now).await?;
    let owner = (!actor.is_admin()).then_some(actor.person);
    let needing = board::attention(lease.conn(), now, GROUP_ROWS, owner).await.map_err(broken)?;
    let ids: Vec<Uuid> = needing.iter().map(|one| one.id).collect();
    let lines = board::these(lease.conn(), &ids).await.map_err(broken)?;
    let mut rows: HashMap<Uuid, _> = lens.tasks(lines).into_iter().map(|row| (row.id.0, row)).collect();
    let mut groups: Vec<AttentionGroup> = Vec::new();
    for one in needing {
        let (Some(row), Ok(state)) = (rows.remove(&one.id), one.state.parse()) else { continue };
        match groups.last_mut().filter(|group| group.state == state && group.reason == one.cause) {
            Some(group) => group.tasks.push(row),
            None => groups.push(AttentionGroup {
                state,
                reason: one.cause,
                total: one.total.unsigned_abs(),
                theirs: one.theirs.unsigned_abs(),
                tasks: vec![row],
            }),
        }
    }
    groups.extend(zone_moves::group(lease.conn(), &lens, owner, GROUP_ROWS).await?);
    Ok(groups)
}

/// Tries again what failed or was missed for one cause, all at once. One that has changed meanwhile holds up no other.
pub async fn retry_group(
    parts: &Parts,
    actor: &Actor,
    state: State,
    reason: &str,
    most: u64,
) -> Result<Retried, Refusal> {
    if !matches!(state, State::Failed | State::Missed) {
        return Err(Refusal::invalid("state", Problem::NotOneOf { words: "failed, missed".to_owned() }));
    }
    let most = i64::try_from(most.min(RETRY_ITEMS)).unwrap_or(0);
    let owner = (!actor.is_admin()).then_some(actor.person);
    let mut lease = parts.store.read(Who::People).await.map_err(broken)?;
    let now = parts.clock.now();
    let group = board::group(lease.conn(), now, (state, reason), owner, most).await.map_err(broken)?;
    let ids: Vec<Uuid> = group.iter().map(|(id, _)| *id).collect();
    let lines = board::these(lease.conn(), &ids).await.map_err(broken)?;
    // The request's key stands for the whole, not for each.
    let actor = Actor { idempotency: None, ..actor.clone() };
    let lens = Lens::of(lease.conn(), &actor, now).await?;
    drop(lease);
    let seen: HashSet<(Uuid, i32)> = group.iter().copied().collect();
    let as_seen = |line: &Line| seen.contains(&(line.id, line.version));
    let waiting = together::retry(parts, &lens, lines.into_iter().filter(as_seen).collect()).await?;
    let mut retried = Retried { done: waiting.len() as u64, refused: 0 };
    for (id, version) in group {
        let id = TaskId(id);
        if waiting.contains(&id) {
            continue;
        }
        match change::change(parts, &actor, id, Change::Retry, Version(version)).await {
            Ok(_) => retried.done += 1,
            Err(Refusal::Unavailable) if retried.done == 0 => return Err(Refusal::Unavailable),
            Err(_) => retried.refused += 1,
        }
    }
    Ok(retried)
}
