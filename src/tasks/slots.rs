//! Posting slots: the plan, free slots, and the slot that a new task takes.

use crate::{
    app_state::AppState,
    services::{Presenter, internal_error},
    tasks::unit_of_work::UnitOfWork,
    zone::Zone,
};
use domain::{
    Actor, DomainError, Timestamp, Version, When,
    calendar::{FreeSlot, SlotDay, SlotPlan, SlotSettings, WEEKDAYS},
};
use serde_json::json;
use store::{
    Conn, PoolRole,
    event::{self, NewEvent},
    slot_plan,
};
use uuid::Uuid;

/// The time that is searched for a free slot first, milliseconds: 31 days.
const NEAR_MS: i64 = 31 * 24 * 3_600_000;
/// Name of the plan in the event log.
pub const ENTITY: &str = "slots";

/// Returns the plan; without slots in the desk's time zone if none was set.
pub async fn plan(parts: &AppState) -> Result<SlotPlan, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    if let Some(plan) = slot_plan::find(lease.conn()).await.map_err(internal_error)? {
        return Ok(plan);
    }
    let zone = store::task_list::site_time_zone(lease.conn()).await.map_err(internal_error)?;
    let days = vec![SlotDay::default(); WEEKDAYS];
    let zone = zone.unwrap_or_else(|| Zone::UTC.name().to_owned());
    Ok(SlotPlan { version: Version(0), settings: SlotSettings { zone, days, holidays: Vec::new() } })
}

/// Changes the plan. Scheduled tasks keep their times.
pub async fn save(
    parts: &AppState,
    actor: &Actor,
    settings: SlotSettings,
    seen: Version,
) -> Result<SlotPlan, DomainError> {
    if !actor.is_admin() {
        return Err(DomainError::NotAllowed);
    }
    let zone = Zone::named(&settings.zone)?.name().to_owned();
    let settings = SlotSettings { zone, ..settings.checked()? };
    let now = parts.clock.now();
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let saved = slot_plan::save(tx.conn(), &settings, seen, now).await.map_err(internal_error)?;
    let version = saved.ok_or(DomainError::Changed)?;
    let event = NewEvent::simple(now, Some(actor.account), ENTITY, Uuid::nil(), "change");
    let event = NewEvent { version: Some(version.0), detail: json!(settings).to_string(), ..event };
    event::append(tx.conn(), &[event]).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    parts.committed.notify_waiters();
    Ok(SlotPlan { version, settings })
}

/// Returns the next free slots, by time.
pub async fn next(parts: &AppState, actor: &Actor, limit: u32) -> Result<Vec<FreeSlot>, DomainError> {
    let now = parts.clock.now();
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, now).await?;
    let found = free_in(lease.conn(), (now, Timestamp::LATEST), limit).await?;
    Ok(found.into_iter().map(|at| FreeSlot { at: presenter.moment(at) }).collect())
}

/// Returns the first free slots after a moment and before another, by time.
pub async fn free_in(
    conn: Conn<'_>,
    range: (Timestamp, Timestamp),
    limit: u32,
) -> Result<Vec<Timestamp>, DomainError> {
    Ok(in_range(conn, range, limit).await?.1)
}

/// Returns all slots after a moment and before another, and the first free ones, by time.
pub async fn in_range(
    mut conn: Conn<'_>,
    (after, before): (Timestamp, Timestamp),
    limit: u32,
) -> Result<(Vec<Timestamp>, Vec<Timestamp>), DomainError> {
    let plan = slot_plan::find(conn.reborrow()).await.map_err(internal_error)?;
    let slots = plan.map_or_else(Vec::new, |plan| {
        plan.settings.between(after, before, &Zone::stored(&plan.settings.zone))
    });
    if slots.is_empty() {
        return Ok((slots, Vec::new()));
    }
    let free = slot_plan::free(conn, &slots, i64::from(limit)).await.map_err(internal_error)?;
    Ok((slots, free))
}

/// Takes the next free slot for a new task of this transaction. The plan stays locked until the
/// transaction ends, so no other task takes the same slot. `NoSuch`: there is none.
pub async fn take(unit: &mut UnitOfWork<'_>) -> Result<When, DomainError> {
    let plan = slot_plan::lock(unit.tx.conn()).await.map_err(internal_error)?;
    let plan = plan.ok_or_else(no_free_slot)?;
    let zone = Zone::stored(&plan.settings.zone);
    let near = unit.now().plus(NEAR_MS);
    // Most often there is one soon; the plan is locked meanwhile.
    for (after, before) in [(unit.now(), near), (near.plus(-1), Timestamp::LATEST)] {
        let slots = plan.settings.between(after, before, &zone);
        let found = slot_plan::free(unit.tx.conn(), &slots, 1).await.map_err(internal_error)?;
        if let Some(at) = found.first() {
            return Ok(zone.local_time_at(*at));
        }
    }
    Err(no_free_slot())
}

/// The refusal if every slot is taken, or there are none.
pub fn no_free_slot() -> DomainError {
    DomainError::no_such("free slot")
}
