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
    message::{self, MessageKey, NewMessageRow},
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
    if let Some(first) = find_idempotent_result(&mut unit, requests[0].task.0).await? {
        return repeated(&mut unit, requests, first).await.map(Some);
    }
    let Checked { ids, messages, tasks } = checked(&mut unit, requests).await?;
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
    let rows = rows(&mut unit, &ids).await?;
    unit.commit().await?;
    Ok(Some(rows))
}

/// Refuses all messages that cannot be created, by index; stores nothing.
pub async fn check_all(parts: &AppState, actor: &Actor, new: Vec<NewMessage>) -> Result<(), DomainError> {
    let requests: Vec<Request> = new.into_iter().map(Request::of).collect();
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    checked(&mut unit, &requests).await.map(|_| ())
}

/// What a request leads to.
#[derive(Default)]
struct Checked {
    /// The messages of its items, in their order: new ones, and those that exist.
    ids: Vec<MessageId>,
    /// New messages.
    messages: Vec<NewMessageRow>,
    /// Their tasks.
    tasks: Vec<NewTaskRow>,
}

/// Returns what is to be stored, or the invalid items by index.
async fn checked(unit: &mut UnitOfWork<'_>, requests: &[Request]) -> Result<Checked, DomainError> {
    let known = known(unit, requests).await?;
    let ids: HashSet<Uuid> = requests.iter().map(|request| request.new.channel_id.0).collect();
    let channels = channel::transports(unit.tx.conn(), &ids.into_iter().collect::<Vec<_>>()).await;
    let channels = channels.map_err(internal_error)?;
    let request = (requests.len() > 1).then(|| requests[0].task.0);
    Batch { unit, known: &known, channels: &channels, request }.all(requests)
}

/// The messages that have a key of these requests, by key.
type KnownMessages = HashMap<String, Vec<MessageKey>>;

async fn known(unit: &mut UnitOfWork<'_>, requests: &[Request]) -> Result<KnownMessages, DomainError> {
    let keys: Vec<&str> = requests.iter().map(|request| request.key.as_str()).collect();
    let mut known = KnownMessages::new();
    for message in message::with_keys(unit.tx.conn(), &keys).await.map_err(internal_error)? {
        known.entry(message.key.clone()).or_default().push(message);
    }
    Ok(known)
}

/// Returns the message that the same request created, of whatever channel it is now.
fn same(known: &KnownMessages, request: &Request) -> Option<MessageId> {
    let found = known.get(&request.key)?.iter().find(|one| one.fingerprint == request.fingerprint)?;
    Some(MessageId(found.id))
}

/// Returns messages in this order.
async fn rows(unit: &mut UnitOfWork<'_>, ids: &[MessageId]) -> Result<Vec<MessageRow>, DomainError> {
    let all: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let records = message_list::find_many(unit.tx.conn(), &all).await.map_err(internal_error)?;
    let mut records: HashMap<Uuid, MessageRecord> =
        records.into_iter().map(|record| (record.id, record)).collect();
    let row = |id: &MessageId| {
        let record = records.remove(&id.0).ok_or_else(|| DomainError::no_such("message"))?;
        read::present(&unit.presenter, record)
    };
    ids.iter().map(row).collect()
}

/// Returns the messages that the same request created before. `first` is the id of its first task.
async fn repeated(
    unit: &mut UnitOfWork<'_>,
    requests: &[Request],
    first: Uuid,
) -> Result<Vec<MessageRow>, DomainError> {
    let known = known(unit, requests).await?;
    let created = message_list::of_request(unit.tx.conn(), first).await.map_err(internal_error)?;
    // Messages without a key of their own are in the order of the request.
    let mut unnamed = created
        .into_iter()
        .filter(|record| record.key == record.id.to_string())
        .map(|record| MessageId(record.id));
    let mut id = |request: &Request| match request.new.key {
        Some(_) => same(&known, request),
        None => unnamed.next(),
    };
    let ids = requests.iter().map(|request| id(request).ok_or_else(|| DomainError::no_such("message")));
    let ids: Vec<MessageId> = ids.collect::<Result<_, _>>()?;
    rows(unit, &ids).await
}

/// Validates a batch of new messages.
struct Batch<'b, 'a> {
    unit: &'b UnitOfWork<'a>,
    /// Messages that exist.
    known: &'b KnownMessages,
    /// Transports of the channels that exist.
    channels: &'b HashMap<Uuid, Transport>,
    /// The request that creates several messages.
    request: Option<Uuid>,
}

impl Batch<'_, '_> {
    /// Returns what is to be stored, or the invalid items by index.
    fn all(&self, requests: &[Request]) -> Result<Checked, DomainError> {
        let mut all = Checked::default();
        let (mut seen, mut wrong) = (HashSet::new(), Vec::new());
        for (place, request) in requests.iter().enumerate() {
            let checked = match seen.insert((request.new.channel_id, request.key.as_str())) {
                true => self.one(request),
                false => Err(duplicate_item()),
            };
            match checked {
                Ok((id, new)) => {
                    all.ids.push(id);
                    let (message, task) = new.unzip();
                    all.messages.extend(message);
                    all.tasks.extend(task);
                }
                Err(refusal) => wrong.push((place, refusal)),
            }
        }
        if wrong.is_empty() { Ok(all) } else { Err(DomainError::bulk(wrong)) }
    }

    /// Returns the id of the message, and what is to be stored unless it exists.
    fn one(
        &self,
        request: &Request,
    ) -> Result<(MessageId, Option<(NewMessageRow, NewTaskRow)>), DomainError> {
        let new = &request.new;
        if let Some(id) = same(self.known, request) {
            return Ok((id, None));
        }
        let mut with_key = self.known.get(&request.key).into_iter().flatten();
        if with_key.any(|one| one.channel_id == new.channel_id.0) {
            return Err(DomainError::MessageExists { key: request.key.clone() });
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
        Ok((request.id, Some((message, task))))
    }
}

fn duplicate_item() -> DomainError {
    DomainError::invalid("key", ValidationError::Unreadable { why: "is in the list twice".to_owned() })
}
