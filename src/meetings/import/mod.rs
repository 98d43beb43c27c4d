//! Imports the events of a calendar file (RFC 5545) as meetings: all in one transaction. An event that was
//! imported before is known by its UID; a newer one updates its meetings, or cancels them.

pub mod api;
mod event;
mod fate;
mod file;
pub mod form;
mod known;
mod match_rooms;
mod moment;
mod report;
mod series;
#[cfg(test)]
mod tests;
mod update;
mod write;
mod zones;

use crate::meetings::import::match_rooms::Plan;
use crate::{
    app_state::AppState,
    security::tokens,
    services::{internal_error, run_blocking},
    tasks::unit_of_work::UnitOfWork,
    zone::Zone,
};
use domain::{
    Actor, DomainError,
    error::ValidationError,
    meetings::{ImportReport, MAX_IMPORT_BYTES, MAX_IMPORT_INVITATIONS, MeetingImport, OnProblem},
};
use event::Reading;
use fate::Context;
use store::{PoolRole, account};
use uuid::Uuid;

/// Imports a file, or only says what an import would do.
pub async fn import(
    parts: &AppState,
    actor: &Actor,
    file: MeetingImport,
) -> Result<ImportReport, DomainError> {
    if file.text.len() > MAX_IMPORT_BYTES {
        let max = u32::try_from(MAX_IMPORT_BYTES).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("file", ValidationError::TooLarge { max }));
    }
    let (floating, text, attendees) = (Zone::stored(&actor.zone), file.text, file.attendees);
    let (own, now) = (own_address(parts, actor).await?, parts.clock.now());
    let read = move || file::items(&text, Reading { floating, attendees, own: &own, now });
    let items = run_blocking(read).await??;
    // The idempotency key applies to the whole file, not to each meeting.
    let actor = Actor { idempotency: None, ..actor.clone() };
    let mut unit = UnitOfWork::begin(parts, &actor).await?;
    let known = known::load(&mut unit, &items).await?;
    let rooms = match_rooms::rooms(&mut unit, &items, file.room_id).await?;
    let context = Context {
        items: &items,
        known: &known,
        rooms: &rooms,
        chosen: file.room_id,
        on_known: file.on_known,
    };
    let fates = update::apply(&mut unit, &items, &context).await?;
    let mut plan = Plan::of(&unit, &context, fates);
    plan.check_free(&mut unit).await?;
    if plan.count_invitations() > MAX_IMPORT_INVITATIONS {
        let max = u32::try_from(MAX_IMPORT_INVITATIONS).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("attendees", ValidationError::TooMany { max }));
    }
    let is_refused = plan.has_refusals() && file.on_problem == OnProblem::Refuse;
    let is_written = !file.is_dry_run && !is_refused;
    let report = plan.report(&unit.presenter, is_written);
    if is_written {
        write::write(&mut unit, &plan).await?;
        unit.commit().await?;
    }
    Ok(report)
}

/// The address of the importing user.
async fn own_address(parts: &AppState, actor: &Actor) -> Result<String, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let found = account::find(lease.conn(), actor.account).await.map_err(internal_error)?;
    Ok(found.map(|account| account.email).unwrap_or_default())
}

/// The id of what is made of an event.
pub fn id_of(kind: &str, uid: &str, part: &str) -> Uuid {
    let hash = tokens::hash(&format!("{kind}\n{part}\n{uid}"));
    let number = hash.get(..32).and_then(|digits| u128::from_str_radix(digits, 16).ok()).unwrap_or_default();
    uuid::Builder::from_custom_bytes(number.to_be_bytes()).into_uuid()
}
