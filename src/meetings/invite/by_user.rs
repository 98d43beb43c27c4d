//! Invitations after a change by a user.

use super::store_mails;
use crate::{
    services::write_error,
    tasks::{schedule, unit::UnitOfWork},
};
use domain::{DomainError, MeetingId};
use uuid::Uuid;

/// Mails to the attendees of these meetings that a user has changed. Call it after the meetings and
/// their attendees are written.
pub async fn send(unit: &mut UnitOfWork<'_>, meetings: &[MeetingId]) -> Result<(), DomainError> {
    let ids: Vec<Uuid> = meetings.iter().map(|id| id.0).collect();
    let (now, actor) = (unit.now(), unit.presenter.actor);
    let mut tasks = store_mails(&mut unit.tx, (&ids, &[]), now).await.map_err(write_error(unit.parts))?;
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
