//! Creates messages: one or up to ten thousand, all or nothing, in one transaction.

use super::{check, kinds::Send, read, send_time};
use crate::{
    app_state::AppState,
    kinds::task_kind::TaskKind as _,
    services::{internal_error, write_error},
    tasks::{
        schedule,
        unit_of_work::{UnitOfWork, find_idempotent_result},
    },
    zone,
};
use domain::{
    Actor, DomainError, MessageId, Priority, TaskId,
    channel::Transport,
    error::ValidationError,
    input_limits::MAX_BULK_ITEMS,
    message::{MessageRow, NewMessage},
};
use sha2::{Digest as _, Sha256};
use std::{
    collections::{HashMap, HashSet},
    fmt::Write as _,
};
use store::{
    channel,
    message::{self, NewMessageRow},
    message_list::{self, MessageRecord},
    task::NewTaskRow,
};
use uuid::Uuid;

/// Maximum number of attempts when a concurrent request takes a key first (PostgreSQL only).
const MAX_ATTEMPTS: usize = 3;

/// Creates one message.
pub async fn one(parts: &AppState, actor: &Actor, new: NewMessage) -> Result<MessageRow, DomainError> {
    let rows = match all(parts, actor, vec![new]).await {
        Err(DomainError::Bulk { items, .. }) => return Err(first(items)),
        other => other?,
    };
    rows.into_iter().next().ok_or_else(|| DomainError::no_such("message"))
}

fn first(items: Vec<(usize, DomainError)>) -> DomainError {
    items.into_iter().next().map_or_else(|| DomainError::no_such("message"), |(_, refusal)| refusal)
}

/// Creates all messages, or none.
pub async fn all(
    parts: &AppState,
    actor: &Actor,
    new: Vec<NewMessage>,
) -> Result<Vec<MessageRow>, DomainError> {
    if new.len() > MAX_BULK_ITEMS {
        let max = u32::try_from(MAX_BULK_ITEMS).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("items", ValidationError::TooMany { max }));
    }
    if new.is_empty() {
        return Err(DomainError::invalid("items", ValidationError::Empty));
    }
    let requests: Vec<Request> = new.into_iter().map(Request::of).collect();
    for _ in 0..MAX_ATTEMPTS {
        if let Some(rows) = store_all(parts, actor, &requests).await? {
            return Ok(rows);
        }
    }
    Err(DomainError::Changed)
}

/// A requested message with its ids.
struct Request {
    new: NewMessage,
    id: MessageId,
    task: TaskId,
    key: String,
    fingerprint: String,
}

impl Request {
    fn of(new: NewMessage) -> Self {
        let id = MessageId::generate();
        let mut fingerprint = String::with_capacity(64);
        for byte in Sha256::digest(serde_json::to_string(&new).unwrap_or_default()) {
            let _ = write!(fingerprint, "{byte:02x}");
        }
        let key = new.key.clone().unwrap_or_else(|| id.to_string());
        Self { id, task: TaskId::generate(), key, fingerprint, new }
    }
}

/// Stores the messages that do not exist yet. `None`: a concurrent request took a key first.
async fn store_all(
    parts: &AppState,
    actor: &Actor,
    requests: &[Request],
) -> Result<Option<Vec<MessageRow>>, DomainError> {
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    let keys: Vec<&str> = requests.iter().map(|request| request.key.as_str()).collect();
    if let Some(first) = find_idempotent_result(&mut unit, requests[0].task.0).await? {
        return repeated(&mut unit, requests, first).await.map(Some);
    }
    let (messages, tasks) = checked(&mut unit, requests).await?;
    if !messages.is_empty() {
        let now = unit.now();
        match message::insert(unit.tx.conn(), &messages, now).await {
            Err(error) if error.is_unique_violation() => return Ok(None),
            other => other.map_err(write_error(parts))?,
        }
        unit.record_events(
            tasks.iter().map(|task| schedule::scheduled(actor, task, now)).collect::<Vec<_>>(),
        );
        unit.insert(&tasks).await?;
        tasks.iter().for_each(|task| unit.add_hint(task.hint()));
    }
    let records = message_list::find_many(unit.tx.conn(), &keys).await.map_err(internal_error)?;
    let mut rows = by_key(&unit, records)?;
    unit.commit().await?;
    let row = |request: &Request| rows.remove(&request.key).ok_or_else(|| DomainError::no_such("message"));
    requests.iter().map(row).collect::<Result<Vec<_>, _>>().map(Some)
}

/// Refuses all messages that cannot be created, by index; stores nothing.
pub async fn check_all(parts: &AppState, actor: &Actor, new: Vec<NewMessage>) -> Result<(), DomainError> {
    let requests: Vec<Request> = new.into_iter().map(Request::of).collect();
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    checked(&mut unit, &requests).await.map(|_| ())
}

