//! The log of deliveries, and what a person decides about one.

use crate::{desk::broken, parts::Parts};
use domain::{
    Actor, DeliveryId, Page, Refusal,
    delivery::{Delivery, DeliveryQuery, DeliveryRow, DeliveryState, Outcome, Resolve},
    limit::{PAGE_DEFAULT, PAGE_ITEMS},
    refusal::Problem,
};
use serde_json::json;
use store::{
    Who, board,
    delivery::{self, Choice, DeliveryRecord},
    dispatch,
    event::{self, NewEvent},
};
use uuid::Uuid;

/// Most rows of what needs a person.
const NEEDING: i64 = 200;

/// One page of the log.
pub async fn list(parts: &Parts, actor: &Actor, query: &DeliveryQuery) -> Result<Page<DeliveryRow>, Refusal> {
    let limit = usize::try_from(query.limit.unwrap_or(PAGE_DEFAULT).clamp(1, PAGE_ITEMS)).unwrap_or(1);
    let choice = Choice {
        channel: query.channel,
        task: query.task,
        state: query.state,
        before: query.cursor.as_deref().map(place).transpose()?,
        // One more than asked for says whether there is another page.
        limit: i64::try_from(limit + 1).unwrap_or(i64::MAX),
    };
    let mut lease = parts.store.read(Who::People).await.map_err(broken)?;
    let mut records = delivery::list(lease.conn(), choice).await.map_err(broken)?;
    let has_more = records.len() > limit;
    records.truncate(limit);
    let items = shown_all(records, actor)?;
    let next_cursor = items.last().filter(|_| has_more).map(|row| row.id.to_string());
    Ok(Page { items, next_cursor })
}

fn place(cursor: &str) -> Result<Uuid, Refusal> {
    let why = || Problem::Unreadable { why: "is not a cursor of this list".to_owned() };
    cursor.parse().map_err(|_| Refusal::invalid("cursor", why()))
}

/// A row as this person sees it: whether an address is not reachable or not allowed is for admins to know.
fn shown(record: DeliveryRecord, actor: &Actor) -> Result<DeliveryRow, Refusal> {
    let mut row = DeliveryRow::try_from(record).map_err(broken)?;
    row.may_resolve = actor.is_admin();
    if !actor.is_admin() && matches!(row.outcome, Some(Outcome::Blocked | Outcome::Unreachable)) {
        row.outcome = Some(Outcome::Refused);
    }
    Ok(row)
}

fn shown_all(records: Vec<DeliveryRecord>, actor: &Actor) -> Result<Vec<DeliveryRow>, Refusal> {
    records.into_iter().map(|record| shown(record, actor)).collect()
}

/// One row.
pub async fn row(parts: &Parts, actor: &Actor, id: DeliveryId) -> Result<DeliveryRow, Refusal> {
    let mut lease = parts.store.read(Who::People).await.map_err(broken)?;
    let record = delivery::find(lease.conn(), id).await.map_err(broken)?;
    shown(record.ok_or_else(|| Refusal::no_such("delivery"))?, actor)
}

/// One delivery with its message and attempts.
pub async fn find(parts: &Parts, actor: &Actor, id: DeliveryId) -> Result<Delivery, Refusal> {
    let mut lease = parts.store.read(Who::People).await.map_err(broken)?;
    let record = delivery::find(lease.conn(), id).await.map_err(broken)?;
    let record = record.ok_or_else(|| Refusal::no_such("delivery"))?;
    let attempts = delivery::attempts(lease.conn(), id).await.map_err(broken)?;
    let recipients = dispatch::recipients::of(lease.conn(), id).await.map_err(broken)?;
    Ok(Delivery { body: record.body.clone(), row: shown(record, actor)?, attempts, recipients })
}

/// What needs a person.
pub async fn needing(parts: &Parts, actor: &Actor) -> Result<Vec<DeliveryRow>, Refusal> {
    let since = parts.clock.now().plus(-board::FORGOTTEN_MS);
    let mut lease = parts.store.read(Who::People).await.map_err(broken)?;
    let mut rows = shown_all(delivery::needing(lease.conn(), since, NEEDING).await.map_err(broken)?, actor)?;
    // Stable: the newest stay first.
    rows.sort_by_cached_key(|row| (row.state == DeliveryState::Failed, row.channel.clone(), row.channel_id));
    Ok(rows)
}

/// Decides about one.
pub async fn resolve(
    parts: &Parts,
    actor: &Actor,
    id: DeliveryId,
    resolve: Resolve,
) -> Result<DeliveryRow, Refusal> {
    let before = row(parts, actor, id).await?;
    let now = parts.clock.now();
    let mut tx = parts.store.begin(Who::People).await.map_err(broken)?;
    let (done, verb) = match resolve {
        Resolve::Resend => (delivery::resend(tx.conn(), id, now).await, "resend"),
        Resolve::Arrived => (delivery::confirm(tx.conn(), id, now).await, "confirm"),
        Resolve::Drop => (delivery::cancel(tx.conn(), id, now).await, "drop"),
    };
    if !done.map_err(broken)? {
        drop(tx);
        return Err(stands(row(parts, actor, id).await?.state));
    }
    let detail = json!({"channel": before.channel, "task_id": before.task_id, "was": before.state});
    let plain = NewEvent::plain(now, Some(actor.person), "delivery", id.0, verb);
    event::append(tx.conn(), &[NewEvent { detail: detail.to_string(), ..plain }]).await.map_err(broken)?;
    tx.commit().await.map_err(broken)?;
    parts.committed.notify_waiters();
    parts.posted.notify_one();
    row(parts, actor, id).await
}

fn stands(state: DeliveryState) -> Refusal {
    Refusal::WrongState { what: "delivery".to_owned(), state: state.to_string() }
}
