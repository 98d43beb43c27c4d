//! The reminders of the demo: one within the first minutes, others later.

use crate::{process::cli_error::CliError, server::Server};
use domain::{
    Actor, Timestamp,
    reminders::{NewReminder, Recipient, ReminderQuery, ReminderTime},
};

/// Milliseconds of a minute.
const MINUTE_MS: i64 = 60_000;

/// A reminder: text, minutes from now, place of the account it is for.
const REMINDERS: [(&str, i64, usize); 4] = [
    ("Ask for the cover picture", 3, 0),
    ("Read the interview before it is published", 90, 0),
    ("核对本周选题", 26 * 60, 0),
    ("Send the draft of the budget", 3 * 24 * 60, 2),
];

/// Creates the reminders of the first account, unless it has some.
pub async fn prepare(server: &Server, people: &[Actor]) -> Result<(), CliError> {
    let Some(owner) = people.first() else { return Ok(()) };
    let reminders = &server.services.reminders;
    if !reminders.list(owner, ReminderQuery::default()).await?.items.is_empty() {
        return Ok(());
    }
    let now = server.parts.clock.now().millis();
    let now = Timestamp::from_millis(now - now % MINUTE_MS);
    for (text, minutes, place) in REMINDERS {
        let recipient = people.get(place).map(|person| Recipient::Account(person.account));
        let time = ReminderTime::At(now.plus(minutes * MINUTE_MS).into());
        let new = NewReminder { text: text.to_owned(), recipient, time, repeats: None };
        reminders.create(owner, new).await?;
    }
    Ok(())
}
