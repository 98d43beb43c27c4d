//! The delivery log, and a user's decision about a delivery.

use crate::{
    app_state::AppState,
    kinds,
    services::{cursor, internal_error},
};
use domain::{
    Actor, ChannelId, DeliveryId, DomainError, Page,
    base::page::PageStart,
    delivery::{
        Answer, Delivery, DeliveryCounts, DeliveryDecision, DeliveryQuery, DeliveryRow, DeliveryState,
        Outcome,
    },
    input_limits::{DEFAULT_PAGE_ITEMS, MAX_PAGE_ITEMS},
};
use serde_json::json;
use store::{
    PoolRole,
    delivery::{self, DeliveryFilter, DeliveryRecord},
    dispatch,
    event::{self, NewEvent},
    task_list,
};

/// Returns one page of the log.
pub async fn list(
    parts: &AppState,
    actor: &Actor,
    query: &DeliveryQuery,
) -> Result<Page<DeliveryRow>, DomainError> {
    let limit =
        usize::try_from(query.limit.unwrap_or(DEFAULT_PAGE_ITEMS).clamp(1, MAX_PAGE_ITEMS)).unwrap_or(1);
    let mut start = query.cursor.as_deref().map_or(Ok(PageStart::first()), cursor::read_id)?;
    let filter = DeliveryFilter {
        channel: query.channel,
        task: query.task,
        state: query.state,
        is_ascending: query.is_oldest_first != start.is_backward,
        start: start.place,
        // One more than requested shows whether there is another page.
        limit: i64::try_from(limit + 1).unwrap_or(i64::MAX),
    };
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    if let Some(task) = query.task
        && let Some(row) = task_list::find(lease.conn(), task).await.map_err(internal_error)?
        && kinds::is_hidden_from(actor, &row.kind)
    {
        return Ok(Page::empty());
    }
    let mut records = delivery::list(lease.conn(), filter).await.map_err(internal_error)?;
    if start.is_backward && records.len() <= limit {
        // The way back ends on this page: it is the first one, read from its start so that it is full.
        start = PageStart::first();
        let filter = DeliveryFilter { is_ascending: query.is_oldest_first, start: None, ..filter };
        records = delivery::list(lease.conn(), filter).await.map_err(internal_error)?;
    }
    let rows = present_all(records, actor)?;
    Ok(Page::of_rows(rows, limit, start, |row| row.id.0, cursor::write_id))
}

/// Returns the number of deliveries of a channel in each state.
pub async fn counts(parts: &AppState, channel: ChannelId) -> Result<DeliveryCounts, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let counts = delivery::counts(lease.conn(), channel).await.map_err(internal_error)?;
    let count = |(state, count): (String, i64)| Some((state.parse().ok()?, count.unsigned_abs()));
    Ok(DeliveryCounts(counts.into_iter().filter_map(count).collect()))
}

/// Presents a row. Only admins see responses, and whether an address is unreachable or blocked.
fn present(record: DeliveryRecord, actor: &Actor) -> Result<DeliveryRow, DomainError> {
    let mut row = DeliveryRow::try_from(record).map_err(internal_error)?;
    row.may_resolve = actor.is_admin();
    if !actor.is_admin() {
        row.answer = Answer::default();
        if matches!(row.outcome, Some(Outcome::Blocked | Outcome::Unreachable)) {
            row.outcome = Some(Outcome::Refused);
        }
    }
    Ok(row)
}

/// Presents rows.
pub fn present_all(records: Vec<DeliveryRecord>, actor: &Actor) -> Result<Vec<DeliveryRow>, DomainError> {
    records.into_iter().map(|record| present(record, actor)).collect()
}

/// Returns one row.
pub async fn row(parts: &AppState, actor: &Actor, id: DeliveryId) -> Result<DeliveryRow, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let record = delivery::find(lease.conn(), id).await.map_err(internal_error)?;
    present(record.ok_or_else(|| DomainError::no_such("delivery"))?, actor)
}

/// Returns one delivery with its message and attempts.
pub async fn find(parts: &AppState, actor: &Actor, id: DeliveryId) -> Result<Delivery, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let record = delivery::find(lease.conn(), id).await.map_err(internal_error)?;
    let record = record.ok_or_else(|| DomainError::no_such("delivery"))?;
    let attempts = delivery::attempts(lease.conn(), id).await.map_err(internal_error)?;
    let recipients = dispatch::recipients::of(lease.conn(), id).await.map_err(internal_error)?;
    Ok(Delivery { body: record.body.clone(), row: present(record, actor)?, attempts, recipients })
}

/// Applies a user's decision to a delivery.
pub async fn resolve(
    parts: &AppState,
    actor: &Actor,
    id: DeliveryId,
    resolve: DeliveryDecision,
) -> Result<DeliveryRow, DomainError> {
    let before = row(parts, actor, id).await?;
    let now = parts.clock.now();
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let (done, verb) = match resolve {
        DeliveryDecision::Resend => (delivery::resend(tx.conn(), id, now).await, "resend"),
        DeliveryDecision::Arrived => (delivery::confirm(tx.conn(), id, now).await, "confirm"),
        DeliveryDecision::Drop => (delivery::cancel(tx.conn(), id, now).await, "drop"),
    };
    if !done.map_err(internal_error)? {
        drop(tx);
        return Err(wrong_state(row(parts, actor, id).await?.state));
    }
    let detail = json!({"channel": before.channel, "task_id": before.task_id, "was": before.state});
    let plain = NewEvent::simple(now, Some(actor.account), "delivery", id.0, verb);
    event::append(tx.conn(), &[NewEvent { detail: detail.to_string(), ..plain }])
        .await
        .map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    parts.committed.notify_waiters();
    parts.deliveries_added.notify_one();
    row(parts, actor, id).await
}

fn wrong_state(state: DeliveryState) -> DomainError {
    DomainError::WrongState { what: "delivery".to_owned(), state: state.to_string() }
}