/// Returns the messages and tasks to store, or the invalid items by index.
async fn checked(
    unit: &mut UnitOfWork<'_>,
    requests: &[Request],
) -> Result<(Vec<NewMessageRow>, Vec<NewTaskRow>), DomainError> {
    let keys: Vec<&str> = requests.iter().map(|request| request.key.as_str()).collect();
    let known = message::fingerprints(unit.tx.conn(), &keys).await.map_err(internal_error)?;
    let ids: HashSet<Uuid> = requests.iter().map(|request| request.new.channel_id.0).collect();
    let channels = channel::transports(unit.tx.conn(), &ids.into_iter().collect::<Vec<_>>()).await;
    let channels = channels.map_err(internal_error)?;
    let request = (requests.len() > 1).then(|| requests[0].task.0);
    Batch { unit, known: &known, channels: &channels, request }.all(requests)
}

fn by_key(
    unit: &UnitOfWork<'_>,
    records: Vec<MessageRecord>,
) -> Result<HashMap<String, MessageRow>, DomainError> {
    let row = |record: MessageRecord| Ok((record.key.clone(), read::present(&unit.presenter, record)?));
    records.into_iter().map(row).collect()
}

/// Returns the messages that the same request created before. `first` is the id of its first task.
async fn repeated(
    unit: &mut UnitOfWork<'_>,
    requests: &[Request],
    first: Uuid,
) -> Result<Vec<MessageRow>, DomainError> {
    let keys: Vec<&str> = requests.iter().filter_map(|request| request.new.key.as_deref()).collect();
    let named = message_list::find_many(unit.tx.conn(), &keys).await.map_err(internal_error)?;
    let created = message_list::of_request(unit.tx.conn(), first).await.map_err(internal_error)?;
    // Messages without a key of their own are in the order of the request.
    let unnamed: Vec<MessageRecord> =
        created.into_iter().filter(|record| record.key == record.id.to_string()).collect();
    let mut named = by_key(unit, named)?;
    let mut unnamed = unnamed.into_iter();
    let row = |request: &Request| match &request.new.key {
        Some(key) => named.remove(key).ok_or_else(|| DomainError::no_such("message")),
        None => {
            let record = unnamed.next().ok_or_else(|| DomainError::no_such("message"))?;
            read::present(&unit.presenter, record)
        }
    };
    requests.iter().map(row).collect()
}

/// Validates a batch of new messages.
struct Batch<'b, 'a> {
    unit: &'b UnitOfWork<'a>,
    /// Fingerprints of the messages that exist, by key.
    known: &'b HashMap<String, String>,
    /// Transports of the channels that exist.
    channels: &'b HashMap<Uuid, Transport>,
    /// The request that creates several messages.
    request: Option<Uuid>,
}

impl Batch<'_, '_> {
    /// Returns the messages and tasks to store, or the invalid items by index.
    fn all(&self, requests: &[Request]) -> Result<(Vec<NewMessageRow>, Vec<NewTaskRow>), DomainError> {
        let (mut messages, mut tasks) = (Vec::new(), Vec::new());
        let (mut seen, mut wrong) = (HashSet::new(), Vec::new());
        for (place, request) in requests.iter().enumerate() {
            let checked = match seen.insert(request.key.as_str()) {
                true => self.one(request),
                false => Err(duplicate_item()),
            };
            match checked {
                Ok(Some((message, task))) => {
                    messages.push(message);
                    tasks.push(task);
                }
                Ok(None) => {}
                Err(refusal) => wrong.push((place, refusal)),
            }
        }
        if wrong.is_empty() { Ok((messages, tasks)) } else { Err(DomainError::bulk(wrong)) }
    }

    /// `None`: the message exists.
    fn one(&self, request: &Request) -> Result<Option<(NewMessageRow, NewTaskRow)>, DomainError> {
        let new = &request.new;
        match self.known.get(&request.key) {
            Some(fingerprint) if *fingerprint == request.fingerprint => return Ok(None),
            Some(_) => return Err(DomainError::MessageExists { key: request.key.clone() }),
            None => {}
        }
        check::message(new)?;
        let transport =
            self.channels.get(&new.channel_id.0).ok_or_else(|| DomainError::no_such("channel"))?;
        check::options(&new.options, *transport)?;
        let when = send_time::resolve(&new.time, self.unit.now())?;
        let (local_time, time_zone) = zone::typed(&when).unzip();
        let owner = self.unit.presenter.actor.account;
        let task = NewTaskRow {
            id: request.task,
            kind: Send.word(),
            grace_ms: Send.grace_ms(),
            unique_key: Send.unique_key(request.id.0),
            priority: new.priority.unwrap_or(Priority::Normal),
            bucket: queue::bucket_of(request.task, self.unit.parts.hints.buckets()),
            target_id: request.id.0,
            revision_id: None,
            due_at: zone::resolve(&when)?,
            local_time,
            time_zone,
            request_id: self.request,
            owner,
        };
        let message = NewMessageRow {
            id: request.id,
            key: request.key.clone(),
            channel: new.channel_id,
            body: new.body.clone(),
            options: serde_json::to_string(&new.options).unwrap_or_else(|_| "{}".to_owned()),
            fingerprint: request.fingerprint.clone(),
            task: request.task,
            owner,
        };
        Ok(Some((message, task)))
    }
}

fn duplicate_item() -> DomainError {
    DomainError::invalid("key", ValidationError::Unreadable { why: "is in the list twice".to_owned() })
}
