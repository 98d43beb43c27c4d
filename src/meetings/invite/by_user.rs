//! Invitations after a change by a user.

use super::store_mails;
use crate::{
    deliveries::outside::planned,
    services::{internal_error, write_error},
    tasks::{schedule, unit_of_work::UnitOfWork},
};
use domain::{DomainError, MeetingId, mail_limits::MailMove};
use store::mail::usage;
use uuid::Uuid;

/// Mails to the attendees of these meetings that a user has changed. Call it after the meetings, their
/// attendees, reminders and tasks are written. Refuses to invite or remind an outside address that gets too
/// many mails within an hour; reminders that the engine adds to a series later are held instead.
pub async fn send(unit: &mut UnitOfWork<'_>, meetings: &[MeetingId]) -> Result<(), DomainError> {
    let ids: Vec<Uuid> = meetings.iter().map(|id| id.0).collect();
    let (now, actor) = (unit.now(), unit.presenter.actor);
    let stored = store_mails(&mut unit.tx, (&ids, &[]), now).await.map_err(write_error(unit.parts))?;
    let (mut tasks, mut invited) = (stored.tasks, stored.invited);
    invited.sort_unstable();
    invited.dedup();
    let found = usage::planned_by_change(unit.tx.conn(), &ids, &invited, now).await;
    let found = found.map_err(internal_error)?;
    let reminders = found.iter().map(|(address, at)| (address.as_str(), *at));
    let mails = invited.iter().map(|address| (address.as_str(), now)).chain(reminders);
    // They are stored already.
    let mails: Vec<MailMove<'_>> = mails.map(|mail| MailMove { from: Some(mail), to: mail }).collect();
    planned::check(unit.tx.conn(), &unit.presenter, &mails).await?;
    if tasks.is_empty() {
        return Ok(());
    }
    for task in &mut tasks {
        task.bucket = queue::bucket_of(task.id, unit.parts.hints.buckets());
        unit.add_hint(task.hint());
    }
    unit.record_events(tasks.iter().map(|task| schedule::scheduled(actor, task, now)));
    unit.insert(&tasks).await
}
