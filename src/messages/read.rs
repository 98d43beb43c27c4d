//! Reads messages.

use crate::{
    server::app_state::AppState,
    services::{Presenter, internal_error},
    tasks::unit::parsed,
};
use domain::{
    AccountId, Actor, ChannelId, DeliveryId, DomainError, MessageId, Page, TaskId, Version,
    base::page::PageStart,
    error::ValidationError,
    input_limits::{DEFAULT_PAGE_ITEMS, MAX_PAGE_ITEMS},
    message::{Message, MessageQuery, MessageRow},
};
use store::{
    PoolRole, message,
    message_list::{self, MessageFilter, MessageRecord},
};
use uuid::Uuid;

/// Presents a message.
pub fn present(presenter: &Presenter<'_>, record: MessageRecord) -> Result<MessageRow, DomainError> {
    let delivery = record.delivery_id.zip(record.delivery_state);
    let delivery = delivery.map(|(id, state)| Ok::<_, DomainError>((DeliveryId(id), parsed(&state)?)));
    Ok(MessageRow {
        id: MessageId(record.id),
        key: record.key,
        channel_id: ChannelId(record.channel_id),
        channel: record.channel,
        state: parsed(&record.state)?,
        version: Version(record.version),
        due: presenter.moment(record.due_at),
        executed: record.executed_at.map(|at| presenter.moment(at)),
        reason: record.reason,
        priority: parsed(&record.priority)?,
        task_id: TaskId(record.task_id),
        owner_id: AccountId(record.owner_id),
        created: presenter.moment(record.created_at),
        delivery: delivery.transpose()?,
        options: serde_json::from_str(&record.options).unwrap_or_default(),
    })
}

/// Returns one row.
pub async fn row(parts: &AppState, actor: &Actor, key: &str) -> Result<MessageRow, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let record = message_list::find(lease.conn(), key).await.map_err(internal_error)?;
    present(&presenter, record.ok_or_else(|| DomainError::no_such("message"))?)
}

/// Returns one message with its body.
pub async fn find(parts: &AppState, actor: &Actor, key: &str) -> Result<Message, DomainError> {
    let row = row(parts, actor, key).await?;
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let body = message::body(lease.conn(), row.id).await.map_err(internal_error)?;
    Ok(Message { row, body: body.ok_or_else(|| DomainError::no_such("message"))? })
}

/// Returns one page of the list.
pub async fn list(
    parts: &AppState,
    actor: &Actor,
    query: MessageQuery,
) -> Result<Page<MessageRow>, DomainError> {
    let limit = query.limit.unwrap_or(DEFAULT_PAGE_ITEMS).clamp(1, MAX_PAGE_ITEMS);
    let start = match &query.cursor {
        None => PageStart::first(),
        Some(cursor) => PageStart { place: Some(read_cursor(cursor)?), is_backward: false },
    };
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let filter = MessageFilter {
        key: query.key.as_deref(),
        channel: query.channel,
        state: query.state,
        before: start.place,
        // One more than requested shows whether there is another page.
        limit: i64::from(limit) + 1,
    };
    let records = message_list::page(lease.conn(), filter).await.map_err(internal_error)?;
    let rows: Vec<MessageRow> =
        records.into_iter().map(|record| present(&presenter, record)).collect::<Result<_, _>>()?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let page = Page::of_rows(rows, limit, start, |row| row.id.0, |id, _| id.to_string());
    // The list has no way back.
    Ok(Page { previous_cursor: None, ..page })
}

fn read_cursor(cursor: &str) -> Result<Uuid, DomainError> {
    cursor.parse().map_err(|_| {
        let why = "is not a cursor of this list".to_owned();
        DomainError::invalid("cursor", ValidationError::Unreadable { why })
    })
}
