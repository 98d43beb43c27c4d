//! What a rule would do with a signal that came now. Nothing is stored.

use super::{check, due, read, signals};
use crate::rules::{action, action::Effect};
use crate::{
    app_state::AppState,
    services::{Presenter, internal_error},
};
use domain::{
    Actor, DomainError, RuleId, Timestamp,
    message::MessageOptions,
    rule::{Action, RuleSettings, RuleTrial, TrialAction, TrialEffect},
    signal::NewSignal,
};
use store::{Conn, PoolRole, channel};
use uuid::Uuid;

/// Says what the rule would do.
pub async fn run(
    parts: &AppState,
    actor: &Actor,
    id: RuleId,
    signal: NewSignal,
) -> Result<RuleTrial, DomainError> {
    let now = parts.clock.now();
    check::signal(&signal, now)?;
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, now).await?;
    let settings = read::record(&mut lease, id).await?.settings().map_err(internal_error)?;
    let mail = mail_channel(lease.conn(), &settings).await?;
    drop(lease);
    let (effect, due_at) = effect(&settings, &signal, now);
    let action = due_at.map(|_| action(&settings, signal, (id, now), mail));
    Ok(RuleTrial { effect, due: due_at.map(|at| presenter.moment(at)), action })
}

/// Returns the channel for the reminders of a rule that names none; `None`: it names one, needs none, or
/// there is none.
pub(super) async fn mail_channel(
    conn: Conn<'_>,
    settings: &RuleSettings,
) -> Result<Option<Uuid>, DomainError> {
    match &settings.action {
        Action::Reminder { channel_id: None, .. } => channel::first_mail(conn).await.map_err(internal_error),
        _ => Ok(None),
    }
}

/// Returns what the signal does, and when the rule acts.
fn effect(settings: &RuleSettings, signal: &NewSignal, now: Timestamp) -> (TrialEffect, Option<Timestamp>) {
    if settings.unless.contains(&signal.name) {
        return (TrialEffect::Closes, None);
    }
    if settings.after != signal.name {
        return (TrialEffect::OtherName, None);
    }
    if !settings.is_about(&signal.subject) {
        return (TrialEffect::OtherSubject, None);
    }
    match due::after(settings, (signal.at.unwrap_or(now), now), &signal.data) {
        None => (TrialEffect::NoMoment, None),
        Some(at) if at.plus(due::grace_ms(settings)) < now => (TrialEffect::TooLate, None),
        Some(at) => (TrialEffect::Opens, Some(at.max(now))),
    }
}

/// Fills the templates of the action.
fn action(
    settings: &RuleSettings,
    signal: NewSignal,
    (id, now): (RuleId, Timestamp),
    mail: Option<Uuid>,
) -> TrialAction {
    let wait = action::unstored_wait(id, &signals::signal(signal, now));
    match action::effect_by(settings, &wait, now, mail) {
        Effect::Message(message) => {
            let options: MessageOptions = serde_json::from_str(&message.options).unwrap_or_default();
            TrialAction::Message { body: message.body, to: options.to }
        }
        Effect::Signal(signal) => TrialAction::Signal { name: signal.name },
        Effect::Dead(reason) => TrialAction::Fails { reason: reason.to_owned() },
    }
}
