//! Another time zone of the desk: scheduled tasks that are planned in the current one keep their wall-clock
//! time, or their instant. One undo restores the zone and the tasks.
//!
//! Tasks that follow from their target (of meetings, reminders, reviews) are left alone.

use super::{CHUNK, refused, write};
use crate::{
    app_state::AppState,
    kinds,
    services::{Presenter, internal_error, write_error},
    tasks::group_commit::PreparedChange,
    zone::{self, Meaning, Zone},
};
use domain::{
    Actor, BatchId, DomainError, TaskId, Timestamp, When,
    accounts::zone_effect::{MAX_NAMED_ITEMS, ZoneEffect, ZoneExample},
    bulk_change::{BulkOutcome, BulkRefusal},
    error::ValidationError,
    settings::{SiteSettings, ZoneChange},
    task::Change,
};
use serde_json::json;
use std::collections::HashSet;
use store::{
    Conn, PoolRole, batch,
    event::{self, NewEvent},
    setting,
    task_list::{self, TaskListRow},
};
use uuid::Uuid;

/// Where a page of tasks ended: due time and id.
type Cursor = (i64, Uuid);

/// Says what another zone means for the tasks that are planned in the current one.
pub async fn effect(parts: &AppState, from: &str, to: &str) -> Result<ZoneEffect, DomainError> {
    let now = parts.clock.now();
    let zones = (Zone::stored(from), Zone::stored(to));
    let mut effect = ZoneEffect { from: from.to_owned(), to: to.to_owned(), ..ZoneEffect::default() };
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let mut after = None;
    loop {
        let (rows, next) = page(lease.conn(), from, after).await?;
        rows.iter().for_each(|row| count(&mut effect, row, zones, now));
        match next {
            Some(_) => after = next,
            None => return Ok(effect),
        }
    }
}

/// Returns a page of the tasks that are planned in a zone and do not follow from their target, and where
/// it ended; `None`: it is the last one.
async fn page(
    conn: Conn<'_>,
    zone: &str,
    after: Option<Cursor>,
) -> Result<(Vec<TaskListRow>, Option<Cursor>), DomainError> {
    let limit = i64::try_from(CHUNK).unwrap_or(i64::MAX);
    let mut rows = task_list::planned_in_zone(conn, zone, after, limit).await.map_err(internal_error)?;
    let next = rows.last().filter(|_| rows.len() == CHUNK).map(|row| (row.due_at, row.id));
    rows.retain(|row| kinds::find(&row.kind).is_some_and(|kind| !kind.is_managed()));
    Ok((rows, next))
}

fn count(effect: &mut ZoneEffect, row: &TaskListRow, (from, to): (Zone, Zone), now: Timestamp) {
    effect.count += 1;
    let Ok((when, meaning)) = moved(row, to, now) else {
        effect.past += 1;
        if effect.past_titles.len() < MAX_NAMED_ITEMS {
            effect.past_titles.push(row.title.clone());
        }
        return;
    };
    effect.movable += 1;
    effect.skipped += u64::from(matches!(meaning, Meaning::Never { .. }));
    effect.doubled += u64::from(matches!(meaning, Meaning::Twice { .. }));
    if let (None, Ok(at)) = (&effect.example, zone::resolve(&when)) {
        effect.example = Some(ZoneExample {
            title: row.title.clone(),
            due: zone::moment(row.due_at.into(), from, to),
            moved: zone::moment(at, from, to),
        });
    }
}

/// The same wall-clock time in another zone. `Past`: it has passed there, or the task is being executed.
fn moved(row: &TaskListRow, to: Zone, now: Timestamp) -> Result<(When, Meaning), DomainError> {
    let unreadable = || DomainError::invalid("local", ValidationError::OutOfRange);
    let local = row.local_time.as_deref().ok_or_else(unreadable)?;
    let (when, meaning) = to.same_wall_clock(local).ok_or_else(unreadable)?;
    let at = meaning.first().min(row.due_at.into());
    if at <= now { Err(DomainError::past(at)) } else { Ok((when, meaning)) }
}

