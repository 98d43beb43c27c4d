//! Checks of what users plan for addresses outside the desk.

use crate::{
    services::{Presenter, internal_error},
    tasks::unit_of_work::UnitOfWork,
};
use domain::{
    DomainError, Timestamp,
    error::ValidationError,
    mail_limits::{DAY_MS, HOUR_MS, MailMove, MailProblem, OutsideReminders},
};
use std::{collections::BTreeSet, slice};
use store::{
    Conn,
    mail::{blocked, origin, usage},
};

/// Spans of time that are closer than this are read as one: each span looks at all mails of its address.
const MAX_GAP_MS: i64 = 7 * DAY_MS;

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

/// Refuses what gives an outside address more mails within an hour than it may get.
pub async fn check(
    conn: Conn<'_>,
    presenter: &Presenter<'_>,
    moves: &[MailMove<'_>],
) -> Result<(), DomainError> {
    let results = refused(conn, presenter, moves).await?;
    results.into_iter().collect::<Result<Vec<()>, _>>()?;
    Ok(())
}

/// Returns which moves are refused, in their order, with a fixed number of statements: their outside address
/// would get more mails within an hour than it may.
pub async fn refused(
    mut conn: Conn<'_>,
    presenter: &Presenter<'_>,
    moves: &[MailMove<'_>],
) -> Result<Vec<Result<(), MailProblem>>, DomainError> {
    if moves.is_empty() {
        return Ok(Vec::new());
    }
    let addresses: BTreeSet<&str> = moves.iter().map(|one| one.to.0).collect();
    let addresses: Vec<String> = addresses.into_iter().map(str::to_owned).collect();
    let inside = origin::languages(conn.reborrow(), &addresses).await.map_err(internal_error)?;
    let is_outside = |one: &MailMove<'_>| !inside.contains_key(one.to.0);
    let outside: Vec<MailMove<'_>> = moves.iter().copied().filter(is_outside).collect();
    if outside.is_empty() {
        return Ok(vec![Ok(()); moves.len()]);
    }
    let limit = usage::limits(conn.reborrow()).await.map_err(internal_error)?.address_per_hour;
    let mut planned = usage::planned(conn, &spans(&outside)).await.map_err(internal_error)?;
    let mut refused = planned.apply(&outside, limit).into_iter();
    let result = |one: &MailMove<'_>| {
        if !is_outside(one) || refused.next() != Some(true) {
            return Ok(());
        }
        let (address, at) = (one.to.0.to_owned(), presenter.moment(one.to.1));
        Err(MailProblem::HourFull { address, limit, at })
    };
    Ok(moves.iter().map(result).collect())
}

/// Returns the spans of time that count for these moves, by address, without overlaps.
fn spans<'a>(moves: &[MailMove<'a>]) -> Vec<(&'a str, Timestamp, Timestamp)> {
    let mut sorted: Vec<(&str, Timestamp)> = moves.iter().map(|one| one.to).collect();
    sorted.sort_unstable();
    let mut spans: Vec<(&str, Timestamp, Timestamp)> = Vec::new();
    for (address, at) in sorted {
        let (from, until) = (at.plus(-HOUR_MS), at.plus(HOUR_MS));
        match spans.last_mut() {
            Some(last) if last.0 == address && last.2.plus(MAX_GAP_MS) >= from => last.2 = until,
            _ => spans.push((address, from, until)),
        }
    }
    spans
}

/// Whether no account of the desk has this address.
async fn is_outside(unit: &mut UnitOfWork<'_>, address: &str) -> Result<bool, DomainError> {
    let own = [address.to_owned()];
    let accounts = origin::languages(unit.tx.conn(), &own).await.map_err(internal_error)?;
    Ok(accounts.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_spans_of_one_address_are_one() {
        let (at, week) = (Timestamp::from_millis, 7 * DAY_MS);
        let moves = [("ben", 0), ("anna", 4 * week), ("anna", week), ("anna", 0), ("anna", 2 * HOUR_MS)]
            .map(|(address, millis)| MailMove { from: None, to: (address, at(millis)) });
        assert_eq!(
            spans(&moves),
            [
                ("anna", at(-HOUR_MS), at(week + HOUR_MS)),
                ("anna", at(4 * week - HOUR_MS), at(4 * week + HOUR_MS)),
                ("ben", at(-HOUR_MS), at(HOUR_MS))
            ]
        );
    }
}
