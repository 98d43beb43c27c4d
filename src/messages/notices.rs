//! Notices: messages that are repeated by a schedule of their own until they are acknowledged.

use super::{change, create, read};
use crate::{
    server::app_state::AppState,
    services::{Presenter, internal_error, write_error},
};
use domain::{
    Actor, DomainError, State, Timestamp,
    delivery::{Attempt, DeliveryState},
    message::{MessageChange, MessageRow, NewMessage},
    notice::{MomentState, Notice, NoticeMoment, NoticeTerms},
};
use serde_json::json;
use store::{
    PoolRole, delivery,
    event::{self, NewEvent},
    notice,
};

/// Sends a notice now.
pub async fn notify(parts: &AppState, actor: &Actor, new: NewMessage) -> Result<Notice, DomainError> {
    let row = create::one(parts, actor, new).await?;
    view(parts, actor, row).await
}

/// Returns one notice.
pub async fn find(parts: &AppState, actor: &Actor, key: &str) -> Result<Notice, DomainError> {
    let row = row(parts, actor, key).await?;
    view(parts, actor, row).await
}

async fn row(parts: &AppState, actor: &Actor, key: &str) -> Result<MessageRow, DomainError> {
    match read::row(parts, actor, key).await {
        Ok(row) if row.options.notice.is_some() => Ok(row),
        Ok(_) | Err(DomainError::NoSuch { .. }) => Err(DomainError::no_such("notice")),
        Err(other) => Err(other),
    }
}

/// Ends a notice.
pub async fn acknowledge(parts: &AppState, actor: &Actor, key: &str) -> Result<Notice, DomainError> {
    let mut found = row(parts, actor, key).await?;
    if found.state == State::Scheduled {
        change::change(parts, actor, key, MessageChange::Cancel, None).await?;
        found = row(parts, actor, key).await?;
    }
    let now = parts.clock.now();
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let ended = notice::acknowledge(tx.conn(), found.id, found.task_id, now).await;
    if let Some(ended) = ended.map_err(write_error(parts))? {
        let task = found.task_id.0;
        let plain = NewEvent::simple(now, Some(actor.account), "task", task, "acknowledge");
        let detail = json!({"deliveries": ended}).to_string();
        event::append(tx.conn(), &[NewEvent { detail, ..plain }]).await.map_err(write_error(parts))?;
        tx.commit().await.map_err(write_error(parts))?;
        parts.committed.notify_waiters();
    }
    find(parts, actor, key).await
}

/// Reads the attempts and adds those to come.
pub async fn view(parts: &AppState, actor: &Actor, message: MessageRow) -> Result<Notice, DomainError> {
    let terms = message.options.notice.clone().ok_or_else(|| DomainError::no_such("notice"))?;
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let attempts = match message.delivery {
        Some((id, _)) => delivery::attempts(lease.conn(), id).await.map_err(internal_error)?,
        None => Vec::new(),
    };
    let moments = moments(&message, &terms, &attempts).into_iter();
    let moments = moments.map(|(at, state)| NoticeMoment { at: presenter.moment(at), state });
    Ok(Notice { moments: moments.collect(), terms, message })
}

/// Returns the line of attempts: made, next and to come.
fn moments(message: &MessageRow, terms: &NoticeTerms, attempts: &[Attempt]) -> Vec<(Timestamp, MomentState)> {
    let mut line: Vec<(Timestamp, MomentState)> =
        attempts.iter().map(|one| (one.started_at, MomentState::Made(one.outcome))).collect();
    let state = message.delivery.map(|(_, state)| state);
    let next = match (message.state, state) {
        _ if message.acknowledged.is_some() => None,
        (State::Scheduled, _) => Some(message.due.at),
        (_, Some(DeliveryState::Pending)) => message.next_attempt.map(|at| at.at),
        _ => None,
    };
    let is_sending = state == Some(DeliveryState::Sending) && message.acknowledged.is_none();
    let mut number = message.attempts;
    let mut last = match next {
        Some(at) => {
            line.push((at, MomentState::Next));
            number += 1;
            at
        }
        None if is_sending => line.last().map_or(message.due.at, |(at, _)| *at),
        None => return line,
    };
    while let Some(delay) = terms.retry_schedule.delay_ms(number) {
        last = last.plus(delay);
        line.push((last, MomentState::ToCome));
        number += 1;
    }
    line
}