/// Changes the settings with another time zone, and what is planned in the current zone `from`. The zone is
/// committed first, the tasks follow in transactions of a thousand: those that were not reached keep their
/// instant. `Changed`: the zone is not `from` any more.
pub async fn change(
    parts: &AppState,
    actor: &Actor,
    (from, settings): (&str, &SiteSettings),
    choice: ZoneChange,
) -> Result<BulkOutcome, DomainError> {
    let actor = Actor { idempotency: None, ..actor.clone() };
    let batch = BatchId::generate();
    let to = Zone::stored(&settings.zone);
    set_zone(parts, &actor, batch, (from, settings)).await?;
    let mut outcome =
        BulkOutcome { batch: Some(batch), time_zone: Some(settings.zone.clone()), ..BulkOutcome::default() };
    if choice == ZoneChange::KeepInstant {
        return Ok(outcome);
    }
    let mut after = None;
    loop {
        let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
        let presenter = Presenter::of(tx.conn(), &actor, parts.clock.now()).await?;
        let (rows, next) = page(tx.conn(), from, after).await?;
        let (prepared, left) = prepare(&presenter, batch, &rows, to);
        outcome.matched += rows.len() as u64;
        match write(parts, tx, &presenter, (batch, prepared, left)).await {
            Ok((changed, left)) => {
                outcome.changed += changed.len() as u64;
                outcome.refused.extend(left);
                follow_moved(parts, &actor, &rows, &changed).await;
            }
            // What was changed before stays changed, and can be undone.
            Err(refusal) => outcome.refused.extend(rows.iter().map(|row| refused(row, refusal.clone()))),
        }
        match next {
            Some(_) => after = next,
            None => return Ok(outcome),
        }
    }
}

/// Stores the settings, and the batch that restores the zone, if the zone still is `from`.
async fn set_zone(
    parts: &AppState,
    actor: &Actor,
    batch: BatchId,
    (from, settings): (&str, &SiteSettings),
) -> Result<(), DomainError> {
    let now = parts.clock.now();
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let failed = write_error(parts);
    if !setting::change_time_zone(tx.conn(), from, &settings.zone).await.map_err(&failed)? {
        return Err(DomainError::Changed);
    }
    setting::put_site_settings(tx.conn(), settings).await.map_err(&failed)?;
    batch::create(tx.conn(), batch, actor.account, now).await.map_err(&failed)?;
    batch::set_time_zones(tx.conn(), batch, from, &settings.zone).await.map_err(&failed)?;
    let event = NewEvent::simple(now, Some(actor.account), "settings", Uuid::nil(), "change");
    let event = NewEvent { detail: json!(settings).to_string(), ..event };
    event::append(tx.conn(), &[event]).await.map_err(&failed)?;
    tx.commit().await.map_err(&failed)?;
    parts.committed.notify_waiters();
    Ok(())
}

fn prepare(
    presenter: &Presenter<'_>,
    batch: BatchId,
    rows: &[TaskListRow],
    to: Zone,
) -> (Vec<PreparedChange>, Vec<BulkRefusal>) {
    let (mut prepared, mut left) = (Vec::new(), Vec::new());
    for row in rows {
        let change = moved(row, to, presenter.now).and_then(|(when, _)| {
            PreparedChange::of(row.clone(), &Change::Reschedule { when }, presenter)?
                .ok_or(DomainError::Changed)
        });
        match change {
            Ok(mut one) => {
                one.detail.batch = Some(batch.0);
                prepared.push(one);
            }
            Err(why) => left.push(refused(row, why)),
        }
    }
    (prepared, left)
}

async fn follow_moved(parts: &AppState, actor: &Actor, rows: &[TaskListRow], changed: &HashSet<TaskId>) {
    let moved: Vec<_> = rows.iter().filter(|row| changed.contains(&TaskId(row.id))).collect();
    (parts.hooks.follow_schedules)(parts, actor, &moved).await;
}
