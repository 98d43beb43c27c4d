//! Changes messages: each is a change of the message's task, or of its delivery once it was handed
//! to its channel.

use super::{check, read, send_time};
use crate::{
    app_state::AppState,
    deliveries::channels::log,
    kinds::undo_plan::ChangeDetail,
    services::internal_error,
    tasks::{
        change, decide,
        unit_of_work::{UnitOfWork, parsed, to_update},
    },
};
use domain::{
    Actor, ChannelId, DomainError, MessageId, State, TaskId, Version, When,
    delivery::{DeliveryDecision, DeliveryState},
    message::{MessageChange, MessageOptions, MessageRow, SendTime},
    task::Change,
};
use store::{PoolRole, channel, message, message_list, target, task_list::TaskListRow};

/// Maximum number of attempts at a change without a seen version, while others change the message.
const MAX_ATTEMPTS: usize = 5;

/// Changes a message if it still has the version the actor saw.
pub async fn change(
    parts: &AppState,
    actor: &Actor,
    id: MessageId,
    change: MessageChange,
    seen: Option<Version>,
) -> Result<MessageRow, DomainError> {
    for attempt in 1.. {
        let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        let found = message::task_of(lease.conn(), id).await.map_err(internal_error)?;
        drop(lease);
        let (task, version) = found.ok_or_else(|| DomainError::no_such("message"))?;
        let message = Found { id, task: TaskId(task), seen: seen.unwrap_or(Version(version)) };
        match make(parts, actor, message, change.clone()).await {
            Err(DomainError::TaskConflict { task, .. })
                if seen.is_none() && task.version.0 != version && attempt < MAX_ATTEMPTS => {}
            other => return other,
        }
    }
    Err(DomainError::Changed)
}

/// A message, and the version of its task to change.
#[derive(Clone, Copy)]
struct Found {
    id: MessageId,
    task: TaskId,
    seen: Version,
}

async fn make(
    parts: &AppState,
    actor: &Actor,
    found: Found,
    change: MessageChange,
) -> Result<MessageRow, DomainError> {
    match change {
        MessageChange::Edit { time: Some(SendTime::At(when)), body: None, channel_id: None } => {
            change_task(parts, actor, found, Change::Reschedule { when }).await?;
        }
        MessageChange::Edit { time, body, channel_id } => {
            let edit = Edit { time, body, channel_id };
            edit.make(parts, actor, found).await?;
        }
        MessageChange::Cancel => cancel(parts, actor, found).await?,
        MessageChange::RunNow => run_now(parts, actor, found).await?,
    }
    read::row(parts, actor, found.id).await
}

async fn change_task(
    parts: &AppState,
    actor: &Actor,
    found: Found,
    change: Change,
) -> Result<(), DomainError> {
    change::change(parts, actor, found.task, change, found.seen).await.map(drop)
}

/// Cancels the task; if it was executed, the delivery that was not sent yet. A cancelled message
/// stays as it is.
async fn cancel(parts: &AppState, actor: &Actor, found: Found) -> Result<(), DomainError> {
    let row = read::row(parts, actor, found.id).await?;
    match (row.state, row.delivery) {
        (State::Cancelled, _) | (State::Executed, Some((_, DeliveryState::Cancelled))) => Ok(()),
        (State::Executed, Some((delivery, _))) => {
            log::resolve(parts, actor, delivery, DeliveryDecision::Drop).await.map(drop)
        }
        _ => change_task(parts, actor, found, Change::Cancel).await,
    }
}

/// Moves the task to now; if it was executed, the next attempt of its delivery.
async fn run_now(parts: &AppState, actor: &Actor, found: Found) -> Result<(), DomainError> {
    let row = read::row(parts, actor, found.id).await?;
    match (row.state, row.delivery) {
        (State::Failed | State::Missed, _) => change_task(parts, actor, found, Change::Retry).await,
        (State::Executed, Some((_, state @ (DeliveryState::Delivered | DeliveryState::Cancelled)))) => {
            Err(DomainError::WrongState { what: "delivery".to_owned(), state: state.to_string() })
        }
        (State::Executed, Some((delivery, _))) => {
            log::resolve(parts, actor, delivery, DeliveryDecision::Resend).await.map(drop)
        }
        _ => change_task(parts, actor, found, Change::PublishNow).await,
    }
}

/// New values of a message.
struct Edit {
    time: Option<SendTime>,
    body: Option<String>,
    channel_id: Option<ChannelId>,
}

impl Edit {
    /// Changes message and task in one transaction.
    async fn make(self, parts: &AppState, actor: &Actor, found: Found) -> Result<(), DomainError> {
        self.body.as_deref().map_or(Ok(()), |body| check::body("body", body))?;
        let mut unit = UnitOfWork::begin(parts, actor).await?;
        target::lock(unit.tx.conn(), &[found.id.0]).await.map_err(internal_error)?;
        let row = unit.load_row(found.task).await?;
        let state: State = parsed(&row.state)?;
        let is_changed = row.version != found.seen.0;
        if is_changed || matches!(state, State::Executed | State::Cancelled) {
            return Err(unit.conflict(row, is_changed));
        }
        if let Some(channel) = self.channel_id {
            accepts(&mut unit, channel, found.id).await?;
        }
        let (body, channel) = (self.body.as_deref(), self.channel_id);
        let stored = message::change(unit.tx.conn(), found.id, body, channel).await;
        stored.map_err(|error| match error.is_unique_violation() {
            // The title of the target is the key.
            true => DomainError::MessageExists { key: row.title.clone() },
            false => internal_error(error),
        })?;
        self.change_task(&mut unit, &row, state).await?;
        unit.commit().await
    }

    async fn change_task(
        &self,
        unit: &mut UnitOfWork<'_>,
        row: &TaskListRow,
        state: State,
    ) -> Result<(), DomainError> {
        let now = unit.now();
        let when: Option<When> = self.time.as_ref().map(|time| send_time::resolve(time, now)).transpose()?;
        let (verb, (to, detail)) = match when {
            None => ("edit", (to_update(row)?, ChangeDetail::default())),
            Some(when) if state == State::Scheduled => ("reschedule", decide::moved(row, &when, now)?),
            Some(when) => ("reschedule", decide::replanned(row, &when, now)?),
        };
        unit.change(row, verb, &to, detail.text()).await
    }
}

/// Refuses a channel that cannot send the message.
async fn accepts(unit: &mut UnitOfWork<'_>, channel: ChannelId, id: MessageId) -> Result<(), DomainError> {
    let channels = channel::transports(unit.tx.conn(), &[channel.0]).await.map_err(internal_error)?;
    let transport = channels.get(&channel.0).ok_or_else(|| DomainError::no_such("channel"))?;
    let options = message_list::options(unit.tx.conn(), id).await.map_err(internal_error)?;
    let options: MessageOptions = serde_json::from_str(&options.unwrap_or_default()).unwrap_or_default();
    check::options(&options, *transport)
}
