//! Limits of mails to outside addresses, for changes of one and of many reminders.

use crate::{
    app_state::AppState,
    deliveries::outside::planned,
    reminders::apply::PlanChange,
    services::{Presenter, internal_error},
};
use domain::{
    Actor, DomainError,
    mail_limits::{MailMove, MailProblem},
    reminders::ReminderState,
};
use std::collections::HashMap;
use store::{
    PoolRole,
    reminder_list::{self, ReminderRow},
};
use uuid::Uuid;

/// Returns the mail that a change plans or moves; `None`: it plans none, or leaves it where it is. `address`:
/// that after the change.
pub fn mail_move<'a>(change: &'a PlanChange<'_>, address: Option<&'a str>) -> Option<MailMove<'a>> {
    let (before, after) = (&change.before, &change.after);
    let is_counted = matches!(before.state, ReminderState::Scheduled | ReminderState::Sent);
    let own = change.row.address.as_deref().filter(|_| is_counted);
    let (from, to) = (own.map(|own| (own, before.due_at)), (address?, after.due_at));
    let is_planned = after.state == ReminderState::Scheduled && from != Some(to);
    is_planned.then_some(MailMove { from, to })
}

/// Returns the reminders whose change is refused because their address would get too many mails within an
/// hour. Checks all of them together: what moves away makes room. `decide`: the change of one of them.
pub async fn refused(
    parts: &AppState,
    actor: &Actor,
    ids: &[Uuid],
    decide: impl for<'r> Fn(&Presenter<'_>, &'r ReminderRow) -> Option<PlanChange<'r>>,
) -> Result<HashMap<Uuid, DomainError>, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let rows = reminder_list::find_many(lease.conn(), ids).await.map_err(internal_error)?;
    let mailed = rows.iter().filter(|row| row.address.is_some());
    let changes: Vec<PlanChange<'_>> = mailed.filter_map(|row| decide(&presenter, row)).collect();
    let (mut mails, mut changed) = (Vec::new(), Vec::new());
    for change in &changes {
        if let Some(mail) = mail_move(change, change.row.address.as_deref()) {
            mails.push(mail);
            changed.push(change.row.id);
        }
    }
    let results = planned::refused(lease.conn(), &presenter, &mails).await?;
    let refused = |(id, result): (Uuid, Result<(), MailProblem>)| Some((id, result.err()?.into()));
    Ok(changed.into_iter().zip(results).filter_map(refused).collect())
}
