//! Checks of what users plan for addresses outside the desk.

use crate::{services::internal_error, tasks::unit::UnitOfWork};
use domain::{
    DomainError, Timestamp,
    error::ValidationError,
    mail_limits::{HOUR_MS, MailProblem, OutsideReminders, most_in_an_hour},
};
use std::slice;
use store::mail::{blocked, origin, usage};

/// Refuses a reminder for an outside address if its creator may not set one, or if the address gets no mail.
pub async fn check_recipient(unit: &mut UnitOfWork<'_>, address: &str) -> Result<(), DomainError> {
    let own = address.to_owned();
    let blocked = blocked::among(unit.tx.conn(), slice::from_ref(&own)).await.map_err(internal_error)?;
    if !blocked.is_empty() {
        return Err(DomainError::invalid("mail", ValidationError::BlockedAddress));
    }
    if unit.presenter.actor.is_admin() || !is_outside(unit, address).await? {
        return Ok(());
    }
    let limits = usage::limits(unit.tx.conn()).await.map_err(internal_error)?;
    match limits.outside_reminders {
        OutsideReminders::Everyone => Ok(()),
        OutsideReminders::Admins => Err(MailProblem::AdminsOnly.into()),
    }
}

/// Refuses one more mail at a moment, if an outside address gets as many as it may within an hour. `is_counted`:
/// the new one is stored already.
pub async fn check_hour(
    unit: &mut UnitOfWork<'_>,
    (address, at): (&str, Timestamp),
    is_counted: bool,
) -> Result<(), DomainError> {
    if !is_outside(unit, address).await? {
        return Ok(());
    }
    let limit = usage::limits(unit.tx.conn()).await.map_err(internal_error)?.address_per_hour;
    let span = (at.plus(-HOUR_MS), at.plus(HOUR_MS));
    let times = usage::planned(unit.tx.conn(), address, span).await.map_err(internal_error)?;
    let count = most_in_an_hour(&times, at) + usize::from(!is_counted);
    match count > usize::try_from(limit).unwrap_or(usize::MAX) {
        true => Err(MailProblem::HourFull { address: address.to_owned(), limit }.into()),
        false => Ok(()),
    }
}

/// Whether no account of the desk has this address.
async fn is_outside(unit: &mut UnitOfWork<'_>, address: &str) -> Result<bool, DomainError> {
    let own = [address.to_owned()];
    let accounts = origin::languages(unit.tx.conn(), &own).await.map_err(internal_error)?;
    Ok(accounts.is_empty())
}
