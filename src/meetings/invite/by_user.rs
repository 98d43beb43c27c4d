//! Invitations after a change by a user.

use super::store_mails;
use crate::{
    deliveries::outside::planned,
    services::write_error,
    tasks::{schedule, unit_of_work::UnitOfWork},
};
use domain::{DomainError, MeetingId, mail_limits::MailMove};
use uuid::Uuid;

/// Mails to the attendees of these meetings that a user has changed. Call it after the meetings and
/// their attendees are written. Refuses to invite an outside address that gets too many mails within an hour.
pub async fn send(unit: &mut UnitOfWork<'_>, meetings: &[MeetingId]) -> Result<(), DomainError> {
    let ids: Vec<Uuid> = meetings.iter().map(|id| id.0).collect();
    let (now, actor) = (unit.now(), unit.presenter.actor);
    let stored = store_mails(&mut unit.tx, (&ids, &[]), now).await.map_err(write_error(unit.parts))?;
    let (mut tasks, mut invited) = (stored.tasks, stored.invited);
    invited.sort_unstable();
    invited.dedup();
    // They are stored already.
    let mail = |address| MailMove { from: Some((address, now)), to: (address, now) };
    let mails: Vec<MailMove<'_>> = invited.iter().map(|address| mail(address.as_str())).collect();
    planned::check(unit.tx.conn(), &mails).await?;
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
