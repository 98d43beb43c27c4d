//! Creates and revokes the secret link of a door page.

use crate::{app_state::AppState, security::tokens, services::write_error, tasks::unit_of_work::UnitOfWork};
use domain::{Actor, DomainError, RoomId, error::ValidationError};
use store::{door, event::NewEvent};

/// Number of digits of a PIN.
const PIN_DIGITS: std::ops::RangeInclusive<usize> = 4..=8;

/// Creates the link, in place of the one before, and returns its path. `pin`: empty: the room cannot
/// be booked at the door.
pub async fn create(parts: &AppState, actor: &Actor, room: RoomId, pin: &str) -> Result<String, DomainError> {
    super::super::admin_only(actor)?;
    let pin = checked_pin(pin)?;
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    super::super::lock(&mut unit, room).await?;
    let secret = tokens::generate_secret();
    let pin_hash = pin.map(|pin| hash_of_pin(room, pin));
    let hashes = (tokens::hash(&secret), pin_hash);
    let now = unit.now();
    let stored = door::set(unit.tx.conn(), room, (&hashes.0, hashes.1.as_deref()), actor.account, now).await;
    stored.map_err(write_error(parts))?;
    unit.record_events([NewEvent::simple(now, Some(actor.account), "room", room.0, "create_door")]);
    unit.commit().await?;
    Ok(format!("/rooms/{room}/door?key={secret}"))
}

fn checked_pin(typed: &str) -> Result<Option<&str>, DomainError> {
    let pin = typed.trim();
    if pin.is_empty() {
        return Ok(None);
    }
    if PIN_DIGITS.contains(&pin.len()) && pin.bytes().all(|digit| digit.is_ascii_digit()) {
        return Ok(Some(pin));
    }
    let why = "must be 4 to 8 digits".to_owned();
    Err(DomainError::invalid("pin", ValidationError::Unreadable { why }))
}

/// The hash of a PIN. Attempts are limited, because it has few digits.
pub fn hash_of_pin(room: RoomId, pin: &str) -> String {
    tokens::hash(&format!("{room}:{pin}"))
}

/// Revokes the link.
pub async fn revoke(parts: &AppState, actor: &Actor, room: RoomId) -> Result<(), DomainError> {
    super::super::admin_only(actor)?;
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    if !door::delete(unit.tx.conn(), room).await.map_err(write_error(parts))? {
        return Err(DomainError::no_such("page"));
    }
    let now = unit.now();
    unit.record_events([NewEvent::simple(now, Some(actor.account), "room", room.0, "revoke_door")]);
    unit.commit().await
}
