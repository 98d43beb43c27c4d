//! Validates texts and recipients.

use crate::{
    accounts::checked_email, deliveries::outside::planned, services::internal_error,
    tasks::unit_of_work::UnitOfWork,
};
use domain::{
    DomainError,
    error::ValidationError,
    reminders::{MAX_TEXT_CHARS, Recipient},
    text::find_forbidden_char,
};
use store::{account, channel};

/// Validates a text: 1 to 1,000 characters, trimmed, in one or several lines.
pub fn text(typed: &str) -> Result<String, DomainError> {
    let wrong = |problem| Err(DomainError::invalid("text", problem));
    let max = u32::try_from(MAX_TEXT_CHARS).unwrap_or(u32::MAX);
    if typed.len() > 8 * MAX_TEXT_CHARS {
        return wrong(ValidationError::TooLong { max });
    }
    let text = typed.trim().replace("\r\n", "\n");
    if text.is_empty() {
        return wrong(ValidationError::Empty);
    }
    if text.chars().count() > MAX_TEXT_CHARS {
        return wrong(ValidationError::TooLong { max });
    }
    if text.split('\n').any(|line| find_forbidden_char(line).is_some()) {
        return wrong(ValidationError::BadCharacters);
    }
    Ok(text)
}

/// Validates a recipient: it exists, and the actor may choose it. Only admins know the channels.
pub async fn recipient(unit: &mut UnitOfWork<'_>, typed: Recipient) -> Result<Recipient, DomainError> {
    match typed {
        Recipient::Account(id) => {
            let found = account::find(unit.tx.conn(), id).await.map_err(internal_error)?;
            match found {
                Some(account) if account.is_disabled == 0 => Ok(Recipient::Account(id)),
                _ => Err(DomainError::invalid("account_id", ValidationError::Unknown)),
            }
        }
        Recipient::Mail(address) => {
            let address = self::address(&address)?;
            planned::check_recipient(unit, &address).await?;
            Ok(Recipient::Mail(address))
        }
        Recipient::Channel(_) if !unit.presenter.actor.is_admin() => Err(DomainError::NotAllowed),
        Recipient::Channel(id) => {
            let found = channel::transports(unit.tx.conn(), &[id.0]).await.map_err(internal_error)?;
            match found.get(&id.0).is_some_and(|transport| !transport.publishes_posts()) {
                true => Ok(Recipient::Channel(id)),
                false => Err(DomainError::invalid("channel_id", ValidationError::Unknown)),
            }
        }
        Recipient::Attendees | Recipient::Bell | Recipient::Sms => {
            Err(DomainError::invalid("account_id", ValidationError::Unknown))
        }
    }
}

/// Validates a mail address.
pub fn address(typed: &str) -> Result<String, DomainError> {
    checked_email(typed).map_err(|refusal| refusal.in_field("mail"))
}
