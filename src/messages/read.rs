//! Reads messages.

use super::notice_line;
use crate::{
    app_state::AppState,
    services::{Presenter, cursor, internal_error},
    tasks::unit_of_work::parsed,
};
use domain::{
    AccountId, Actor, ChannelId, DeliveryId, DomainError, MessageId, Page, State, TaskId, Version,
    base::page::PageStart,
    engine::MAX_COUNTED,
    input_limits::{DEFAULT_PAGE_ITEMS, MAX_PAGE_ITEMS},
    message::{
        Message, MessageCounts, MessageDetails, MessageEntry, MessageList, MessageOptions, MessageQuery,
        MessageRef, MessageRow,
    },
    task::TaskRow,
};
use std::collections::HashMap;
use store::{
    PoolRole, ReadConn,
    message::{self, NamedMessage},
    message_list::{self, MessageFilter, MessageRecord},
    task_list,
};
use uuid::Uuid;

/// Presents a message.
pub fn present(presenter: &Presenter<'_>, record: MessageRecord) -> Result<MessageRow, DomainError> {
    let is_waiting = record.delivery_state.as_deref() == Some("pending");
    let delivery = record.delivery_id.zip(record.delivery_state);
    let options = shown_options(&record.options);
    // A notice is delivered when a response has acknowledged it.
    let answered_at = record.delivered_at.filter(|_| options.notice.is_some());
    let acknowledged_at = record.acknowledged_at.or(answered_at);
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
        attempts: record.delivery_attempts.and_then(|count| u32::try_from(count).ok()).unwrap_or(0),
        next_attempt: record.delivery_at.filter(|_| is_waiting).map(|at| presenter.moment(at)),
        acknowledged: acknowledged_at.map(|at| presenter.moment(at)),
        delivery: delivery.transpose()?,
        options,
    })
}

/// The stored options, without the calendar text and secret links.
fn shown_options(stored: &str) -> MessageOptions {
    let stored: MessageOptions = serde_json::from_str(stored).unwrap_or_default();
    MessageOptions { calendar: None, link: None, ..stored }
}

/// Returns the id of a message. `AmbiguousKey`: several channels have one with its key.
pub async fn id_of(parts: &AppState, which: MessageRef) -> Result<MessageId, DomainError> {
    let (key, channel) = match which {
        MessageRef::Id(id) => return Ok(id),
        MessageRef::Key { key, channel } => (key, channel),
    };
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let found = message::find(lease.conn(), &key, channel).await.map_err(internal_error)?;
    match &found[..] {
        [] => Err(DomainError::no_such("message")),
        [one] => Ok(MessageId(one.id)),
        [..] => {
            let channel = |one: NamedMessage| (ChannelId(one.channel_id), one.channel.unwrap_or_default());
            Err(DomainError::AmbiguousKey { key, channels: found.into_iter().map(channel).collect() })
        }
    }
}

/// Returns one row.
pub async fn row(parts: &AppState, actor: &Actor, id: MessageId) -> Result<MessageRow, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let record = message_list::find(lease.conn(), id).await.map_err(internal_error)?;
    present(&presenter, record.ok_or_else(|| DomainError::no_such("message"))?)
}

/// Returns one message with its body.
pub async fn find(parts: &AppState, actor: &Actor, id: MessageId) -> Result<Message, DomainError> {
    let row = row(parts, actor, id).await?;
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
        Some(cursor) => PageStart { place: Some(cursor::read_forward_id(cursor)?), is_backward: false },
    };
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let filter = MessageFilter {
        key: query.key.as_deref(),
        prefix: query.key_prefix.as_deref(),
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

/// Returns the same page with the tasks, and the number of messages in each state.
pub async fn list_with_tasks(
    parts: &AppState,
    actor: &Actor,
    query: MessageQuery,
) -> Result<MessageList, DomainError> {
    let page = list(parts, actor, query).await?;
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let ids: Vec<Uuid> = page.items.iter().map(|row| row.task_id.0).collect();
    let tasks = task_list::find_many(lease.conn(), &ids).await.map_err(internal_error)?;
    let counts = counts(&mut lease).await?;
    let tasks = presenter.tasks(tasks).into_iter().map(|task| (task.id, task));
    let tasks: HashMap<TaskId, TaskRow> = tasks.collect();
    let entry = |message: MessageRow| {
        let task = tasks.get(&message.task_id).cloned()?;
        Some(MessageEntry { message, task })
    };
    let Page { items, next_cursor, previous_cursor } = page;
    let items = items.into_iter().filter_map(entry).collect();
    Ok(MessageList { page: Page { items, next_cursor, previous_cursor }, counts })
}

async fn counts(lease: &mut ReadConn) -> Result<MessageCounts, DomainError> {
    let limit = i64::try_from(MAX_COUNTED).unwrap_or(i64::MAX - 1) + 1;
    let mut counts = MessageCounts::default();
    for (state, count) in message_list::counts(lease.conn(), limit).await.map_err(internal_error)? {
        let place = match parsed(&state)? {
            State::Scheduled => &mut counts.scheduled,
            State::Executed => &mut counts.executed,
            State::Failed => &mut counts.failed,
            State::Missed => &mut counts.missed,
            State::Cancelled => &mut counts.cancelled,
        };
        *place = count.unsigned_abs();
    }
    counts.has_more = counts.of(None) > MAX_COUNTED;
    Ok(counts)
}

/// Returns one message by its id or its key, with its task.
pub async fn details(
    parts: &AppState,
    actor: &Actor,
    id_or_key: &str,
) -> Result<MessageDetails, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let found = match id_or_key.parse() {
        Ok(id) => message_list::find(lease.conn(), id).await.map_err(internal_error)?,
        Err(_) => None,
    };
    drop(lease);
    let key = || MessageRef::Key { key: id_or_key.to_owned(), channel: None };
    let which = found.map_or_else(key, |record| MessageRef::Id(MessageId(record.id)));
    let message = find(parts, actor, id_of(parts, which).await?).await?;
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let task = task_list::find(lease.conn(), message.row.task_id).await.map_err(internal_error)?;
    let task = task.and_then(|task| presenter.task(task)).ok_or_else(|| DomainError::no_such("message"))?;
    drop(lease);
    let moments = match message.row.options.notice {
        Some(_) => notice_line::view(parts, actor, message.row.clone()).await?.moments,
        None => Vec::new(),
    };
    Ok(MessageDetails { message, task, moments })
}
