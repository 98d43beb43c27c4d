//! The line of a notice's attempts: made, next and to come.

use crate::{
    app_state::AppState,
    services::{Presenter, internal_error},
};
use domain::{
    Actor, DomainError, State, Timestamp,
    delivery::{Attempt, DeliveryState},
    message::{MessageRow, Notice},
    notice::{MomentState, NoticeMoment, NoticeTerms},
};
use store::{PoolRole, delivery};

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
